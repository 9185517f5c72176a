"""The log in PostgreSQL: one connection, many appends a commit.

While the server cannot be reached, appends wait for it a while. Whether a commit came through whose answer was
lost is seen by looking: the same lines are then there already.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import asyncpg
from msgspec.structs import astuple
from sqlalchemy.ext.asyncio import AsyncConnection

from tercet.server import metrics
from tercet.server.store.log import Conflict, Done, Line, Outcome, Unavailable, answer_all

GROUP_LIMIT = 1000
#: How long an append waits for a server that cannot be reached, and between two tries.
PATIENCE_SECONDS = 10.0
RETRY_SECONDS = 0.2

_ENDS = "SELECT stream, max(seq) AS seq FROM log WHERE stream = ANY($1) GROUP BY stream"
_INSERT = (
    "INSERT INTO log (stream, seq, at, event, cause)"
    " SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::text[])"
)
_LINES = "SELECT seq, at, event, cause FROM log WHERE stream = $1 AND seq > $2 ORDER BY seq LIMIT $3"
# Whatever goes wrong with the connection or the server: try again, for a while.
_DOWN = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


class _Append:
    """Lines to be written; answered once, however often the connection breaks."""

    def __init__(self, stream: str, expected: int, lines: Sequence[Line], done: Done) -> None:
        self.stream = stream
        self.expected = expected
        self.lines = lines
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
        deadline = begun + PATIENCE_SECONDS
        unsure = False
        while True:
            try:
                connection = await self._connect()
                if unsure:
                    group = await self._leave_out_written(connection, group)
                await self._write(connection, group)
                metrics.appends.add(time.monotonic() - begun, size)
                self.trouble = None
                return
            except _DOWN as error:
                unsure = True
                self.trouble = str(error)[:200] or type(error).__name__
                self._hang_up()
                if time.monotonic() > deadline or self._closing:
                    for append in group:
                        append.answer(Unavailable(str(error)))
                    return
                await asyncio.sleep(RETRY_SECONDS)

    async def _connect(self) -> asyncpg.Connection[asyncpg.Record]:
        if self._connection is None or self._connection.is_closed():
            self._connection = await asyncpg.connect(self._dsn, timeout=5, command_timeout=30)
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
        """Write a group in one transaction; when another node wrote at the same moment, one by one."""
        try:
            fitting = await self._commit(connection, group)
        except asyncpg.UniqueViolationError:
            if len(group) == 1:
                group[0].answer(Conflict(group[0].stream))
                return
            for append in group:
                await self._write(connection, [append])
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
