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

from tercet.server.store.log import Conflict, Line, Unavailable

#: So many appends at most share one sync.
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
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]


class SqliteLog:
    """Appends to the ``log`` table of a database file that has been migrated already."""

    def __init__(self, path: str) -> None:
        self._asked: SimpleQueue[_Append | None] = SimpleQueue()
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        for pragma in PRAGMAS:
            self._connection.execute(f"PRAGMA {pragma}")
        self._thread = threading.Thread(target=self._run, name="tercet-log", daemon=True)
        self._thread.start()

    async def append(self, stream: str, expected: int, lines: Sequence[Line]) -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._asked.put(_Append(stream, expected, lines, loop, done))
        await done

    async def close(self) -> None:
        self._asked.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while (first := self._asked.get()) is not None:
            group = [first]
            ends = False
            while len(group) < GROUP_LIMIT:
                try:
                    further = self._asked.get_nowait()
                except Empty:
                    break
                if further is None:
                    ends = True
                    break
                group.append(further)
            self._answer(group, self._write(group))
            if ends:
                break
        self._connection.close()

    def _write(self, group: list[_Append]) -> list[Exception | None]:
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

    @staticmethod
    def _answer(group: list[_Append], outcomes: list[Exception | None]) -> None:
        loops: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], Exception | None]]] = {}
        for append, outcome in zip(group, outcomes, strict=True):
            loops.setdefault(append.loop, []).append((append.done, outcome))
        for loop, answers in loops.items():
            try:
                loop.call_soon_threadsafe(_resolve, answers)
            except RuntimeError:  # that loop is closed, and nobody waits any more
                continue


def _resolve(answers: list[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for done, outcome in answers:
        if done.done():
            continue
        if outcome is None:
            done.set_result(None)
        else:
            done.set_exception(outcome)
