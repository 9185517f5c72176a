"""Attacks with whole requests: too many of them, or such as cost much."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from msgspec import to_builtins

from tercet.editions import Edition, Square
from tests.hostile.attack import attack, status_of, summary
from tests.hostile.attacker import Attacker, closing, head
from tests.server.history import give_history


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
async def reviews_in_a_loop(attacker: Attacker) -> str:
    """Asked for, looked at and tried out, of a game that is not over."""
    cookie = await attacker.guest()
    code = await attacker.table(cookie, seats=[{"kind": "person"}])
    line = await attacker.socket(code, cookie)
    async with closing([line]):
        path = f"/api/games/{await line.begin()}/review"
        wants: list[tuple[str, str, Any]] = [
            ("GET", path, None),
            ("POST", path, {"deeper": True}),
            ("POST", f"{path}/what-if", {"line": 1, "command": {"do": "call", "seat": 0}}),
        ]
        told = await attacker.many(600, lambda number: status_of(attacker, *wants[number % 3], Cookie=cookie))
    assert set(told) <= {"200", "400 not_finished", "429 too_fast", "503 server_full"}, summary(told)
    assert Counter(told)["400 not_finished"] < 100
    return summary(told)


@attack
async def exports_in_a_loop(attacker: Attacker) -> str:
    cookie = await attacker.guest()
    told = await attacker.many(400, lambda _: status_of(attacker, "GET", "/api/me/export", Cookie=cookie))
    assert set(told) <= {"200", "429 too_fast", "503 server_full"}, told
    return summary(told)


@attack
async def exports_of_a_long_history(attacker: Attacker) -> str:
    """Four people who have played 3,000 games: each takes them all twice at once, and one does not read what comes."""
    cookies = [await attacker.guest(f"Old {number}") for number in range(4)]
    people = [
        json.loads((await attacker.request("GET", "/api/session", Cookie=cookie))[2])["id"]
        for cookie in cookies
    ]
    await give_history(attacker.database, people, 3_000)

    async def one(number: int) -> str:
        line = await attacker.line()
        async with closing([line]):
            await line.send(head("GET", "/api/me/export", Connection="close", Cookie=cookies[number % 4]))
            return (await line.reader.read()).split(b" ", 2)[1].decode()

    lazy = await attacker.line(buffer=4096)
    async with closing([lazy]):
        lazy.stop_reading()
        await lazy.send(head("GET", "/api/me/export", Cookie=cookies[0]))
        told = await attacker.many(8, one)
    assert set(told) == {"200", "429"}, summary(told)
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
async def accounts_at_once(attacker: Attacker) -> str:
    """Each new account costs as much as a login."""
    cookies = [await Attacker(attacker.port).guest(f"Mal {number}") for number in range(40)]
    told = await attacker.many(
        40,
        lambda number: status_of(
            attacker,
            "POST",
            "/api/account",
            {"name": f"{attacker.address} {number}", "password": "x" * 20},
            Cookie=cookies[number],
        ),
    )
    assert {one.split()[0] for one in told} <= {"201", "503", "429"}, summary(told)
    return summary(told)


@attack
async def another_name_again_and_again(attacker: Attacker) -> str:
    """Each new name is written down, and told at the tables where its person sits."""
    cookie = await attacker.guest()
    for _ in range(5):
        await attacker.table(cookie)
    told = await attacker.many(
        300,
        lambda number: status_of(attacker, "PATCH", "/api/session", {"name": f"M {number}"}, Cookie=cookie),
    )
    assert set(told) <= {"200", "429 too_fast"}, summary(told)
    return summary(told)


@attack
async def tokens_without_end(attacker: Attacker) -> str:
    cookie = await attacker.guest()
    told = await attacker.many(
        100, lambda _: status_of(attacker, "POST", "/api/tokens", {"label": "x"}, Cookie=cookie)
    )
    assert Counter(told)["201"] == 20, summary(told)
    assert set(told) == {"201", "400 too_many_tokens"}, summary(told)
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
async def runs_at_once(attacker: Attacker) -> str:
    """Tables to play against the clock, of every kind, all at the same time."""
    cookie = await attacker.guest()
    kinds = ("sprint", "storm", "race", "dice_sprint", "daily_set", "daily_cubed")

    async def ask(number: int) -> str:
        return await status_of(
            attacker, "POST", "/api/runs", {"kind": kinds[number % len(kinds)]}, Cookie=cookie
        )

    told = await attacker.many(120, ask, at_once=60)
    assert "500" not in Counter(told), summary(told)
    return summary(told)


@attack
async def own_editions_in_the_lobby(attacker: Attacker) -> str:
    """100 public tables, each with an edition of many kB: the lobby stays short."""
    edition = own_edition(1000)
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
    wanted["options"] = {"edition": own_edition(2000)}
    told.append(await status_of(attacker, "POST", "/api/tables", wanted, Cookie=cookie))
    assert told[-1] == "400 bad_request"
    return f"lobby of {headers['content-length']} bytes; {summary(told)}"


def own_edition(squares: int) -> dict[str, Any]:
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
