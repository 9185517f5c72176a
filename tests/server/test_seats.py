"""Seats in play belong to their people; commands are carried out once, also after a restart and in the next game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tercet import cards, record
from tercet.client import Client, Refusal, RemoteTable
from tercet.server.protocol import AddSeat, Leave, Ready, Sit, StandIn
from tercet.sets import find_sets
from tests.server.serving import Serving, run, seated, serving

SHORT = {"only": "red", "auto_deal": True, "rounds": 1}


async def take_all(table: RemoteTable, seat: int) -> None:
    while not table.is_over:
        await table.play(cards.Call(seat))
        await table.play(cards.Show(seat, find_sets(table.state.table)[0]))
    await table.until(lambda: table.table.last is not None)


def test_the_host_cannot_win_in_the_place_of_somebody_who_is_here(database: str) -> None:
    async def scenario() -> None:
        async with serving(database) as server:
            host, bo, cy = [await server.client(name) for name in ("Host", "Bo", "Cy")]
            code = await host.create_table("set", people=3, options=SHORT)
            async with host.join(code) as first, cy.join(code) as third:
                async with bo.join(code) as second:
                    for table in (second, third):
                        await table.manage(Sit())
                    for table in (first, second, third):
                        await table.manage(Ready())
                    await second.until(lambda: second.game is not None and bool(second.state.table))
                    with pytest.raises(Refusal, match="still_here"):
                        await first.manage(StandIn(1, "casual"))
                with pytest.raises(Refusal, match="still_here"):  # on the way back
                    await first.manage(StandIn(1, "casual"))
                server.service.rooms.rooms[code].attendance.grace_ms = 0
                await first.manage(StandIn(1, "beginner"))
                await first.manage(Leave())
                with pytest.raises(Refusal, match="seat_taken"):
                    await first.manage(Sit(1))
                late = await server.client("Late")
                async with late.join(code) as fourth:
                    await fourth.manage(Sit(1))
                    await fourth.until(lambda: fourth.seat == 1)
                    await take_all(fourth, 1)
                    assert fourth.game is not None
                    last = fourth.table.last
                    assert last is not None
                    assert last.names[1:] == ("Late", "Cy")
                    assert [(taken.seat, taken.before) for taken in last.taken_over] == [
                        (0, ("Host",)),
                        (1, ("Bo", "Beginner")),
                    ]
                    text = await late.record(fourth.game)
                    tags = record.read(text).tags
                    assert json.loads(tags["Before2"]) == ["Bo", "Beginner"]
                for client in (host, bo, late):
                    assert await client.request("GET", "/api/me/statistics") == []
                (counted,) = await cy.request("GET", "/api/me/statistics")
                assert counted["games"] == 1
                (listed,) = await late.my_games()
                assert listed.players[1].you

    run(scenario(), 90)


async def send(table: RemoteTable, name: str, message: dict[str, Any]) -> str:
    """Send under an id of our own choice; what the answer is."""
    import asyncio

    got: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def listen(answer: Any) -> None:
        if getattr(answer, "id", None) == name and not got.done():
            got.set_result(answer)

    table.listeners.append(listen)
    assert table._socket is not None
    await table._socket.send(json.dumps({**message, "id": name}))
    answer = await got
    return str(answer.refusal["code"]) if hasattr(answer, "refusal") else "accepted"


def same_browser(client: Client, server: Serving) -> Client:
    copy = Client(server.url)
    copy._cookie = client._cookie
    return copy


def test_a_command_about_the_table_is_carried_out_once_also_after_a_restart(database: str) -> None:
    async def scenario() -> None:
        add = {"type": "manage", "command": {"do": "add_seat"}}
        async with serving(database) as server:
            ann = await server.client("Ann")
            code = await ann.create_table("set", people=2)
            async with ann.join(code) as table:
                assert await send(table, "one", add) == "accepted"
                assert await send(table, "one", add) == "accepted"
                assert len(table.table.seats) == 3
        async with serving(database) as server, same_browser(ann, server).join(code) as table:
            assert await send(table, "one", add) == "accepted"
            await table.manage(AddSeat())
            await table.until(lambda: len(table.table.seats) >= 4)
            assert len(table.table.seats) == 4

    run(scenario())


@pytest.mark.parametrize("restarts", [False, True], ids=["running", "restarted"])
def test_a_command_of_one_game_is_not_carried_out_in_the_next(tmp_path: Path, restarts: bool) -> None:
    async def scenario() -> None:
        path = tmp_path / "t.db"
        call = {"type": "play", "command": {"do": "call", "seat": 0}}
        async with serving(path) as server, seated(server, "set", ["Ann"], options=SHORT) as (table,):
            assert await send(table, "mine", call) == "accepted"
            await table.play(cards.Show(0, find_sets(table.state.table)[0]))
            await take_all(table, 0)
            client, code = table._client, table.code
            if not restarts:
                await again(table, call)
        if restarts:
            async with serving(path) as server, same_browser(client, server).join(code) as table:
                await again(table, call)

    async def again(table: RemoteTable, call: dict[str, Any]) -> None:
        first = table.game
        await table.manage(Ready())
        await table.until(lambda: table.game not in (None, first) and bool(table.state.table))
        assert await send(table, "mine", call) == "accepted"
        assert table.state.call is None
        assert await send(table, "another", call) == "accepted"
        await table.until(lambda: table.state.call is not None)

    run(scenario(), 90)


def test_a_first_game_is_not_followed_by_another_first_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        gently = {"bots": ["beginner:gentle"], "practice": True, "options": SHORT}
        async with serving(tmp_path / "t.db") as server, seated(server, "set", ["Ann"], **gently) as (table,):
            await take_all(table, 0)
            assert ([seat.bot for seat in table.table.seats], table.table.practice) == (
                [None, "beginner"],
                False,
            )
            assert table.table.last is not None
            assert table.table.last.bots == (None, "beginner:gentle")

    run(scenario())
