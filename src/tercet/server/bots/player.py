"""A bot on its seat: looks, waits as long as a player would, and acts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from tercet.games import Command, Refusal
from tercet.server.bots.thinking import Thinkers
from tercet.server.logged.game import LoggedGame

Play = Callable[[Command, float], Awaitable[Refusal | None]]

logger = logging.getLogger("tercet.bots")

#: How long a bot waits before it looks again after something went wrong.
AGAIN_SECONDS = 2.0


class BotPlayer:
    """Plays until it is stopped or the game is over."""

    def __init__(self, name: str, seat: int, game: LoggedGame, play: Play, thinkers: Thinkers) -> None:
        self.name = name
        self._seat = seat
        self._game = game
        self._play = play
        self._thinkers = thinkers
        #: Whether the bot is about to act; it is not while it has nothing to do until something happens.
        self.is_busy = True
        self._changed = asyncio.Event()
        self._key = f"{game.id} {seat}"
        self._task = asyncio.create_task(self._run())

    def wake(self) -> None:
        """Something happened: look again."""
        self._changed.set()

    def stop(self) -> None:
        self._task.cancel()

    async def _run(self) -> None:
        try:
            while not self._game.is_over:
                self._changed.clear()
                try:
                    await self._look()
                except Exception:
                    # Whatever a bot does wrong, the table stands; the host can put another bot there.
                    logger.exception("a bot failed", extra={"bot": self.name, "game": self._game.id})
                    await self._wait(AGAIN_SECONDS)
        finally:
            await asyncio.shield(self._thinkers.forget(self._key, self._game.rules.name))

    async def _look(self) -> None:
        game, thinkers = self._game, self._thinkers
        view = game.rules.view(game.state, self._seat)
        asked = (self._key, game.rules.name, self.name, self._seat, view)
        if await self._wait(await thinkers.delay(*asked) / 1000):
            return
        command = await thinkers.choose(*asked)
        if self._changed.is_set():
            return
        if command is None:
            self.is_busy = False
            await self._wait(None)
            self.is_busy = True
        elif await self._play(command, game.now()) is not None:
            await self._wait(AGAIN_SECONDS)

    async def _wait(self, seconds: float | None) -> bool:
        """Wait so long, or for something to happen; whether it did."""
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return False
        return True
