"""All rows again from the logs: beside the old ones, which everybody sees until the new ones take their places.

A rebuild may run beside servers, and go on where it was stopped. What changes meanwhile is written to the old rows, as
ever, and noted (`schema.changed`); such tables are read once more before the end, the last of them while nobody else writes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from itertools import groupby
from operator import itemgetter
from time import monotonic
from typing import Any, NamedTuple

from sqlalchemy import Connection, MetaData, Table, delete, func, insert, inspect, select, text, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql import quoted_name

from tercet.server.clock import is_served
from tercet.server.ids import new_id
from tercet.server.logged.table import code_of, stream_of
from tercet.server.projections.history import Story, Unsorted, read_lines, rows_of
from tercet.server.projections.rows import GameRows, Row
from tercet.server.projections.writer import LIVE, Projection, is_rebuilding, write_rows
from tercet.server.store import Line, Store, Unavailable, many, schema
from tercet.server.store.many import batched
from tercet.sets import TercetError

#: Changes when the rows of the same logs become others: then a rebuild that was stopped begins again.
VERSION = "5"
#: About so many lines of tables' logs are read at once; these tables are then written in one transaction.
LINES = 1500
#: So many tables at most are read again while nobody else writes.
LAST_TABLES = 50
#: So many rows of what nobody needs any more are deleted in one go.
DELETED = 2000
#: So many kilobytes of the new rows and their indexes are kept in memory (SQLite).
CACHE = 65_536

logger = logging.getLogger("tercet.projections")

# All tables' streams, and little else, in whatever order the database has for texts.
_FIRST, _BEYOND = "table", "tablf"

#: Called with the numbers of tables and games done, and of all tables as far as known.
Progress = Callable[[int, int, int], None]


class RebuildError(TercetError):
    """A rebuild that cannot go on; the message says why."""


class Rebuilt(NamedTuple):
    """How many tables and games there are, and the codes of tables whose logs could not be read: their rows are the old
    ones."""

    tables: int
    games: int
    unread: Sequence[str]


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
    return (LIVE, NEW) if await is_rebuilding(connection) else (LIVE,)


async def rebuild_tables(store: Store, codes: Sequence[str]) -> None:
    """Make the rows of these tables and of all their games again; a table without a log has none."""
    await store.settle()
    async with store.writing(exclusive=True) as connection:
        await connection.execute(delete(LIVE.tables).where(LIVE.tables.c.code.in_(codes)))
        lines = await read_lines(connection, [stream_of(code) for code in codes], {})
        stories = [Story.of(of_table) for of_table in lines.values() if of_table]
        await write_rows(connection, *await rows_of(connection, stories))


async def rebuild(store: Store, progress: Progress | None = None) -> Rebuilt:
    """Make all rows again; `RebuildError` if another one takes over."""
    work = _Rebuild(store, progress or (lambda *_: None))
    await work.begin()
    await work.fill()
    await work.swap()
    await _clear(store)
    return Rebuilt(work.tables, work.games, sorted(work.unread))


@asynccontextmanager
async def _writing(store: Store) -> AsyncIterator[AsyncConnection]:
    """A transaction; and then as long a pause in SQLite while a server is there: it looks only now and then whether the
    file is free, and would hardly ever find it so."""
    async with store.writing(exclusive=True) as connection:
        begun = monotonic()
        yield connection
        is_in_the_way = not many.is_postgres(connection) and await is_served(connection)
    if is_in_the_way:
        await asyncio.sleep(monotonic() - begun)


class _Rows(NamedTuple):
    """The rows of some tables, up to the one whose log is ``last``; and what could not be read."""

    tables: list[Row]
    games: list[GameRows]
    unread: list[str]
    last: str


class _Rebuild:
    def __init__(self, store: Store, progress: Progress) -> None:
        self._store = store
        self._progress = progress
        self._run = new_id()
        self._total = 0
        self._passed = ""
        self.tables = 0
        self.games = 0
        self.unread: set[str] = set()

    async def begin(self) -> None:
        """Go on where the last rebuild was stopped, if one was."""
        await _clear(self._store)
        await self._store.settle()
        rebuilding = schema.rebuilding
        async with self._store.writing(exclusive=True) as connection:
            found = (await connection.execute(select(rebuilding))).first()
            if found is not None and found.version == VERSION:
                await connection.execute(update(rebuilding).values(run=self._run))
                self._passed, self.tables, self.games = found.passed, found.tables, found.games
            else:
                await connection.run_sync(_make_beside)
                await connection.execute(delete(schema.changed))
                await connection.execute(delete(rebuilding))
                await connection.execute(
                    insert(rebuilding).values(version=VERSION, run=self._run, passed="", tables=0, games=0)
                )
        async with self._store.reading() as connection:
            self._total = await _count(connection, LIVE.tables)

    async def fill(self) -> None:
        """Read all tables in the order of their logs, some at a time."""
        self._progress(self.tables, self.games, self._total)
        async with aclosing(self._read()) as reading:
            async for rows in reading:
                await self._write(rows)
                self._progress(self.tables, self.games, max(self._total, self.tables))

    async def _write(self, rows: _Rows) -> None:
        async with _writing(self._store) as connection:
            if not many.is_postgres(connection):
                await connection.exec_driver_sql(f"PRAGMA cache_size = -{CACHE}")
            self.tables += len(rows.tables)
            self.games += len(rows.games)
            await self._note(connection, rows.last)
            await write_rows(connection, rows.tables, rows.games, NEW, are_new=True)
            await _carry_over(connection, rows.unread)
        self._passed = rows.last
        self.unread.update(rows.unread)

    async def _read(self) -> AsyncGenerator[_Rows, None]:
        """The rows of some tables at a time: the next are made while the last are written."""
        reading = asyncio.create_task(self._read_some(self._passed))
        try:
            while (rows := await reading) is not None:
                reading = asyncio.create_task(self._read_some(rows.last))
                yield rows
        finally:
            # Not cancelled: in the middle of connecting, that would lose a connection.
            await asyncio.gather(reading, return_exceptions=True)

    async def _read_some(self, passed: str) -> _Rows | None:
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
        if not found:
            return None
        logs = {stream: of_stream for stream, of_stream in found if stream.startswith(stream_of(""))}
        async with self._store.reading() as connection:
            tables, games, unread = await _rows_of_logs(connection, logs, {})
        return _Rows(tables, games, unread, found[-1][0])

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
        at_last = LAST_TABLES
        while not await self._try_to_swap(at_last):
            at_last *= 2  # else it might never come to an end where much goes on
            await self._store.settle()
            more = True
            while more:
                async with _writing(self._store) as connection:
                    await self._note(connection, self._passed)
                    await self._write_changed(connection, LAST_TABLES, {})
                    more = await _count(connection, schema.changed) > at_last
        async with self._store.reading() as connection:
            self.tables = await _count(connection, LIVE.tables)
            self.games = await _count(connection, LIVE.games)

    async def _write_changed(self, connection: AsyncConnection, limit: int, unsorted: Unsorted) -> None:
        """Read so many of the tables again that have changed since."""
        changed = schema.changed
        codes = list((await connection.execute(select(changed.c.code).limit(limit))).scalars())
        logs = await read_lines(connection, [stream_of(code) for code in codes], unsorted)
        there = {stream: lines for stream, lines in logs.items() if lines}
        tables, games, unread = await _rows_of_logs(connection, there, unsorted)
        await write_rows(connection, tables, games, NEW)
        await _carry_over(connection, unread)
        self.unread.update(unread)
        await connection.execute(delete(changed).where(changed.c.code.in_(codes)))

    async def _try_to_swap(self, at_last: int) -> bool:
        """Not while more tables than that have changed, or while somebody reads who does not come to an end."""
        try:
            async with self._store.writing(exclusive=True) as connection:
                if many.is_postgres(connection):
                    await connection.exec_driver_sql("SET LOCAL lock_timeout = '1s'")
                    live = ", ".join(one.name for one in LIVE)
                    await connection.exec_driver_sql(f"LOCK TABLE {live} IN SHARE ROW EXCLUSIVE MODE")
                await self._note(connection, self._passed)
                if await _count(connection, schema.changed) > at_last:
                    return False
                await self._write_changed(connection, at_last, await self._unsorted(connection))
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


async def _rows_of_logs(
    connection: AsyncConnection, logs: Mapping[str, Sequence[Line]], unsorted: Unsorted
) -> tuple[list[Row], list[GameRows], list[str]]:
    """The rows of these tables; and the codes of those that cannot be read: of a game that is not installed, say."""
    try:
        stories = [Story.of(lines) for lines in logs.values()]
        return *await rows_of(connection, stories, unsorted), []
    except (Unavailable, SQLAlchemyError):
        raise
    except Exception:
        streams = list(logs)
        if len(streams) == 1:
            code = code_of(streams[0])
            logger.exception("a table's log cannot be read", extra={"table": code})
            return [], [], [code]
        tables, games, unread = [], [], []
        for half in batched(streams, (len(streams) + 1) // 2):
            found = await _rows_of_logs(connection, {stream: logs[stream] for stream in half}, unsorted)
            tables += found[0]
            games += found[1]
            unread += found[2]
        return tables, games, unread


async def _carry_over(connection: AsyncConnection, codes: Collection[str]) -> None:
    """Let these tables keep the rows that they have."""
    if codes:
        tables, games, players, runs = LIVE.tables, LIVE.games, LIVE.players, LIVE.runs
        of_tables = await connection.execute(select(tables).where(tables.c.code.in_(codes)))
        of_games = await connection.execute(select(games).where(games.c.code.in_(codes)))
        found = {row.id: GameRows(row._asdict(), [], []) for row in of_games}
        for row in await connection.execute(select(players).where(players.c.game.in_(list(found)))):
            found[row.game].players.append(row._asdict())
        for row in await connection.execute(select(runs).where(runs.c.game.in_(list(found)))):
            found[row.game].runs.append(row._asdict())
        await write_rows(connection, [row._asdict() for row in of_tables], list(found.values()), NEW)


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
            in_file = not many.is_postgres(connection)
        if not is_there:
            continue
        keys = ", ".join(column.name for column in old.primary_key)
        some = f"DELETE FROM {old.name} WHERE ({keys}) IN (SELECT {keys} FROM {old.name} LIMIT {DELETED})"
        gone = in_file
        while gone:
            async with _writing(store) as connection:
                gone = bool((await connection.execute(text(some))).rowcount)
        async with store.writing(exclusive=True) as connection:
            await connection.exec_driver_sql(f"DROP TABLE IF EXISTS {old.name}")
