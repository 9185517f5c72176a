"""The socket transport: uvicorn's own WebSocket protocol, with a direct way to the wire.

What a table says goes to all its sockets in the same bytes, so a message is encoded and framed once and then
written to each, without a task in between. Bytes that a client has not taken yet wait in its transport, which says
when they are too many: that is how a slow client is known.

`Socket` is all that the tables know of it; another transport needs no more than that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, Literal, Protocol

from msgspec import Struct
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import PayloadTooBig
from websockets.speedups import apply_mask

from tercet.codec import to_json
from tercet.server.budgets import Bucket, over
from tercet.server.limits import Limits

EXTENSION = "tercet.transport"
#: How long a client has to take its last messages before the line is cut.
CLOSE_SECONDS = 5.0

#: So many messages may come in one piece before the further ones count.
AT_ONCE = 16

Hear = Callable[[str | bytes], None]
Excess = Literal["slow", "flood"]


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


def unframe(framed: bytes) -> Iterator[bytes]:
    """The texts of whole messages as `frame` makes them.

    >>> list(unframe(frame(b"hi") + frame(b"x" * 300)))[0]
    b'hi'
    """
    at = 0
    while at < len(framed):
        length, start = framed[at + 1], at + 2
        if length > 125:
            start += 2 if length == 126 else 8
            length = int.from_bytes(framed[at + 2 : start], "big")
        yield framed[start : start + length]
        at = start + length


class Socket(Protocol):
    """What a transport can do."""

    #: Whether the client can say anything, and so answer pings.
    hears: bool

    def limit(self, limits: Limits, ended: Callable[[Excess], None]) -> None:
        """Call this when the client does not take what it is told, or sends too much of what is no message."""

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

    def count_frame(self) -> None:
        """A message that was none counts as a ping does."""

    def write(self, framed: bytes) -> None:
        """Send framed messages; never waits."""

    def write_first(self, framed: bytes) -> None:
        """As `write`, but the client may take its time with this one, however long it is."""

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


class Meter:
    """Follows the frames in what a client sends, without reading them, and counts those that are no whole message.

    A ping, a pong, a fragment, and a piece with which nothing is whole each take a drop of the bucket; and whole messages,
    if very many come at once.

    >>> meter = Meter(Limits(frames_per_second=0, frame_burst=3, fragments=2))
    >>> ping = b"\\x89\\x80mask"
    >>> [meter.follow(data) for data in (ping, ping[:3], ping[3:], ping)]
    [None, None, None, 'frames_per_second']
    """

    __slots__ = ("_drops", "_fragments", "_head", "_most", "_rest")

    def __init__(self, limits: Limits) -> None:
        self._drops = Bucket(limits.frames_per_second, limits.frame_burst)
        self._most = limits.fragments
        #: Fragments of a message that is not whole; the beginning of a header; bytes to come of a frame.
        self._fragments = 0
        self._head = b""
        self._rest = 0

    @property
    def is_between(self) -> bool:
        """Whether no message has begun that is not whole."""
        return not (self._fragments or self._head or self._rest)

    @property
    def is_at_frame(self) -> bool:
        """Whether the next byte begins a frame."""
        return not (self._head or self._rest)

    def take(self) -> str | None:
        """Take a drop; the name of the budget, if there is none left."""
        return None if self._drops.take() else "frames_per_second"

    def follow(self, data: bytes) -> str | None:
        """The client has sent this. The budget that it has used up, if one is; then nothing of it should be read."""
        if len(data) < self._rest:
            self._rest -= len(data)
            return self.take()
        at, whole, messages = self._rest, self._rest > 0, 0
        if self._head:
            data = self._head + data
        self._rest, self._head = 0, b""
        while at < len(data):
            if at + 2 > len(data):
                break
            length, start = data[at + 1] & 0x7F, at + 2
            if length > 125:
                start += 2 if length == 126 else 8
                if start > len(data):
                    break
                length = int.from_bytes(data[at + 2 : start], "big")
            if data[at + 1] & 0x80:
                start += 4
            if start > len(data):
                break
            kind, is_last = data[at] & 0x0F, data[at] & 0x80
            if kind >= 8:
                excess = self.take()
            elif kind == 0 or not is_last:
                self._fragments = 0 if is_last else self._fragments + 1
                excess = "fragments" if self._fragments > self._most else self.take()
            else:
                messages += 1
                excess = self.take() if messages > AT_ONCE else None
            if excess is not None:
                return excess
            at, whole = start + length, True
        if at > len(data):
            self._rest = at - len(data)
        else:
            self._head = data[at:]
        return None if whole and self.is_at_frame else self.take()


class TableProtocol(WebSocketsSansIOProtocol):
    """Hands itself to the application in the scope's extensions.

    Nearly all that clients send arrives as one whole short message. Once somebody listens, it goes to them from
    here, at a fraction of the cost of the general parser and its queue, which get everything else; so far as the
    meter allows.
    """

    scope: Any
    hear: Hear | None = None
    ended: Callable[[Excess], None] | None = None

    def __init__(self, *args: Any, limits: Limits, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.limits = limits
        self.meter = Meter(limits)
        #: Whether no message has begun that is not whole; as the meter says, but at hand.
        self.is_between = True
        #: Too much has come: nothing is read any more.
        self.is_deaf = False
        #: When a message that comes in pieces must be whole.
        self.deadline: asyncio.TimerHandle | None = None
        #: The front door's, to be told when the connection is gone.
        self.release: Callable[[], None] | None = None

    def data_received(self, data: bytes) -> None:
        hear = self.hear
        if hear is not None and self.is_between and not (self.close_sent or self.queue.qsize()):
            text = whole_message(data)
            if text is not None and len(text) <= self.config.ws_max_size:
                hear(text)
                return
        self._receive(data)

    def _receive(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
        elif not self.is_deaf:
            excess = self.meter.follow(data)
            if excess is not None:
                over(excess)
                self._end("flood")
                return
            super().data_received(data)
            if isinstance(self.conn.parser_exc, PayloadTooBig):
                over("message_bytes")
            self.is_between = self.meter.is_between
            if self.is_between:
                self._forget_deadline()
            elif self.deadline is None:
                self.deadline = self.loop.call_later(self.limits.message_seconds, self._not_whole)

    def count_frame(self) -> None:
        """Something came that counts as a ping does."""
        excess = None if self.is_deaf else self.meter.take()
        if excess is not None:
            over(excess)
            self._end("flood")

    def _end(self, excess: Excess) -> None:
        """Read nothing more: what is in the line's buffers stays there until it is closed."""
        self.is_deaf, self.is_between = True, False
        if not self.transport.is_closing():
            if not self.read_paused:
                self.transport.pause_reading()
            self.read_paused = False  # so that nobody resumes it
            if self.ended is not None:
                self.ended(excess)
            elif not self.close_sent:
                self.transport.abort()

    def _not_whole(self) -> None:
        self.deadline = None
        over("message_seconds")
        self._end("slow")

    def _forget_deadline(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._forget_deadline()
        if self.release is not None:
            self.release()
            self.release = None

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.ended is not None:
            over("outbox_bytes")
            self.ended("slow")

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        scope = getattr(self, "scope", None)
        if scope is not None:  # the handshake was in order
            scope["extensions"][EXTENSION] = self


class UvicornSocket:
    """A socket of `TableProtocol`."""

    __slots__ = ("_protocol", "_receive", "_send", "_transport")
    hears = True

    def __init__(self, scope: Any, receive: Any, send: Any) -> None:
        self._protocol: TableProtocol = scope["extensions"][EXTENSION]
        self._transport = self._protocol.transport
        self._receive = receive
        self._send = send

    def limit(self, limits: Limits, ended: Callable[[Excess], None]) -> None:
        self._protocol.ended = ended
        self._transport.set_write_buffer_limits(limits.outbox_bytes)

    def listen(self, hear: Hear) -> None:
        self._protocol.hear = hear

    def let_go(self) -> None:
        self._protocol.hear = self._protocol.ended = None

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

    def count_frame(self) -> None:
        self._protocol.count_frame()

    def write(self, framed: bytes) -> None:
        if not (self._protocol.close_sent or self._transport.is_closing()):
            self._transport.write(framed)

    def write_first(self, framed: bytes) -> None:
        limits = self._protocol.limits
        if len(framed) > limits.outbox_bytes // 2:
            waiting = self._transport.get_write_buffer_size()
            self._transport.set_write_buffer_limits(waiting + len(framed) + limits.outbox_bytes)
            loop = asyncio.get_running_loop()
            loop.call_later(0.5, self._look_at_first, loop.time() + limits.outbox_seconds)
        self.write(framed)

    def _look_at_first(self, until: float) -> None:
        """When the client has taken its long first message, no more may wait for it than for anybody else."""
        protocol, loop = self._protocol, asyncio.get_running_loop()
        if protocol.close_sent or self._transport.is_closing():
            return
        if self._transport.get_write_buffer_size() <= protocol.limits.outbox_bytes // 2:
            self._transport.set_write_buffer_limits(protocol.limits.outbox_bytes)
        elif loop.time() < until:
            loop.call_later(0.5, self._look_at_first, until)
        elif protocol.ended is not None:
            over("outbox_seconds")
            protocol.ended("slow")

    async def close(self, code: int, reason: str) -> None:
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._send({"type": "websocket.close", "code": code, "reason": reason})
            asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._transport.abort)
        except (OSError, RuntimeError):  # closed already; TimeoutError is an OSError
            self._transport.abort()
