"""A bot on its seat: looks, waits as long as a player would, and acts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, assert_never

from tercet.bots.driver import AGAIN_MS, Act, Choose, Look, Step, Wait, attend
from tercet.games import Command, Refusal
from tercet.server.bots.thinking import Asker, Thinkers
from tercet.server.logged.game import LoggedGame

Play = Callable[[Command, float], Awaitable[Refusal | None]]
#: Called with a seat while its bot waits for its turn to think, and how many are ahead; None when it waits no more.
Waits = Callable[[int, int | None], None]
#: How many milliseconds after the last thing that happened a bot acts, at the least; asked for each time.
Moment = Callable[[], float]

logger = logging.getLogger("tercet.bots")


class BotPlayer:
    """Plays until it is stopped or the game is over."""

    def __init__(
        self,
        asker: Asker,
        game: LoggedGame,
        play: Play,
        waits: Waits,
        thinkers: Thinkers,
        moment: Moment,
    ) -> None:
        self.name = asker.bot
        self._asker = asker
        self._waits = waits
        self._game = game
        self._play = play
        self._thinkers = thinkers
        self._moment = moment
        self._looked_at = 0.0
        #: Whether the bot is about to act; it is not while it has nothing to do until something happens.
        self.is_busy = True
        self._changed = asyncio.Event()
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
            await asyncio.shield(self._thinkers.forget(self._asker))

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
                return await thinkers.delay(self._asker, self._view())
            case Wait():
                return await self._wait(step.milliseconds)
            case Choose():
                command = await self._choose()
                if command is not None:
                    await self._take_a_moment()
                return None if self._changed.is_set() else command  # it thought about what is past
            case Act():
                return await self._play(step.command, game.now()) is not None
            case _ as unreachable:
                assert_never(unreachable)

    async def _choose(self) -> Command | None:
        seat = self._asker.seat
        try:
            return await self._thinkers.choose(
                self._asker, self._view(), lambda ahead: self._waits(seat, ahead)
            )
        finally:
            self._waits(seat, None)

    async def _take_a_moment(self) -> None:
        """What went before is seen before the next thing happens. Thinking counts."""
        passed = 1000 * (asyncio.get_running_loop().time() - self._looked_at)
        left = self._moment() - passed
        if left > 0:
            await self._wait(left)

    def _view(self) -> Any:
        return self._game.rules.view(self._game.state, self._asker.seat)

    async def _wait(self, milliseconds: float | None) -> bool:
        """Wait so long, or for something to happen; whether it did."""
        self.is_busy = milliseconds is not None
        try:
            async with asyncio.timeout(None if milliseconds is None else milliseconds / 1000):
                await self._changed.wait()
        except TimeoutError:
            return False
        finally:
            self.is_busy = True
        return True
