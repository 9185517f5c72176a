"""The front door: how many connections there may be, and how much and how slowly each may ask.

uvicorn's own protocol takes whatever comes, for as long as it comes. This one counts bytes and seconds until a request is
whole, also that of a WebSocket's handshake, and connections by address and in all.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tercet.codec import to_json
from tercet.server.budgets import over, source
from tercet.server.limits import Limits
from tercet.server.protocol import Failure
from tercet.server.web.headers import SECURITY_HEADERS

Release = Callable[[], None]


class Door:
    """Counts the connections of a server. Those of ``proxies`` are many people's, and are counted only in all. ``refused`` is
    told the address and the status of whoever is turned away here."""

    def __init__(
        self,
        limits: Limits,
        proxies: Sequence[str] = (),
        files: int | None = None,
        refused: Callable[[str, int], None] = lambda _address, _status: None,
    ) -> None:
        self.limits = limits
        self.refused = refused
        #: Some files must be left for the database, the bus and the bots.
        self._most = min(limits.connections, max(files - 100, 16)) if files else limits.connections
        self._proxies = proxies
        self._open = 0
        self._by_source: Counter[str] = Counter()
        #: Connections without a request, the oldest first: they make way when there are too many.
        self.idle: dict[GuardedProtocol, None] = {}

    def enter(self, host: str | None) -> Release | Failure:
        """Let a connection in; what to call when it is gone, or why it must go at once."""
        key = None if host is None or self._is_proxy(host) else source(host)
        if key is not None and self._by_source[key] >= self.limits.connections_per_address:
            over("connections_per_address")
            return Failure("too_many", "too many connections from your address")
        if self._open >= self._most:
            over("connections")
            if not self.idle:
                return Failure("server_full", "there are too many connections; try again later")
            next(iter(self.idle)).make_way()
        self._open += 1
        if key is not None:
            self._by_source[key] += 1

        def leave() -> None:
            self._open -= 1
            if key is not None:
                self._by_source[key] -= 1
                if not self._by_source[key]:
                    del self._by_source[key]

        return leave

    def _is_proxy(self, host: str) -> bool:
        for proxy in self._proxies:
            if proxy in ("*", host):
                return True
            try:
                if "/" in proxy and ip_address(host) in ip_network(proxy, strict=False):
                    return True
            except ValueError:
                continue
        return False


class GuardedProtocol(HttpToolsProtocol):
    """A connection whose requests must be whole, and short enough, in time."""

    def __init__(self, *args: Any, door: Door, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.door = door
        self.release: Release | None = None
        #: The request that is being answered, or was last.
        self.answered: Any = None
        #: What was asked too much of: with it the connection ends.
        self.excess: Failure | None = None
        self.is_in_head = True
        self.head_bytes = 0
        #: Until when the request must be whole; none, while nothing is being sent.
        self.deadline: asyncio.TimerHandle | None = None
        self.unread: asyncio.TimerHandle | None = None

    # --- coming and going ---

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        entered = self.door.enter(self.client[0] if self.client else None)
        if isinstance(entered, Failure):
            self.refuse(entered)
            return
        self.release = entered
        self.door.idle[self] = None
        self.arm()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._answer_nothing()
        self.disarm()
        self._read_again()
        self._go()

    def _go(self) -> None:
        self.door.idle.pop(self, None)
        if self.release is not None:
            self.release()
            self.release = None

    def make_way(self) -> None:
        """Others need the place."""
        self._go()
        self.transport.abort()

    def handle_websocket_upgrade(self) -> None:
        self.disarm()
        self.door.idle.pop(self, None)
        super().handle_websocket_upgrade()
        socket: Any = self.transport.get_protocol()
        socket.release, self.release = self.release, None
        # The library cannot read what is good HTTP, and would let the line wait for ever.
        if not socket.handshake_initiated:
            self.transport.write(answer(Failure("bad_request", "the handshake cannot be read"), 400))
            self.transport.close()

    # --- requests ---

    def data_received(self, data: bytes) -> None:
        if self._has_ended():
            return
        self.arm()
        while data:
            was_in_head = self.is_in_head
            size = 1 + self.door.limits.header_bytes - self.head_bytes if was_in_head else len(data)
            piece, data = data[:size], data[size:]
            if was_in_head:
                self.head_bytes += len(piece)
            super().data_received(piece)
            if self._has_ended():
                return
            if self.is_in_head and was_in_head and self.head_bytes > self.door.limits.header_bytes:
                over("header_bytes")
                self.refuse(Failure("too_large", "the head of the request is too long"), 431)
                return

    def _has_ended(self) -> bool:
        """Whether nothing more is read here: it was too much, or this is a WebSocket by now."""
        return self.excess is not None or self.transport.is_closing() or self.release is None

    def on_message_begin(self) -> None:
        self.is_in_head = True
        self.arm()
        if len(self.pipeline) >= self.door.limits.pipelined:
            over("pipelined")
            self._exceed(Failure("too_fast", "too many requests at once on one connection"))
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) >= self.door.limits.headers:
            over("headers")
            self._exceed(Failure("too_large", "too many headers"))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self.is_in_head = False
        self.head_bytes = 0
        self.door.idle.pop(self, None)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.is_in_head = True
        self.disarm()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.release is not None and not self.pipeline:
            self.door.idle[self] = None

    def _exceed(self, failure: Failure) -> None:
        self.excess = failure
        raise ValueError(failure.code)  # the parser stops, and calls for send_400_response

    def send_400_response(self, msg: str) -> None:
        if self.excess is not None:
            self.refuse(self.excess)
        else:
            self.refuse(Failure("bad_request", msg))

    def refuse(self, failure: Failure, status: int | None = None) -> None:
        """Say no, and close: what else comes on this line is not read."""
        self.excess = failure
        self.disarm()
        self._unset_keepalive_if_required()
        answered = self.answered
        if answered is None or not answered.response_started or answered.response_complete:
            status = status or STATUS[failure.code]
            self.door.refused(self.client[0] if self.client else "", status)
            self.transport.write(answer(failure, status))
        self._answer_nothing()
        if self.release is None:
            self.transport.close()
            return
        # To close a line on which something has come that was not read takes the answer away again, too. So that is
        # done a little later.
        self.transport.pause_reading()
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self.answered = cycle
        super()._start_asgi_task(cycle, app)

    def _answer_nothing(self) -> None:
        """The line is gone, or as good as: uvicorn notices it only for the request that came last."""
        for cycle in (self.answered, *(cycle for cycle, _ in self.pipeline)):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        self.pipeline.clear()

    # --- time ---

    def arm(self) -> None:
        """From now on the request must be whole in time."""
        if self.deadline is None:
            self.deadline = self.loop.call_later(self.door.limits.request_seconds, self._too_slow)

    def disarm(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def _too_slow(self) -> None:
        self.deadline = None
        if not self.transport.is_closing():
            over("request_seconds")
            self.refuse(Failure("too_slow", "the request did not come in time"))

    def timeout_keep_alive_handler(self) -> None:
        if self.transport.get_write_buffer_size():  # close would wait for it for ever
            self.transport.abort()
        else:
            super().timeout_keep_alive_handler()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.unread = self.loop.call_later(self.door.limits.response_seconds, self._not_taken)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._read_again()

    def _read_again(self) -> None:
        if self.unread is not None:
            self.unread.cancel()
            self.unread = None

    def _not_taken(self) -> None:
        over("response_seconds")
        self.transport.abort()


#: How long a client has to take the answer that ends its connection.
CLOSE_SECONDS = 1.0
STATUS = {
    "bad_request": 400,
    "too_slow": 408,
    "too_fast": 429,
    "too_many": 429,
    "too_large": 431,
    "server_full": 503,
}


def answer(failure: Failure, status: int) -> bytes:
    """A whole answer, without the application."""
    body = to_json(failure)
    lines = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode(),
        b"content-type: application/json",
        b"content-length: " + str(len(body)).encode(),
        b"connection: close",
        *(name + b": " + value for name, value in SECURITY_HEADERS),
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body
