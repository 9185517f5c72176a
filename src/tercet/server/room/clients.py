"""The clients at a table: they come and go, and see the game from their seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

from tercet.server import protocol, table
from tercet.server.budgets import over
from tercet.server.ids import now_ms
from tercet.server.logged.visibility import Pages, see
from tercet.server.room.presence import who_is_here
from tercet.server.socket.connection import Connection

if TYPE_CHECKING:
    from tercet.server.room.room import Room


class Clients:
    """Lets clients in and out, and tells each what it may see."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._pages = Pages()

    def place(self, connection: Connection) -> None:
        """Look up who a client is here and where they sit, again after every change of the table."""
        connection.person = self._room.identity(connection.visitor)
        connection.seat = self._room.state.seat_of(connection.person)

    def place_all(self) -> None:
        for connection in self._room.connections:
            self.place(connection)

    def has_place_for(self, person: str, limit: int) -> bool:
        """Whether one more onlooker may come in. When there are too many, whoever has most sockets gives one up."""
        onlookers = [one for one in self._room.connections if one.seat is None and not one.is_ending]
        if len(onlookers) < limit:
            return True
        over("sockets_per_table")
        count = Counter(one.person for one in onlookers)
        greediest, most = max(count.items(), key=itemgetter(1), default=("", 0))
        if most < count[person] + 2:
            return False
        min((one for one in onlookers if one.person == greediest), key=attrgetter("since")).end("too_many")
        return True

    def join(self, connection: Connection, game: str | None, seen: int) -> None:
        """A client comes in, or back; ``seen`` is the number of the last event that it knows of that game."""
        if connection.is_ending:
            return
        room, visitor = self._room, connection.visitor
        room.connections.add(connection)
        self.place(connection)
        entries_after = seen if room.game is not None and game == room.game.id else 0
        welcome = protocol.Welcome(
            version=protocol.VERSION,
            you=protocol.Me(connection.person, visitor.name, visitor.account, visitor.program),
            table=table.show(room.state, room.version),
            game=self._running_game(connection, entries_after),
            present=who_is_here(
                room.connections,
                room.state.seats,
                room.elsewhere.present,
                with_times=room.state.run is not None,
            ),
            missed=room.attendance.missed,
            chat=tuple(room.chat.said),
            gone=room.attendance.gone(),
        )
        connection.tell_first(welcome)
        room.tell_presence()
        room.attendance.note_visit()

    def leave(self, connection: Connection) -> None:
        """A client is gone; the seat stays."""
        room = self._room
        room.connections.discard(connection)
        room.attendance.see(
            connection.person, connection.heard if connection.quality == "offline" else now_ms()
        )
        room.idle_since = now_ms()
        room.tell_presence()

    def send_away(self) -> None:
        """Let go of whoever may not be here any more."""
        state = self._room.state
        for connection in self._room.connections:
            if state.phase == "closed":
                connection.end("closed")
            elif connection.visitor.ids & state.banned:
                connection.end("kicked")

    def tell_game(self, people: Collection[str] | None = None) -> None:
        """Tell these people, or everybody, the running game as it is seen from their seats."""
        for connection in self._room.connections:
            if people is None or connection.person in people:
                running = self._running_game(connection, 0)
                if running is not None:
                    connection.tell_first(protocol.GameStarted(game=running))

    def _running_game(self, connection: Connection, seen: int) -> protocol.RunningGame | None:
        state, game = self._room.state, self._room.game
        if game is None:
            return None
        rules, seat = game.rules, connection.seat
        entries: Any = self._pages.write(game) if seen <= 0 else None
        if entries is None:
            entries = tuple(see(rules, game.log[max(seen, 0) :], seat))
        return protocol.RunningGame(
            id=game.id,
            game=state.game,
            names=state.names,
            seat=seat,
            own_seat=self._own_seat(connection),
            seq=game.seq,
            now=int(game.now()),
            state=rules.view(game.state, seat),
            entries=entries,
        )

    def _own_seat(self, connection: Connection) -> int | None:
        """The seat that somebody without one had in this game, and may have back."""
        if connection.seat is not None:
            return None
        state = self._room.state
        own = state.began_on(connection.visitor.ids | {connection.person})
        return None if own is None or state.seats[own].bot is None else own
