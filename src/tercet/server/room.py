"""A table with its people: who comes and goes, what is done about the table, and who is told.

What is played there is in `playing`. One thing at a time happens at a table, in the order in which it came; an event
is on disk before it is sent to anybody.
"""

from __future__ import annotations

from collections.abc import Iterable

from tercet import bots
from tercet.codec import from_json, to_json
from tercet.games import Refusal
from tercet.server import protocol, table
from tercet.server.company import Chat, who_is_here
from tercet.server.connection import Connection, encode
from tercet.server.eyes import see
from tercet.server.ids import new_game_id, new_seed, now_ms
from tercet.server.live import OPENING, LiveGame
from tercet.server.people import Visitor
from tercet.server.playing import Playing
from tercet.server.projections import Projector
from tercet.server.store import Conflict, Line, Store, Unavailable
from tercet.server.table import AnyTableEvent, Asking, Began, Closed, Finished
from tercet.server.thinking import Thinkers


def stream(code: str) -> str:
    """The name of a table's log."""
    return f"table {code}"


class Room(Playing):
    """A table in memory. `Rooms` makes and loads them."""

    def __init__(
        self, state: table.State, version: int, store: Store, thinkers: Thinkers, projector: Projector
    ) -> None:
        super().__init__(state, version, store, thinkers, projector)
        self.idle_since = now_ms()
        self.chat = Chat()
        self._causes: set[str] = set()
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

    def change_hands(self) -> None:
        """Bots and deadlines are this node's business now, or not any more."""
        self._start(self._change_hands())

    async def _change_hands(self) -> None:
        async with self.turnstile:  # no bot is in the middle of something
            self._seat_bots()
            self._stop_timer()
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
