"""Boards of a hundred thousand runs: how long each question takes, on SQLite and on PostgreSQL.

`python -m benchmarks.boards [--runs 100000] DATABASE …`; a database is a file, or postgresql://user@host/name, and is filled if it has no runs.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
from collections.abc import Awaitable, Callable
from random import Random
from time import perf_counter
from typing import Any

from sqlalchemy import func, select

from tercet.server.projections import boards
from tercet.server.store import Store, open_store, schema
from tercet.server.store.many import insert_new

KIND, DATE = "sprint", "2026-11-17"
#: So many rows are written at a time.
AT_ONCE = 5000


async def fill(store: Store, count: int, seed: int = 1) -> None:
    """So many people with an account, each with a run of the same day."""
    r = Random(seed)
    for first in range(0, count, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, count))
        people = [
            {
                "id": f"person{number:08}",
                "name": f"Person {number}",
                "account": f"Person {number}",
                "account_key": f"person {number}",
                "password": None,
                "merged_into": None,
                "program": False,
                "created_time": 0,
            }
            for number in numbers
        ]
        rows = [
            {
                "game": f"game{number:08}",
                "seat": 0,
                "kind": KIND,
                "day": None,
                "date": DATE,
                "person": f"person{number:08}",
                "points": 24,
                "time_ms": (time := r.randint(40_000, 600_000)),
                "errors": 0,
                "value": time,
                "reason": None,
                "answer": None,
                "start_time": number,
                "end_time": number + 1,
            }
            for number in numbers
        ]
        async with store.writing(exclusive=True) as connection:
            await insert_new(connection, schema.people, people)
            await insert_new(connection, schema.runs, rows)
            await boards.enter(connection, schema.bests, rows)
    async with store.writing(exclusive=True) as connection:
        await connection.exec_driver_sql("ANALYZE")


def questions(store: Store, person: str) -> dict[str, Callable[[], Awaitable[Any]]]:
    """What people ask of boards."""

    async def middle() -> Any:
        page = await boards.ask_board(store, KIND, "ever", person=person, around=True)
        return await boards.ask_board(store, KIND, "ever", person=person, after=page.next)

    return {
        "the best of the day": lambda: boards.ask_board(store, KIND, DATE, person=None),
        "the best ever, and my place": lambda: boards.ask_board(store, KIND, "ever", person=person),
        "around my place": lambda: boards.ask_board(store, KIND, "2026-11", person=person, around=True),
        "around my place, and the next page": middle,
        "among those I have played with": lambda: boards.ask_board(
            store, KIND, "2026-W47", person=person, among="company"
        ),
        "my own runs": lambda: boards.runs_of(store, person, KIND, DATE),
    }


async def measure(database: str, count: int, times: int) -> None:
    store = await open_store(database)
    try:
        async with store.reading() as connection:
            there = (await connection.execute(select(func.count()).select_from(schema.runs))).scalar_one()
        if not there:
            await fill(store, count)
        print(f"{database.rpartition('@')[2]}: {there or count:,} runs")
        for what, ask in questions(store, f"person{(there or count) // 2:08}").items():
            took = []
            for _ in range(times):
                begun = perf_counter()
                await ask()
                took.append(1000 * (perf_counter() - begun))
            took.sort()
            print(
                f"  {what:36} median {statistics.median(took):6.1f} ms, p99 {took[int(0.99 * len(took))]:6.1f} ms"
            )
    finally:
        await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("databases", nargs="+")
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=200)
    given = parser.parse_args()
    for database in given.databases:
        asyncio.run(measure(database, given.runs, given.times))


if __name__ == "__main__":
    main()
