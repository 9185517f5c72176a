"""Two servers on one PostgreSQL, with a Valkey between them: any of them serves any game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tercet import cards, record
from tercet.client import Client, Refusal, RemoteTable
from tercet.server.protocol import Chat, FromServer, HandOver, Ready
from tercet.sets import find_sets
from tests.server.conftest import new_database
from tests.server.players import OPTIONS, Player, check
from tests.server.processes import ServerProcess, ValkeyProcess
from tests.server.serving import Serving, run, seated, serving
from tests.server.test_races import race


@pytest.fixture
def database(postgres: str, tmp_path: Path) -> str:
    """An empty PostgreSQL database."""
    return new_database(postgres, f"nodes_{tmp_path.name}")


LIMITS = {"messages_per_second": 1e6, "message_burst": 10**6}


@asynccontextmanager
async def two_nodes(database: str, valkey: ValkeyProcess) -> AsyncIterator[list[ServerProcess]]:
    nodes = [ServerProcess(database, valkey.url) for _ in range(2)]
    try:
        await asyncio.gather(*(node.start() for node in nodes))
        yield nodes
    finally:
        for node in nodes:
            node.kill()


async def level(tables: Sequence[RemoteTable]) -> None:
    """Wait until all have heard the same, and see that it is the same."""
    last = max(table.seq for table in tables)
    for table in tables:
        await table.until(lambda table=table: table.seq >= last)  # type: ignore[misc]
    assert all(table.log[:last] == tables[0].log[:last] for table in tables)


def here(table: RemoteTable) -> dict[str, bool]:
    return {present.name: present.quality != "offline" for present in table.present}


@pytest.mark.slow
def test_a_game_over_two_nodes(database: str, valkey: ValkeyProcess) -> None:
    """Each sees the other come, say something, call, take SETs and win, as if they were on one node."""

    async def scenario() -> None:
        async with two_nodes(database, valkey) as nodes:
            urls = [node.url for node in nodes]
            options = {"rounds": 1, "auto_deal": True, "only": "red", "show_seconds": 30}
            async with seated(urls, "set", ["Ann", "Bo"], options=options) as (ann, bo):
                everybody = {"Ann": True, "Bo": True}
                await ann.until(lambda: here(ann) == everybody)
                await bo.until(lambda: here(bo) == everybody)
                await say_hello(ann, bo)
                await look_on(urls[1], ann)
                for turn in range(100):
                    player, other = (ann, bo) if turn % 2 else (bo, ann)
                    if not await take_one(player):
                        break
                    await level([player, other])
                await level([ann, bo])
                for table in (ann, bo):
                    await table.until(lambda table=table: table.table.last is not None)  # type: ignore[misc]
                assert ann.is_over
                assert ann.state == bo.state
                assert ann.table == bo.table
                await see_what_is_kept(ann)

    run(scenario(), seconds=240)


async def say_hello(ann: RemoteTable, bo: RemoteTable) -> None:
    heard: list[FromServer] = []
    bo.listeners.append(heard.append)
    await ann.say("Hello over there")
    await bo.until(lambda: any(isinstance(message, Chat) for message in heard))


async def look_on(url: str, ann: RemoteTable) -> None:
    """Somebody looks on by the other node, and goes again."""
    cy = Client(url)
    await cy.sign_in("Cy")
    async with cy.join(ann.code):
        await ann.until(lambda: "Cy" in here(ann))
    await ann.until(lambda: "Cy" not in here(ann))


async def take_one(table: RemoteTable) -> bool:
    """Take a SET; False when the game is over."""
    assert table.seat is not None
    if table.is_over:
        return False
    await table.play(cards.Call(table.seat))
    await table.play(cards.Show(table.seat, find_sets(table.state.table)[0]))
    return True


async def see_what_is_kept(ann: RemoteTable) -> None:
    """The record is whole at once, and "my games" knows the end in a moment, whichever node writes it and whichever is asked."""
    assert ann.game is not None
    assert list(record.read(await ann._client.record(ann.game)).log) == ann.log
    (mine,) = await ann._client.my_games()
    async with asyncio.timeout(20):
        while mine.end_time is None:
            await asyncio.sleep(0.05)
            (mine,) = await ann._client.my_games()
    assert [player.points for player in mine.players] == list(ann.state.taken)


def test_over_two_nodes_exactly_one_is_first(database: str, valkey: ValkeyProcess) -> None:
    async def scenario() -> None:
        async with (
            serving(database, bus=valkey.url, limits=LIMITS) as one,
            serving(database, bus=valkey.url, limits=LIMITS) as two,
        ):
            urls = [one.url, two.url]
            calm = {**OPTIONS, "show_seconds": 30}
            async with seated(urls, "set", ["Ann", "Bo", "Cy", "Di"], options=calm) as tables:
                for _ in range(20):
                    await race(tables)
                await level(tables)
                assert all(table.state == tables[0].state for table in tables)
                assert sum(tables[0].state.taken) == 20
            options = {**OPTIONS, "claim": "instant"}
            async with seated(urls, "set", ["Ann", "Bo"], options=options) as tables:
                for _ in range(20):
                    await show_the_same(tables)
                assert sum(tables[0].state.taken) == 20

    run(scenario(), seconds=240)


async def show_the_same(tables: list[RemoteTable]) -> None:
    """Both show the same SET in the same moment: one has it, the other is told who."""
    await level(tables)
    found = find_sets(tables[0].state.table)[0]
    shown = [table.play(cards.Show(seat, found)) for seat, table in enumerate(tables)]
    outcomes = await asyncio.gather(*shown, return_exceptions=True)
    (winner,) = [seat for seat, outcome in enumerate(outcomes) if isinstance(outcome, int)]
    (lost,) = [outcome for outcome in outcomes if isinstance(outcome, Refusal)]
    assert lost.code == "not_on_table"
    assert lost.data["seat"] == winner
    await level(tables)


@asynccontextmanager
async def under_load(tables: list[RemoteTable]) -> AsyncIterator[list[Player]]:
    """All play without end; afterwards nothing that was acknowledged is missing or there twice."""
    players = [Player(table) for table in tables]
    tasks = [asyncio.create_task(player.play()) for player in players]
    yield players
    for task in tasks:
        assert not task.done(), task
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await check(tables, players)


async def grow(tables: Sequence[RemoteTable], events: int = 5) -> None:
    """Wait until each has seen the game go on."""
    for table in tables:
        seq = table.seq
        await table.until(lambda: table.seq >= seq + events, 60)  # noqa: B023


@pytest.mark.slow
def test_a_node_is_killed_and_its_players_go_on_at_the_other(database: str, valkey: ValkeyProcess) -> None:
    async def scenario() -> None:
        async with two_nodes(database, valkey) as (one, two):
            names = ["Ann", "Bo", "Cy", "Di"]
            async with (
                seated([one.url, two.url], "set", names, options=OPTIONS) as tables,
                under_load(tables) as players,
            ):
                for dying, other in ((one, two), (two, one)):
                    await grow(tables)
                    dying.kill()
                    for table in tables:  # as a proxy in front would do it
                        table._client.url = other.url
                    await grow(tables)
                    await dying.start()
                    for table in tables[:2]:
                        table._client.url = dying.url
                for player in players:
                    assert player.acknowledged

    run(scenario(), seconds=300)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0, pytest.param(8, marks=pytest.mark.long)])
def test_the_bus_is_killed_and_comes_back(database: str, valkey: ValkeyProcess, seconds: int) -> None:
    """Shorter and longer than it takes until the nodes think of each other as gone."""

    async def scenario() -> None:
        async with two_nodes(database, valkey) as nodes:
            urls = [node.url for node in nodes]
            async with seated(urls, "set", ["Ann", "Bo"], options=OPTIONS) as tables:
                ann, bo = tables
                async with under_load(tables):
                    await grow(tables)
                    valkey.kill()
                    await grow(tables)
                    await asyncio.sleep(seconds)
                    await grow(tables)
                    valkey.start()
                    await grow(tables)
                await say_hello(ann, bo)  # is heard when the bus is back, if it was not yet
                await bo.until(lambda: here(bo)["Ann"])
                # What nobody fights for is seen without the bus too, only later.
                valkey.kill()
                await ann.manage(HandOver(person=bo.you.id))
                await bo.until(lambda: bo.table.host == bo.you.id)

    run(scenario(), seconds=240)


async def one_plays_the_bots(servers: list[Serving], code: str) -> Serving:
    """Wait until exactly one of the nodes plays the table's bots."""
    while True:
        rooms = [server.service.rooms.rooms.get(code) for server in servers]
        playing = [bool(room and room.live and room.live._bots.seated) for room in rooms]
        settled = all(room is None or room.elsewhere._settled for room in rooms)  # type: ignore[attr-defined]
        if settled and sum(playing) == 1:
            return servers[playing.index(True)]
        await asyncio.sleep(0.02)


