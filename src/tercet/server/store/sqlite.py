"""The log in SQLite: one writer thread, many appends a sync.

Whatever has been asked for while the last sync ran goes into the next one, so that a thousand tables share the
few hundred syncs that a disk does in a second.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Sequence
from queue import Empty, SimpleQueue

from msgspec import Struct

from tercet.server.store.log import Conflict, Done, Line, Outcome, Unavailable, answer

#: About so many appends share one sync.
GROUP_LIMIT = 1000

#: So many lines go into one statement. What is missing is filled up with nothing, so that few statements will do.
SIZES = tuple(sorted({size for power in range(10) for size in (2**power, 3 * 2**power // 2)} | {1024}))


def _insert_sql(size: int) -> str:
    """One statement for many lines: between two a thread must wait for Python's lock, which under load the event loop
    holds for milliseconds. ``OR ROLLBACK`` spares SQLite a copy of every page it changes."""
    return f"""
INSERT OR ROLLBACK INTO log (stream, seq, at, event, cause)
SELECT column2, column3, column4, column5, column6
FROM (VALUES {", ".join(["(?, ?, ?, ?, ?, ?)"] * size)})
WHERE column1 = (SELECT coalesce(max(seq), 0) FROM log WHERE stream = column2)
"""


_INSERTS = {size: _insert_sql(size) for size in SIZES}

PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 10000", "wal_autocheckpoint = 4000")


class _Append(Struct):
    stream: str
    expected: int
    lines: Sequence[Line]
    done: Done


Batch = tuple[asyncio.AbstractEventLoop, list[_Append]]


class SqliteLog:
    """Appends to the ``log`` table of a database file that has been migrated already."""

    def __init__(self, path: str) -> None:
        #: What was asked for in this round of the event loop; it is handed over to the writer in one go.
        self._asked: list[_Append] = []
        self._batches: SimpleQueue[Batch | None] = SimpleQueue()
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        for pragma in PRAGMAS:
            self._connection.execute(f"PRAGMA {pragma}")
        self._thread = threading.Thread(target=self._run, name="tercet-log", daemon=True)
        self._thread.start()

    def submit(self, stream: str, expected: int, lines: Sequence[Line], done: Done) -> None:
        if not self._asked:
            asyncio.get_running_loop().call_soon(self._hand_over)
        self._asked.append(_Append(stream, expected, lines, done))

    def _hand_over(self) -> None:
        if self._asked:
            self._batches.put((asyncio.get_running_loop(), self._asked))
            self._asked = []

    async def close(self) -> None:
        self._hand_over()
        self._batches.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while (first := self._batches.get()) is not None:
            batches, size, ends = [first], len(first[1]), False
            while size < GROUP_LIMIT:
                try:
                    further = self._batches.get_nowait()
                except Empty:
                    break
                if further is None:
                    ends = True
                    break
                batches.append(further)
                size += len(further[1])
            outcomes = iter(self._write([append for _, asked in batches for append in asked]))
            for loop, asked in batches:
                answers = [(append.done, next(outcomes)) for append in asked]
                try:
                    loop.call_soon_threadsafe(_answer_all, answers)
                except RuntimeError:  # that loop is closed, and nobody waits any more
                    continue
            if ends:
                break
        self._connection.close()

    def _write(self, group: list[_Append]) -> list[Outcome]:
        """Write a group in one transaction; for each append None, or what went wrong."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            if self._insert(group) == sum(len(append.lines) for append in group):
                self._connection.execute("COMMIT")
                return [None] * len(group)
            self._connection.execute("ROLLBACK")
        except sqlite3.IntegrityError:
            pass  # and it is rolled back
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            return [Unavailable(str(error))] * len(group)
        if len(group) == 1:
            return [Conflict(group[0].stream)]
        # Somebody lost a race: now each for itself.
        return [outcome for append in group for outcome in self._write([append])]

    def _insert(self, group: list[_Append]) -> int:
        """Insert the lines of those appends that fit; how many lines."""
        values: list[str | int | None] = []
        inserted = 0
        for append in group:
            if len(values) + 6 * len(append.lines) > 6 * SIZES[-1]:
                inserted += self._insert_values(values)
                values = []
            for line in append.lines:
                values += (append.expected, append.stream, line.seq, line.at, line.event, line.cause)
        return inserted + self._insert_values(values)

    def _insert_values(self, values: list[str | int | None]) -> int:
        size = next(size for size in SIZES if 6 * size >= len(values))
        values += [None] * (6 * size - len(values))
        return self._connection.execute(_INSERTS[size], values).rowcount


def _answer_all(answers: list[tuple[Done, Outcome]]) -> None:
    for done, outcome in answers:
        answer(done, outcome)
