"""The log: ordered lines in streams, each number given once, on disk before anybody hears of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeVar

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from tercet.server.store import schema

logger = logging.getLogger("tercet.log")

T = TypeVar("T")

#: So many streams at most are asked for at once.
MANY = 500


class Line(Struct, frozen=True, gc=False, array_like=True):
    """One event as it is kept. ``cause`` names the command behind it, so that none is carried out twice."""

    seq: int
    at: int
    event: str
    cause: str | None = None


class Conflict(Exception):
    """Somebody else has written to the stream since: read it again and decide anew."""


class Unavailable(Exception):
    """The store cannot be reached; whether the lines were written shows when they are read again."""


class Rejected(Unavailable):
    """The store is there, but does not take these lines: whoever asked for them is refused, and nobody else."""


Outcome = Conflict | Unavailable | None
Done = Callable[[Outcome], None]


def write_apart(
    group: Sequence[T], write: Callable[[Sequence[T]], list[Outcome]], is_away: Callable[[Exception], bool]
) -> list[Outcome]:
    """Write a group; if the store does not take it, by halves, until those are found that it does not take.

    What ``is_away`` says of an error is that the store itself is not well: then nobody is to blame.
    """
    try:
        return write(group)
    except Exception as error:
        if is_away(error):
            raise
        if len(group) == 1:
            logger.exception("lines could not be written")
            return [Rejected(type(error).__name__)]
        half = len(group) // 2
        return write_apart(group[:half], write, is_away) + write_apart(group[half:], write, is_away)


def answer_all(answers: Iterable[tuple[Done, Outcome]]) -> None:
    """Say how appends went. What goes wrong with whoever hears it must not keep the others waiting."""
    for done, outcome in answers:
        try:
            done(outcome)
        except Exception:
            logger.exception("what was written could not be told")


class Log(Protocol):
    """Appending, which is the hot path; each database does it in its own words."""

    #: Why the last lines could not be written; None if they were.
    trouble: str | None

    def submit(self, stream: str, expected: int, lines: Sequence[Line], done: Done) -> None:
        """Write these lines after line number ``expected``, all or none.

        When they are on disk, ``done`` is called with None, in the event loop and never before this returns; or
        else with `Conflict` if the stream does not end with that number, `Unavailable` if the store cannot be reached.
        """

    async def unsorted(self, connection: AsyncConnection) -> list[tuple[str, Line]]:
        """The lines that are not in the table ``log`` yet, each with its stream, as this connection sees it."""

    async def settle(self, stream: str | None = None) -> None:
        """See to it that all lines of this stream, or of all, are in the table ``log``, whoever wrote them.
        `Unavailable` if that cannot be done now."""

    def aside(self) -> AbstractAsyncContextManager[None]:
        """Somebody else writes to the database meanwhile, but not for long, and uses no log."""

    async def close(self) -> None: ...


async def ends(connection: AsyncConnection, streams: Sequence[str]) -> dict[str, int]:
    """The number of the last line of each of these streams."""
    log = schema.log
    found: dict[str, int] = {}
    for first in range(0, len(streams), MANY):
        some = streams[first : first + MANY]
        query = select(log.c.stream, func.max(log.c.seq)).where(log.c.stream.in_(some)).group_by(log.c.stream)
        found |= {stream: int(seq) for stream, seq in await connection.execute(query)}
    return found


async def read(connection: AsyncConnection, stream: str, after: int = 0) -> list[Line]:
    """The lines of a stream after this number."""
    log = schema.log
    query = (
        select(log.c.seq, log.c.at, log.c.event, log.c.cause)
        .where(log.c.stream == stream, log.c.seq > after)
        .order_by(log.c.seq)
    )
    return [Line(*row) for row in await connection.execute(query)]
