"""One client at one table: a transport, and an outbox that never makes the others wait."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Literal, Protocol

from tercet.codec import to_json
from tercet.server import metrics, protocol
from tercet.server.limits import Bucket, Limits
from tercet.server.people import Visitor

#: Codes with which a socket is closed (4000 and up are ours).
CLOSE_CODES = {
    "kicked": 4001,
    "closed": 4002,
    "slow": 4003,
    "restart": 1012,
    "elsewhere": 4005,
    "flood": 4006,
    "bad_message": 4007,
}
Reason = Literal["kicked", "closed", "slow", "restart", "elsewhere", "flood", "bad_message"]


class Socket(Protocol):
    """What a transport can do. The tables know nothing else of it."""

    async def receive(self) -> str | bytes | None:
        """The next message; None when the client is gone."""

    async def send(self, text: str) -> None:
        """Send a message; returns when the transport can take another."""

    async def close(self, code: int, reason: str) -> None: ...


class Connection:
    """What the tables see of a client."""

    def __init__(self, socket: Socket, visitor: Visitor, limits: Limits) -> None:
        self.visitor = visitor
        self.quality: protocol.Quality = "good"
        self.muted: set[str | None] = set()
        self.messages = Bucket(limits.messages_per_second, limits.message_burst)
        self.chat = Bucket(limits.chat_per_second, limits.chat_burst)
        self.ping_number = 0
        self.ping_sent: float | None = None
        self._limits = limits
        self._socket = socket
        self._outbox: deque[str] = deque()
        self._outbox_size = 0
        self._wake = asyncio.Event()
        self._ending: Reason | None = None
        self._closed = False

    def tell(self, message: protocol.FromServer) -> None:
        self.tell_text(to_json(message).decode())

    def tell_text(self, text: str) -> None:
        """Put a message into the outbox; a client that does not keep up is cut off."""
        if self._closed or self._ending == "slow":
            return
        self._outbox.append(text)
        self._outbox_size += len(text)
        if self._outbox_size > self._limits.outbox_bytes:
            self._outbox.clear()
            self.end("slow")
        self._wake.set()

    def end(self, reason: Reason) -> None:
        """Say goodbye after what has been told so far, and close."""
        if self._ending is None:
            self._ending = reason
            metrics.cut_off.labels(reason).inc()
            self._wake.set()

    @property
    def is_ending(self) -> bool:
        return self._ending is not None

    def gone(self) -> None:
        """The client has hung up: nothing more can be sent."""
        self._closed = True
        self._wake.set()

    async def run_outbox(self) -> None:
        """Send what is told, until the end."""
        while not self._closed:
            while self._outbox:
                text = self._outbox.popleft()
                self._outbox_size -= len(text)
                try:
                    await self._socket.send(text)
                except OSError:
                    self._closed = True
                    return
            if self._ending is not None:
                self._closed = True
                await self._socket.send(to_json(protocol.Bye(reason=self._ending)).decode())
                await self._socket.close(CLOSE_CODES[self._ending], self._ending)
                return
            self._wake.clear()
            await self._wake.wait()
