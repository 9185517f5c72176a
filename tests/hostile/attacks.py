"""Attacks, each written once: what a hostile client does, within a bound on count and time, and what it is told."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import to_builtins
from websockets.frames import Opcode

from tercet.editions import Edition, Square
from tests.hostile.attacker import Attacker, Line, closing, frame, head, upgrade

Attack = Callable[[Attacker], Awaitable[str]]
#: Every attack by its name, in the order in which they are written here.
ATTACKS: dict[str, Attack] = {}
#: Those that take many seconds.
LONG: set[str] = set()


def attack(run: Attack) -> Attack:
    ATTACKS[run.__name__] = run
    return run


def long(run: Attack) -> Attack:
    LONG.add(run.__name__)
    return run


def summary(told: list[Any]) -> str:
    """How often what was told."""
    words = Counter(one if isinstance(one, str) else type(one).__name__ for one in told)
    return ", ".join(f"{word} ({times}×)" if times > 1 else word for word, times in words.most_common(4))


async def status_of(attacker: Attacker, method: str, path: str, body: Any = None, **headers: str) -> str:
    line = await attacker.line()
    async with closing([line]):
        await line.send(head(method, path, body, **headers))
        return await line.told()


# --- requests ---


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
            line.writer.transport.pause_reading()  # type: ignore[attr-defined]
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
async def flood_of_requests(attacker: Attacker) -> str:
    told = await attacker.many(1500, lambda _: status_of(attacker, "GET", "/api/tables"))
    assert set(told) == {"200", "429 too_fast"}, summary(told)
    return summary(told)


@attack
async def guessed_codes(attacker: Attacker) -> str:
    told = await attacker.many(
        300, lambda number: status_of(attacker, "GET", f"/api/tables/{number:06d}".replace("0", "B"))
    )
    assert set(told) == {"404 not_found", "429 too_fast"}
    assert Counter(told)["404 not_found"] < 150
    return summary(told)


@attack
async def guessed_codes_by_socket(attacker: Attacker) -> str:
    cookie = await attacker.guest()

    async def one(number: int) -> str:
        line = await attacker.socket(f"BB{number:04d}", cookie)
        async with closing([line]):
            return await line.closed()

    told = await attacker.many(300, one, at_once=15)
    assert set(told) == {"4404 no_such_table", "4008 too_fast"}, summary(told)
    assert Counter(told)["4404 no_such_table"] < 200
    return summary(told)


@attack
async def looking_at_a_table(attacker: Attacker) -> str:
    """The link of a table, again and again."""
    code = await attacker.table(await attacker.guest())
    told = await attacker.many(600, lambda _: status_of(attacker, "GET", f"/api/tables/{code}"))
    return summary(told)


@attack
async def records_in_a_loop(attacker: Attacker) -> str:
    cookie = await attacker.guest()
    code = await attacker.table(cookie, seats=[{"kind": "person"}])
    line = await attacker.socket(code, cookie)
    async with closing([line]):
        game = await line.begin()
        told = await attacker.many(
            400, lambda _: status_of(attacker, "GET", f"/api/games/{game}/record?form=json")
        )
    assert set(told) <= {"200", "404 not_found", "429 too_fast", "503 server_full"}, told
    assert Counter(told)["200"] < 150
    return summary(told)


@attack
async def exports_in_a_loop(attacker: Attacker) -> str:
    cookie = await attacker.guest()
    told = await attacker.many(400, lambda _: status_of(attacker, "GET", "/api/me/export", Cookie=cookie))
    assert set(told) <= {"200", "429 too_fast", "503 server_full"}, told
    return summary(told)


@attack
async def passwords_at_once(attacker: Attacker) -> str:
    """From many addresses: each has few tries, but all together cost much."""
    body = {"name": "Nobody", "password": "x" * 20}
    told = await attacker.many(
        40,
        lambda number: status_of(
            Attacker(attacker.port), "POST", "/api/login", {**body, "name": f"Nobody {number}"}
        ),
    )
    assert set(told) <= {"401 wrong_password", "503 server_full", "429 too_fast"}, summary(told)
    return summary(told)


@attack
async def guests_without_end(attacker: Attacker) -> str:
    told = await attacker.many(250, lambda _: status_of(attacker, "POST", "/api/session", {"name": "Mal"}))
    assert 50 < Counter(told)["201"] < 180, summary(told)
    assert set(told) == {"201", "429 too_fast"}
    return summary(["201 guest" if one == "201" else one for one in told])


@attack
async def tables_at_once(attacker: Attacker) -> str:
    cookie = await attacker.guest()
    wanted = {"game": "set", "seats": [{"kind": "person"}], "public": True}
    told = await attacker.many(
        100, lambda _: status_of(attacker, "POST", "/api/tables", wanted, Cookie=cookie), at_once=100
    )
    assert Counter(told)["201"] == 20, summary(told)
    return summary(told)


@attack
async def own_editions_in_the_lobby(attacker: Attacker) -> str:
    """100 public tables, each with an edition of many kB: the lobby stays short."""
    edition = _own_edition(1000)
    wanted = {
        "game": "cubed",
        "seats": [{"kind": "person"}] * 2,
        "public": True,
        "options": {"edition": edition},
    }
    told = []
    for _ in range(5):
        cookie = await attacker.guest()
        told += await attacker.many(
            20,
            lambda _: status_of(attacker, "POST", "/api/tables", wanted, Cookie=cookie),  # noqa: B023
        )
    assert set(told) == {"201"}, summary(told)
    _, headers, _ = await attacker.request("GET", "/api/tables")
    assert int(headers["content-length"]) < 40_000
    wanted["options"] = {"edition": _own_edition(2000)}
    told.append(await status_of(attacker, "POST", "/api/tables", wanted, Cookie=cookie))
    assert told[-1] == "400 bad_request"
    return f"lobby of {headers['content-length']} bytes; {summary(told)}"


def _own_edition(squares: int) -> dict[str, Any]:
    """A board of 60 by 60 with so many bonus squares."""
    data: dict[str, Any] = to_builtins(Edition.from_plain("house")._file)
    bonus = {str(Square.at(20 + cell // 60, cell % 60)): 1 for cell in range(squares)}
    return {**data, "name": "ours", "size": [60, 60], "bonus": bonus, "note": "x" * 1000}


@attack
async def nul_in_texts(attacker: Attacker) -> str:
    """Whatever of a text may reach the database."""
    cookie = await attacker.guest()
    code = await attacker.table(cookie)
    told: list[str] = []
    for message in (
        {"type": "manage", "id": "a\0", "command": {"do": "ready"}},
        {"type": "play", "id": "\0", "command": {"do": "call", "seat": 0}},
        {"type": "manage", "id": "1", "command": {"do": "ready", "entropy": "a\0b"}},
        {"type": "manage", "id": "1", "command": {"do": "kick", "person": "a\0b"}},
        {"type": "say", "id": "1", "text": "a\0b"},
    ):
        line = await attacker.socket(code, cookie)
        async with closing([line]):
            await line.say(message)
            told.append(await line.closed())
    assert set(told) == {"4006 bad_message"}, told
    for method, path, body in (
        ("POST", "/api/login", {"name": "a\0b", "password": "password"}),
        ("POST", "/api/account", {"name": "a\0b", "password": "password"}),
        ("PATCH", "/api/session", {"name": "a\0b"}),
        ("POST", "/api/tokens", {"label": "a\0b"}),
        ("POST", "/api/tables", {"game": "a\0b", "seats": [{"kind": "person"}]}),
        ("POST", "/api/tables", {"game": "set", "seats": [{"kind": "person"}, {"kind": "bot", "bot": "\0"}]}),
        (
            "POST",
            "/api/tables",
            {"game": "cubed", "seats": [{"kind": "person"}], "options": {"edition": "\0"}},
        ),
    ):
        told.append(await status_of(attacker, method, path, body, Cookie=cookie))
        assert told[-1].startswith("400"), (path, told[-1])
    return summary(told)


# --- sockets ---


async def _pour(attacker: Attacker, data: bytes, times: int = 200, sockets: int = 4) -> str:
    cookie = await attacker.guest()
    code = await attacker.table(cookie)

    async def one(_: int) -> str:
        line = await attacker.socket(code, cookie)
        async with closing([line]):
            sending = asyncio.create_task(line.pour(data, times, seconds=1.5))
            try:
                return await line.closed()
            finally:
                sending.cancel()

    told = await attacker.many(sockets, one)
    assert set(told) == {"4005 flood"}, told
    return summary(told)


@attack
async def flood_of_pings(attacker: Attacker) -> str:
    return await _pour(attacker, frame(Opcode.PING) * 10_000)


@attack
async def flood_of_long_pings(attacker: Attacker) -> str:
    return await _pour(attacker, frame(Opcode.PING, b"x" * 125) * 1000)


@attack
async def flood_of_pongs(attacker: Attacker) -> str:
    return await _pour(attacker, frame(Opcode.PONG) * 10_000)


@attack
async def empty_continuations(attacker: Attacker) -> str:
    cookie = await attacker.guest()
    code = await attacker.table(cookie)
    line = await attacker.socket(code, cookie)
    async with closing([line]):
        await line.send(frame(Opcode.TEXT, b"{", fin=False))
        await line.pour(frame(Opcode.CONT, b"", fin=False) * 10_000, 50, seconds=1)
        told = await line.closed()
    assert told == "4005 flood"
    return told


@attack
async def one_fragment_after_another(attacker: Attacker) -> str:
    """Slowly enough for the rate: the number counts."""
    cookie = await attacker.guest()
    line = await attacker.socket(await attacker.table(cookie), cookie)
    async with closing([line]):
        await line.send(frame(Opcode.TEXT, b"{", fin=False))
        for _ in range(40):
            await line.send(frame(Opcode.CONT, b"", fin=False))
            await asyncio.sleep(0.01)
        told = await line.closed()
    assert told == "4005 flood"
    return told


@attack
async def messages_that_never_end(attacker: Attacker) -> str:
    cookie = await attacker.guest()
    code = await attacker.table(cookie)

    async def one(number: int) -> str:
        line = await attacker.socket(code, cookie)
        async with closing([line]):
            half = frame(Opcode.TEXT, b"{" * 500)[:50] if number % 2 else frame(Opcode.TEXT, b"{", fin=False)
            await line.send(half)
            return await line.closed()

    told = await attacker.many(20, one)
    assert set(told) == {"4003 slow"}, told
    return summary(told)


@attack
async def messages_byte_by_byte(attacker: Attacker) -> str:
    cookie = await attacker.guest()
    line = await attacker.socket(await attacker.table(cookie), cookie)
    data = frame(Opcode.TEXT, json.dumps({"type": "say", "id": "1", "text": "x" * 190}).encode())
    async with closing([line]):
        hearing = asyncio.create_task(line.closed())
        for _ in range(20):
            for byte in data:
                await line.send(bytes([byte]))
                await asyncio.sleep(0)
            if hearing.done():
                break
        told = await hearing
    assert told in ("4005 flood", "line cut", "nothing"), told
    return told


@attack
async def flood_of_messages(attacker: Attacker) -> str:
    return await _pour(attacker, frame(Opcode.TEXT, b'{"type":"play","id":"1","command":{}}') * 1000)


@attack
async def flood_of_signs_of_life(attacker: Attacker) -> str:
    return await _pour(attacker, frame(Opcode.TEXT, b'{"type":"pong","number":1}') * 1000)


@attack
async def flood_below_the_count(attacker: Attacker) -> str:
    """Each message by itself, so that the fast way is taken; now and then one is allowed, and the row is broken."""
    cookie = await attacker.guest()
    line = await attacker.socket(await attacker.table(cookie), cookie)
    data = frame(Opcode.TEXT, b'{"type":"play","id":"1","command":{}}')
    async with closing([line]):
        hearing = asyncio.create_task(line.closed())
        for _ in range(5000):
            if hearing.done() or not await line.send(data):
                break
            await asyncio.sleep(0.0002)
        told = await hearing
    assert told in ("4005 flood", "line cut"), told
    return told


@attack
async def long_messages(attacker: Attacker) -> str:
    cookie = await attacker.guest()
    code = await attacker.table(cookie)

    async def one(number: int) -> str:
        line = await attacker.socket(code, cookie)
        async with closing([line]):
            hearing = asyncio.create_task(line.closed())
            await line.pour(
                frame(Opcode.TEXT, (b"[" if number % 2 else b"x") * (8000 + 60_000 * (number % 3))), 20
            )
            return await hearing

    told = await attacker.many(20, one)
    assert {one.split()[0] for one in told} <= {"1009", "4006", "line"}, told
    return summary(told)


@attack
async def coming_and_going(attacker: Attacker) -> str:
    cookie = await attacker.guest()
    code = await attacker.table(cookie)

    async def one(_: int) -> str:
        line = await attacker.socket(code, cookie)
        async with closing([line]):
            try:
                return str((await line.message("welcome"))["type"])
            except ConnectionError as error:
                return str(error)

    told = await attacker.many(300, one, at_once=5)
    assert set(told) == {"welcome", "too_fast"}, told
    return summary(told)


@attack
async def a_table_full_of_sockets(attacker: Attacker) -> str:
    """11 guests fill a table's places; a friend comes in all the same, and whoever sits there comes back."""
    host = await attacker.guest("Host")
    code = await attacker.table(host)
    lines: list[Line] = []
    told = []
    async with closing(lines):
        for number in range(11):
            cookie = await attacker.guest(f"Mal {number}")
            lines += await asyncio.gather(*(attacker.socket(code, cookie) for _ in range(20)))
        elsewhere = Attacker(attacker.port)
        for cookie in (host, await elsewhere.guest("Friend")):
            line = await elsewhere.socket(code, cookie)
            lines.append(line)
            assert (await line.message("welcome"))["table"]["code"] == code
        told = await asyncio.gather(*(line.closed(0.5) for line in lines[:-2]))
    assert "4429 too_many" in told
    return summary(list(told))


