"""A rebuild: nobody sees anything of it until all is done, however often it is stopped."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from random import Random
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from benchmarks.growth.fill import fill, token_of
from tercet.client import Client
from tercet.server.people.people import People
from tercet.server.projections import rebuild as rebuilding
from tercet.server.projections.rebuild import RebuildError, rebuild
from tercet.server.protocol import Ready
from tercet.server.store import Store, open_store, schema
from tests.server.processes import ServerProcess
from tests.server.serving import run, serving


async def rows(store: Store) -> list[list[Any]]:
    """All that is projected."""
    async with store.reading() as connection:
        found = []
        for projection in (schema.tables, schema.games, schema.players, schema.sums):
            query = select(projection).order_by(*projection.primary_key.columns)
            found.append([tuple(row) for row in await connection.execute(query)])
        return found


async def stop_after(store: Store, batches: int) -> None:
    """Begin a rebuild, and stop it after so many transactions."""
    count = 0

    def progress(*_: int) -> None:
        nonlocal count
        count += 1
        if count > batches:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        await rebuild(store, progress)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuilding, "LINES", 100)


def test_stopped_in_the_middle_nobody_sees_anything_and_it_goes_on_from_there(
    database: str, small_batches: None
) -> None:
    async def scenario() -> None:
        await fill(database, 400, pool=2)
        store = await open_store(database)
        assert await rebuild(store) == (100, 400, [])
        right = await rows(store)
        assert sum(row[2] for row in right[3]) == len(
            [row for row in right[2] if row[2]]
        )  # each once in the sums
        async with store.writing() as connection:
            await connection.execute(update(schema.players).values(sets=77))
        wrong = await rows(store)
        await stop_after(store, 3)
        assert await rows(store) == wrong
        steps: list[int] = []
        await rebuild(store, lambda tables, _games, _total: steps.append(tables))
        assert steps[0] > 0
        assert await rows(store) == right
        await store.close()

    run(scenario(), seconds=120)


def test_what_happens_meanwhile_is_not_lost(database: str, small_batches: None) -> None:
    """Merged and deleted people, new tables and games: the new rows know of them, too."""

    async def scenario() -> None:
        filler = await fill(database, 400, pool=2)
        store = await open_store(database)
        await rebuild(store)
        people = await People.open(store)
        guests = [await people.find(person) for person in filler.people]
        await stop_after(store, 3)
        account, guest, gone = guests[1], guests[2], guests[3]
        assert account is not None
        assert guest is not None
        assert gone is not None
        await people._merge(guest, account.id)
        await people.delete(gone)
        async with serving(database) as server:
            bo = await server.client("Bo")
            code = await bo.create_table("cubed", people=1, bots=["greedy"])
            async with bo.join(code) as table:
                await table.manage(Ready())
                await table.until(lambda: table.game is not None)
            await server.service.rooms.projector.flush()
            seen = await rows(store)
            await rebuild(store)
            assert (await rows(store))[1:] == seen[1:]
            assert len(await bo.my_games()) == 1
            assert not {guest.id, gone.id} & {row[2] for row in (await rows(store))[2]}
            sums = (await rows(store))[3]
        # Made from nothing they are the same.
        await rebuild(store)
        assert (await rows(store))[3] == sums
        await store.close()

    run(scenario(), seconds=120)


def test_of_two_rebuilds_the_later_goes_on(database: str, small_batches: None) -> None:
    async def scenario() -> None:
        await fill(database, 400, pool=2)
        store = await open_store(database)
        first = rebuilding._Rebuild(store, lambda *_: None)
        await first.begin()
        assert await rebuild(store) == (100, 400, [])
        with pytest.raises(RebuildError):
            await first.fill()
        assert len((await rows(store))[0]) == 100
        await store.close()

    run(scenario(), seconds=120)


def test_killed_ten_times_at_random_beside_a_server_nothing_is_lost(database: str) -> None:
    async def scenario() -> None:
        filler = await fill(database, 2000, pool=3)
        store = await open_store(database)
        await rebuild(store)
        right = await rows(store)
        await store.close()
        secret = await token_of(database, filler.people[0])
        server = ServerProcess(database)
        await server.start()
        random, command = Random(11), [sys.executable, "-m", "tercet", "rebuild", "--db", database]
        try:
            mine = Client(server.url, token=secret)
            statistics = await mine.request("GET", "/api/me/statistics")
            seen = await mine.my_games()
            assert statistics
            assert len(seen) == 50
            killed = 0
            while killed < 10:
                process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
                try:
                    await asyncio.wait_for(process.wait(), random.uniform(1, 8))
                except TimeoutError:
                    process.kill()
                    await process.wait()
                killed += 1
                assert await mine.request("GET", "/api/me/statistics") == statistics
                assert await mine.my_games() == seen
            process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
            told, _ = await process.communicate()
            assert told == b"500 tables, 2000 games\n"
            assert await mine.request("GET", "/api/me/statistics") == statistics
            assert await mine.my_games() == seen
        finally:
            server.kill()
        store = await open_store(database)
        assert await rows(store) == right
        await store.close()

    run(scenario(), seconds=400)


def test_sums_follow_the_rows_when_a_game_is_written_again(database: str) -> None:
    async def scenario() -> None:
        await fill(database, 40, pool=2)
        store = await open_store(database)
        await rebuild(store)
        right = await rows(store)
        async with store.reading() as connection:
            codes = list((await connection.execute(select(schema.tables.c.code))).scalars())
        await rebuilding.rebuild_tables(store, codes)
        assert await rows(store) == right
        async with store.writing() as connection:
            for projection in (schema.tables, schema.games, schema.players, schema.sums):
                await connection.execute(delete(projection))
        await rebuilding.rebuild_tables(store, codes)
        assert await rows(store) == right
        await store.close()

    run(scenario(), seconds=120)
