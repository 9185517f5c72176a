"""The store: which database it is, bringing its schema up to date, and what reads and writes it."""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
import time
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, closing, nullcontext, suppress
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from asyncpg import InterfaceError as PostgresInterfaceError
from asyncpg import PostgresError
from msgspec.structs import asdict
from sqlalchemy import Connection, Table, event, insert, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from tercet.server.settings import is_database, is_postgres
from tercet.server.store import files, postgres, schema, sqlite
from tercet.server.store import log as logs
from tercet.server.store.log import Line, Log, Outcome, Unavailable
from tercet.server.store.postgres import PostgresLog
from tercet.server.store.sqlite import PRAGMAS, SqliteLog
from tercet.sets import TercetError

#: The lock in PostgreSQL of what nodes do one after the other: any number that is nobody else's.
LOCK = 0x7E2CE7
#: Whoever asks whether the store can be written is told what was found out so many seconds ago at most.
TRY_SECONDS = 5.0

logger = logging.getLogger("tercet.store")
T = TypeVar("T")


class StoreError(TercetError):
    """A database that cannot be opened; the message says which and why."""


class Store:
    """An open database: the log, and an engine for everything that is not hot."""

    def __init__(self, engine: AsyncEngine, log: Log) -> None:
        self._engine = engine
        self._log = log
        self._is_postgres = engine.dialect.name == "postgresql"
        #: Connections that are being opened, and those that go back because nobody waits for them any more.
        self._on_the_way: set[asyncio.Task[Any]] = set()
        #: See `Log`.
        self.submit = log.submit
        #: When it was last tried to write, and what kept it from that.
        self._tried: float | None = None
        self._trouble: str | None = None

    async def append(self, stream: str, expected: int, lines: Sequence[Line]) -> None:
        """As `submit`; the lines are on disk when this returns."""
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done(error: Outcome) -> None:
            if written.done():
                return
            if error is None:
                written.set_result(None)
            else:
                written.set_exception(error)

        self.submit(stream, expected, lines, done)
        await written

    async def settle(self) -> None:
        """See to it that all lines that are written so far are in the table ``log``."""
        await self._log.settle()

    async def unsorted(self, connection: AsyncConnection) -> list[tuple[str, Line]]:
        """The lines that are not in the table ``log`` yet, each with its stream, as this connection sees it."""
        return await self._log.unsorted(connection)

    async def read(self, stream: str, after: int = 0) -> list[Line]:
        """The lines of a stream after this number."""
        await self._log.settle(stream)
        async with self.reading() as connection:
            return await logs.read(connection, stream, after)

    async def ends(self, streams: Sequence[str]) -> dict[str, int]:
        """The number of the last line of each of these streams."""
        await self._log.settle()
        async with self.reading() as connection:
            return await logs.ends(connection, streams)

    async def sat_in(self, person: str, after: str, limit: int) -> list[str]:
        """The names of so many streams in which this person ever sat down, in their order, after this one."""
        log = schema.log
        query = (
            select(log.c.stream)
            .where(text(schema.IS_SITTING_DOWN), schema.Sitter(log.c.event) == person, log.c.stream > after)
            .order_by(log.c.stream)
            .distinct()
            .limit(limit)
        )
        await self._log.settle()
        async with self.reading() as connection:
            return list((await connection.execute(query)).scalars())

    async def rows(self, kept: Sequence[Table]) -> AsyncGenerator[tuple[str, dict[str, Any]], None]:
        """Every row of these tables, with the table's name, as they all are at one moment; the whole log among them."""
        async with self._snapshot() as connection:
            for one in kept:
                async for row in await connection.stream(select(one)):
                    yield str(one.name), {str(name): value for name, value in row._asdict().items()}
                if one is schema.log:
                    for stream, line in await self._log.unsorted(connection):
                        yield str(one.name), {"stream": stream, **asdict(line)}

    async def is_empty(self) -> bool:
        """Whether nothing was ever written to the log."""
        await self._log.settle()
        async with self.reading() as connection:
            return (await connection.execute(select(schema.log.c.seq).limit(1))).first() is None

    @property
    def _reader(self) -> AsyncEngine:
        return self._engine.execution_options(isolation_level="AUTOCOMMIT")

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection for queries, but not of the log. `Unavailable` if the store cannot be reached."""
        async with _reachable(), self._patience(), self._connected(self._reader) as connection:
            yield connection

    @asynccontextmanager
    async def _connected(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        """A connection, opened to the end even if whoever asked goes away meanwhile.

        SQLAlchemy would lose it: it would stay open for ever, in SQLite perhaps with the lock of whoever writes.
        """
        opening = self._go_on(self._open(engine))
        try:
            connection = await asyncio.shield(opening)
        except asyncio.CancelledError:
            opening.add_done_callback(self._put_back)
            raise
        try:
            yield connection
        finally:
            await asyncio.shield(self._go_on(connection.close()))

    async def _open(self, engine: AsyncEngine) -> AsyncConnection:
        async with self._patience():
            return await engine.connect()

    def _put_back(self, opening: asyncio.Task[AsyncConnection]) -> None:
        if not opening.cancelled() and opening.exception() is None:
            self._go_on(opening.result().close())

    def _go_on(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do it to the end, whoever is cancelled."""
        task = asyncio.create_task(work)
        self._on_the_way.add(task)
        task.add_done_callback(self._on_the_way.discard)
        return task

    def _patience(self) -> asyncio.Timeout:
        """A PostgreSQL that hangs keeps its connections and answers nothing."""
        return asyncio.timeout(postgres.PATIENCE_SECONDS if self._is_postgres else None)

    @asynccontextmanager
    async def writing(
        self, *, exclusive: bool = False, takes_long: bool = False
    ) -> AsyncIterator[AsyncConnection]:
        """A connection in a transaction, which ends with the block. `Unavailable` as with `reading`.

        ``exclusive``: no other node does anything exclusive meanwhile. In SQLite that goes for all writing.
        ``takes_long``: that nothing is heard of the database for long is no sign that it hangs.
        """
        patience = nullcontext() if takes_long else self._patience()
        async with _reachable(), patience, self._log.aside(), self._transaction() as connection:
            if exclusive:
                await connection.run_sync(wait_for_lock)
            yield connection

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        async with self._connected(self._engine) as connection, connection.begin():
            yield connection

    @asynccontextmanager
    async def _snapshot(self) -> AsyncIterator[AsyncConnection]:
        """A connection that sees the database as it is now, whatever is written meanwhile; for reading.

        Part of the log may be unsorted.
        """
        if self._is_postgres:
            engine = self._engine.execution_options(isolation_level="REPEATABLE READ")
            async with self._connected(engine) as connection:
                yield connection
        else:
            async with self._connected(self._reader) as connection:
                await connection.exec_driver_sql("BEGIN")
                yield connection
                await connection.exec_driver_sql("COMMIT")

    async def is_available(self) -> bool:
        try:
            async with self.reading() as connection:
                await connection.exec_driver_sql("SELECT 1")
        except Unavailable:
            return False
        return True

    async def trouble(self) -> str | None:
        """What keeps the store from writing, found out by writing; None if nothing does."""
        if self._tried is None or monotonic() - self._tried > TRY_SECONDS:
            self._tried = monotonic()
            self._trouble = await self._try_to_write()
        return self._trouble or self._log.trouble

    async def _try_to_write(self) -> str | None:
        trial, now = schema.trial, int(time.time())
        try:
            async with self._log.aside(), self._transaction() as connection:
                if not (await connection.execute(update(trial).values(time=now))).rowcount:
                    await connection.execute(insert(trial).values(id=1, time=now))
        except IntegrityError:
            return None  # another node has written the first one at the same moment
        except (DBAPIError, OSError) as error:
            reason = error.orig if isinstance(error, DBAPIError) else error
            logger.error("the store cannot be written", extra={"reason": str(reason)[:200]})
            return str(reason)[:200] or type(reason).__name__
        return None

    async def close(self) -> None:
        await self._log.close()
        while self._on_the_way:
            await asyncio.wait(self._on_the_way)
        await self._engine.dispose()