@attack
async def sockets_of_one_address(attacker: Attacker) -> str:
    """More than an address may have; somebody elsewhere comes in."""
    lines: list[Line] = []
    async with closing(lines):
        for number in range(21):
            cookie = await attacker.guest(f"Mal {number}")
            code = await attacker.table(await Attacker(attacker.port).guest())
            lines += await asyncio.gather(*(attacker.socket(code, cookie) for _ in range(20)))
        told = [await line.closed(0.2) for line in lines[-10:]]
        elsewhere = Attacker(attacker.port)
        cookie = await elsewhere.guest()
        line = await elsewhere.socket(code, cookie)
        lines.append(line)
        await line.message("welcome")
    assert set(told) == {"4429 too_many"}, told
    return summary(told)


@attack
async def chat_by_coming_back(attacker: Attacker) -> str:
    """A fresh connection is not a fresh start; a second one beside it neither."""
    cookie = await attacker.guest()
    code = await attacker.table(cookie)
    answers = []
    for _ in range(5):
        line = await attacker.socket(code, cookie)
        async with closing([line]):
            for number in range(5):
                await line.say(
                    {"type": "say" if number % 2 else "react", "id": str(number)}
                    | ({"text": "hi"} if number % 2 else {"reaction": "wow"})
                )
                answers.append((await line.message("accepted", "refused"))["type"])
    assert Counter(answers)["accepted"] <= 10, answers
    return summary(answers)


@attack
async def muting_without_end(attacker: Attacker) -> str:
    cookie = await attacker.guest()
    line = await attacker.socket(await attacker.table(cookie), cookie)
    answers = []
    async with closing([line]):
        for number in range(50):
            await line.say({"type": "mute", "id": str(number), "person": f"nobody{number}"})
            answer = await line.message("accepted", "refused")
            answers.append(answer["refusal"]["code"] if answer["type"] == "refused" else "accepted")
    assert "accepted" not in answers
    return summary(answers)


@attack
async def clients_that_take_nothing(attacker: Attacker) -> str:
    """They ask for answers and do not read them."""
    cookie = await attacker.guest()
    code = await attacker.table(cookie)
    lines = [await attacker.socket(code, cookie) for _ in range(10)]
    async with closing(lines):
        for line in lines:
            line.writer.transport.pause_reading()  # type: ignore[attr-defined]
        for line in lines:
            await line.pour(
                frame(Opcode.TEXT, b'{"type":"play","id":"1","command":{}}') * 200, 20, seconds=0.2
            )
    return "line cut"
