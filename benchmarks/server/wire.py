"""A WebSocket client that costs almost nothing, so that the load does not measure itself."""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast

from benchmarks.server.luck import Part


class Wire(asyncio.Protocol):
    """Calls ``on_text`` with every message, and counts them."""

    def __init__(self, path: str, host: str, cookie: str | None) -> None:
        self.count = 0
        self.on_text: Callable[[bytes], None] | None = None
        self.closed = False
        self._path = path
        self._host = host
        self._cookie = cookie
        self._buffer = bytearray()
        self._part = Part()
        self._open = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport

    @classmethod
    async def connect(cls, port: int, path: str, cookie: str | None = None) -> Wire:
        loop = asyncio.get_running_loop()
        _, wire = await loop.create_connection(
            lambda: cls(path, f"127.0.0.1:{port}", cookie), "127.0.0.1", port
        )
        await wire._open
        return wire

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {self._path} HTTP/1.1",
            f"Host: {self._host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
        ]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
        if self._cookie:
            lines.append(f"Cookie: {self._cookie}")
        self._transport.write("\r\n".join([*lines, "", ""]).encode())

    def connection_lost(self, _error: Exception | None) -> None:
        self.closed = True

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        if not self._open.done():
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            assert buffer.startswith(b"HTTP/1.1 101"), bytes(buffer[:200])
            del buffer[: end + 4]
            self._open.set_result(None)
        while len(buffer) >= 2:
            size, start = buffer[1], 2
            if size == 126:
                size, start = int.from_bytes(buffer[2:4], "big"), 4
            elif size == 127:
                size, start = int.from_bytes(buffer[2:10], "big"), 10
            if len(buffer) < start + size:
                return
            text = bytes(buffer[start : start + size]) if buffer[0] == 0x81 else b""
            del buffer[: start + size]
            if text:
                self.count += 1
                if text.startswith(b'{"type":"ping"'):
                    self.send(text.replace(b"ping", b"pong"))
                elif (answer := self._part.answers(text)) is not None:
                    self.send(answer)
                elif self.on_text is not None:
                    self.on_text(text)

    def send(self, text: bytes) -> None:
        """A masked frame; the mask is all zeros, which costs nothing."""
        size = len(text)
        head = bytes((0x81, 0x80 | size)) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        self._transport.write(head + b"\0\0\0\0" + text)

    def close(self) -> None:
        self._transport.close()
