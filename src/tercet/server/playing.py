"""The running game of a table: moves on their way to the log and back, deadlines, and bots.

An event is on disk before it is told to anybody.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Any

from tercet import games
from tercet.games import Entry, Refusal
from tercet.server import metrics, table
from tercet.server.botplayer import BotPlayer
from tercet.server.connection import Connection
from tercet.server.eyes import frame_events
from tercet.server.live import LiveGame, Plan
from tercet.server.moves import Move
from tercet.server.nodes import Elsewhere
from tercet.server.projections import Projector
from tercet.server.store import Conflict, Line, Outcome, Store, Unavailable
from tercet.server.thinking import Thinkers
from tercet.server.turnstile import Turnstile

logger = logging.getLogger("tercet.tables")

#: How long after its last move the end of a game is written, if that could not be done at once.
FINISH_AGAIN_MS = 1000


class Playing(ABC):
    """A table as far as its game is concerned. One thing at a time happens there, in the order in which it came."""

    def __init__(
        self, state: table.State, version: int, store: Store, thinkers: Thinkers, projector: Projector
    ) -> None:
        self.state = state
        self.version = version
        self.game: LiveGame | None = None
        self.connections: set[Connection] = set()
        self.turnstile = Turnstile()
        self.elsewhere = Elsewhere()
        self._store = store
        self._thinkers = thinkers
        self._projector = projector
        self._bots: dict[int, BotPlayer] = {}
        #: What wakes the table for the next deadline, and at which time of the game.
        self._timer: asyncio.TimerHandle | None = None
        self._timer_time = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    @abstractmethod
    async def _finish(self, game: LiveGame) -> None:
        """Write that the game is over. `Unavailable` if that cannot be done now."""

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- moves ---

    def begin(self, move: Move) -> None:
        """Carry out a command, when its turn comes, and tell everybody what happened."""
        self.turnstile.enter(self._enter, move)

    async def play(self, game: LiveGame, command: games.Command | None, at: float) -> Refusal | None:
        """As `begin`; the refusal, if the command is refused."""
        outcome: asyncio.Future[Refusal | None] = asyncio.get_running_loop().create_future()

        def done(refusal: Refusal | None) -> None:
            if not outcome.done():
                outcome.set_result(refusal)

        self.begin(Move(game, command, at, done))
        return await outcome

    def _enter(self, move: Move) -> None:
        if self.game is not move.game:
            self._refuse(move, Refusal("game_over"))
        elif move.game.is_sure and self.elsewhere.is_heard:
            self._plan(move)
        else:
            self._start(self._read_and_plan(move))

    def _plan(self, move: Move) -> None:
        game = move.game
        try:
            plan = game.plan(move.command, move.at, move.cause)
        except Exception:
            # Whatever a command brings to light, the table stands.
            logger.exception("a command failed", extra={"game": game.id})
            self._refuse(move, Refusal("failed"))
            return
        if plan.lines:
            game.is_sure = False  # until it is known how far the log goes
            self._store.submit(game.id, game.seq, plan.lines, partial(self._written, move, plan))
        elif plan.refusal is not None:
            self._refuse(move, plan.refusal)
        else:
            if move.connection is not None:
                move.connection.tell_frame(move.accepted())
            if game.is_over:  # and its end could not be written at once
                self._start(self._end(move))
            else:
                self._leave(move, None)

    async def _read_and_plan(self, move: Move) -> None:
        """Others may have written to the log: look first."""
        try:
            await self._catch_up_game()
        except Unavailable:
            self._refuse(move, Refusal("store_unavailable"))
        except BaseException:
            self._leave(move, Refusal("failed"))
            raise
        else:
            self._plan(move)

    def _written(self, move: Move, plan: Plan, error: Outcome) -> None:
        game = move.game
        if error is not None:
            if isinstance(error, Conflict):
                self._start(self._read_and_plan(move))
            else:
                self._refuse(move, Refusal("store_unavailable"))
            return
        game.is_sure = True
        game.take(plan)
        refusal = plan.refusal
        try:
            self._tell_events(game, plan.entries, plan.lines, move if refusal is None else None)
            self._after_events(game)
            if refusal is not None:
                move.refuse(refusal)
        finally:
            if game.is_over and self.game is game:
                self._start(self._end(move))
            else:
                self._leave(move, refusal)

    async def _end(self, move: Move) -> None:
        """With this move the game is over."""
        try:
            await self._finish(move.game)
        except Unavailable:
            logger.warning("the end of a game is not written yet", extra={"table": self.state.code})
        finally:
            self._leave(move, None)

    def _refuse(self, move: Move, refusal: Refusal) -> None:
        try:
            move.refuse(refusal)
        finally:
            self._leave(move, refusal)

    def _leave(self, move: Move, refusal: Refusal | None) -> None:
        try:
            self.turnstile.leave()
        finally:
            move.done(refusal)

    def _after_events(self, game: LiveGame) -> None:
        self.elsewhere.news(self.version, game.id, game.seq)
        self._set_timer()
        if not game.is_over:
            self._projector.note_turn(self.state, game)

    def _tell_events(
        self, game: LiveGame, entries: Sequence[Entry[Any]], lines: Sequence[Line], move: Move | None = None
    ) -> None:
        """Tell everybody what happened; who asked for it gets the answer in the same breath."""
        metrics.events[self.state.game] += len(entries)
        asker, accepted = (None, b"") if move is None else (move.connection, move.accepted())
        frame_for = frame_events(game, entries, lines)
        for connection in self.connections:
            framed = frame_for(connection.seat)
            connection.tell_frame(framed + accepted if connection is asker else framed)
        for bot in self._bots.values():
            bot.wake()

    async def _carry_out(self, game: LiveGame, command: games.Command | None) -> None:
        """What the table does by itself before anybody is told of the game."""
        while (plan := game.plan(command, game.now())).lines:
            try:
                await self._store.append(game.id, game.seq, plan.lines)
                game.take(plan)
                return
            except Conflict:
                await game.catch_up(self._store)

    async def _catch_up_game(self) -> None:
        game = self.game
        if game is None:
            return
        lines = await game.catch_up(self._store)
        if lines:
            self._tell_events(game, game.log[-len(lines) :], lines)
            self._after_events(game)

    # --- deadlines and bots ---

    def _set_timer(self) -> None:
        """See to it that the next deadline is noticed. A timer that is early does no harm: it sets itself again."""
        game = self.game
        if game is None:
            return
        if game.due is not None:
            self._wake_at(game, game.due.at)
        elif game.is_over:  # then its end is written, if that could not be done at once
            self._wake_at(game, game.passed() + FINISH_AGAIN_MS)

    def _wake_at(self, game: LiveGame, time: float) -> None:
        if self._timer is not None:
            if self._timer_time <= time:
                return
            self._timer.cancel()
        self._timer_time = time
        seconds = max(time - game.passed(), 0) / 1000 + self.elsewhere.patience
        self._timer = asyncio.get_running_loop().call_later(seconds, self._time_is_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_is_up(self) -> None:
        self._timer = None
        game = self.game
        if game is None:
            return
        due_in = game.due_in()
        if game.is_over or (due_in is not None and due_in <= 0):
            self._start(self._play_due(game))
        else:
            self._set_timer()

    async def _play_due(self, game: LiveGame) -> None:
        refusal = await self.play(game, None, game.now())
        if self.game is not game:
            return
        if refusal is not None:  # the store is away: try again
            self._stop_timer()
            self._wake_at(game, game.passed() + 1000)
        else:
            self._set_timer()

    def _seat_bots(self) -> None:
        game = self.game
        if game is None:
            return
        wanted = {seat: sitting.bot for seat, sitting in enumerate(self.state.seats) if sitting.bot}
        if not self.elsewhere.in_charge:
            wanted = {}
        for seat, bot in list(self._bots.items()):
            if wanted.get(seat) != bot.name:
                self._bots.pop(seat).stop()
        for seat, name in wanted.items():
            if seat not in self._bots:
                self._bots[seat] = BotPlayer(name, seat, game, self.play, self._thinkers)

    def _stop_game(self) -> None:
        self.game = None
        self._stop_timer()
        for bot in self._bots.values():
            bot.stop()
        self._bots.clear()

    def is_busy(self, within_ms: float) -> bool:
        """Whether something will happen here soon although nobody is connected: a deadline, or bots that play."""
        due_in = self.game.due_in() if self.game is not None else None
        return (due_in is not None and due_in < within_ms) or any(bot.is_busy for bot in self._bots.values())