@asynccontextmanager
async def _reachable() -> AsyncIterator[None]:
    try:
        yield
    except DBAPIError as error:
        if error.connection_invalidated or _is_away(error.orig):
            raise Unavailable(type(error).__name__) from None
        raise
    except (OSError, PoolTimeout, PostgresError, PostgresInterfaceError) as error:
        # A connection that could not be made: whatever PostgreSQL says to that, SQLAlchemy passes it on as it is.
        raise Unavailable(type(error).__name__) from None


def _is_away(error: BaseException | None) -> bool:
    """Whether the database cannot be used now; else it is our own mistake."""
    return (
        sqlite.is_away(error)
        or postgres.is_away(error)
        or postgres.is_away(getattr(error, "__cause__", None))
    )


async def open_store(place: str, *, create: bool = True) -> Store:
    """Open the database at this place, a file or ``postgresql://…``; it is made, and migrated, as needed.

    Without ``create`` the file must be there.
    """
    is_file = not is_postgres(place)
    if not is_database(place):
        raise StoreError(f"a database is a file or postgresql://…, not {place.partition('://')[0]}://…")
    if is_file and not create and not Path(place).exists():
        raise StoreError(f"there is no database {place}")
    if is_file and Path(place).is_dir():
        raise StoreError(f"cannot open the database {place}: it is a folder; say which file in it")
    is_new = False
    try:
        if not is_file:
            return await _open_postgres(place)
        is_new = files.make(Path(place))
        return await _open_sqlite(place)
    except CommandError as error:
        reason = f"it was made by a newer Tercet than this one ({error})"
    except (
        DBAPIError,
        sqlite3.Error,
        PostgresError,
        PostgresInterfaceError,
        OSError,
        ValueError,
        ArgumentError,
    ) as error:
        reason = str(error.orig) if isinstance(error, DBAPIError) else str(error)
        reason = reason or type(error).__name__
        if is_new:
            files.remove(Path(place))
    raise StoreError(f"cannot open the database {_without_password(place)}: {reason}")


