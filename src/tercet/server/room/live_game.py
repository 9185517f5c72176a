"""The game that goes on at a table: moves on their way to the log and back, deadlines, and bots.

An event is on disk before anybody is told of it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from random import uniform
from typing import TYPE_CHECKING, Any, Protocol

from tercet.games import Command, Entry, Refusal
from tercet.server import metrics, protocol, table
from tercet.server.bots.seats import BotSeats
from tercet.server.bots.thinking import Thinkers
from tercet.server.logged.game import LoggedGame, Plan
from tercet.server.logged.visibility import frame_events
from tercet.server.nodes.elsewhere import Elsewhere
from tercet.server.projections.writer import Projector
from tercet.server.room.turnstile import Turnstile
from tercet.server.socket.connection import Connection
from tercet.server.store import Conflict, Line, Outcome, Rejected, Store, Unavailable

if TYPE_CHECKING:
    from tercet.server.room.attendance import Attendance

logger = logging.getLogger("tercet.tables")

#: How long after its last move the end of a game is written, if that could not be done at once.
FINISH_AGAIN_MS = 1000

#: Who has waited so long for others at the table does not wait for the store as well.
PATIENCE_MS = 10_000

#: How long a bot takes for a turn, from and to, so that people can follow.
MOMENT_MS = (1000, 2000)

#: How a move went: why not, or the number of its last event, if it brought any.
Answer = Refusal | int | None
#: Called with the answer, and with what the asker must be told before it, as it goes over the wire.
Done = Callable[[Answer, bytes], None]


class Move:
    """A command on its way, or None for only what is due; and who is to hear how it went.

    ``asker`` is the client that waits for the answer, if one does; ``cause`` is the command's own name.
    """

    __slots__ = ("asker", "at", "cause", "command", "done")

    def __init__(
        self,
        command: Command | None,
        at: float,
        done: Done,
        asker: Connection | None = None,
        cause: str | None = None,
    ) -> None:
        self.command = command
        self.at = at
        self.done = done
        self.asker = asker
        self.cause = cause


class Place(Protocol):
    """Where the game is played: the table and its people, as far as the game must know them."""

    state: table.State
    version: int
    connections: set[Connection]
    turnstile: Turnstile
    elsewhere: Elsewhere
    attendance: Attendance

    def tell_all(self, message: protocol.FromServer) -> None: ...

    async def finish(self, game: LoggedGame) -> None:
        """Write that the game is over. `Unavailable` if that cannot be done now."""


class LiveGame:
    """Plays the moves, one at a time, in the order in which they came. ``game`` is how it stands."""

    def __init__(
        self, place: Place, game: LoggedGame, store: Store, thinkers: Thinkers, projector: Projector
    ) -> None:
        self.game = game
        self._place = place
        self._store = store
        self._projector = projector
        self._bots = BotSeats(game, self.play, self._tell_waits, thinkers, self._moment)
        self._waiting: dict[int, int] = {}
        self._is_stopped = False
        #: What wakes the table for the next deadline, and at which time of the game.
        self._timer: asyncio.TimerHandle | None = None
        self._timer_time = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- beginning and end ---

    async def open(self, *, is_new: bool) -> None:
        """Read the log, unless the game is new and it is known to be empty; deal or throw, if nobody has yet."""
        if not is_new:
            await self.game.catch_up(self._store)
        if self.game.seq == 0:
            await self._carry_out(self.game.rules.opening(self.game.state))

    async def resume(self) -> None:
        """Go on from wherever the log ends."""
        await self._carry_out(None)
        self._after_events()

    async def _carry_out(self, command: Command | None) -> None:
        """What the table does by itself before anybody is told of the game."""
        game = self.game
        while (plan := game.plan(command, game.now())).lines:
            try:
                await self._store.append(game.id, game.seq, plan.lines)
                game.take(plan)
                return
            except Conflict:
                await game.catch_up(self._store)

    def stop(self) -> None:
        """Nothing more happens in this game, at least not here."""
        self._is_stopped = True
        self._stop_timer()
        self._bots.seat({})

    # --- moves ---

    def begin(self, move: Move) -> None:
        """Carry out a command, as soon as nothing else happens at the table, and tell everybody what happened."""
        self._place.turnstile.enter(self._enter, move)

    async def play(self, command: Command | None, at: float) -> Refusal | None:
        """As `begin`; the refusal, if the command is refused."""
        outcome: asyncio.Future[Refusal | None] = asyncio.get_running_loop().create_future()

        def done(answer: Answer, _told: bytes) -> None:
            if not outcome.done():
                outcome.set_result(answer if isinstance(answer, Refusal) else None)

        self.begin(Move(command, at, done))
        return await outcome

    def _enter(self, move: Move) -> None:
        elsewhere = self._place.elsewhere
        if self._is_stopped:
            self._answer(move, Refusal("game_over"))
        elif self._place.state.pause is not None:
            self._answer(move, Refusal("paused"))
        elif self.game.is_sure and (not elsewhere.is_shared or elsewhere.is_heard):
            self._plan(move)
        elif self.game.passed() - move.at > PATIENCE_MS:
            # Those before waited for the store in vain: nobody waits for it twice.
            self._answer(move, Refusal("store_unavailable"))
        else:
            self._start(self._read_and_plan(move))

    def _plan(self, move: Move) -> None:
        game = self.game
        try:
            plan = game.plan(move.command, move.at, move.cause)
        except Exception:
            # Whatever a command brings to light, the table stands.
            logger.exception("a command failed", extra={"game": game.id})
            self._answer(move, Refusal("failed"))
            return
        if plan.lines:
            game.is_sure = False  # until it is known how far the log goes
            self._store.submit(game.id, game.seq, plan.lines, partial(self._written, move, plan))
        elif plan.refusal is not None:
            self._answer(move, plan.refusal)
        else:  # it was carried out before; or nothing is due
            last = None if move.cause is None else game.causes.get(move.cause)
            self._answer(move, last, ends=game.is_over)

    async def _read_and_plan(self, move: Move) -> None:
        """Others may have written to the log: look first."""
        try:
            await self.catch_up()
        except Unavailable:
            self._answer(move, Refusal("store_unavailable"))
        except BaseException:
            self._answer(move, Refusal("failed"))
            raise
        else:
            self._plan(move)

    def _written(self, move: Move, plan: Plan, error: Outcome) -> None:
        game = self.game
        if error is not None:
            if isinstance(error, Conflict):
                self._start(self._read_and_plan(move))
            else:
                rejected = isinstance(error, Rejected)
                self._answer(move, Refusal("failed") if rejected else Refusal("store_unavailable"))
            return
        game.is_sure = True
        game.take(plan)
        told = b""
        try:
            told = self._tell(plan.entries, plan.lines, move.asker)
            self._after_events()
        finally:
            self._answer(move, plan.refusal or game.seq, told, ends=game.is_over)

    def _answer(self, move: Move, answer: Answer, told: bytes = b"", *, ends: bool = False) -> None:
        """The way out for every move. ``ends``: the game is over with it, or should have been before."""
        if isinstance(answer, Refusal) and move.asker is not None:
            answer = self.game.explain(answer, move.at)
        try:
            move.done(answer, told)
        finally:
            if ends and not self._is_stopped:
                self._start(self._end())
            else:
                self._place.turnstile.leave()

    async def _end(self) -> None:
        try:
            await self._place.finish(self.game)
        except Unavailable:
            logger.warning("the end of a game is not written yet", extra={"table": self._place.state.code})
        finally:
            self._place.turnstile.leave()

    def _tell(
        self, entries: Sequence[Entry[Any]], lines: Sequence[Line], asker: Connection | None = None
    ) -> bytes:
        """Tell everybody what happened, but for the asker: what is to be told with the answer, in the same breath."""
        place = self._place
        metrics.events[place.state.game] += len(entries)
        frame_for = frame_events(self.game, entries, lines)
        for connection in place.connections:
            if connection is not asker:
                connection.tell_frame(frame_for(connection.seat))
        for bot in self._bots.seated.values():
            bot.wake()
        return b"" if asker is None else frame_for(asker.seat)

    def _after_events(self) -> None:
        place, game = self._place, self.game
        if place.elsewhere.is_shared:
            place.elsewhere.news(place.version, game.id, game.seq)
        self.set_timer()
        place.attendance.look()
        if not game.is_over:
            self._projector.note_waits(place.state, game)

    async def catch_up(self) -> None:
        """Read what others have written to the log, and tell everybody."""
        lines = await self.game.catch_up(self._store)
        if lines:
            self._tell(self.game.log[-len(lines) :], lines)
            self._after_events()

    # --- deadlines and bots ---

    def set_timer(self) -> None:
        """See to it that the next deadline is noticed. A timer that is early does no harm: it sets itself again."""
        game = self.game
        if self._is_stopped or self._place.state.pause is not None:
            return
        if game.due is not None:
            self._wake_at(game.due.at)
        elif game.is_over:  # then its end is written, if that could not be done at once
            self._wake_at(game.passed() + FINISH_AGAIN_MS)

    def _wake_at(self, time: float) -> None:
        if self._timer is not None:
            if self._timer_time <= time:
                return
            self._timer.cancel()
        self._timer_time = time
        seconds = max(time - self.game.passed(), 0) / 1000 + self._place.elsewhere.patience
        self._timer = asyncio.get_running_loop().call_later(seconds, self._time_is_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_is_up(self) -> None:
        self._timer = None
        due_in = self.game.due_in()
        if self.game.is_over or (due_in is not None and due_in <= 0):
            self._start(self._play_due())
        else:
            self.set_timer()

    async def _play_due(self) -> None:
        game = self.game
        refusal = await self.play(None, game.now())
        if self._is_stopped:
            return
        if refusal is not None and refusal.code != "paused":  # the store is away: try again
            self._stop_timer()
            self._wake_at(game.passed() + 1000)
        else:
            self.set_timer()

    def seat_bots(self) -> None:
        """Let those bots play that the table has, if they are this node's business; but not for nobody, where they would be
        faster, and not while the game stands still."""
        place, game = self._place, self.game
        goes_on = place.state.pause is None and (
            place.attendance.is_attended() or not game.rules.races(game.state)
        )
        seats = place.state.seats if goes_on and place.elsewhere.in_charge else ()
        wanted = {seat: sitting.bot for seat, sitting in enumerate(seats) if sitting.bot}
        self._bots.seat(wanted, place.state.host)

    def _tell_waits(self, seat: int, ahead: int | None) -> None:
        """Tell everybody that a bot waits for its turn to think, or that none does any more."""
        if ahead is not None:
            self._waiting[seat] = ahead
        elif self._waiting.pop(seat, None) is None:
            return
        self._place.tell_all(protocol.BotsWaiting(ahead=max(self._waiting.values(), default=None)))

    def _moment(self) -> float:
        """How long a bot takes for a turn. In a race how fast it is, is how strong it is: it says so itself."""
        is_quick = self._place.state.quick_bots or self.game.rules.is_race
        return 0 if is_quick else uniform(*MOMENT_MS)

    def pause_or_resume(self) -> None:
        """The table says whether the game stands still."""
        self.game.follow(self._place.state)
        self.change_hands()

    def change_hands(self) -> None:
        """Bots and deadlines are this node's business now, or not any more."""
        self.seat_bots()
        self._stop_timer()
        self.set_timer()

    def is_busy(self, within_ms: float) -> bool:
        """Whether something will happen soon although nobody is connected: a deadline, or bots that play."""
        due_in = self.game.due_in()
        return (due_in is not None and due_in < within_ms) or self._bots.are_busy
