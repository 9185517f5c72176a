"""Somebody who is deleted leaves no name: not at closed tables, not in the chat of those who go on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select

from benchmarks.growth.fill import fill
from tercet.client import Client
from tercet.server.people import erasure
from tercet.server.people.people import People
from tercet.server.projections import queries, writer
from tercet.server.projections.rebuild import rebuild
from tercet.server.protocol import Close, Sit
from tercet.server.store import open_store, schema
from tercet.server.web.sessions import COOKIE
from tests.server.processes import ValkeyProcess
from tests.server.serving import run, serving
from tests.server.statements import scans, statements

NAME = "Ann Unmistakable"


def test_no_name_is_left_in_any_row(database: str) -> None:
    async def scenario() -> None:
        async with serving(database) as server:
            ann, bo = await server.client(NAME), await server.client("Bo")
            closed = await ann.create_table("set", people=2)
            async with ann.join(closed) as table:
                await table.manage(Close())
            gathering = await ann.create_table("set", people=2, public=True)
            async with bo.join(gathering) as table:
                await table.manage(Sit())
                await ann.new_token("Unmistakable robot")
                await ann.request("DELETE", "/api/me")
            await server.service.rooms.projector.flush()
            async with server.service.store.reading() as connection:
                for kept in schema.metadata.sorted_tables:
                    for row in await connection.execute(select(kept)):
                        assert "Unmistakable" not in repr(tuple(row)), kept.name
            assert "Unmistakable" not in repr(await bo.lobby())

    run(scenario())


def test_somebody_with_many_games_is_erased_by_pages(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody else keeps name, games and statistics; and every question has an index."""
    monkeypatch.setattr(erasure, "PAGE", 7)
    monkeypatch.setattr(writer, "MANY", 20)

    async def scenario() -> None:
        filler = await fill(database, 400, pool=2)
        store = await open_store(database)
        await rebuild(store)
        person, other = filler.people[:2]
        people = await People.open(store)
        visitor = await people.find(person)
        assert visitor is not None
        cookie = await people.signed_in.new_cookie(person)
        name, statistics = visitor.name, await queries.statistics_of(store, other)
        assert statistics
        assert len(await queries.games_of(store, person, 1000)) == 400
        async with serving(database) as server:
            client = Client(server.url)
            client._cookie = f"{COOKIE}={cookie}"
            with statements(server.service.store) as asked:
                await client.request("DELETE", "/api/me")
            assert await scans(server.service.store, asked) == []
            sat = [
                statement
                for statement, _ in asked
                if "log_of_sitters" in statement or "DISTINCT" in statement
            ]
            assert len(sat) > 400 // 4 // 7
        assert await people.find(person) is None
        assert await queries.games_of(store, person) == []
        assert await queries.statistics_of(store, person) == []
        assert await queries.statistics_of(store, other) == statistics
        async with store.reading() as connection:
            for kept in (schema.log, schema.tables, schema.players):
                for row in await connection.execute(select(kept)):
                    said = repr(tuple(row))
                    assert f'"{name}"' not in said, kept.name
                    assert f"'{name}'" not in said, kept.name
            sums = (await connection.execute(select(schema.sums).order_by("person", "game"))).all()
        await rebuild(store)
        async with store.reading() as connection:
            again = (await connection.execute(select(schema.sums).order_by("person", "game"))).all()
        assert again == sums
        await store.close()

    run(scenario(), seconds=120)


@pytest.mark.parametrize("looks_on", [True, False], ids=["looked on", "sat"])
def test_no_name_is_left_in_the_chat_of_any_node(
    tmp_path: Path, valkey: ValkeyProcess, looks_on: bool
) -> None:
    async def scenario() -> None:
        path = tmp_path / "t.db"
        async with serving(path, bus=valkey.url) as one, serving(path, bus=valkey.url) as two:
            ann, bo = await one.client(NAME), await one.client("Bo")
            there = Client(two.url)
            there._cookie = bo._cookie
            code = await bo.create_table("set", people=2)
            async with bo.join(code), there.join(code) as elsewhere:
                async with ann.join(code) as table:
                    if not looks_on:
                        await table.manage(Sit())
                    await table.say("I am Ann")
                    rooms = [await node.service.rooms.find(code) for node in (one, two)]
                    while not all(room is not None and room.chat.said for room in rooms):
                        await asyncio.sleep(0.05)
                await ann.request("DELETE", "/api/me")

                def is_forgotten() -> bool:
                    return all(
                        said.name != NAME
                        for node in (one, two)
                        for room in node.service.rooms.rooms.values()
                        for said in room.chat.said
                    )

                while not is_forgotten():  # nobody is told
                    await asyncio.sleep(0.05)
                await elsewhere.say("Who was that?")

            async with there.join(code) as later:
                assert NAME not in repr(later.table)

    run(scenario(), 60)
