"""The socket transport: uvicorn's own WebSocket protocol, with a direct way to the wire.

What a table says goes to all its sockets in the same bytes, so a message is encoded and framed once and then
written to each, without a task in between. Bytes that a client has not taken yet wait in its transport, where
they can be counted: that is how a slow client is known.

`Socket` is all that the tables know of it; another transport needs no more than that.
"""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

EXTENSION = "tercet.transport"
#: How long a client has to take its last messages before the line is cut.
CLOSE_SECONDS = 5.0
#: So many messages of a client may wait to be heard before no more are read.
INBOX_LIMIT = 16


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


class Socket(Protocol):
    """What a transport can do."""

    async def receive(self) -> str | bytes | None:
        """The next message; None when the client is gone."""

    def write(self, framed: bytes) -> None:
        """Send a framed message; never waits."""

    def waiting(self) -> int:
        """How many bytes the client has not taken yet."""

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
    mask = (data[start - 4 : start] * (length // 4 + 1))[:length]
    return (int.from_bytes(data[start:], "big") ^ int.from_bytes(mask, "big")).to_bytes(length, "big")


class TableProtocol(WebSocketsSansIOProtocol):
    """Hands itself to the application in the scope's extensions.

    Nearly all that clients send arrives as one whole short message. It is read here, at a fraction of the cost of
    the general parser, which gets everything else.
    """

    scope: Any

    def data_received(self, data: bytes) -> None:
        if self.handshake_complete and not (self.close_sent or self.frames or self.conn.reader.buffer):
            text = whole_message(data)
            if text is not None and len(text) <= self.config.ws_max_size:
                self.queue.put_nowait({"type": "websocket.receive", "bytes": text})
                if self.queue.qsize() >= INBOX_LIMIT and not self.read_paused:
                    self.read_paused = True
                    self.transport.pause_reading()
                return
        super().data_received(data)

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        scope = getattr(self, "scope", None)
        if scope is not None:  # the handshake was in order
            scope["extensions"][EXTENSION] = self


class UvicornSocket:
    """A socket of `TableProtocol`."""

    def __init__(self, scope: Any, receive: Any, send: Any) -> None:
        self._protocol: TableProtocol = scope["extensions"][EXTENSION]
        self._receive = receive
        self._send = send

    async def receive(self) -> str | bytes | None:
        event = await self._receive()
        if event["type"] != "websocket.receive":
            return None
        text: str | bytes = event.get("text") or event.get("bytes") or ""
        return text

    def write(self, framed: bytes) -> None:
        protocol = self._protocol
        if not protocol.close_sent and not protocol.transport.is_closing():
            protocol.transport.write(framed)

    def waiting(self) -> int:
        return self._protocol.transport.get_write_buffer_size()

    async def close(self, code: int, reason: str) -> None:
        try:
            closing = self._send({"type": "websocket.close", "code": code, "reason": reason})
            await asyncio.wait_for(closing, CLOSE_SECONDS)
        except (OSError, RuntimeError):  # closed already; TimeoutError is an OSError
            self._protocol.transport.abort()
