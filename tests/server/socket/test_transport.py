"""Messages as they may come over a line: whole, in pieces, several at once, with others in between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from tercet.server.socket.transport import frame, whole_message
from tests.server.serving import run, serving


def sent(opcode: Opcode, payload: bytes, *, fin: bool = True) -> bytes:
    """A frame as a client sends it."""
    return Frame(opcode, payload, fin).serialize(mask=True)


@given(st.binary(max_size=70_000), st.binary(min_size=4, max_size=4))
@example(b"x" * 125, b"mask")
@example(b"x" * 126, b"mask")
@example(b"x" * 127, b"mask")
@example(b"x" * 65_535, b"mask")
@example(b"x" * 65_536, b"mask")
def test_a_whole_message_is_what_was_sent(text: bytes, mask: bytes) -> None:
    size = len(text)
    data = frame(text)[: 2 if size < 126 else 4 if size < 65536 else 10]
    data = (
        data[:1]
        + bytes([data[1] | 0x80])
        + data[2:]
        + mask
        + bytes(a ^ b for a, b in zip(text, cycle(mask), strict=False))
    )
    assert whole_message(data) == (text if size < 65536 else None)
    assert whole_message(data + b"\x81") is None
    assert whole_message(data[:-1]) is None


@given(st.binary(max_size=300))
def test_any_bytes_are_a_whole_message_or_not(data: bytes) -> None:
    text = whole_message(data)
    assert text is None or data[0] == 0x81


class Line:
    """A bare TCP line to a table, with a hand-made handshake."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self._writer.write(piece)
            await self._writer.drain()
            await asyncio.sleep(0.01)  # so that each arrives for itself

    async def hear(self) -> tuple[int, bytes]:
        """The next frame: its opcode and payload."""
        first, size = await self._reader.readexactly(2)
        if size == 126:
            size = int.from_bytes(await self._reader.readexactly(2), "big")
        elif size == 127:
            size = int.from_bytes(await self._reader.readexactly(8), "big")
        return first & 0x0F, await self._reader.readexactly(size)

    async def answers(self, count: int) -> list[bytes]:
        """The ids of the next answers, in order."""
        found: list[bytes] = []
        while len(found) < count:
            opcode, text = await self.hear()
            assert opcode != Opcode.CLOSE, text
            if text.startswith((b'{"type":"refused"', b'{"type":"accepted"')):
                found.append(text.split(b'"id":"')[1].split(b'"')[0])
        return found

    async def payload(self, wanted: Opcode) -> bytes:
        """What the next frame of this kind holds."""
        while True:
            opcode, payload = await self.hear()
            if opcode == wanted:
                return payload


@asynccontextmanager
async def line_to_a_table(database: Path) -> AsyncIterator[Line]:
    async with serving(database) as server:
        client = await server.client("Ann")
        code = await client.create_table("set", people=2)
        host, port = server.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(
            f"GET /api/tables/{code}/socket HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            f"Cookie: {client.headers()['Cookie']}\r\n\r\n".encode()
        )
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
        try:
            yield Line(reader, writer)
        finally:
            writer.close()
            await asyncio.gather(writer.wait_closed(), return_exceptions=True)


def ask(name: str, padding: int = 0) -> bytes:
    """Something that is always answered."""
    return b'{"type":"say","id":"%s","text":"%s"}' % (name.encode(), b"x" * padding or b"hi")


def test_messages_in_pieces_and_several_at_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with line_to_a_table(tmp_path / "a.db") as line:
            whole = sent(Opcode.TEXT, ask("whole"))
            await line.send(whole)
            assert await line.answers(1) == [b"whole"]
            await line.send(*(bytes([byte]) for byte in sent(Opcode.TEXT, ask("bytes"))))
            assert await line.answers(1) == [b"bytes"]
            await line.send(sent(Opcode.TEXT, ask("one")) + sent(Opcode.TEXT, ask("two", 150)))
            assert await line.answers(2) == [b"one", b"two"]
            text = ask("cut")
            await line.send(
                sent(Opcode.TEXT, text[:9], fin=False),
                sent(Opcode.PING, b"still there?"),
                sent(Opcode.CONT, text[9:]),
                sent(Opcode.TEXT, ask("after")),
            )
            assert await line.payload(Opcode.PONG) == b"still there?"
            assert await line.answers(2) == [b"cut", b"after"]
            half = sent(Opcode.TEXT, ask("half"))
            await line.send(half[:11], half[11:] + sent(Opcode.TEXT, ask("rest")))
            assert await line.answers(2) == [b"half", b"rest"]

    run(scenario())


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (sent(Opcode.TEXT, b'{"type":'), 4006),
        (sent(Opcode.TEXT, b""), 4006),
        (sent(Opcode.TEXT, b"\xff\xfe"), 4006),
        (sent(Opcode.TEXT, ask("long", 9000)), 1009),
        (frame(ask("unmasked")), 1002),
        (sent(Opcode.CLOSE, b"\x03\xe8"), 1000),
    ],
    ids=["no JSON", "empty", "no UTF-8", "too long", "not masked", "close"],
)
def test_what_ends_a_line(tmp_path: Path, data: bytes, code: int) -> None:
    async def scenario() -> None:
        async with line_to_a_table(tmp_path / "a.db") as line:
            await line.send(data)
            assert int.from_bytes((await line.payload(Opcode.CLOSE))[:2], "big") == code

    run(scenario())


def test_many_messages_at_once_are_all_answered(tmp_path: Path) -> None:
    """More than may wait to be heard: reading stops and goes on, and nothing is lost."""

    async def scenario() -> None:
        async with line_to_a_table(tmp_path / "a.db") as line:
            names = [f"m{number}" for number in range(50)]
            for name in names:
                await line.send(sent(Opcode.TEXT, ask(name)))
            assert await line.answers(50) == [name.encode() for name in names]

    run(scenario())
