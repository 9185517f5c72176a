"""Sockets that are none: an answer over HTTP that goes on, a message a line; and a single command with its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tercet.server.budgets import over
from tercet.server.limits import Limits
from tercet.server.socket.transport import CLOSE_SECONDS, Excess, Hear, unframe

#: After so many silent seconds an empty line is sent, so that nobody on the way takes the answer for ended.
KEEP_ALIVE_SECONDS = 7.0

MEDIA_TYPE = b"application/x-ndjson"


class _OneWay:
    """What all of them leave out: nothing is heard here."""

    hears = False

    def listen(self, hear: Hear) -> None: ...

    def let_go(self) -> None: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def count_frame(self) -> None: ...


class LineSocket(_OneWay):
    """The answer to a request as a stream of lines (NDJSON). It begins with the first message; `serve` sends it."""

    def __init__(self, receive: Any, send: Any) -> None:
        self._receive = receive
        self._send = send
        self._waiting: list[bytes] = []
        #: Bytes that wait here, and so many may.
        self._size = 0
        self._most = 0
        self._ended: Callable[[Excess], None] = lambda _excess: None
        self._wake = asyncio.Event()
        self._is_closing = False
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._tasks = [asyncio.create_task(self._pump()), asyncio.create_task(self._until_gone())]
        #: Whether anything was said, and so no failure can be.
        self.has_begun = False

    def limit(self, limits: Limits, ended: Callable[[Excess], None]) -> None:
        self._most, self._ended = limits.outbox_bytes, ended

    def write(self, framed: bytes) -> None:
        if self._is_closing or self._over.done():
            return
        self._take(framed)
        if self._size > self._most:
            over("outbox_bytes")
            self._ended("slow")

    def write_first(self, framed: bytes) -> None:
        self._most += len(framed)  # however long it is, the client may take its time
        self.write(framed)

    def _take(self, framed: bytes) -> None:
        lines = b"".join(text + b"\n" for text in unframe(framed))
        self._waiting.append(lines)
        self._size += len(lines)
        self.has_begun = True
        self._wake.set()

    async def receive(self) -> str | bytes | None:
        """Nothing ever comes: wait until the client is gone, or all is said."""
        await asyncio.shield(self._over)
        return None

    async def close(self, code: int, reason: str) -> None:
        """Let the client take the last lines, but do not wait for ever."""
        self._is_closing = True
        self._wake.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await asyncio.shield(self._over)
        self._finish()

    async def stop(self) -> None:
        """Nothing more is sent."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _finish(self) -> None:
        if not self._over.done():
            self._over.set_result(None)

    async def _pump(self) -> None:
        is_open = False
        try:
            while True:
                try:
                    async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                        await self._wake.wait()
                except TimeoutError:
                    piece = b"\n"
                else:
                    self._wake.clear()
                    piece, self._waiting = b"".join(self._waiting), []
                if not is_open and (self._is_closing and not piece):
                    return
                if not is_open:
                    is_open = self.has_begun = True
                    headers = [(b"content-type", MEDIA_TYPE), (b"x-accel-buffering", b"no")]
                    await self._send({"type": "http.response.start", "status": 200, "headers": headers})
                is_last = self._is_closing and not self._waiting
                await self._send({"type": "http.response.body", "body": piece, "more_body": not is_last})
                self._size = max(self._size - len(piece), 0)
                if is_last:
                    return
        finally:
            self._finish()

    async def _until_gone(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._finish()


class AnswerSocket(_OneWay):
    """For a client that says one thing and waits for the answer: ``said`` is all that it was told."""

    def __init__(self) -> None:
        self.said: list[bytes] = []

    def limit(self, limits: Limits, ended: Callable[[Excess], None]) -> None: ...

    def write(self, framed: bytes) -> None:
        self.said += unframe(framed)

    write_first = write

    async def receive(self) -> str | bytes | None:
        return None

    async def close(self, code: int, reason: str) -> None: ...
