"""A bot on its seat: looks, waits as long as a player would, and acts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, assert_never

from tercet.bots.driver import AGAIN_MS, Act, Choose, Look, Step, Wait, attend
from tercet.games import Command, Refusal
from tercet.server.bots.thinking import Thinkers
from tercet.server.logged.game import LoggedGame

Play = Callable[[Command, float], Awaitable[Refusal | None]]
#: How many milliseconds after the last thing that happened a bot acts, at the least; asked for each time.
Moment = Callable[[], float]

logger = logging.getLogger("tercet.bots")


class BotPlayer:
    """Plays until it is stopped or the game is over."""

    def __init__(
        self, name: str, seat: int, game: LoggedGame, play: Play, thinkers: Thinkers, moment: Moment
    ) -> None:
        self.name = name
        self._seat = seat
        self._game = game
        self._play = play
        self._thinkers = thinkers
        self._moment = moment
        self._looked_at = 0.0
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
                try:
                    await self._attend()
                except Exception:
                    # Whatever a bot does wrong, the table stands; the host can put another bot there.
                    logger.exception("a bot failed", extra={"bot": self.name, "game": self._game.id})
                    self._changed.clear()
                    await self._wait(AGAIN_MS)
        finally:
            await asyncio.shield(self._thinkers.forget(self._key, self._game.rules.name))

    async def _attend(self) -> None:
        steps = attend()
        step = next(steps)
        while not self._game.is_over:
            step = steps.send(await self._take(step))

    async def _take(self, step: Step) -> Any:
        """Do what the bot does next; the answer to it."""
        game, thinkers = self._game, self._thinkers
        match step:
            case Look():
                self._changed.clear()
                self._looked_at = asyncio.get_running_loop().time()
                return await thinkers.delay(*self._asked())
            case Wait():
                return await self._wait(step.milliseconds)
            case Choose():
                command = await thinkers.choose(*self._asked())
                if command is not None:
                    await self._take_a_moment()
                return None if self._changed.is_set() else command  # it thought about what is past
            case Act():
                return await self._play(step.command, game.now()) is not None
            case _ as unreachable:
                assert_never(unreachable)

    async def _take_a_moment(self) -> None:
        """What went before is seen before the next thing happens. Thinking counts."""
        passed = 1000 * (asyncio.get_running_loop().time() - self._looked_at)
        left = self._moment() - passed
        if left > 0:
            await self._wait(left)

    def _asked(self) -> tuple[str, str, str, int, Any]:
        game = self._game
        return (self._key, game.rules.name, self.name, self._seat, game.rules.view(game.state, self._seat))

    async def _wait(self, milliseconds: float | None) -> bool:
        """Wait so long, or for something to happen; whether it did."""
        self.is_busy = milliseconds is not None
        try:
            await asyncio.wait_for(
                self._changed.wait(), None if milliseconds is None else milliseconds / 1000
            )
        except TimeoutError:
            return False
        finally:
            self.is_busy = True
        return True
