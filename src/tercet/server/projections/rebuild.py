"""All rows again from the logs: beside the old ones, which everybody sees until the new ones take their places.

A rebuild may run beside servers, and go on where it was stopped. What changes meanwhile is written to the old rows, as
ever; such tables are read once more before the end, the last of them while nobody else writes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    MetaData,
    Table,
    delete,
    func,
    insert,
    inspect,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql import quoted_name

from tercet.server.ids import new_id, now_ms
from tercet.server.logged.table import stream_of
from tercet.server.projections.history import Story, Unsorted, read_lines, rows_of
from tercet.server.projections.rows import GameRows, Row
from tercet.server.projections.writer import LIVE, Projection, write_rows
from tercet.server.store import Line, Store, Unavailable, schema
from tercet.sets import TercetError

#: Changes when the rows of the same logs become others: then a rebuild that was stopped begins again.
VERSION = "1"
#: About so many lines of tables' logs are read at once; these tables are then written in one transaction.
LINES = 3000
#: So many tables at most are read again while nobody else writes.
LAST_TABLES = 50
#: Clocks of several machines may differ by so much.
CLOCKS_MS = 10 * 60_000
#: So many rows of what nobody needs any more are deleted in one go.
DELETED = 5000

# All tables' streams, and little else, in whatever order the database has for texts.
_FIRST, _BEYOND = "table", "tablf"

#: Called with the numbers of tables and games done, and of all tables as far as known.
Progress = Callable[[int, int, int], None]


class RebuildError(TercetError):
    """A rebuild that cannot go on; the message says why."""


class Rebuilt(NamedTuple):
    """How many tables and games there are."""

    tables: int
    games: int


def _beside(name: str, suffix: str = "") -> Projection:
    """The tables of the projections under other names; their indexes' names end so."""
    metadata = MetaData()
    made = [one.to_metadata(metadata, name=f"{name}_{one.name}") for one in LIVE]
    for one in made:
        for index in one.indexes:
            index.name = quoted_name(f"{index.name}{suffix}", None)
    return Projection(*made)


NEW, OLD = _beside("rebuilt"), _beside("retired")


async def projections(connection: AsyncConnection) -> Sequence[Projection]:
    """The rows that everybody sees, and those of a rebuild that is under way: a transaction that changes whose rows
    they are must change them all."""
    under_way = (await connection.execute(select(schema.rebuilding.c.run))).first() is not None
    return (LIVE, NEW) if under_way else (LIVE,)


async def rebuild_tables(store: Store, codes: Sequence[str]) -> None:
    """Make the rows of these tables and of all their games again; a table without a log has none."""
    await store.settle()
    async with store.writing(exclusive=True) as connection:
        await connection.execute(delete(LIVE.tables).where(LIVE.tables.c.code.in_(codes)))
        await _write_again(connection, codes, LIVE, {})


async def rebuild(store: Store, progress: Progress | None = None) -> Rebuilt:
    """Make all rows again; `RebuildError` if another one takes over."""
    work = _Rebuild(store, progress or (lambda *_: None))
    await work.begin()
    await work.fill()
    await work.swap()
    await _clear(store)
    return Rebuilt(work.tables, work.games)


