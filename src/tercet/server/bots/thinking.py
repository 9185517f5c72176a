"""Bots think in processes of their own, so that no thought delays a call at any table."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from random import Random
from time import monotonic
from typing import Any

from msgspec import Struct

from tercet import bots, games
from tercet.bots import Bot
from tercet.games import Command
from tercet.server import metrics
from tercet.server.bots.queue import Question, Queue


class Asker(Struct, frozen=True):
    """The bot on a seat: its name of its own, what it plays, and where. ``person`` is the host of its table."""

    key: str
    game: str
    bot: str
    seat: int
    table: str
    person: str


class Thinkers:
    """Worker processes, started when the first bot sits down. A bot keeps to one of them: it remembers there
    what it has seen. The bots of races have a process to themselves, because they must not wait for one that
    thinks long about a turn."""

    def __init__(self, workers: int | None = None) -> None:
        self._count = workers or max(1, min(8, (os.cpu_count() or 2) - 1))
        self._lanes: dict[int, _Lane] = {}
        #: How many bots think, or wait to.
        self.busy = 0

    async def delay(self, asker: Asker, view: Any) -> int:
        """The milliseconds before this bot would act on this view."""
        asked = _Asked(asker, True, lambda _limit: (_delay, asker, view))
        return int(await self._lane(asker).answer(asked))

    async def choose(self, asker: Asker, view: Any, waits: Callable[[int], None]) -> Command | None:
        """What the bot does now, if anything. While it waits for its turn to think, it is told now and then how many
        are ahead."""
        lane = self._lane(asker)
        asked = _Asked(asker, False, lambda limit: (_choose, asker, view, limit))
        telling = asyncio.create_task(lane.tell_waits(asked, waits))
        self.busy += 1
        try:
            command: Command | None = await lane.answer(asked)
            return command
        finally:
            self.busy -= 1
            telling.cancel()

    async def work(self, what: Callable[..., Any], *given: Any) -> Any:
        """Let something else be worked out, in a process of its own beside those of the bots."""
        asker = Asker("", "", "", 0, "", "")
        return await self._lanes.setdefault(-1, _Lane()).answer(
            _Asked(asker, False, lambda _limit: (what, *given))
        )

    async def forget(self, asker: Asker) -> None:
        """The bot is not needed any more."""
        if self._number(asker) in self._lanes:
            await self._lane(asker).answer(_Asked(asker, True, lambda _limit: (_forget, asker)))

    @property
    def waiting(self) -> int:
        """How many bots wait for their turn to think."""
        return sum(len(lane.queue) for lane in self._lanes.values())

    def close(self) -> None:
        for lane in self._lanes.values():
            lane.close()
        self._lanes.clear()

    def _number(self, asker: Asker) -> int:
        return 0 if games.find(asker.game).rules.is_race else 1 + hash(asker.key) % self._count

    def _lane(self, asker: Asker) -> _Lane:
        return self._lanes.setdefault(self._number(asker), _Lane())


#: How often somebody whose bot waits is told how many are ahead.
TELL_SECONDS = 2.0


class _Asked(Question):
    """A question with its answer; what the process is to do depends on the seconds it may take."""

    def __init__(self, asker: Asker, is_short: bool, work: Callable[[float], tuple[Any, ...]]) -> None:
        super().__init__(asker.table, asker.person, is_short)
        self.work = work
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class _Lane:
    """One process, one question at a time; the others wait here, where their order can be chosen."""

    def __init__(self) -> None:
        self.queue: Queue[_Asked] = Queue()
        self._executor: ProcessPoolExecutor | None = None
        self._task: asyncio.Task[None] | None = None

    async def answer(self, asked: _Asked) -> Any:
        self.queue.add(asked)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        try:
            return await asked.answer
        finally:
            self.queue.remove(asked)

    async def tell_waits(self, asked: _Asked, waits: Callable[[int], None]) -> None:
        while True:
            await asyncio.sleep(TELL_SECONDS)
            ahead = self.queue.ahead(asked)
            if ahead is None:
                return
            waits(ahead)

    async def _run(self) -> None:
        while (asked := self.queue.take()) is not None:
            if asked.answer.done():  # whoever asked is gone
                continue
            begun = monotonic()
            if not asked.is_short:
                metrics.bot_waits.add(begun - asked.asked)
            try:
                answer = await self._ask(*asked.work(self.queue.time_limit()))
            except Exception as error:
                if not asked.answer.done():
                    asked.answer.set_exception(error)
            else:
                if not asked.answer.done():
                    asked.answer.set_result(answer)
            self.queue.charge(asked, monotonic() - begun)

    async def _ask(self, question: Any, *given: Any) -> Any:
        for attempt in (1, 2):
            if self._executor is None:
                context = multiprocessing.get_context("spawn")
                self._executor = ProcessPoolExecutor(1, context, begin_to_work, (5,))
            try:
                return await asyncio.get_running_loop().run_in_executor(self._executor, question, *given)
            except BrokenProcessPool:
                self._executor = None
                if attempt == 2:
                    raise
        raise AssertionError("unreachable")

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None


# --- within a worker process ---

_bots: dict[str, Bot[Any, Any]] = {}


def begin_to_work(nice: int) -> None:
    """Whatever a process does gives way to answering people; an interrupt is the server's business, which then ends us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(nice)
    threading.Thread(target=_end_with_the_server, daemon=True).start()


def _end_with_the_server() -> None:
    """Also when it was killed and could not tell us."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(0)


def _find(asker: Asker) -> Bot[Any, Any]:
    known = _bots.get(asker.key)
    if known is None or known.name != asker.bot:
        known = _bots[asker.key] = bots.make(asker.game, asker.bot, asker.seat, Random())
    return known


def _delay(asker: Asker, view: Any) -> int:
    return _find(asker).delay(view)


def _choose(asker: Asker, view: Any, time_limit: float) -> Command | None:
    choice: Command | None = _find(asker).choose(view, time_limit)
    return choice


def _forget(asker: Asker) -> None:
    _bots.pop(asker.key, None)
