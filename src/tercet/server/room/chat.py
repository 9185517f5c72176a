"""What people at a table say to each other."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable

from tercet.games import Refusal
from tercet.server import protocol
from tercet.server.budgets import Buckets
from tercet.server.limits import Limits
from tercet.server.socket.connection import Connection
from tercet.server.socket.transport import encode

#: Chat messages that a newcomer still sees.
CHAT_KEPT = 50

Word = protocol.Chat | protocol.Reaction


class Chat:
    """What is said at a table. It is kept in memory only, and not for long."""

    def __init__(self, limits: Limits) -> None:
        self.said: deque[protocol.Said] = deque(maxlen=CHAT_KEPT)
        self._forgotten: frozenset[str] = frozenset()
        self._by_person = Buckets("chat_per_second", limits.chat_per_second, limits.chat_burst)
        self._everybody = Buckets(
            "table_chat_per_second", limits.table_chat_per_second, limits.table_chat_burst
        )

    def forget(self, people: frozenset[str]) -> None:
        """Keep nothing of what these people said, also if another node still tells of it."""
        self._forgotten |= people
        self.said = deque((one for one in self.said if one.person not in people), maxlen=CHAT_KEPT)

    def missed(self, said: Iterable[protocol.Said]) -> list[protocol.Said]:
        """What of this has not been said here, as far back as is remembered."""
        oldest = self.said[0].sent_time if len(self.said) == CHAT_KEPT else 0
        return [
            one
            for one in said
            if one not in self.said and one.sent_time >= oldest and one.person not in self._forgotten
        ]

    def pass_on(self, word: Word, everybody: Iterable[Connection]) -> None:
        """Tell all who want to hear it; it was said here or on another node."""
        if isinstance(word, protocol.Chat):
            self.said.append(word.said)
        person = word.said.person if isinstance(word, protocol.Chat) else word.person
        framed = encode(word)
        for other in everybody:
            if not other.muted & {None, person}:
                other.tell_frame(framed)

    def word_of(self, connection: Connection, message: protocol.Say | protocol.React) -> Word | Refusal:
        """What everybody is told when somebody says this, however often they have come in again meanwhile."""
        person = connection.person
        if not (self._by_person.take(person) and self._everybody.take("")):
            return Refusal("too_fast")
        if isinstance(message, protocol.React):
            return protocol.Reaction(person=person, reaction=message.reaction)
        text = "".join(letter for letter in message.text if letter.isprintable()).strip()
        if not text:
            return Refusal("nothing_said")
        # On the wall clock, as people know it: nothing is counted by it.
        said = protocol.Said(person, connection.visitor.name, text, time.time_ns() // 1_000_000)
        return protocol.Chat(said=said)