class _Rebuild:
    def __init__(self, store: Store, progress: Progress) -> None:
        self._store = store
        self._progress = progress
        self._run = new_id()
        self._total = 0
        self._started_time = 0
        self._passed = ""
        #: Tables that were read again because they had changed, as they were then.
        self._read_again: dict[str, tuple[int, int]] = {}
        self.tables = 0
        self.games = 0

    async def begin(self) -> None:
        """Go on where the last rebuild was stopped, if one was."""
        await _clear(self._store)
        await self._store.settle()
        rebuilding = schema.rebuilding
        async with self._store.writing(exclusive=True) as connection:
            found = (await connection.execute(select(rebuilding))).first()
            if found is not None and found.version == VERSION:
                await connection.execute(update(rebuilding).values(run=self._run))
                self._started_time, self._passed = found.started_time, found.passed
                self.tables, self.games = found.tables, found.games
            else:
                await connection.run_sync(_make_beside)
                self._started_time = int(now_ms())
                await connection.execute(delete(rebuilding))
                await connection.execute(
                    insert(rebuilding).values(
                        version=VERSION,
                        run=self._run,
                        started_time=self._started_time,
                        passed="",
                        tables=0,
                        games=0,
                    )
                )
        async with self._store.reading() as connection:
            self._total = (
                await connection.execute(select(func.count()).select_from(schema.tables))
            ).scalar_one()

    async def fill(self) -> None:
        """Read all tables in the order of their logs, some at a time."""
        self._progress(self.tables, self.games, self._total)
        async for tables, games in self._read():
            async with self._store.writing(exclusive=True) as connection:
                self.tables += len(tables)
                self.games += len(games)
                passed = stream_of(tables[-1]["code"])
                await self._note(connection, passed)
                await write_rows(connection, tables, games, NEW, are_new=True)
            self._passed = passed
            self._progress(self.tables, self.games, max(self._total, self.tables))

    async def _read(self) -> AsyncIterator[tuple[list[Row], list[GameRows]]]:
        """The rows of some tables at a time: the next are made while the last are written."""
        reading = asyncio.create_task(self._read_some(self._passed))
        try:
            while (rows := await reading)[0]:
                reading = asyncio.create_task(self._read_some(stream_of(rows[0][-1]["code"])))
                yield rows
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    async def _read_some(self, passed: str) -> tuple[list[Row], list[GameRows]]:
        log, limit = schema.log, LINES
        while True:
            query = (
                select(log.c.stream, log.c.seq, log.c.at, log.c.event)
                .where(log.c.stream > max(passed, _FIRST), log.c.stream < _BEYOND)
                .order_by(log.c.stream, log.c.seq)
                .limit(limit)
            )
            async with self._store.reading() as connection:
                lines = (await connection.execute(query)).all()
            found = _by_stream(lines)
            if len(lines) < limit:
                break
            if len(found) > 1:
                found.pop()  # its end may be missing
                break
            limit *= 4
        stories = [Story.of(of_stream) for stream, of_stream in found if stream.startswith(stream_of(""))]
        async with self._store.reading() as connection:
            return await rows_of(connection, stories)

    async def _note(self, connection: AsyncConnection, passed: str) -> None:
        """Write down how far it has come, in the transaction that has brought it there."""
        rebuilding = schema.rebuilding
        noted = await connection.execute(
            update(rebuilding)
            .where(rebuilding.c.run == self._run)
            .values(passed=passed, tables=self.tables, games=self.games)
        )
        if noted.rowcount != 1:
            raise RebuildError("another rebuild has taken over")

    async def swap(self) -> None:
        """Read again what has changed; then let the new rows take the places of the old ones."""
        while True:
            await self._store.settle()
            async with self._store.reading() as connection:
                changed = await self._changed(connection)
            if len(changed) <= LAST_TABLES and await self._try_to_swap():
                break
            for first in range(0, len(changed), LAST_TABLES):
                some = dict(list(changed.items())[first : first + LAST_TABLES])
                async with self._store.writing(exclusive=True) as connection:
                    await self._note(connection, self._passed)
                    await _write_again(connection, list(some), NEW, {})
                self._read_again |= some
        async with self._store.reading() as connection:
            self.tables = await _count(connection, LIVE.tables)
            self.games = await _count(connection, LIVE.games)

    async def _changed(self, connection: AsyncConnection) -> dict[str, tuple[int, int]]:
        """The tables of which the rows that everybody sees tell more, or something else, than the new ones; with what
        shows whether they have changed once more."""
        old, new = LIVE.tables, NEW.tables
        query = (
            select(old.c.code, old.c.version, old.c.changed_time)
            .join_from(old, new, old.c.code == new.c.code, isouter=True)
            .where(old.c.changed_time >= self._started_time - CLOCKS_MS)
            .where(or_(new.c.code.is_(None), old.c.version > new.c.version, old.c.version == 0))
        )
        found = {code: (version, time) for code, version, time in await connection.execute(query)}
        return {code: last for code, last in found.items() if self._read_again.get(code) != last}

    async def _try_to_swap(self) -> bool:
        """Not while much has changed again, or while somebody reads who does not come to an end."""
        try:
            async with self._store.writing(exclusive=True) as connection:
                if connection.dialect.name == "postgresql":
                    await connection.exec_driver_sql("SET LOCAL lock_timeout = '1s'")
                    live = ", ".join(one.name for one in LIVE)
                    await connection.exec_driver_sql(f"LOCK TABLE {live} IN SHARE ROW EXCLUSIVE MODE")
                await self._note(connection, self._passed)
                changed = await self._changed(connection)
                if len(changed) > LAST_TABLES:
                    return False
                await _write_again(connection, list(changed), NEW, await self._unsorted(connection))
                await _keep_what_is_newer(connection)
                await connection.run_sync(_rename)
                await connection.execute(delete(schema.rebuilding))
        except (Unavailable, DBAPIError) as error:
            if isinstance(error, DBAPIError) and "lock timeout" not in str(error):
                raise
            await asyncio.sleep(0.5)
            return False
        return True

    async def _unsorted(self, connection: AsyncConnection) -> Unsorted:
        found: dict[str, list[Line]] = {}
        for stream, line in await self._store.unsorted(connection):
            found.setdefault(stream, []).append(line)
        return found


