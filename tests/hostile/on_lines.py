"""Attacks on the way in: connections, and requests that are long, slow, broken or many."""

from __future__ import annotations

import asyncio

from tests.hostile.attack import attack, status_of, summary
from tests.hostile.attacker import Attacker, closing, head, upgrade


@attack
async def cookie_of_backslashes(attacker: Attacker) -> str:
    long_one = await status_of(attacker, "GET", "/api/session", Cookie='a="' + "\\" * 130_000 + '"')
    short = await attacker.many(
        20, lambda _: status_of(attacker, "GET", "/api/session", Cookie='a="' + "\\" * 15_000 + '"')
    )
    assert long_one == "431 too_large"
    assert set(short) == {"401 not_signed_in"}
    return summary([long_one, *short])


async def _endless(attacker: Attacker, beginning: bytes, piece: bytes, lines: int = 5) -> str:
    async def one(_: int) -> str:
        line = await attacker.line()
        async with closing([line]):
            told = asyncio.create_task(line.told())
            await line.send(beginning)
            await line.pour(piece, 200)
            return await told

    told = await attacker.many(lines, one)
    assert set(told) <= {"431 too_large", "413 too_large", "line cut"}, told
    return summary(told)


@attack
async def endless_header(attacker: Attacker) -> str:
    return await _endless(attacker, b"GET / HTTP/1.1\r\nHost: localhost\r\nA: ", b"a" * 65536)


@attack
async def endless_headers(attacker: Attacker) -> str:
    return await _endless(attacker, b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"a: b\r\n" * 10_000)


@attack
async def endless_address(attacker: Attacker) -> str:
    return await _endless(attacker, b"GET /", b"a" * 65536)


@attack
async def endless_blank_lines(attacker: Attacker) -> str:
    return await _endless(attacker, b"\r\n", b"\r\n" * 30_000)


@attack
async def endless_handshake(attacker: Attacker) -> str:
    beginning = upgrade("AAAAAA", "tercet=x")[:-2]
    return await _endless(attacker, beginning, b"a: b\r\n" * 10_000)


@attack
async def endless_body(attacker: Attacker) -> str:
    beginning = (
        b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
    )
    return await _endless(attacker, beginning, b"ffff\r\n" + b"a" * 0xFFFF + b"\r\n")


@attack
async def half_requests(attacker: Attacker) -> str:
    """1,100 of them; newcomers come in, and they are told when their time is up."""
    lines = await attacker.lines(1100)
    async with closing(lines):
        for line in lines:
            await line.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nA: ")
        assert await status_of(Attacker(attacker.port), "GET", "/health") == "200"
        told = await asyncio.gather(*(line.told() for line in lines))
    assert set(told) <= {"408 too_slow", "429 too_many", "line cut"}, summary(told)
    assert "408 too_slow" in told
    return summary(told)


@attack
async def half_bodies(attacker: Attacker) -> str:
    lines = await attacker.lines(100)
    async with closing(lines):
        for line in lines:
            await line.send(
                b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
            )
        told = await asyncio.gather(*(line.told() for line in lines))
    assert set(told) == {"408 too_slow"}, summary(told)
    return summary(told)


@attack
async def dripping_body(attacker: Attacker) -> str:
    """A byte now and then, after the answer: the connection would be kept for it."""

    async def one(_: int) -> str:
        line = await attacker.line()
        async with closing([line]):
            await line.send(b"GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\n")
            assert await line.told() == "200"
            for _ in range(50):
                if not await line.send(b"x"):
                    return "line cut"
                await asyncio.sleep(0.2)
            return "nothing"

    told = await attacker.many(20, one)
    assert set(told) == {"line cut"}, told
    return summary(told)


@attack
async def pipelined_requests(attacker: Attacker) -> str:
    async def one(_: int) -> str:
        line = await attacker.line()
        async with closing([line]):
            await line.send(b"GET /api/session HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5000)
            told = [await line.told()]
            while told[-1] not in ("429 too_fast", "line cut", "nothing"):
                told.append(await line.told())
            return told[-1]

    told = await attacker.many(5, one)
    assert set(told) <= {"429 too_fast", "line cut"}, told
    return summary(told)


@attack
async def broken_requests(attacker: Attacker) -> str:
    async def one(_: int) -> str:
        line = await attacker.line()
        async with closing([line]):
            await line.send(b"\x16\x03\x01\x00\xffnonsense\r\n\r\n" * 20)
            return await line.told()

    told = await attacker.many(500, one)
    assert set(told) <= {"400 bad_request", "line cut"}, told
    return summary(told)


@attack
async def too_many_connections(attacker: Attacker) -> str:
    """Of one address: other addresses notice nothing."""
    lines = await attacker.lines(550)
    async with closing(lines):
        told = [await line.told(1) for line in lines[-10:]]
        assert await status_of(Attacker(attacker.port), "GET", "/health") == "200"
    assert set(told) <= {"429 too_many", "line cut"}, told
    return summary(told)


@attack
async def answers_that_nobody_takes(attacker: Attacker) -> str:
    """The schema of the API is its longest answer."""
    lines = [await attacker.line(buffer=4096) for _ in range(2)]
    async with closing(lines):
        for line in lines:
            line.stop_reading()
        for _ in range(45):
            for line in lines:
                await line.send(head("GET", "/api/schema/openapi.json") * 8)
            await asyncio.sleep(0.1)
        await asyncio.sleep(3)
        for line in lines:
            await line.send(b"GET / HTTP/1.1\r\n")
        await asyncio.sleep(0.2)
        told = ["nothing" if await line.send(b"Host: localhost\r\n") else "line cut" for line in lines]
    assert set(told) == {"line cut"}, told
    return summary(told)


@attack
async def flood_of_pages(attacker: Attacker) -> str:
    """The site itself is not counted by address: a class behind one address loads it at once."""
    told = await attacker.many(
        1500, lambda number: status_of(attacker, "GET", "/" if number % 2 else "/t/ABCDEF")
    )
    assert set(told) == {"200"}, summary(told)
    return summary(told)


@attack
async def deep_json(attacker: Attacker) -> str:
    body = b"[" * 60_000
    beginning = (
        b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % len(body)
    )

    async def one(_: int) -> str:
        line = await attacker.line()
        async with closing([line]):
            await line.send(beginning + body)
            return await line.told()

    told = await attacker.many(100, one)
    assert set(told) == {"400 bad_request"}, summary(told)
    return summary(told)


@attack
async def handshakes_that_cannot_be_read(attacker: Attacker) -> str:
    """Good HTTP, but a header longer than the WebSocket library takes: nobody may be left waiting, nor the line open."""
    cookie = await attacker.guest()
    offers = {
        "protocols": "Sec-WebSocket-Protocol: " + ", ".join(f"p{number}" for number in range(1500)),
        "extensions": "Sec-WebSocket-Extensions: " + ", ".join(["permessage-deflate"] * 500),
        "more": "X-More: " + "x" * 9000,
    }

    async def one(number: int) -> str:
        line = await attacker.line()
        async with closing([line]):
            await line.send(upgrade("ABCDEF", cookie, list(offers.values())[number % 3]))
            told = await line.told()
            assert not await asyncio.wait_for(line.reader.read(), 5), "more than an answer"
            return told

    told = await attacker.many(300, one)
    assert set(told) == {"400 bad_request"}, summary(told)
    return summary(told)
