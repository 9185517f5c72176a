"""The way from a WebSocket, or a stream of lines, to a table or to one's own news: who may come in, and what is heard."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qs

from tercet.server.budgets import Rates, over
from tercet.server.limits import Limits
from tercet.server.news.news import News
from tercet.server.people.people import People, PeopleError, Visitor, check_scopes
from tercet.server.protocol import SCOPES, ClientMessage, Scope
from tercet.server.protocol.refusals import CLOSE_CODES
from tercet.server.room.room import Room
from tercet.server.room.rooms import Rooms
from tercet.server.socket.connection import Connection
from tercet.server.socket.inbox import Inbox
from tercet.server.socket.lines import AnswerSocket
from tercet.server.socket.transport import Socket, UvicornSocket
from tercet.server.store import Unavailable
from tercet.server.web.sessions import Sessions, address

#: People with a seat come in while there are up to so many times as many sockets as newcomers may have.
FOR_THE_SEATED = 1.5

PATH = re.compile(r"/api/tables/([A-Za-z0-9]{1,12})/socket")
PERSONAL_PATH = "/api/events/socket"


#: A table may be looked on at, or played at.
TABLE_SCOPES: tuple[Scope, ...] = ("read", "play")


class TurnedAway(Exception):
    """Somebody may not come in; ``reason`` is one of `CLOSE_CODES`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Entrance:
    """Lets clients in, and hears them until they are gone."""

    def __init__(
        self, rooms: Rooms, news: News, sessions: Sessions, people: People, limits: Limits, rates: Rates
    ) -> None:
        self._rooms = rooms
        self._news = news
        self._people = people
        self._sessions = sessions
        self._limits = limits
        self._rates = rates
        self._per_person: Counter[str] = Counter()
        self._per_source: Counter[str] = Counter()
        #: The open sockets, by the session that they were opened with.
        self._by_session: defaultdict[str, set[Connection]] = defaultdict(set)
        people.signed_in.listeners.append(self.sign_out)

    def sign_out(self, ended: Iterable[str]) -> None:
        """Close the sockets that were opened with these sessions."""
        for session in ended:
            for connection in self._by_session.get(session, ()):
                connection.end("signed_out")

    def end_streams(self) -> None:
        """The server stops: let those come back who only listen."""
        for connection in [one for opened in self._by_session.values() for one in opened]:
            if not connection.hears:
                connection.end("restart")

    async def look_for_ended(self) -> None:
        """Close the sockets whose sessions have ended without a word, on a node that could not be heard."""
        if self._by_session:
            self.sign_out(await self._people.signed_in.over(list(self._by_session)))

    async def serve(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one WebSocket: of a table, /api/tables/CODE/socket?game=ID&seen=SEQ, or of a person, /api/events/socket."""
        await receive()  # websocket.connect
        path = PATH.fullmatch(scope["path"])
        query = parse_qs(scope["query_string"].decode("ascii", "replace"))
        code = None if path is None else path[1].upper()
        if not self._sessions.is_same_origin(scope):
            await _turn_away(send, "other_origin")
            return
        where = address(scope)
        if not self._rates.requests.take(where):
            await _turn_away(send, "too_fast")
            return
        if not self._has_room(where, FOR_THE_SEATED):  # before anybody is looked up
            await _turn_away(send, "too_many")
            return
        try:
            visitor = await self._sessions.visitor(scope)
            if visitor is None:
                raise TurnedAway("not_signed_in")
            check_scopes(visitor, TABLE_SCOPES if code is not None else SCOPES)
            self.check(visitor, where, code)
        except Unavailable:
            await _turn_away(send, "store_unavailable")
        except PeopleError as error:
            await _turn_away(send, error.code)
        except TurnedAway as error:
            await _turn_away(send, error.reason)
        else:
            await send({"type": "websocket.accept"})
            socket = UvicornSocket(scope, receive, send)
            reason = await self.host(socket, visitor, where, code, query)
            if reason is not None:
                await socket.close(CLOSE_CODES[reason], reason)

    def check(self, visitor: Visitor, where: str, code: str | None) -> None:
        """`TurnedAway` if somebody has too many sockets or streams, or opens them too fast."""
        if not self._has_room(where, FOR_THE_SEATED):
            raise TurnedAway("too_many")
        if self._per_person[visitor.id] >= self._limits.sockets_per_person:
            over("sockets_per_person")
            raise TurnedAway("too_many")
        # Who guesses codes must not keep those away who have the same address and a seat.
        is_guessing = (
            code is not None and not self._is_seated(code, visitor) and self._rates.misses.is_empty(where)
        )
        if is_guessing or not self._rates.joins.take(visitor.id):
            raise TurnedAway("too_fast")

    async def host(
        self, socket: Socket, visitor: Visitor, where: str, code: str | None, query: dict[str, list[str]]
    ) -> str | None:
        """Have somebody who may come in at a table, or hear the news of their account (None), until they are gone; why that cannot be,
        if it cannot."""
        self._rooms.sockets += 1
        self._per_person[visitor.id] += 1
        self._per_source[where] += 1
        try:
            connection = Connection(socket, visitor, self._limits, self._rates.messages.of(visitor.id))
            self._by_session[visitor.session].add(connection)
            try:
                if self._people.signed_in.has_ended(visitor.session):
                    connection.end("signed_out")
                if code is None:
                    return await self._news.attend(connection, socket, query)
                return await self._attend(connection, socket, code, query, where)
            finally:
                self._by_session[visitor.session].discard(connection)
                if not self._by_session[visitor.session]:
                    del self._by_session[visitor.session]
                await connection.ended()
        finally:
            self._rooms.sockets -= 1
            for counter, key in ((self._per_person, visitor.id), (self._per_source, where)):
                counter[key] -= 1
                if not counter[key]:
                    del counter[key]

    async def carry_out(self, visitor: Visitor, code: str, message: ClientMessage) -> bytes | None:
        """Do one thing at a table for somebody who need not be there; the answer as JSON, None if there is no such table,
        `TurnedAway` if the host has sent them away."""
        room = await self._find(code)
        if room is None:
            return None
        if visitor.ids & room.state.banned:
            raise TurnedAway("kicked")
        socket = AnswerSocket()
        connection = Connection(socket, visitor, self._limits, self._rates.messages.of(visitor.id))
        room.clients.place(connection)
        inbox = Inbox(room, connection, socket, self._limits)
        inbox.take(message)
        await inbox.quiet()
        return socket.said[-1]

    def _is_seated(self, code: str, visitor: Visitor) -> bool:
        room = self._rooms.rooms.get(code)
        return room is not None and room.state.seat_of(room.identity(visitor)) is not None

    def _has_room(self, where: str, factor: float = 1.0) -> bool:
        """Whether one more socket fits in; ``factor``: into how much more than the limits."""
        if self._rooms.sockets >= self._limits.sockets * factor:
            over("sockets")
            return False
        if self._per_source[where] >= self._limits.sockets_per_address * factor:
            over("sockets_per_address")
            return False
        return True

    async def _find(self, code: str) -> Room | None:
        """The table of this code, with what it must remember."""
        room = await self._rooms.find(code)
        while room is not None and not room.remembers:
            await room.remember_commands()
            room = await self._rooms.find(code)  # it may have gone to sleep meanwhile
        return room

    async def _attend(
        self, connection: Connection, socket: Socket, code: str, query: dict[str, list[str]], where: str
    ) -> str | None:
        """Hear a client until it is gone; why it may not come in, if it may not."""
        try:
            room = await self._find(code)
        except Unavailable:
            return "store_unavailable"
        if room is None:
            self._rates.misses.take(where)
            return "no_such_table"
        if connection.visitor.ids & room.state.banned:
            return "kicked"
        person = room.identity(connection.visitor)
        if room.state.seat_of(person) is None and not (
            self._has_room(where) and room.clients.has_place_for(person, self._limits.sockets_per_table)
        ):
            return "too_many"
        seen = query.get("seen", ["0"])[0]
        room.clients.join(
            connection, query.get("game", [None])[0], int(seen) if re.fullmatch(r"\d{1,9}", seen) else 0
        )
        inbox = Inbox(room, connection, socket, self._limits)
        socket.listen(inbox.hear)
        try:
            while not connection.is_ending and (text := await socket.receive()) is not None:
                inbox.hear(text)
                await inbox.quiet()
        finally:
            socket.let_go()
            room.clients.leave(connection)
            await connection.ended()
        return None


async def _turn_away(send: Any, reason: str) -> None:
    """Open and close at once: a browser cannot tell a refused handshake from a dead line."""
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": CLOSE_CODES[reason], "reason": reason})
