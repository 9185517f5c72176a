"""What an attacker is made of: an address of its own on the loopback network, bare lines, requests and sockets."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from secrets import token_hex
from typing import Any

from websockets.frames import Frame, Opcode

from tercet.fairness import commit_secret, terms_of

_addresses = count(1)


def frame(opcode: Opcode, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """A frame as a client sends it."""
    return Frame(opcode, payload, fin).serialize(mask=True)


class Attacker:
    """Somebody with an address of their own: 127.x.y.z are all this machine."""

    def __init__(self, *ports: int, database: str = "") -> None:
        number = next(_addresses)
        #: Where the server keeps everything: for attacks that need a long history.
        self.database = database
        self.address = f"127.7.{number // 250}.{number % 250 + 1}"
        self.port, self.other_port = ports[0], ports[-1]

    async def line(self, port: int | None = None, buffer: int | None = None) -> Line:
        """A bare TCP line to the server; ``buffer``: so many bytes wait on this side."""
        here = socket.socket()
        here.setblocking(False)
        if buffer is not None:
            here.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        here.bind((self.address, 0))
        await asyncio.get_running_loop().sock_connect(here, ("127.0.0.1", port or self.port))
        return Line(*await asyncio.open_connection(sock=here))

    async def lines(self, times: int) -> list[Line]:
        """Many at once."""
        return list(await asyncio.gather(*(self.line() for _ in range(times))))

    async def request(
        self, method: str, path: str, body: Any = None, port: int | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer."""
        line = await self.line(port)
        try:
            await line.send(head(method, path, body, **headers))
            return await line.answer()
        finally:
            line.close()

    async def guest(self, name: str = "Mal") -> str:
        """The cookie of a new guest."""
        status, headers, body = await self.request("POST", "/api/session", {"name": name})
        assert status == 201, body
        return headers["set-cookie"].partition(";")[0]

    async def table(self, cookie: str, **wanted: Any) -> str:
        """The code of a new table."""
        wanted = {"game": "set", "seats": [{"kind": "person"}, {"kind": "person"}], **wanted}
        status, _, body = await self.request("POST", "/api/tables", wanted, Cookie=cookie)
        assert status == 201, body
        return str(json.loads(body)["code"])

    async def socket(self, code: str, cookie: str, port: int | None = None) -> Line:
        """A line on which a table's WebSocket has been opened, or refused in the way of WebSockets."""
        line = await self.line(port)
        await line.send(upgrade(code, cookie))
        answer = await asyncio.wait_for(line.reader.readuntil(b"\r\n\r\n"), 10)
        assert answer.startswith(b"HTTP/1.1 101"), answer
        return line

    async def many(self, times: int, act: Callable[[int], Awaitable[Any]], at_once: int = 50) -> list[Any]:
        """Do something so many times, some at the same time; what came of each, errors too."""
        gate = asyncio.Semaphore(at_once)

        async def one(number: int) -> Any:
            async with gate:
                return await asyncio.wait_for(act(number), 30)

        return await asyncio.gather(*(one(number) for number in range(times)), return_exceptions=True)


def head(method: str, path: str, body: Any = None, **headers: str) -> bytes:
    """A whole request."""
    text = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(text)}"]
    return "\r\n".join([*lines, "", ""]).encode() + text


def upgrade(code: str, cookie: str, *more: str) -> bytes:
    """The handshake of a table's WebSocket."""
    lines = [
        f"GET /api/tables/{code}/socket HTTP/1.1",
        "Host: 127.0.0.1",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        f"Cookie: {cookie}",
        *more,
    ]
    return "\r\n".join([*lines, "", ""]).encode()


class Line:
    """A line, as its bytes are."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def close(self) -> None:
        self.writer.transport.abort()

    def stop_reading(self) -> None:
        transport = self.writer.transport
        assert isinstance(transport, asyncio.Transport)
        transport.pause_reading()

    async def send(self, data: bytes) -> bool:
        """Whether it could still be sent: nobody waits for ever."""
        try:
            self.writer.write(data)
            await asyncio.wait_for(self.writer.drain(), 2)
        except OSError:  # TimeoutError is one
            return False
        return not self.writer.transport.is_closing()

    async def pour(self, data: bytes, times: int, seconds: float = 2.0) -> None:
        """Send this again and again, as long as it is taken."""
        until = asyncio.get_running_loop().time() + seconds
        for _ in range(times):
            if asyncio.get_running_loop().time() > until or not await self.send(data):
                return

    async def answer(self) -> tuple[int, dict[str, str], bytes]:
        """An answer over HTTP."""
        top = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), 20)
        first, *lines = top.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        return int(first.split()[1]), headers, body

    async def told(self, seconds: float = 20) -> str:
        """What an answer over HTTP says: its status and code; or how the line ended."""
        try:
            status, _, body = await asyncio.wait_for(self.answer(), seconds)
            return f"{status} {json.loads(body)['code']}" if status >= 400 and body else str(status)
        except TimeoutError:
            return "nothing"
        except (OSError, asyncio.IncompleteReadError):
            return "line cut"

    async def frame(self) -> tuple[int, bytes]:
        """The next frame: its opcode and payload."""
        first, size = await self.reader.readexactly(2)
        if size == 126:
            size = int.from_bytes(await self.reader.readexactly(2), "big")
        elif size == 127:
            size = int.from_bytes(await self.reader.readexactly(8), "big")
        return first & 0x0F, await self.reader.readexactly(size)

    async def closed(self, seconds: float = 10) -> str:
        """The code and reason with which the server closes the socket; or how the line ended."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    opcode, payload = await self.frame()
                    if opcode == Opcode.CLOSE:
                        return f"{int.from_bytes(payload[:2], 'big')} {payload[2:].decode()}".strip()
        except TimeoutError:
            return "nothing"
        except (OSError, asyncio.IncompleteReadError):
            return "line cut"

    async def message(self, *kinds: str, seconds: float = 10) -> Any:
        """The next message of one of these kinds."""
        async with asyncio.timeout(seconds):
            while True:
                opcode, payload = await self.frame()
                if opcode == Opcode.CLOSE:
                    raise ConnectionError(payload[2:].decode())
                if opcode == Opcode.TEXT:
                    found = json.loads(payload)
                    if found["type"] in kinds:
                        return found

    async def say(self, message: Any) -> None:
        await self.send(frame(Opcode.TEXT, json.dumps(message).encode()))

    async def begin(self) -> str:
        """Begin a game as the only person at the table; its id."""
        secret = token_hex(32)
        await self.say({"type": "manage", "id": "ready", "command": {"do": "ready"}})
        while True:
            message = await self.message("welcome", "table_changed", "game_started")
            if message["type"] == "game_started":
                return str(message["game"]["id"])
            table = message["table"]
            if (start := table.get("start")) is None:
                continue
            part = {"to": table["commitment"]}
            if start["stage"] == "committing":
                terms = terms_of(table["game"], table["options"], table["code"], table["number"])
                part |= {"do": "commit", "commitment": commit_secret(secret, terms)}
            else:
                part |= {"do": "reveal", "secret": secret}
            await self.say({"type": "manage", "id": str(part["do"]), "command": part})


@asynccontextmanager
async def closing(lines: list[Line]) -> AsyncIterator[list[Line]]:
    try:
        yield lines
    finally:
        for line in lines:
            line.close()
