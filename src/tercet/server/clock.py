"""The server's own time, which the machine's clock cannot push about.

Deadlines and forgotten tables are counted on it. It never goes back, and while no server is seen, at most
`UNSEEN_MS` of it pass, whatever the machine's clock says afterwards: a clock that was put back stops no
deadline, and one that was put forward plays no game out. So it may fall behind the clock on the wall. By how much, and
since when, is kept in the table ``clock``, so that people are shown dates as they know them.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Iterable

from msgspec import Struct
from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tercet.server import ids
from tercet.server.protocol import (
    AskedReview,
    BoardLine,
    GameSummary,
    RunSummary,
    TableSummary,
    Token,
)
from tercet.server.store import Store, schema

#: How often it is written down that a server is there, and how much time can pass unseen at most: a little more than a
#: quick restart takes, and hardly more than one deadline.
SEEN_SECONDS = 5
UNSEEN_MS = 15_000
#: A difference that a clock may show without having been touched.
DRIFT_MS = 1000


#: The fields of what people are shown that are moments.
DATES = ("created_time", "used_time", "start_time", "end_time", "asked_time", "expires_time")

Dated = TableSummary | GameSummary | Token | AskedReview | RunSummary | BoardLine


class Era(Struct, frozen=True):
    """From ``since`` on (server time) the wall clock is ``ahead`` by so much; ``seen`` is when a server was last there."""

    since: int
    ahead: int
    seen: int


def go_on(last: Era | None, wall: int) -> Era:
    """What the server's time is (``seen``) when a server starts at this wall time, and how far the wall clock is ahead.

    >>> HOUR, DAY = 3_600_000, 86_400_000
    >>> go_on(None, 1000 * DAY).seen // DAY
    1000
    >>> last = Era(since=1000 * DAY, ahead=0, seen=1001 * DAY)
    >>> go_on(last, 1001 * DAY + 3000) == Era(since=1000 * DAY, ahead=0, seen=1001 * DAY + 3000)
    True
    >>> back = go_on(last, 1001 * DAY - HOUR)  # the clock was put back: time goes on from where it was
    >>> back.seen == 1001 * DAY, back.ahead == -HOUR
    (True, True)
    >>> later = go_on(last, 1064 * DAY)  # it was put forward, or the server was off
    >>> later.seen - last.seen == UNSEEN_MS, (later.ahead + UNSEEN_MS) // DAY
    (True, 63)
    """
    if last is None:
        return Era(wall, 0, wall)
    supposed = wall - last.ahead
    now = min(max(supposed, last.seen), last.seen + UNSEEN_MS)
    if abs(supposed - now) <= DRIFT_MS:
        return Era(last.since, last.ahead, now)
    return Era(max(now, last.since + 1), wall - now, now)


async def is_served(connection: AsyncConnection) -> bool:
    """Whether a server was there a moment ago."""
    clock = schema.clock
    newest = select(clock.c.seen + clock.c.ahead).order_by(clock.c.since.desc()).limit(1)
    seen = (await connection.execute(newest)).scalar()
    return seen is not None and abs(time.time() * 1000 - seen) < 3000 * SEEN_SECONDS


class Clock:
    """The server's time in this store. Starting it sets `tercet.server.ids.now_ms`."""

    def __init__(self, store: Store, eras: list[Era]) -> None:
        self._store = store
        self._eras = eras

    @classmethod
    async def start(cls, store: Store) -> Clock:
        """Go on from when a server was last seen; the first time from the newest time that is known of any table."""
        table = schema.clock
        async with store.writing(exclusive=True) as connection:
            rows = await connection.execute(select(table).order_by(table.c.since))
            eras = [Era(row.since, row.ahead, row.seen) for row in rows]
            wall = time.time_ns() // 1_000_000
            last = eras[-1] if eras else None
            if last is None:
                newest = (await connection.execute(select(func.max(schema.tables.c.changed_time)))).scalar()
                last = None if newest is None else Era(0, 0, int(newest))
            era = go_on(last, wall)
            if eras and era.since == eras[-1].since:
                eras[-1] = era
                await connection.execute(
                    update(table).where(table.c.since == era.since).values(seen=era.seen)
                )
            else:
                eras.append(era)
                row = {"since": era.since, "ahead": era.ahead, "seen": era.seen}
                await connection.execute(insert(table).values(row))
        ids.set_time(era.seen)
        return cls(store, eras)

    async def note(self) -> None:
        """Write down that a server is there."""
        table, now = schema.clock, int(ids.now_ms())
        newest = select(func.max(table.c.since)).scalar_subquery()
        async with self._store.writing() as connection:
            await connection.execute(
                update(table).where(table.c.since == newest, table.c.seen < now).values(seen=now)
            )

    def show(self, things: Iterable[Dated]) -> None:
        """Put the times that people are shown on the wall clock."""
        for thing in things:
            for name in DATES:
                moment = getattr(thing, name, None)
                if moment is not None:
                    setattr(thing, name, self.wall(moment))

    def wall(self, moment: int) -> int:
        """What the clock on the wall showed at this moment of the server's time."""
        place = bisect_right(self._eras, moment, key=lambda era: era.since)
        return moment + (self._eras[place - 1].ahead if place else 0)

    def around(self, begin: int, end: int) -> tuple[int, int]:
        """Moments of the server's time between which lie all at which the clock on the wall showed a time between these, and perhaps others."""
        ahead = [0, *(era.ahead for era in self._eras)]
        return begin - max(ahead), end - min(ahead)
