"""One client at one table."""

from __future__ import annotations

import asyncio
from typing import Literal

from tercet.server import metrics, protocol
from tercet.server.budgets import Bucket
from tercet.server.ids import now_ms
from tercet.server.limits import Limits
from tercet.server.people.people import Visitor
from tercet.server.protocol.refusals import CLOSE_CODES
from tercet.server.socket.transport import Socket, encode

Reason = Literal["kicked", "closed", "slow", "restart", "flood", "bad_message", "signed_out", "too_many"]
#: Seconds between two signs of life: of those who play, and of the others; and after how many without one a client is taken
#: for gone.
PLAYER_PING_SECONDS = 5
PING_SECONDS = 15
SILENT_SECONDS = 10


class Connection:
    """What the tables see of a client."""

    __slots__ = (
        "_ending",
        "_ping_number",
        "_ping_sent",
        "_socket",
        "heard",
        "hears",
        "is_ending",
        "messages",
        "muted",
        "person",
        "quality",
        "round_trip_ms",
        "seat",
        "since",
        "tell_frame",
        "visitor",
    )

    def __init__(
        self, socket: Socket, visitor: Visitor, limits: Limits, messages: Bucket | None = None
    ) -> None:
        self.visitor = visitor
        #: Who this is at the table, and on which seat; the table keeps them up to date.
        self.person = visitor.id
        self.seat: int | None = None
        self.since = now_ms()
        #: The last sign of life, as far as one was asked for.
        self.heard = self.since
        self.quality: protocol.Quality = "good"
        #: How long the last question and its answer took.
        self.round_trip_ms: float | None = None
        self.muted: set[str | None] = set()
        #: All sockets of a person have the same.
        self.messages = messages or Bucket(limits.messages_per_second, limits.message_burst)
        self._ping_number = 0
        self._ping_sent: float | None = None
        #: Send a message; never waits. A client that does not keep up is cut off.
        self.tell_frame = socket.write
        self._socket = socket
        #: Whether the client can answer.
        self.hears = socket.hears
        #: Whether a goodbye is under way.
        self.is_ending = False
        self._ending: asyncio.Task[None] | None = None
        socket.limit(limits, self.end)

    def tell(self, message: protocol.FromServer) -> None:
        self.tell_frame(encode(message))

    def tell_first(self, message: protocol.FromServer) -> None:
        """As `tell`; a client may take its time with it, however long it is."""
        self._socket.write_first(encode(message))

    def end(self, reason: Reason) -> None:
        """Say goodbye, after all that is told in this very moment, and close."""
        if not self.is_ending:
            self.is_ending = True
            metrics.ended[reason] += 1
            self._ending = asyncio.create_task(self._end(reason))

    async def _end(self, reason: Reason) -> None:
        self._socket.write(encode(protocol.Bye(reason=reason)))
        await self._socket.close(CLOSE_CODES[reason], reason)

    def ping(self) -> None:
        """Ask for a sign of life. Who has not answered the last question is as good as gone; but some cannot answer."""
        if not self.hears:
            return
        if self._ping_sent is not None:
            waited = now_ms() - self._ping_sent
            self.quality = "offline" if waited >= SILENT_SECONDS * 1000 else "poor"
            if waited > 3 * PING_SECONDS * 1000:
                self.end("slow")
            return
        self._ping_number += 1
        self._ping_sent = now_ms()
        self.tell(protocol.Ping(number=self._ping_number))

    def pong(self, number: int) -> bool:
        """A sign of life: how good is the connection? Whether it was taken for gone."""
        was_gone = self.quality == "offline"
        if self._ping_sent is not None and number == self._ping_number:
            self.heard = now_ms()
            took = self.round_trip_ms = self.heard - self._ping_sent
            self.quality = "good" if took < 200 else "fair" if took < 600 else "poor"
            self._ping_sent = None
        return was_gone

    async def ended(self) -> None:
        """Wait for a goodbye that is under way."""
        if self._ending is not None:
            await self._ending
