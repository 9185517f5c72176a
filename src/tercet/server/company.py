"""The people at a table: who is here, and what they say to each other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from tercet.games import Refusal
from tercet.server import protocol
from tercet.server.answers import refuse
from tercet.server.connection import Connection, encode
from tercet.server.ids import now_ms

#: Chat messages that a newcomer still sees.
CHAT_KEPT = 50

_QUALITIES: tuple[protocol.Quality, ...] = ("offline", "poor", "fair", "good")


def who_is_here(
    connections: Iterable[Connection],
    seats: Sequence[protocol.Seat] = (),
    elsewhere: Iterable[protocol.Present] = (),
) -> tuple[protocol.Present, ...]:
    """Everybody who is connected, here or to other nodes, or has a seat; each by the best of their connections."""
    best: dict[str, protocol.Present] = {present.person: present for present in elsewhere}
    for connection in connections:
        known = best.get(connection.person)
        if known is None or _QUALITIES.index(known.quality) < _QUALITIES.index(connection.quality):
            best[connection.person] = protocol.Present(
                connection.person, connection.visitor.name, connection.quality
            )
    for seat in seats:
        if seat.person is not None and seat.person not in best:
            best[seat.person] = protocol.Present(seat.person, seat.name, "offline")
    return tuple(sorted(best.values(), key=lambda present: present.person))


class Chat:
    """What is said at a table. It is kept in memory only, and not for long."""

    def __init__(self) -> None:
        self.said: deque[protocol.Said] = deque(maxlen=CHAT_KEPT)

    def hear(
        self,
        connection: Connection,
        message: protocol.Say | protocol.React,
        everybody: Iterable[Connection],
        allowed: bool,
    ) -> protocol.Chat | protocol.Reaction | None:
        """Pass on what somebody says to all who want to hear it; None if it is refused."""
        visitor, person = connection.visitor, connection.person
        if not allowed:
            refuse(connection, message.id, Refusal("chat_off"))
            return None
        if not connection.chat.take():
            refuse(connection, message.id, Refusal("too_fast"))
            return None
        told: protocol.Chat | protocol.Reaction
        if isinstance(message, protocol.Say):
            text = "".join(letter for letter in message.text if letter.isprintable()).strip()
            if not text:
                refuse(connection, message.id, Refusal("nothing_said"))
                return None
            told = protocol.Chat(said=protocol.Said(person, visitor.name, text, int(now_ms())))
        else:
            told = protocol.Reaction(person=person, reaction=message.reaction)
        connection.tell(protocol.Accepted(id=message.id))
        self.pass_on(told, everybody)
        return told

    def missed(self, said: Iterable[protocol.Said]) -> list[protocol.Said]:
        """What of this has not been said here, as far back as is remembered."""
        oldest = self.said[0].sent_time if len(self.said) == CHAT_KEPT else 0
        return [one for one in said if one not in self.said and one.sent_time >= oldest]

    def pass_on(self, told: protocol.Chat | protocol.Reaction, everybody: Iterable[Connection]) -> None:
        """Tell all who want to hear it, here or on another node."""
        if isinstance(told, protocol.Chat):
            self.said.append(told.said)
        person = told.said.person if isinstance(told, protocol.Chat) else told.person
        framed = encode(told)
        for other in everybody:
            if not other.muted & {None, person}:
                other.tell_frame(framed)
