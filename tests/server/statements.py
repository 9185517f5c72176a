"""What is asked of the database, and how much it reads for that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from tercet.server.store import Store

#: Tables that grow with the number of games, or of people who ever came.
GROWING = ("log", "tables", "games", "players", "sums", "people", "sessions")
#: Indexes of the few rows that are open or running.
SMALL = ("tables_in_lobby", "tables_open", "tables_of_host", "games_running", "players_running")


@contextmanager
def statements(store: Store) -> Iterator[list[tuple[str, Any]]]:
    """All that is asked of the database meanwhile."""
    found: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, given: Any, *_: Any) -> None:
        found.append((statement, given))

    engine = store._engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", note)


async def scans(store: Store, asked: list[tuple[str, Any]]) -> list[str]:
    """The questions that read all rows of a table that grows."""
    found = []
    async with store.reading() as connection:
        is_file = connection.dialect.name == "sqlite"
        if not is_file:
            await connection.exec_driver_sql("SET enable_seqscan = off")
        for statement, given in asked:
            if not statement.startswith(("SELECT", "UPDATE", "DELETE")):
                continue
            explain = "EXPLAIN QUERY PLAN" if is_file else "EXPLAIN"
            given = given[0] if isinstance(given, list) else given
            plan = [
                " ".join(map(str, row))
                for row in await connection.exec_driver_sql(f"{explain} {statement}", given)
            ]
            # From somewhere to the end is as good as all of it.
            scan = "SCAN {}" if is_file else "Seq Scan on {}"
            found += [
                f"{line}: {statement}"
                for line in plan
                if (
                    any(f"{scan.format(one)} " in f"{line} " for one in GROWING)
                    and not any(index in line for index in SMALL)
                )
                or "SEARCH log USING PRIMARY KEY (stream>" in line
            ]
    return found
