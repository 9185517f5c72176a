"""The socket transport: uvicorn's own WebSocket protocol, with a direct way to the wire.

What a table says goes to all its sockets in the same bytes, so a message is encoded and framed once and then
written to each, without a task in between. Bytes that a client has not taken yet wait in its transport, which says
when they are too many: that is how a slow client is known.

`Socket` is all that the tables know of it; another transport needs no more than that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.speedups import apply_mask

from tercet.codec import to_json

EXTENSION = "tercet.transport"
#: How long a client has to take its last messages before the line is cut.
CLOSE_SECONDS = 5.0

Hear = Callable[[str | bytes], None]


def frame(text: bytes) -> bytes:
    """A text message as the bytes on the wire (RFC 6455, 5.2).

    >>> frame(b"hi")
    b'\\x81\\x02hi'
    """
    size = len(text)
    if size < 126:
        return bytes((0x81, size)) + text
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + text
    return b"\x81\x7f" + size.to_bytes(8, "big") + text


def encode(message: Struct) -> bytes:
    """A message as it goes over the wire, the same for everybody."""
    return frame(to_json(message))


class Socket(Protocol):
    """What a transport can do."""

    def limit(self, size: int, overflow: Callable[[], None]) -> None:
        """Call this when the client has not taken more than so many bytes."""

    def listen(self, hear: Hear) -> None:
        """Call this with messages as they come in. Not all go this way: the others must be received."""

    def let_go(self) -> None:
        """Call nobody any more."""

    async def receive(self) -> str | bytes | None:
        """The next message that the listener did not get; None when the client is gone."""

    def pause(self) -> None:
        """Let no further messages in for now."""

    def resume(self) -> None:
        """Let messages in again."""

    def write(self, framed: bytes) -> None:
        """Send framed messages; never waits."""

    async def close(self, code: int, reason: str) -> None:
        """Close in good order, or cut the line if the client does not listen."""


def whole_message(data: bytes) -> bytes | None:
    """The text, if these bytes are just one masked text message (RFC 6455, 5.2 and 5.3) of less than 64 kB.

    >>> whole_message(b"\\x81\\x82\\x01\\x00\\x01\\x00ii")
    b'hi'
    """
    size = len(data)
    if size < 6 or data[0] != 0x81:
        return None
    length, start = data[1] - 0x80, 6
    if length == 127:
        return None
    if length == 126:
        length, start = int.from_bytes(data[2:4], "big"), 8
    if size != start + length:
        return None
    return apply_mask(data[start:], data[start - 4 : start])


class TableProtocol(WebSocketsSansIOProtocol):
    """Hands itself to the application in the scope's extensions.

    Nearly all that clients send arrives as one whole short message. Once somebody listens, it goes to them from
    here, at a fraction of the cost of the general parser and its queue, which get everything else.
    """

    scope: Any
    hear: Hear | None = None
    overflow: Callable[[], None] | None = None

    def data_received(self, data: bytes) -> None:
        hear = self.hear
        if hear is not None and not (
            self.close_sent or self.frames or self.conn.reader.buffer or self.queue.qsize()
        ):
            text = whole_message(data)
            if text is not None and len(text) <= self.config.ws_max_size:
                hear(text)
                return
        super().data_received(data)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.overflow is not None:
            self.overflow()

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        scope = getattr(self, "scope", None)
        if scope is not None:  # the handshake was in order
            scope["extensions"][EXTENSION] = self


class UvicornSocket:
    """A socket of `TableProtocol`."""

    __slots__ = ("_protocol", "_receive", "_send", "_transport")

    def __init__(self, scope: Any, receive: Any, send: Any) -> None:
        self._protocol: TableProtocol = scope["extensions"][EXTENSION]
        self._transport = self._protocol.transport
        self._receive = receive
        self._send = send

    def limit(self, size: int, overflow: Callable[[], None]) -> None:
        self._protocol.overflow = overflow
        self._transport.set_write_buffer_limits(size)

    def listen(self, hear: Hear) -> None:
        self._protocol.hear = hear

    def let_go(self) -> None:
        self._protocol.hear = self._protocol.overflow = None

    async def receive(self) -> str | bytes | None:
        event = await self._receive()
        if event["type"] != "websocket.receive":
            return None
        text: str | bytes = event.get("text") or event.get("bytes") or ""
        return text

    def pause(self) -> None:
        protocol = self._protocol
        if not protocol.read_paused and not self._transport.is_closing():
            protocol.read_paused = True
            self._transport.pause_reading()

    def resume(self) -> None:
        protocol = self._protocol
        if protocol.read_paused and not self._transport.is_closing():
            protocol.read_paused = False
            self._transport.resume_reading()

    def write(self, framed: bytes) -> None:
        if not (self._protocol.close_sent or self._transport.is_closing()):
            self._transport.write(framed)

    async def close(self, code: int, reason: str) -> None:
        try:
            closing = self._send({"type": "websocket.close", "code": code, "reason": reason})
            await asyncio.wait_for(closing, CLOSE_SECONDS)
            asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._transport.abort)
        except (OSError, RuntimeError):  # closed already; TimeoutError is an OSError
            self._transport.abort()
