"""A process that reviews, usually at the lowest priority there is: whatever else the machine has to do goes before."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import threading
import zlib
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from time import monotonic, process_time
from typing import Any, NamedTuple

import msgspec

from tercet import record
from tercet.codec import from_data, to_json
from tercet.games import Refusal
from tercet.server.bots.thinking import begin_to_work
from tercet.sets import TercetError
from tercet.study import review as reviews
from tercet.study.review import Progress, ReviewError

logger = logging.getLogger("tercet.reviews")

#: So nice is a process that runs only when nothing else does.
IDLE = 20
#: The code of a review that took more than the seconds it had.
TOO_LONG = "too_long"
#: A process without work ends after so many seconds.
IDLE_SECONDS = 60.0
#: How often the process says how far it has come.
TELL_SECONDS = 0.25


class Wanted(NamedTuple):
    """A record, as JSON, to be reviewed by so many games (None: as usual), in so many seconds of processor time at most."""

    record: str
    games: int | None
    seconds: float


class Tried(NamedTuple):
    """A record, as JSON, and another command than the one in this line of its log, to be judged by so many games (None: as usual)."""

    record: str
    line: int
    command: dict[str, Any]
    games: int | None


class Answer(NamedTuple):
    """JSON, compressed for a review, without the names of the players; or the code of what is in the way, in words too."""

    content: bytes = b""
    problem: str | None = None
    detail: str = ""


class Died(Exception):
    """The process ended before it had answered."""


class Reviewer:
    """Asks a process of its own, one thing at a time. It is started when there is something to ask, and ended when there has
    been nothing for a while."""

    def __init__(self, nice: int) -> None:
        self._nice = nice
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._answer: asyncio.Future[Answer] | None = None
        self._progress: Progress = reviews.unwatched
        self._rest: asyncio.TimerHandle | None = None
        self._asking = asyncio.Lock()

    async def ask(self, question: Wanted | Tried, progress: Progress = reviews.unwatched) -> Answer:
        """What comes of it; `Died` if the process does not live to say it."""
        async with self._asking:
            if self._rest is not None:
                self._rest.cancel()
            if self._process is None or not self._process.is_alive():
                self.close()
                await asyncio.to_thread(self._start, asyncio.get_running_loop())
            assert self._pipe is not None
            self._progress = progress
            self._answer = asyncio.get_running_loop().create_future()
            try:
                try:
                    self._pipe.send(question)
                except OSError:
                    raise Died from None
                return await self._answer
            except BaseException:
                self.close()  # what it is at is not wanted any more
                raise
            finally:
                self._answer = None
                self._rest = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._end_if_idle)

    def close(self) -> None:
        """End the process, whatever it is at."""
        if self._process is not None:
            self._process.kill()
            self._process = None
        if self._rest is not None:
            self._rest.cancel()

    def _end_if_idle(self) -> None:
        if not self._asking.locked():
            self.close()

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._nice), daemon=True)
        self._process.start()
        theirs.close()
        self._pipe = ours
        threading.Thread(target=self._listen, args=(ours, loop), daemon=True).start()

    def _listen(self, pipe: Connection, loop: asyncio.AbstractEventLoop) -> None:
        """Wait for what the process says, in a thread: a review takes long, and the loop's own threads have other work."""
        heard: Any = ()
        while heard is not None:
            try:
                heard = pipe.recv()
            except (EOFError, OSError):
                heard = None
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._hear, pipe, heard)
        pipe.close()

    def _hear(self, pipe: Connection, heard: Answer | tuple[int, int] | None) -> None:
        if pipe is not self._pipe or self._answer is None or self._answer.done():
            return
        if heard is None:
            self._answer.set_exception(Died())
        elif isinstance(heard, Answer):
            self._answer.set_result(heard)
        else:
            self._progress(*heard)


# --- within the process ---


def _work(pipe: Connection, nice: int) -> None:
    begin_to_work(min(nice, 19))
    if nice == IDLE and hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
            # Even so whoever wakes waits a few milliseconds at times: one core is left alone, if there are two.
            cores = os.sched_getaffinity(0)
            os.sched_setaffinity(0, cores - {min(cores)} or cores)
    with suppress(EOFError, OSError):
        while True:
            question = pipe.recv()
            try:
                answer = _review(question, pipe.send) if isinstance(question, Wanted) else _try(question)
            except ReviewError as error:
                answer = Answer(problem=error.code, detail=str(error))
            except TercetError as error:
                answer = Answer(problem=ReviewError.code, detail=str(error))
            except OSError:
                raise
            except Exception as error:
                answer = Answer(problem="review_failed", detail=f"{type(error).__name__}: {error}")
            pipe.send(answer)


class _TooLong(ReviewError):
    """A review that would take too much of the machine."""

    code = TOO_LONG


def _review(wanted: Wanted, tell: Callable[[tuple[int, int]], None]) -> Answer:
    told, begun = monotonic(), process_time()

    def progress(done: int, total: int) -> None:
        nonlocal told
        if process_time() - begun > wanted.seconds:
            raise _TooLong(f"a review may take {wanted.seconds:g} seconds here, and this one needs more")
        if monotonic() - told > TELL_SECONDS:
            told = monotonic()
            tell((done, total))

    seen = reviews.review(record.read(wanted.record), wanted.games, progress)
    return Answer(zlib.compress(to_json(msgspec.structs.replace(seen, players=()))))


def _try(tried: Tried) -> Answer:
    played = record.read(tried.record)
    command = from_data(tried.command, played.rules.commands)
    outcome = reviews.what_if(played, tried.line, command, tried.games)
    if isinstance(outcome, Refusal):
        return Answer(to_json({"refusal": outcome.data}))
    return Answer(to_json({"judged": outcome}))
