"""Attacks at a table, over its WebSocket."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import Counter
from time import monotonic

from websockets.frames import Opcode

from tercet.server.limits import Limits
from tests.hostile.attack import attack, summary
from tests.hostile.attacker import Attacker, Line, closing, frame, upgrade
from tests.hostile.on_the_api import own_edition

#: The bit of a frame that says so.
COMPRESSED = 0x40


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
        # They may come together on the way, and then nobody is the slower for it.
        await asyncio.wait([hearing], timeout=1)
        told = hearing.result() if hearing.done() else "nothing"
        hearing.cancel()
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
        told = [await line.closed(5) for line in lines[-10:]]
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
            line.stop_reading()
        for line in lines:
            await line.pour(
                frame(Opcode.TEXT, b'{"type":"play","id":"1","command":{}}') * 200, 20, seconds=0.2
            )
    return "line cut"


@attack
async def changes_for_many_onlookers(attacker: Attacker) -> str:
    """What the host does is told to 180 sockets, with an edition of many kB each time."""
    host = await attacker.guest()
    code = await attacker.table(host, game="cubed", options={"edition": own_edition(1000)})
    lines = [await attacker.socket(code, host)]
    async with closing(lines):
        for number in range(9):
            cookie = await Attacker(attacker.port).guest(f"Mal {number}")
            lines += await asyncio.gather(*(attacker.socket(code, cookie) for _ in range(20)))
        reading = [asyncio.create_task(line.closed(20)) for line in lines[1:]]
        # All at once, so that a slow machine gives the host little more time.
        began = monotonic()
        for number in range(100):
            change = {"do": "change", "chat": bool(number % 2)}
            await lines[0].say({"type": "manage", "id": str(number), "command": change})
        answers = [(await lines[0].message("accepted", "refused"))["type"] for _ in range(100)]
        seconds = monotonic() - began
        for task in reading:
            task.cancel()
    limits = Limits()
    assert answers.count("accepted") <= limits.message_burst + limits.messages_per_second * seconds + 1
    return summary(answers)


@attack
async def hints_in_a_loop(attacker: Attacker) -> str:
    """At practice tables, by several people."""

    async def one(number: int) -> list[str]:
        cookie = await Attacker(attacker.port).guest(f"Mal {number}")
        line = await attacker.socket(
            await attacker.table(cookie, seats=[{"kind": "person"}], practice=True), cookie
        )
        answers = []
        async with closing([line]):
            await line.begin()
            for ask in range(40):
                await line.say({"type": "ask_hint", "id": str(ask), "strength": 3})
                answers.append((await line.message("hint", "refused"))["type"])
        return answers

    answers = [answer for told in await attacker.many(10, one) for answer in told]
    assert Counter(answers)["hint"] > 10, summary(answers)
    return summary(answers)


@attack
async def ready_and_not_ready(attacker: Attacker) -> str:
    """Starts that are begun and called off, as fast as may be."""
    cookie = await attacker.guest()
    line = await attacker.socket(await attacker.table(cookie, seats=[{"kind": "person"}]), cookie)
    answers = []
    async with closing([line]):
        for number in range(200):
            wanted = {"do": "ready", "ready": not number % 2}
            await line.say({"type": "manage", "id": str(number), "command": wanted})
            answer = await line.message("accepted", "refused")
            answers.append(answer["refusal"]["code"] if answer["type"] == "refused" else "accepted")
    assert Counter(answers)["accepted"] < 150, summary(answers)
    return summary(answers)


@attack
async def compressed_messages(attacker: Attacker) -> str:
    """A few bytes that would become many: nothing compressed is agreed upon, and nothing is taken."""
    cookie = await attacker.guest()
    code = await attacker.table(cookie)
    packer = zlib.compressobj(wbits=-15)
    bomb = packer.compress(b"x" * 8_000_000) + packer.flush(zlib.Z_SYNC_FLUSH)

    async def one(_: int) -> str:
        line = await attacker.line()
        async with closing([line]):
            await line.send(upgrade(code, cookie, "Sec-WebSocket-Extensions: permessage-deflate"))
            answer = await asyncio.wait_for(line.reader.readuntil(b"\r\n\r\n"), 10)
            assert b"deflate" not in answer.lower()
            data = frame(Opcode.TEXT, bomb[:8000])
            await line.pour(bytes([data[0] | COMPRESSED]) + data[1:], 20)
            return await line.closed()

    told = await attacker.many(10, one)
    assert {one.split()[0] for one in told} <= {"1002", "line"}, told
    return summary(told)


@attack
async def goodbyes_that_do_not_end(attacker: Attacker) -> str:
    """A client says goodbye and keeps the line."""
    cookie = await attacker.guest()
    code = await attacker.table(cookie)

    async def one(_: int) -> str:
        line = await attacker.socket(code, cookie)
        async with closing([line]):
            await line.message("welcome")
            await line.send(frame(Opcode.CLOSE, b"\x03\xe8"))
            until = asyncio.get_running_loop().time() + 15
            while await line.send(frame(Opcode.PING)):
                await asyncio.sleep(0.1)
                if asyncio.get_running_loop().time() > until:
                    return "nothing"
            return "line cut"

    told = await attacker.many(20, one)
    assert set(told) == {"line cut"}, told
    return summary(told)


@attack
async def tables_full_of_bots_that_think(attacker: Attacker) -> str:
    """20 tables, each with three of the bots that think longest."""
    cookie = await attacker.guest()
    lines: list[Line] = []
    async with closing(lines):
        for _ in range(20):
            bots = [{"kind": "bot", "bot": "master"}] * 3
            code = await attacker.table(cookie, game="cubed", seats=[{"kind": "person"}, *bots])
            lines.append(await attacker.socket(code, cookie))
            await lines[-1].begin()
        await asyncio.sleep(3)
    return f"{len(lines)} games"