@pytest.mark.slow
def test_one_node_plays_the_bots_and_another_takes_over(valkey: ValkeyProcess, tmp_path: Path) -> None:
    async def scenario() -> None:
        database = tmp_path / "t.db"
        async with AsyncExitStack() as rest, serving(database, bus=valkey.url) as two:
            one = await rest.enter_async_context(serving(database, bus=valkey.url))
            ann = await one.client("Ann")
            code = await ann.create_table("set", people=1, bots=["champion", "champion"], options=OPTIONS)
            async with ann.join(code) as table:
                await table.manage(Ready())
                await table.until(lambda: table.seq > 0)
                looker = await two.client("Bo")
                async with looker.join(code) as there:
                    await there.until(lambda: there.seq > 0)
                    assert await one_plays_the_bots([one, two], code) is one
                    await grow([table, there], 2)
                    assert await one_plays_the_bots([one, two], code) is one
                    ann.url = two.url
                    await rest.aclose()
                    await grow([table, there], 2)
                    assert await one_plays_the_bots([two], code) is two

    run(scenario(), seconds=240)


@pytest.mark.slow
def test_bots_go_on_when_the_only_node_that_had_them_is_killed(database: str, valkey: ValkeyProcess) -> None:
    async def scenario() -> None:
        async with two_nodes(database, valkey) as (one, two):
            ann = Client(one.url)
            await ann.sign_in("Ann")
            code = await ann.create_table("set", people=1, bots=["champion", "champion"], options=OPTIONS)
            async with ann.join(code) as table:
                await table.manage(Ready())
                await grow([table], 1)
                one.kill()
                ann.url = two.url
                await grow([table], 2)

    run(scenario(), seconds=240)


