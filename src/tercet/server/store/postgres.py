"""The log in PostgreSQL: one connection, many appends a commit.

While the server cannot be reached, appends wait for it a while. An error that means anything else is that of one append,
which is found and refused; the others are written. Whether a commit came through whose answer was
lost is seen by looking: the same lines are then there already.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext

import asyncpg
from msgspec.structs import astuple
from sqlalchemy.ext.asyncio import AsyncConnection

from tercet.server import metrics
from tercet.server.store.log import Conflict, Done, Line, Outcome, Rejected, Unavailable, answer_all

GROUP_LIMIT = 1000
#: How long an append waits for a server that cannot be reached, and between two tries; and how long a try may take.
PATIENCE_SECONDS = 10.0
RETRY_SECONDS = 0.2
TRY_SECONDS = 4.0

logger = logging.getLogger("tercet.log")

_ENDS = "SELECT stream, max(seq) AS seq FROM log WHERE stream = ANY($1) GROUP BY stream"
_INSERT = (
    "INSERT INTO log (stream, seq, at, event, cause)"
    " SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::text[])"
)
_LINES = "SELECT seq, at, event, cause FROM log WHERE stream = $1 AND seq > $2 ORDER BY seq LIMIT $3"
#: Classes of errors (and single ones) that are nobody's: no connection, no resources, a server that stops or starts
#: or whose system fails, one that only reads, a race for locks.
_AWAY = ("08", "53", "58", "57P01", "57P02", "57P03", "57P04", "57P05", "25006", "40001", "40P01")


def is_away(error: BaseException | None) -> bool:
    """Whether an error means that the database cannot be used now, whoever asks."""
    code = getattr(error, "sqlstate", None) or getattr(error, "pgcode", None)
    if code is not None:
        return str(code).startswith(_AWAY)
    if isinstance(
        error, asyncpg.DataError | ValueError
    ):  # an InterfaceError, but about what was to be written
        return False
    return isinstance(error, OSError | asyncpg.InterfaceError | asyncpg.InternalClientError)


class _Append:
    """Lines to be written; answered once, however often the connection breaks."""

    def __init__(self, stream: str, expected: int, lines: Sequence[Line], done: Done) -> None:
        self.stream = stream
        self.expected = expected
        self.lines = lines
        self.asked = time.monotonic()
        self._done: Done | None = done

    def answer(self, outcome: Outcome) -> None:
        done, self._done = self._done, None
        if done is not None:
            answer_all([(done, outcome)])


class PostgresLog:
    """Appends to the ``log`` table of a database that has been migrated already."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self.trouble: str | None = None
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None
        self._asked: list[_Append] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._run(), name="tercet-log")

    def submit(self, stream: str, expected: int, lines: Sequence[Line], done: Done) -> None:
        self._asked.append(_Append(stream, expected, lines, done))
        self._wake.set()

    async def unsorted(self, connection: AsyncConnection) -> list[tuple[str, Line]]:
        """Lines are in the log from the first."""
        return []

    async def settle(self, stream: str | None = None) -> None:
        """There is nothing to do."""

    def aside(self) -> AbstractAsyncContextManager[None]:
        return nullcontext()  # nobody is in anybody's way

    async def close(self) -> None:
        self._closing = True
        self._wake.set()
        await self._task
        if self._connection is not None and not self._connection.is_closed():
            await self._connection.close()

    async def _run(self) -> None:
        while True:
            if not self._asked:
                if self._closing:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            group, self._asked = self._asked[:GROUP_LIMIT], self._asked[GROUP_LIMIT:]
            await self._write_patiently(group)

    async def _write_patiently(self, group: list[_Append]) -> None:
        begun, size = time.monotonic(), len(group)
        unsure = False
        while group:
            error = await self._try(group, unsure)
            if error is None:
                metrics.appends.add(time.monotonic() - begun, size)
                self.trouble = None
                return
            unsure = True
            self.trouble = str(error)[:200] or type(error).__name__
            self._hang_up()
            patience = 0 if self._closing else PATIENCE_SECONDS
            group = self._wait_or_give_up(group, patience, error)
            self._asked = self._wait_or_give_up(self._asked, patience, error)
            if group:
                await asyncio.sleep(RETRY_SECONDS)

    async def _try(self, group: list[_Append], unsure: bool) -> Exception | None:
        """Write the group, and answer all of it; else why that cannot be done now."""
        try:
            connection = await self._connect()
        except Exception as error:  # whatever it says: it is not there
            return error
        # A server that hangs keeps the connection and answers nothing, not even that something is cancelled.
        watch = asyncio.get_running_loop().call_later(TRY_SECONDS, self._hang_up)
        try:
            if unsure:
                group = await self._leave_out_written(connection, group)
            await self._write(connection, group)
        except Exception as error:
            if not is_away(error):
                logger.exception("lines could not be written")
            return error
        finally:
            watch.cancel()
        return None

    @staticmethod
    def _wait_or_give_up(appends: list[_Append], patience: float, error: Exception) -> list[_Append]:
        """Those that have not waited too long yet; the others are told."""
        now, left = time.monotonic(), []
        for append in appends:
            if now - append.asked < patience:
                left.append(append)
            else:
                append.answer(Unavailable(type(error).__name__))
        return left

    async def _connect(self) -> asyncpg.Connection[asyncpg.Record]:
        if self._connection is None or self._connection.is_closed():
            self._connection = await asyncpg.connect(
                self._dsn, timeout=TRY_SECONDS, command_timeout=TRY_SECONDS
            )
        return self._connection

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def _leave_out_written(
        self, connection: asyncpg.Connection[asyncpg.Record], group: list[_Append]
    ) -> list[_Append]:
        left = []
        for append in group:
            found = await connection.fetch(_LINES, append.stream, append.expected, len(append.lines))
            if [Line(*row) for row in found] == list(append.lines):
                append.answer(None)
            else:
                left.append(append)
        return left

    async def _write(self, connection: asyncpg.Connection[asyncpg.Record], group: list[_Append]) -> None:
        """Write a group in one transaction; when another node wrote at the same moment, or one of the appends is not
        taken, by halves."""
        try:
            fitting = await self._commit(connection, group)
        except Exception as error:
            if is_away(error):
                raise
            if len(group) > 1:
                half = len(group) // 2
                await self._write(connection, group[:half])
                await self._write(connection, group[half:])
            elif isinstance(error, asyncpg.UniqueViolationError):
                group[0].answer(Conflict(group[0].stream))
            else:
                logger.exception("lines could not be written")
                group[0].answer(Rejected(type(error).__name__))
            return
        for append in group:
            if append in fitting:
                append.answer(None)
            else:
                append.answer(Conflict(append.stream))

    @staticmethod
    async def _commit(connection: asyncpg.Connection[asyncpg.Record], group: list[_Append]) -> list[_Append]:
        async with connection.transaction():
            found = await connection.fetch(_ENDS, [append.stream for append in group])
            ends = {row["stream"]: row["seq"] for row in found}
            fitting = []
            for append in group:
                if ends.get(append.stream, 0) == append.expected:
                    fitting.append(append)
                    ends[append.stream] = append.expected + len(append.lines)
            rows = [(append.stream, *astuple(line)) for append in fitting for line in append.lines]
            if rows:
                await connection.execute(_INSERT, *map(list, zip(*rows, strict=True)))
        return fitting
