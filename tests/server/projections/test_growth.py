"""What is asked often does not grow with the number of finished games."""

from __future__ import annotations

import asyncio

from sqlalchemy import delete, func, select, update

from benchmarks.growth.fill import fill, token_of
from tercet.client import Client
from tercet.server.ids import now_ms
from tercet.server.projections import queries
from tercet.server.projections.rebuild import rebuild
from tercet.server.protocol import Sit
from tercet.server.store import open_store, schema
from tests.server.serving import run, serving
from tests.server.statements import scans, statements


def test_nothing_that_is_asked_often_reads_a_whole_table(database: str) -> None:
    async def scenario() -> None:
        filler = await fill(database, 400, pool=2)
        store = await open_store(database)
        await rebuild(store)
        person = filler.people[0]
        with statements(store) as asked:
            now = int(now_ms())
            assert len(await queries.lobby(store)) == 20
            page = await queries.games_of(store, person)
            await queries.games_of(store, person, before=page[-1].id)
            await queries.games_of(store, person, running=True)
            assert await queries.statistics_of(store, person)
            await queries.playing_tables(store)
            await queries.running_games(store)
            assert len(await queries.listed_tables(store)) == 20
            assert await store.sat_in(person, "", 10)
            assert await queries.lagging_tables(store) == []
            await queries.stale_tables(store, now, now)
            shared = await queries.shared_games(store, "set", 0, now, limit=5)
            assert len(await queries.shared_games(store, "set", 0, now, shared[-1][0], limit=5)) == 5
        assert len(asked) > 10
        assert await scans(store, asked) == []
        await store.close()
        async with serving(database) as server:
            with statements(server.service.store) as asked:
                client = Client(server.url, token=await token_of(database, person))
                for path in ("/api/tables", "/api/me/games", "/api/me/statistics", "/api/session"):
                    await client.request("GET", path)
                await (await server.client("Bo")).create_table("set", people=1)
                await server.service.rooms.sweep()
                await server.service.rooms._take_up()
                await server.service.people.signed_in.tidy()
                await server.service.clock.note()
                await server.service.rooms.projector.flush()
            assert await scans(server.service.store, asked) == []

    run(scenario())


def test_my_games_come_by_pages_without_gaps(database: str) -> None:
    async def scenario() -> None:
        filler = await fill(database, 400, pool=2)
        store = await open_store(database)
        await rebuild(store)
        person = filler.people[0]
        async with store.reading() as connection:
            players = schema.players
            query = (
                select(players.c.game)
                .where(players.c.person == person)
                .order_by(players.c.start_time.desc(), players.c.game.desc())
            )
            all_games = list((await connection.execute(query)).scalars())
        assert len(all_games) > 120
        async with serving(database) as server:
            client = Client(server.url, token=await token_of(database, person))
            found: list[str] = []
            while page := await client.my_games(before=found[-1] if found else None):
                assert len(page) <= 50
                found += [game.id for game in page]
            assert found == all_games
            assert await client.my_games(before="nothing") == []
        await store.close()

    run(scenario())


def test_a_start_reads_no_closed_table(database: str) -> None:
    """But those of the lobby, and those of which the rows do not know all that happened."""

    async def scenario() -> None:
        await fill(database, 400, pool=2)
        store = await open_store(database)
        await rebuild(store)
        async with store.reading() as connection:
            tables = schema.tables
            query = select(tables.c.code).where(tables.c.phase == "gathering").order_by(tables.c.code)
            gathering = list((await connection.execute(query)).scalars())
            late = gathering[0]
            whole = (await connection.execute(select(func.sum(schema.sums.c.games)))).scalar()
        # As after a crash in the middle of the last game: the end of the log is not in the rows.
        async with store.writing() as connection:
            await connection.execute(update(tables).where(tables.c.code == late).values(version=3))
            ids = select(schema.games.c.id).where(schema.games.c.code == late)
            await connection.execute(delete(schema.players).where(schema.players.c.game.in_(ids)))
            await connection.execute(delete(schema.games).where(schema.games.c.code == late))
            await connection.execute(delete(schema.sums))
        await store.close()
        async with serving(database) as server:
            store = server.service.store
            while await queries.lagging_tables(store):
                await asyncio.sleep(0.05)
            while len(server.service.rooms.rooms) < len(gathering):
                await asyncio.sleep(0.05)
            assert set(server.service.rooms.rooms) == set(gathering)
            async with store.reading() as connection:
                query = select(func.count()).where(schema.games.c.code == late)
                assert (await connection.execute(query)).scalar() == 4
                again = (await connection.execute(select(func.sum(schema.sums.c.games)))).scalar()
                assert again
                assert whole
                assert again < whole

    run(scenario())


def test_after_a_restart_the_lobby_shows_who_sits_where_until_nobody_comes_back(database: str) -> None:
    async def scenario() -> None:
        async with serving(database) as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")
            codes = [
                await ann.create_table("cubed", people=2, bots=["greedy"], public=True) for _ in range(2)
            ]
            await ann.create_table("cubed", people=2)
            async with bo.join(codes[0]) as table:
                await table.manage(Sit())
                await server.service.rooms.projector.flush()
                before = await bo.lobby()
        assert {one.code: [sits.name for sits in one.sitting] for one in before} == {
            codes[0]: ["Ann", "Bo", "Greedy"],
            codes[1]: ["Ann", "Greedy"],
        }
        async with serving(database, limits={"listed_minutes": 0.01}) as server:
            rooms = server.service.rooms
            while len(rooms.rooms) < 2:
                await asyncio.sleep(0.05)
            assert set(rooms.rooms) == set(codes)
            guest = await server.client("Cid")
            assert await guest.lobby() == before
            async with guest.join(codes[1]):
                while [one.code for one in await guest.lobby()] != [codes[1]]:
                    await rooms.sweep()
                    await rooms.projector.flush()

    run(scenario(), seconds=60)
