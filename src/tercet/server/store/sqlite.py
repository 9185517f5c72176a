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
from typing import NamedTuple

import msgspec

from tercet.server.store.log import Conflict, Done, Line, Outcome, Unavailable, answer

#: About so many appends share one sync.
GROUP_LIMIT = 1000

# One statement for the whole group: between two statements a thread must wait for Python's lock, and under load
# the event loop holds it for milliseconds.
_INSERT = """
INSERT INTO log (stream, seq, at, event, cause)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[2]'), json_extract(value, '$[3]'),
       json_extract(value, '$[4]'), json_extract(value, '$[5]')
FROM json_each(?) AS line
WHERE json_extract(value, '$[1]') =
      (SELECT coalesce(max(seq), 0) FROM log WHERE stream = json_extract(line.value, '$[0]'))
"""

PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 10000")


class _Append(NamedTuple):
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
            if self._insert(group) == sum(len(append.lines) for append in group):
                self._connection.execute("COMMIT")
                return [None] * len(group)
            self._connection.execute("ROLLBACK")
            if len(group) == 1:
                return [Conflict(group[0].stream)]
        except sqlite3.IntegrityError:
            self._connection.execute("ROLLBACK")
            if len(group) == 1:
                return [Conflict(group[0].stream)]
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            return [Unavailable(str(error))] * len(group)
        # Somebody lost a race: now each for itself.
        return [outcome for append in group for outcome in self._write([append])]

    def _insert(self, group: list[_Append]) -> int:
        """Insert the lines of those appends that fit; how many lines."""
        rows = [[append.stream, append.expected, *line] for append in group for line in append.lines]
        self._connection.execute("BEGIN IMMEDIATE")
        return self._connection.execute(_INSERT, (msgspec.json.encode(rows).decode(),)).rowcount


def _answer_all(answers: list[tuple[Done, Outcome]]) -> None:
    for done, outcome in answers:
        answer(done, outcome)
