"""The log in SQLite: one writer thread, many appends a sync.

Whatever has been asked for while the last sync ran goes into the next one, so that a thousand tables share the
few hundred syncs that a disk does in a second.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from queue import Empty, SimpleQueue
from time import monotonic

from sqlalchemy.ext.asyncio import AsyncConnection

from tercet.server import metrics
from tercet.server.store.log import Done, Line, Outcome, Unavailable, answer_all, write_apart
from tercet.server.store.tail import Append, TailedLog, unsorted_lines

logger = logging.getLogger("tercet.log")

#: About so many appends share one sync.
GROUP_LIMIT = 1000

PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 10000", "wal_autocheckpoint = 4000")

Batch = tuple[asyncio.AbstractEventLoop, list[Append], float]


#: What SQLite calls errors that are nobody's: busy, locked, no memory, read-only, interrupted, no disk, broken, full,
#: not to be opened, a lock that cannot be had, no database.
_AWAY = {5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 26}


def is_away(error: BaseException | None) -> bool:
    """Whether an error means that the database cannot be used now, whoever asks."""
    code = getattr(error, "sqlite_errorcode", None)
    return code & 0xFF in _AWAY if code is not None else isinstance(error, OSError)


class SqliteLog:
    """Appends to the log of a database file that has been migrated already."""

    def __init__(self, path: str) -> None:
        self.trouble: str | None = None
        #: What was asked for in this round of the event loop; it is handed over to the writer in one go.
        self._asked: list[Append] = []
        self._batches: SimpleQueue[Batch | None] = SimpleQueue()
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        for pragma in PRAGMAS:
            self._connection.execute(f"PRAGMA {pragma}")
        self._lines = TailedLog(self._connection)
        #: Held by whoever writes in this process; and one at a time of those who write something else than the log.
        self._lock = threading.Lock()
        self._one_aside = asyncio.Lock()
        #: Not one of the threads that everybody shares: passwords and hints may keep those for long.
        self._settling = ThreadPoolExecutor(1, "tercet-settle")
        self._thread = threading.Thread(target=self._run, name="tercet-log", daemon=True)
        self._thread.start()

    def submit(self, stream: str, expected: int, lines: Sequence[Line], done: Done) -> None:
        if not self._asked:
            asyncio.get_running_loop().call_soon(self._hand_over)
        self._asked.append(Append(stream, expected, lines, done))

    async def unsorted(self, connection: AsyncConnection) -> list[tuple[str, Line]]:
        return await unsorted_lines(connection)

    async def settle(self, stream: str | None = None) -> None:
        await asyncio.get_running_loop().run_in_executor(self._settling, self._settle, stream)

    @asynccontextmanager
    async def aside(self) -> AsyncIterator[None]:
        # Whoever finds SQLite's own lock taken sleeps and tries again, longer each time: with several who write that
        # becomes half a second. Here everybody is woken in time.
        async with self._one_aside:
            taking = asyncio.get_running_loop().run_in_executor(self._settling, self._lock.acquire)
            try:
                await asyncio.shield(taking)
            except asyncio.CancelledError:
                taking.add_done_callback(lambda _: self._lock.release())
                raise
            try:
                yield
            finally:
                self._lock.release()

    async def close(self) -> None:
        self._hand_over()
        self._batches.put(None)
        await asyncio.to_thread(self._thread.join)
        self._settling.shutdown()

    def _hand_over(self) -> None:
        if self._asked:
            self._batches.put((asyncio.get_running_loop(), self._asked, monotonic()))
            self._asked = []

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
            outcomes = iter(self._write([append for _, asked, _ in batches for append in asked]))
            written = monotonic()
            for loop, asked, begun in batches:
                metrics.appends.add(written - begun, len(asked))
                answers = [(append.done, next(outcomes)) for append in asked]
                try:
                    loop.call_soon_threadsafe(answer_all, answers)
                except RuntimeError:  # that loop is closed, and nobody waits any more
                    continue
            if ends:
                break
            self._tidy(self._lines.sort_some)
        self._tidy(self._lines.settle)
        with self._lock:
            self._connection.close()

    def _write(self, group: list[Append]) -> list[Outcome]:
        """For each append None, or what went wrong."""
        try:
            with self._lock:
                outcomes = write_apart(group, self._lines.append, is_away)
            self.trouble = None
            return outcomes
        except Exception as error:
            self.trouble = str(error)[:200]
            # Whatever it is: the thread goes on. What was written of the group shows when it is read again.
            logger.exception("lines could not be written")
            return [Unavailable(str(error))] * len(group)

    def _tidy(self, work: Callable[[], None]) -> None:
        """What need not be done now: nothing is lost when it fails."""
        try:
            with self._lock:
                work()
        except Exception:
            logger.exception("lines could not be sorted into their streams")

    def _settle(self, stream: str | None) -> None:
        try:
            with self._lock:
                if stream is None:
                    self._lines.settle()
                else:
                    self._lines.settle_stream(stream)
        except sqlite3.Error as error:
            raise Unavailable(str(error)) from None
