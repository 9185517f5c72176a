"""The lines of all streams in SQLite: written down together first, sorted into their streams a little later.

Every stream ends on a page of its own, and a page is what a commit costs. So the lines of a commit go into one row of
the table ``fresh``; only when thousands have come together, and many of them go to the same page, are they sorted into
``log``, some streams at a time. Nothing is lost on the way: a row of ``fresh`` is deleted after all its lines are in
the log, and a line that is there already is not written again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection

from tercet.server.store.log import Conflict, Done, Line, Outcome, ends

#: When so many lines have come together, they are sorted into their streams; after each group about so many, so that
#: nobody waits for long, but more than have just come.
TAIL_LIMIT = 8192
AT_ONCE = 128

#: So many lines go into one statement. What is missing is filled up with nothing, so that few statements will do.
SIZES = tuple(sorted({size for power in range(10) for size in (2**power, 3 * 2**power // 2)} | {1024}))

# One statement for many lines: between two a thread must wait for Python's lock, which under load the event loop holds
# for milliseconds. OR IGNORE passes over what is there already, and over the nothing at the end.
_INSERTS = {
    size: f"INSERT OR IGNORE INTO log (stream, seq, at, event, cause) VALUES {', '.join(['(?, ?, ?, ?, ?)'] * size)}"
    for size in SIZES
}
_LAST = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'fresh'), 0)"
_WRITE = f"INSERT INTO fresh (lines) SELECT ? WHERE ? = ({_LAST})"
_ENDS = "SELECT value, (SELECT max(seq) FROM log WHERE stream = value) FROM json_each(?)"

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[tuple[str, list[Line]]]).decode


async def unsorted_lines(connection: AsyncConnection) -> list[tuple[str, Line]]:
    """The lines that are not in the log yet, each with its stream, as this connection sees both."""
    rows = await connection.exec_driver_sql("SELECT lines FROM fresh ORDER BY id")
    written = [found for (row,) in rows for found in _decode(row)]
    known = await ends(connection, [stream for stream, _ in written])
    return [(stream, line) for stream, lines in written for line in lines if line.seq > known.get(stream, 0)]


class Append(msgspec.Struct):
    """Lines to be written after line number ``expected`` of a stream, all or none."""

    stream: str
    expected: int
    lines: Sequence[Line]
    done: Done


class TailedLog:
    """For one thread at a time. Other processes may write to the same database: that is noticed by the number of the
    last row of ``fresh``, which is given once."""

    def __init__(
        self, connection: sqlite3.Connection, tail_limit: int = TAIL_LIMIT, at_once: int = AT_ONCE
    ) -> None:
        self._connection = connection
        self._tail_limit = tail_limit
        self._at_once = at_once
        #: The lines of each stream that are not known to be in the log yet.
        self._tail: dict[str, list[Line]] = {}
        self._last = 0
        #: How many lines have come since the last time that sorting began, and with the last group; what streams are
        #: still to be sorted, and the last row of which all lines are in the log when that is done.
        self._come = 0
        self._just_come = 0
        self._unsorted: list[str] = []
        self._sorted_last = 0
        self.settle()

    def append(self, group: Sequence[Append]) -> list[Outcome]:
        """Write those that fit, in one transaction."""
        while True:
            last = self._ends({append.stream for append in group})
            fitting: list[Append] = []
            outcomes: list[Outcome] = []
            for append in group:
                if last[append.stream] == append.expected:
                    last[append.stream] += len(append.lines)
                    fitting.append(append)
                    outcomes.append(None)
                else:
                    outcomes.append(Conflict(append.stream))
            if not fitting or self._write(fitting):
                return outcomes
            self.settle()

    def sort_some(self) -> None:
        """Sort lines of some streams into the log, if enough have come together."""
        if not self._unsorted:
            if self._come < self._tail_limit:
                return
            self._unsorted, self._sorted_last, self._come = sorted(self._tail), self._last, 0
        streams, size = [], 0
        for stream in reversed(self._unsorted):
            if size >= max(self._at_once, 2 * self._just_come):
                break
            streams.append(stream)
            size += len(self._tail.get(stream, ()))
        self._sort(streams)
        del self._unsorted[-len(streams) :]
        if not self._unsorted:
            self._connection.execute("DELETE FROM fresh WHERE id <= ?", (self._sorted_last,))

    def settle_stream(self, stream: str) -> None:
        """Sort all lines of this stream into the log, whoever wrote them."""
        if self._last_row() != self._last:
            self.settle()
        elif stream in self._tail:
            self._sort([stream])

    def settle(self) -> None:
        """Sort all lines into the log, whoever wrote them."""
        with self._transaction():
            fresh: dict[str, list[Line]] = {}
            for (written,) in self._connection.execute("SELECT lines FROM fresh ORDER BY id"):
                for stream, lines in _decode(written):
                    fresh.setdefault(stream, []).extend(lines)
            self._insert(fresh.items())
            self._connection.execute("DELETE FROM fresh")
            last = self._last_row()
        self._tail.clear()
        self._unsorted.clear()
        self._come = 0
        self._last = last

    def _ends(self, streams: set[str]) -> dict[str, int]:
        """The number of the last line of each of these streams, as far as is known here."""
        last = {stream: lines[-1].seq for stream in streams if (lines := self._tail.get(stream))}
        if len(last) < len(streams):
            others = msgspec.json.encode([stream for stream in streams if stream not in last]).decode()
            last |= {stream: end or 0 for stream, end in self._connection.execute(_ENDS, (others,))}
        return last

    def _write(self, group: Sequence[Append]) -> bool:
        """Write a new row, unless somebody else has written one since the last of ours."""
        written = _encode([(append.stream, append.lines) for append in group])
        if not self._connection.execute(_WRITE, (written, self._last)).rowcount:
            return False
        self._last += 1
        self._just_come = 0
        for append in group:
            self._tail.setdefault(append.stream, []).extend(append.lines)
            self._just_come += len(append.lines)
        self._come += self._just_come
        return True

    def _last_row(self) -> int:
        """The number of the last row that anybody has written, also when it is deleted again."""
        last: int = self._connection.execute(_LAST).fetchone()[0]
        return last

    def _sort(self, streams: Sequence[str]) -> None:
        self._insert((stream, self._tail.get(stream, [])) for stream in streams)
        for stream in streams:
            self._tail.pop(stream, None)

    def _insert(self, fresh: Iterable[tuple[str, list[Line]]]) -> None:
        values = [
            value
            for stream, lines in fresh
            for line in lines
            for value in (stream, line.seq, line.at, line.event, line.cause)
        ]
        most = 5 * SIZES[-1]
        for first in range(0, len(values), most):
            some = values[first : first + most]
            size = next(size for size in SIZES if 5 * size >= len(some))
            some += [None] * (5 * size - len(some))
            self._connection.execute(_INSERTS[size], some)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
