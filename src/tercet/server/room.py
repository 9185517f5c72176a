"""A table with its people, bots and running game: what is done there, and who is told.

One thing at a time happens at a table (`Room.turnstile`), in the order in which it came. An event is on disk before
it is sent to anybody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Sequence
from functools import partial
from time import monotonic
from typing import Any

from tercet import bots, games
from tercet.codec import from_json, to_json
from tercet.games import Entry, Refusal
from tercet.server import metrics, protocol, table
from tercet.server.botplayer import BotPlayer
from tercet.server.company import Chat, who_is_here
from tercet.server.connection import Connection, encode
from tercet.server.eyes import as_written, hides, see
from tercet.server.ids import new_id, new_seed, now_ms
from tercet.server.limits import Limits
from tercet.server.live import OPENING, LiveGame, Plan
from tercet.server.moves import Move
from tercet.server.nodes import Elsewhere
from tercet.server.people import Visitor
from tercet.server.projections import Projector
from tercet.server.store import Conflict, Line, Outcome, Store, Unavailable
from tercet.server.table import AnyTableEvent, Asking, Began, Closed, Finished
from tercet.server.thinking import Thinkers
from tercet.server.turnstile import Turnstile

logger = logging.getLogger("tercet.tables")

#: How long after its last move the end of a game is written, if that could not be done at once.
FINISH_AGAIN_MS = 1000


def stream(code: str) -> str:
    """The name of a table's log."""
    return f"table {code}"