async def _open_sqlite(path: str) -> Store:
    with closing(
        sqlite3.connect(path)
    ) as probe:  # here a wrong path fails with a word, and no thread is left
        probe.execute("SELECT count(*) FROM sqlite_master")
    files.make_private(Path(path))
    engine = create_async_engine(
        f"sqlite+aiosqlite:///{path}", connect_args={"timeout": 10}, hide_parameters=True
    )

    @event.listens_for(engine.sync_engine, "connect")
    def set_up(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that reads first and writes later would fail when another one wrote in between.
        if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    @event.listens_for(engine.sync_engine, "invalidate")
    def let_go(connection: Any, _record: Any, _error: Any) -> None:
        # Whoever asked was cancelled in the middle of a query. As long as anything refers to that, closing the
        # connection does not end its transaction, and nobody else could write.
        with suppress(sqlite3.Error):
            connection.rollback()

    await migrate(engine)
    try:
        # In a thread: it may have to wait for whoever is writing now.
        return Store(engine, await asyncio.to_thread(SqliteLog, path))
    except BaseException:
        await engine.dispose()
        raise


async def _open_postgres(url: str) -> Store:
    address = make_url(url).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(
        address,
        pool_pre_ping=True,
        pool_size=5,
        pool_timeout=postgres.TRY_SECONDS,
        connect_args={"timeout": postgres.TRY_SECONDS},
        hide_parameters=True,
    )
    await migrate(engine)
    dsn = address.set(drivername="postgresql").render_as_string(hide_password=False)
    return Store(engine, PostgresLog(dsn))


def wait_for_lock(connection: Connection) -> None:
    """Let no other node do anything exclusive until this transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")


async def migrate(engine: AsyncEngine) -> None:
    """Bring the schema up to date."""

    def upgrade(connection: Connection) -> None:
        wait_for_lock(connection)
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")

    try:
        async with engine.begin() as connection:
            await connection.run_sync(upgrade)
    except BaseException:
        await engine.dispose()
        raise


def _without_password(place: str) -> str:
    return re.sub(r"://.*@", "://…@", place)