def _by_stream(lines: Sequence[Any]) -> list[tuple[str, list[Line]]]:
    return [
        (stream, [Line(seq, at, event) for _, seq, at, event in of_stream])
        for stream, of_stream in groupby(lines, itemgetter(0))
    ]


async def _write_again(
    connection: AsyncConnection, codes: Sequence[str], into: Projection, unsorted: Unsorted
) -> None:
    lines = await read_lines(connection, [stream_of(code) for code in codes], unsorted)
    stories = [Story.of(of_table) for of_table in lines.values() if of_table]
    await write_rows(connection, *await rows_of(connection, stories, unsorted), into)


async def _keep_what_is_newer(connection: AsyncConnection) -> None:
    """Whom running games wait for, and when something last happened there, is written without a table's changing."""
    await connection.exec_driver_sql(
        f"UPDATE {NEW.games.name} SET waits_for = (SELECT waits_for FROM games WHERE games.id = {NEW.games.name}.id)"
        f" WHERE end_time IS NULL AND EXISTS (SELECT 1 FROM games WHERE games.id = {NEW.games.name}.id)"
    )
    latest = f"(SELECT changed_time FROM tables WHERE tables.code = {NEW.tables.name}.code)"
    await connection.exec_driver_sql(
        f"UPDATE {NEW.tables.name} SET changed_time = {latest} WHERE {schema.IS_OPEN} AND changed_time < {latest}"
    )


async def _count(connection: AsyncConnection, where: Table) -> int:
    return int((await connection.execute(select(func.count()).select_from(where))).scalar_one())


def _make_beside(connection: Connection) -> None:
    NEW.tables.metadata.drop_all(connection)
    known = {index["name"] for one in LIVE for index in inspect(connection).get_indexes(one.name)}
    suffix = "_2" if {index.name for one in LIVE for index in one.indexes} & known else ""
    _beside("rebuilt", suffix).tables.metadata.create_all(connection)


def _has_table(connection: Connection, name: str) -> bool:
    return inspect(connection).has_table(name)


def _rename(connection: Connection) -> None:
    for live, new, old in zip(LIVE, NEW, OLD, strict=True):
        connection.exec_driver_sql(f"ALTER TABLE {live.name} RENAME TO {old.name}")
        connection.exec_driver_sql(f"ALTER TABLE {new.name} RENAME TO {live.name}")


async def _clear(store: Store) -> None:
    """Take the old rows away, a few at a time, so that nobody must wait for it."""
    for old in OLD:
        async with store.reading() as connection:
            is_there = await connection.run_sync(_has_table, old.name)
            in_file = connection.dialect.name == "sqlite"
        if not is_there:
            continue
        keys = ", ".join(column.name for column in old.primary_key)
        some = f"DELETE FROM {old.name} WHERE ({keys}) IN (SELECT {keys} FROM {old.name} LIMIT {DELETED})"
        gone = in_file
        while gone:
            async with store.writing() as connection:
                gone = bool((await connection.execute(text(some))).rowcount)
        async with store.writing(exclusive=True) as connection:
            await connection.exec_driver_sql(f"DROP TABLE IF EXISTS {old.name}")
