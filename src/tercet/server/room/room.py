"""A table with its people: who comes and goes, what is done about the table, and who is told.

The game that goes on there is a `LiveGame`. One thing at a time happens at a table, in the order in which it came; an
event is on disk before it is sent to anybody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any

from tercet import bots
from tercet.games import Refusal
from tercet.server import protocol, table
from tercet.server.bots.thinking import Thinkers
from tercet.server.ids import new_game_id, new_seed, now_ms
from tercet.server.logged.game import LoggedGame
from tercet.server.logged.table import read_event, stream_of, write_events
from tercet.server.logged.visibility import see
from tercet.server.nodes.elsewhere import Elsewhere
from tercet.server.people.people import Visitor
from tercet.server.projections.writer import Projector
from tercet.server.room.chat import Chat, Word, word_of
from tercet.server.room.live_game import LiveGame
from tercet.server.room.presence import who_is_here
from tercet.server.room.turnstile import Turnstile
from tercet.server.socket.connection import Connection
from tercet.server.socket.transport import encode
from tercet.server.store import Conflict, Store, Unavailable
from tercet.server.table import AnyTableEvent, Asking, Began, Closed, Finished


class Room:
    """A table in memory. `Rooms` makes and loads them."""

    def __init__(
        self, state: table.State, version: int, store: Store, thinkers: Thinkers, projector: Projector
    ) -> None:
        self.state = state
        self.version = version
        self.live: LiveGame | None = None
        self.connections: set[Connection] = set()
        self.turnstile = Turnstile()
        self.elsewhere = Elsewhere()
        self.idle_since = now_ms()
        self.chat = Chat()
        self._store = store
        self._thinkers = thinkers
        self._projector = projector
        self._causes: set[str] = set()
        self._looking = False
        self._look_at_table = False
        self._told: tuple[protocol.Present, ...] = ()
        self._tasks: set[asyncio.Task[None]] = set()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def code(self) -> str:
        return self.state.code

    @property
    def game(self) -> LoggedGame | None:
        """The game that goes on here, if one does, as far as it has come."""
        return None if self.live is None else self.live.game

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
        return Asking(person, name, int(now_ms()), new_game_id(), tuple(bots.names(self.state.game)))

    async def _happen(self, events: Iterable[AnyTableEvent], cause: str | None = None) -> None:
        """Write table events to the log, then let them be true."""
        events = list(events)
        lines = write_events(events, self.version, int(now_ms()), cause)
        await self._store.append(stream_of(self.code), self.version, lines)
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
        lines = await self._store.read(stream_of(self.code), self.version)
        if lines and self.live is not None:
            await self.live.catch_up()  # how it went on comes before its end
        for line in lines:
            event = read_event(line)
            if isinstance(event, Finished) and self.game is not None and self._is_on(self.game):
                self._projector.note_end(self.state, self.game, event)
            self._evolve(event)
            events.append(event)
            if line.cause is not None:
                self._causes.add(line.cause)
        if events:
            await self._after_table_events(events)

    def _is_on(self, game: LoggedGame) -> bool:
        return self.state.started is not None and self.state.started.id == game.id

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
        elif self.live is not None:
            if any(isinstance(event, table.Sat) for event in events):
                self._show_new_seats(events)
            self.live.seat_bots()
        self._projector.note(self.state, self.version, self.game)

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

    # --- the game that goes on ---

    async def resume(self, *, is_new: bool = False) -> None:
        """Set the table's game going, from wherever its log ends; that of a new game is known to be empty."""
        if self.state.started is None or self.state.phase != "playing":
            return
        live = LiveGame(self, LoggedGame(self.state), self._store, self._thinkers, self._projector)
        await live.open(is_new=is_new)
        self.live = live
        await live.resume()
        if live.game.is_over:
            await self.finish(live.game)
        if self.live is live:
            live.seat_bots()

    async def finish(self, game: LoggedGame) -> None:
        """Write that the game is over. `Unavailable` if that cannot be done now."""
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
        if self.live is not None:
            self.live.stop()
            self.live = None

    def is_busy(self, within_ms: float) -> bool:
        """Whether something will happen here soon although nobody is connected."""
        return self.live is not None and self.live.is_busy(within_ms)

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
            if self.live is not None:
                await self.live.catch_up()
        except Unavailable:
            if self.game is not None:
                self.game.is_sure = False

    def change_hands(self) -> None:
        """Bots and deadlines are this node's business now, or not any more."""
        self._start(self._change_hands())

    async def _change_hands(self) -> None:
        async with self.turnstile:  # no bot is in the middle of something
            if self.live is not None:
                self.live.change_hands()

    # --- chat ---

    def say(self, connection: Connection, message: protocol.Say | protocol.React) -> Refusal | None:
        """Pass on what somebody says to all who want to hear it."""
        word = word_of(connection, message) if self.state.chat else Refusal("chat_off")
        if isinstance(word, Refusal):
            return word
        self.hear_said(word)
        self.elsewhere.said(word)
        return None

    def recent_chat(self) -> tuple[protocol.Said, ...]:
        return tuple(self.chat.said)

    def hear_said(self, word: Word) -> None:
        """Pass on what was said, perhaps on another node."""
        self.chat.pass_on(word, self.connections)

    def hear_history(self, said: Iterable[protocol.Said]) -> None:
        """Pass on what was said on another node while it could not be heard."""
        for missed in self.chat.missed(said):
            self.hear_said(protocol.Chat(said=missed))