class Room:
    """A table in memory. `Rooms` makes and loads them."""

    def __init__(
        self,
        state: table.State,
        version: int,
        store: Store,
        thinkers: Thinkers,
        limits: Limits,
        projector: Projector,
    ) -> None:
        self.state = state
        self.version = version
        self.game: LiveGame | None = None
        self.connections: set[Connection] = set()
        self.turnstile = Turnstile()
        self.idle_since = now_ms()
        self.elsewhere = Elsewhere()
        self._store = store
        self._thinkers = thinkers
        self._limits = limits
        self._projector = projector
        self.chat = Chat()
        self._causes: set[str] = set()
        self._bots: dict[int, BotPlayer] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._looking = False
        self._look_at_table = False
        self._told: tuple[protocol.Present, ...] = ()

    @property
    def code(self) -> str:
        return self.state.code

    # --- coming and going ---

    def identity(self, visitor: Visitor) -> str:
        """The id under which somebody is known here: maybe that of the guest they were when they sat down."""
        known = {visitor.id, *visitor.former} & {*self.state.people(), self.state.host}
        return min(known) if known and visitor.id not in known else visitor.id

    def _place(self, connection: Connection) -> None:
        """Look up who a client is here and where they sit, anew after every change of the table."""
        connection.person = self.identity(connection.visitor)
        connection.seat = self.state.seat_of(connection.person)

    def join(self, connection: Connection, game: str | None, seen: int) -> None:
        """A client comes in, or back; ``seen`` is the number of the last event that it knows of that game."""
        self.connections.add(connection)
        self._place(connection)
        visitor = connection.visitor
        entries_after = seen if self.game is not None and game == self.game.id else 0
        welcome = protocol.Welcome(
            version=protocol.VERSION,
            you=protocol.Me(connection.person, visitor.name, visitor.account),
            table=table.show(self.state, self.version),
            game=self._running_game(connection, entries_after),
            present=who_is_here(self.connections, self.state.seats, self.elsewhere.present),
            chat=tuple(self.chat.said),
        )
        connection.tell(welcome)
        self.tell_presence()

    def leave(self, connection: Connection) -> None:
        """A client is gone; the seat stays."""
        self.connections.discard(connection)
        self.idle_since = now_ms()
        self.tell_presence()

    def _running_game(self, connection: Connection, seen: int) -> protocol.RunningGame | None:
        game = self.game
        if game is None:
            return None
        rules, seat = game.rules, connection.seat
        return protocol.RunningGame(
            id=game.id,
            game=self.state.game,
            names=self.state.names,
            seat=seat,
            seq=game.seq,
            now=int(game.now()),
            state=rules.view(game.state, seat),
            entries=tuple(see(rules, game.log[max(seen, 0) :], seat)),
        )

    def tell_presence(self) -> None:
        """Tell everybody who is here, if that is news."""
        if self.elsewhere.is_shared:
            self.elsewhere.here(who_is_here(self.connections))
        present = who_is_here(self.connections, self.state.seats, self.elsewhere.present)
        if present != self._told:
            self._told = present
            self._tell_all(protocol.Presence(present=present))

    def _tell_all(self, message: protocol.FromServer) -> None:
        framed = encode(message)
        for connection in self.connections:
            connection.tell_frame(framed)

    # --- what players do ---

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
        try:
            if self.game is not move.game:
                self._refuse(move, Refusal("game_over"))
            elif move.game.is_sure and self.elsewhere.is_heard:
                self._plan(move)
            else:
                self._start(self._read_and_plan(move))
        except BaseException:
            self.turnstile.leave()
            raise

    def _plan(self, move: Move) -> None:
        game = move.game
        plan = game.plan(move.command, move.at, move.cause)
        if plan.lines:
            game.is_sure = False  # until it is known how far the log goes
            begun = monotonic()
            self._store.submit(game.id, game.seq, plan.lines, partial(self._written, move, plan, begun))
        elif plan.refusal is not None:
            self._refuse(move, plan.refusal)
        else:
            if move.connection is not None:
                move.connection.tell_frame(move.accepted())
            self._leave(move, None)

    async def _read_and_plan(self, move: Move) -> None:
        """Others may have written to the log: look first."""
        try:
            await self._catch_up_game()
        except Unavailable:
            self._refuse(move, Refusal("store_unavailable"))
        except BaseException:
            self.turnstile.leave()
            raise
        else:
            self._plan(move)

    def _written(self, move: Move, plan: Plan, begun: float, error: Outcome) -> None:
        game = move.game
        if isinstance(error, Unavailable):
            self._refuse(move, Refusal("store_unavailable"))
            return
        if isinstance(error, Conflict):
            self._start(self._read_and_plan(move))
            return
        metrics.appends.add(monotonic() - begun)
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
            logger.warning("the end of a game is not written yet", extra={"table": self.code})
        finally:
            self._leave(move, None)

    def _refuse(self, move: Move, refusal: Refusal) -> None:
        move.refuse(refusal)
        self._leave(move, refusal)

    def _leave(self, move: Move, refusal: Refusal | None) -> None:
        self.turnstile.leave()
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
        now = int(game.now())
        frames: dict[int | None, bytes] = {}
        is_hidden = hides(game.rules, entries)
        if not is_hidden:
            frames[None] = encode(protocol.Events(game=game.id, entries=as_written(lines), now=now))
        for connection in self.connections:
            seat = connection.seat if is_hidden else None
            if seat not in frames:
                seen = tuple(see(game.rules, entries, seat))
                frames[seat] = encode(protocol.Events(game=game.id, entries=seen, now=now))
            connection.tell_frame(frames[seat] + accepted if connection is asker else frames[seat])
        for bot in self._bots.values():
            bot.wake()

    async def manage(
        self, visitor: Visitor, command: protocol.TableCommand, command_id: str
    ) -> Refusal | None:
        """Carry out a command about the table; tell everybody what changed."""
        person = self.identity(visitor)
        cause = f"{person}:{command_id}"
        async with self.turnstile:
            try:
                if not self.elsewhere.is_heard:
                    await self.catch_up()
                while True:
                    if cause in self._causes:
                        return None
                    outcome = table.decide(self.state, command, self._asking(person, visitor.name))
                    if isinstance(outcome, Refusal):
                        return outcome
                    try:
                        await self._happen(outcome, cause)
                        return None
                    except Conflict:
                        await self.catch_up()
            except Unavailable:
                return Refusal("store_unavailable")

    def _asking(self, person: str, name: str) -> Asking:
        return Asking(person, name, int(now_ms()), new_id(), tuple(bots.names(self.state.game)))

    async def _happen(self, events: Iterable[AnyTableEvent], cause: str | None = None) -> None:
        """Write table events to the log, then let them be true."""
        events = list(events)
        now = int(now_ms())
        last = self.version + len(events)
        lines = [
            Line(number, now, to_json(event).decode(), cause if number == last else None)
            for number, event in enumerate(events, self.version + 1)
        ]
        await self._store.append(stream(self.code), self.version, lines)
        if cause is not None:
            self._causes.add(cause)
        for event in events:
            self._evolve(event)
        try:
            await self._after_table_events(events, is_ours=True)
        finally:
            game = self.game
            self.elsewhere.news(self.version, game.id if game else None, game.seq if game else 0)

    def _evolve(self, event: AnyTableEvent) -> None:
        self.state = table.evolve(self.state, event)
        self.version += 1

    async def catch_up(self) -> None:
        """Read what others have written to the table's log since."""
        events: list[AnyTableEvent] = []
        lines = await self._store.read(stream(self.code), self.version)
        if lines:
            await self._catch_up_game()  # how it went on comes before its end
        for line in lines:
            event = from_json(line.event, AnyTableEvent)
            if isinstance(event, Finished) and self.game is not None and self._is_on(self.game):
                self._projector.note_end(self.state, self.game, event)
            self._evolve(event)
            events.append(event)
            if line.cause is not None:
                self._causes.add(line.cause)
        if events:
            await self._after_table_events(events)

    def _is_on(self, game: LiveGame) -> bool:
        return self.state.playing is not None and self.state.playing.id == game.id

    async def _after_table_events(self, events: list[AnyTableEvent], *, is_ours: bool = False) -> None:
        for connection in self.connections:
            self._place(connection)
        self._tell_all(protocol.TableChanged(table=table.show(self.state, self.version)))
        self._send_away()
        self.tell_presence()
        if any(isinstance(event, Finished | Closed) for event in events):
            self._stop_game()
        if any(isinstance(event, Began) for event in events) and self.state.phase == "playing":
            await self.resume(is_new=is_ours)
            for connection in self.connections:
                running = self._running_game(connection, 0)
                if running is not None:
                    connection.tell(protocol.GameStarted(game=running))
        elif self.game is not None:
            if any(isinstance(event, table.Sat) for event in events):
                self._show_new_seats(events)
            self._seat_bots()
        self._projector.note(self.state, self.game)

    def _show_new_seats(self, events: list[AnyTableEvent]) -> None:
        """Who takes over a seat in a running game sees it from there."""
        newcomers = {event.person for event in events if isinstance(event, table.Sat)}
        for connection in self.connections:
            if connection.person in newcomers:
                running = self._running_game(connection, 0)
                if running is not None:
                    connection.tell(protocol.GameStarted(game=running))

    def _send_away(self) -> None:
        for connection in self.connections:
            if self.state.phase == "closed":
                connection.end("closed")
            elif connection.person in self.state.banned:
                connection.end("kicked")

    # --- the running game ---

    async def resume(self, *, is_new: bool = False) -> None:
        """Set the running game going, from wherever its log ends; that of a new game is known to be empty."""
        if self.state.playing is None or self.state.phase != "playing":
            return
        game = LiveGame(self.state)
        if not is_new:
            await game.catch_up(self._store)
        if game.seq == 0:
            await self._carry_out(game, OPENING[self.state.game])
        self.game = game
        await self._carry_out(game, None)
        self._after_events(game)
        if game.is_over:
            await self._finish(game)
        if self.game is game:
            self._seat_bots()

    async def _carry_out(self, game: LiveGame, command: games.Command | None) -> None:
        """What the table does by itself before anybody is told of the game."""
        while (plan := game.plan(command, game.now())).lines:
            try:
                await self._store.append(game.id, game.seq, plan.lines)
                game.take(plan)
                return
            except Conflict:
                await game.catch_up(self._store)

    async def _finish(self, game: LiveGame) -> None:
        finished = Finished(
            scores=tuple(game.rules.scores(game.state)),
            winners=tuple(game.rules.winners(game.state)),
            seed=new_seed(),
            time=int(now_ms()),
        )
        self._projector.note_end(self.state, game, finished)
        try:
            await self._happen([finished])
        except Conflict:
            await self.catch_up()

    def _stop_game(self) -> None:
        self.game = None
        self._stop_timer()
        for bot in self._bots.values():
            bot.stop()
        self._bots.clear()

    def _set_timer(self) -> None:
        """See to it that the next deadline is noticed. A timer that is early does no harm: it sets itself again."""
        game = self.game
        if game is None or (game.due is None and not game.is_over):
            return
        due_in = game.due_in()
        if due_in is None:
            due_in = FINISH_AGAIN_MS  # then the end is written, if that could not be done at once
        loop = asyncio.get_running_loop()
        at = loop.time() + max(due_in, 0) / 1000 + self.elsewhere.patience
        if self._timer is None or self._timer.when() > at:
            self._stop_timer()
            self._timer = loop.call_at(at, self._time_is_up)

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

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play_due(self, game: LiveGame) -> None:
        refusal = await self.play(game, None, game.now())
        if refusal is not None and self.game is game:  # the store is away: try again
            self._timer = asyncio.get_running_loop().call_later(1, self._time_is_up)
        elif self.game is game:
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

    def is_busy(self, within_ms: float) -> bool:
        """Whether something will happen here soon although nobody is connected: a deadline, or bots that play."""
        due_in = self.game.due_in() if self.game is not None else None
        return (due_in is not None and due_in < within_ms) or any(bot.is_busy for bot in self._bots.values())

    async def close(self) -> None:
        """Take the table out of memory. Its logs stay, and it can be loaded again."""
        self.elsewhere.close()
        async with self.turnstile:
            self._stop_game()

    # --- what other nodes do ---

    def hear_news(self, version: int, game: str | None, seq: int) -> None:
        """The logs go that far: look, if that is further than here."""
        known = self.game
        if version > self.version:
            self.look_again()
        elif known is not None and known.id == game and seq > known.seq:
            self.look_again(table=False)

    def look_again(self, *, table: bool = True) -> None:
        """Read what others may have written, as soon as nothing else happens here."""
        self._look_at_table |= table
        if not self._looking:
            self._looking = True
            self._start(self._look())

    async def _look(self) -> None:
        async with self.turnstile:
            self._looking = False
            table, self._look_at_table = self._look_at_table, False
            await self._refresh(table)

    async def refresh(self) -> None:
        """Read what others have written to both logs, and tell everybody. Without the store, next time."""
        async with self.turnstile:
            await self._refresh(table=True)

    async def _refresh(self, table: bool) -> None:
        try:
            if table:
                await self.catch_up()
            await self._catch_up_game()
        except Unavailable:
            if self.game is not None:
                self.game.is_sure = False

    async def _catch_up_game(self) -> None:
        game = self.game
        if game is None:
            return
        lines = await game.catch_up(self._store)
        if lines:
            self._tell_events(game, game.log[-len(lines) :], lines)
            self._after_events(game)

    def change_hands(self) -> None:
        """Bots and deadlines are this node's business now, or not any more."""
        self._start(self._change_hands())

    async def _change_hands(self) -> None:
        async with self.turnstile:  # no bot is in the middle of something
            self._seat_bots()
            self._set_timer()

    def recent_chat(self) -> tuple[protocol.Said, ...]:
        return tuple(self.chat.said)

    def hear_said(self, message: protocol.Chat | protocol.Reaction) -> None:
        """Pass on what was said on another node."""
        self.chat.pass_on(message, self.connections)

    def hear_history(self, said: Iterable[protocol.Said]) -> None:
        """Pass on what was said on another node while it could not be heard."""
        for missed in self.chat.missed(said):
            self.chat.pass_on(protocol.Chat(said=missed), self.connections)
