"""Whoever asks the store something may go away meanwhile: no connection to the database is lost by it."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable, Coroutine
from itertools import product
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from sqlalchemy import delete

from tercet.server.store import Store, open_store, schema
from tests.server.serving import run

#: A store keeps so many open, and lends out so many more.
CONNECTIONS = 15


def test_a_connection_whose_asker_goes_while_it_is_opened_is_not_lost(
    database: str, request: pytest.FixtureRequest
) -> None:
    # Not within the loop: it starts a server.
    server = request.getfixturevalue("postgres") if database.startswith("postgres") else None

    async def connections() -> int:
        if server is None:
            return open_files(Path(database))
        watch = await asyncpg.connect(server)
        try:
            return int(await watch.fetchval(COUNT, database.rpartition("/")[2].partition("?")[0]))
        finally:
            await watch.close()

    async def scenario() -> None:
        store = await open_store(database)
        for way, pause in product((read, write), (0.001, 0.004, 0.02)):
            await ask_and_go(store, way, pause)
        assert await store.is_available(), "the store lends nothing more"
        await store.close()
        async with asyncio.timeout(20):
            while await connections():  # PostgreSQL takes leave of them in its own time
                gc.collect()  # SQLite keeps a file as long as anything refers to a query that was cut off
                await asyncio.sleep(0.02)

    run(scenario())


async def ask_and_go(store: Store, way: Callable[[Store], Coroutine[Any, Any, None]], pause: float) -> None:
    """All at once, so that each needs a connection of its own, and each gone a little later than the one before.

    Nobody keeps these tasks: what cancelled them holds the frames in which a query was cut off, and so its file.
    """
    asking = [asyncio.create_task(way(store)) for _ in range(CONNECTIONS)]
    for task in asking:
        await asyncio.sleep(pause)
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)


COUNT = "SELECT count(*) FROM pg_stat_activity WHERE datname = $1"


def open_files(path: Path) -> int:
    return sum(
        Path(link).exists() and os.readlink(link) == str(path) for link in Path("/proc/self/fd").iterdir()
    )


async def read(store: Store) -> None:
    async with store.reading() as connection:
        await connection.exec_driver_sql("SELECT 1")


async def write(store: Store) -> None:
    async with store.writing() as connection:
        await connection.exec_driver_sql("SELECT 1")


def test_who_is_cut_off_in_the_middle_of_a_query_keeps_nobody_from_writing(database: str) -> None:
    async def scenario() -> None:
        store = await open_store(database)
        queries = 0

        async def ask_on() -> None:
            nonlocal queries
            async with store.writing() as connection:
                while True:
                    await connection.exec_driver_sql("SELECT 1 UNION SELECT 2")
                    queries += 1

        try:
            gone: list[BaseException | None] = []
            for pause in range(20):
                queries, asking = 0, asyncio.create_task(ask_on())
                while not queries:
                    await asyncio.sleep(0)
                for _ in range(pause):
                    await asyncio.sleep(0)
                asking.cancel()
                gone += await asyncio.gather(asking, return_exceptions=True)
                async with store.writing() as connection:
                    await connection.execute(delete(schema.trial))
            assert all(isinstance(one, asyncio.CancelledError) for one in gone)
        finally:
            await store.close()

    run(scenario())