def test_what_one_node_forgets_no_other_keeps(valkey: ValkeyProcess, tmp_path: Path) -> None:
    """Who has everything about them deleted on one node is nameless on all."""

    async def scenario() -> None:
        database = tmp_path / "t.db"
        async with (
            serving(database, bus=valkey.url) as one,
            serving(database, bus=valkey.url) as two,
            seated([one.url, two.url], "set", ["Ann", "Bo"]) as (ann, bo),
        ):
            await ann._client.request("DELETE", "/api/me")
            await bo.until(lambda: "Ann" not in bo.names and bo.reconnections > 0)
            assert "Ann" not in str(bo.table)

    run(scenario())


def test_who_logs_in_on_one_node_is_known_by_the_account_on_all(
    valkey: ValkeyProcess, tmp_path: Path
) -> None:
    """What a guest goes on playing on another node is the account's."""

    async def scenario() -> None:
        database = tmp_path / "t.db"
        async with (
            serving(database, bus=valkey.url) as one,
            serving(database, bus=valkey.url) as two,
            seated([two.url], "set", ["Ann", "Bo"], options={"rounds": 1}) as (ann, _),
        ):
            ann._client.url = one.url
            account = await one.client("Ann")
            await account.request("POST", "/api/account", {"name": "Ann", "password": "a long password"})
            await ann._client.log_in("Ann", "a long password")
            room = two.service.rooms.rooms[ann.code]
            two.service.rooms.projector.note(room.state, room.version, room.game)
            await two.service.rooms.projector.flush()
            (mine,) = await ann._client.my_games()
            assert [player.you for player in mine.players] == [True, False]

    run(scenario(), seconds=60)
