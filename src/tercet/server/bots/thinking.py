"""Bots think in processes of their own, so that no thought delays a call at any table."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Any

from tercet import bots, games
from tercet.bots import Bot
from tercet.games import Command

#: Seconds that a bot may think about one choice.
TIME_LIMIT = 2.0


class Thinkers:
    """Worker processes, started when the first bot sits down. A bot keeps to one of them: it remembers there
    what it has seen. The bots of races have a process to themselves, because they must not wait for one that
    thinks long about a turn."""

    def __init__(self, workers: int | None = None) -> None:
        self._count = workers or max(1, min(8, (os.cpu_count() or 2) - 1))
        self._lanes: dict[int, ProcessPoolExecutor] = {}

    async def delay(self, key: str, game: str, bot: str, seat: int, view: Any) -> int:
        """The milliseconds before this bot would act on this view."""
        return int(await self._ask(_delay, key, game, bot, seat, view))

    async def choose(self, key: str, game: str, bot: str, seat: int, view: Any) -> Command | None:
        """What the bot does now, if anything."""
        command: Command | None = await self._ask(_choose, key, game, bot, seat, view)
        return command

    async def forget(self, key: str, game: str) -> None:
        """The bot is not needed any more."""
        lane = self._lane(key, game)
        if lane in self._lanes:
            await self._ask(_forget, key, game)

    def close(self) -> None:
        for executor in self._lanes.values():
            executor.shutdown(wait=False, cancel_futures=True)
        self._lanes.clear()

    def _lane(self, key: str, game: str) -> int:
        return 0 if games.find(game).rules.is_race else 1 + hash(key) % self._count

    async def _ask(self, question: Any, key: str, game: str, *given: Any) -> Any:
        lane = self._lane(key, game)
        for attempt in (1, 2):
            executor = self._lanes.get(lane)
            if executor is None:
                context = multiprocessing.get_context("spawn")
                executor = self._lanes[lane] = ProcessPoolExecutor(1, context, initializer=_begin)
            try:
                return await asyncio.get_running_loop().run_in_executor(executor, question, key, game, *given)
            except BrokenProcessPool:
                if self._lanes.get(lane) is executor:  # else another bot has been here, and begun a new one
                    del self._lanes[lane]
                if attempt == 2:
                    raise
        raise AssertionError("unreachable")


# --- within a worker process ---

_bots: dict[str, Bot[Any, Any]] = {}


def _begin() -> None:
    """Thinking gives way to answering people; an interrupt is the server's business, which then ends us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)
    threading.Thread(target=_end_with_the_server, daemon=True).start()


def _end_with_the_server() -> None:
    """Also when it was killed and could not tell us."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(0)


def _find(key: str, game: str, bot: str, seat: int) -> Bot[Any, Any]:
    known = _bots.get(key)
    if known is None or known.name != bot:
        known = _bots[key] = bots.make(game, bot, seat, Random())
    return known


def _delay(key: str, game: str, bot: str, seat: int, view: Any) -> int:
    return _find(key, game, bot, seat).delay(view)


def _choose(key: str, game: str, bot: str, seat: int, view: Any) -> Command | None:
    choice: Command | None = _find(key, game, bot, seat).choose(view, TIME_LIMIT)
    return choice


def _forget(key: str, _game: str) -> None:
    _bots.pop(key, None)
