"""A run begins: one at a time for each person, the puzzle of a day once."""

from __future__ import annotations

import asyncio

from sqlalchemy import select, text

from tercet.games.runs import Reason, Run
from tercet.server.ids import today
from tercet.server.people.people import PeopleError, Visitor
from tercet.server.projections.writer import AnotherRun
from tercet.server.protocol import AtRun, NewTable, PersonSeat, RunCreated
from tercet.server.room.rooms import Rooms
from tercet.server.runs.days import Days
from tercet.server.store import Store, Unavailable, schema

#: How long is waited for what another request does with the same run, before each time that it is tried again.
PAUSES = (0.05, 0.1, 0.2, 0.4)


async def begin(
    store: Store, rooms: Rooms, days: Days, visitor: Visitor, run: Run, day: str | None
) -> RunCreated:
    """The table for a run: a new one, or the one that the visitor has for it already."""
    seed = None
    now = today()
    if run.daily:
        day = day or now
        puzzle = await days.find(run.name, day) if day <= now else None
        if puzzle is None:
            raise PeopleError("no_such_day", "there is no such puzzle for this day")
        seed = puzzle.seed
    elif day is not None:
        raise PeopleError("no_such_day", f"{run.name} is no puzzle of a day")
    for pause in (*PAUSES, None):
        found = await _reuse(store, rooms, visitor, run, day)
        if found is not None:
            return found
        reason = _over(day)
        if day is not None and reason is None and await has_begun(store, visitor, run, day):
            reason = "played_before"
        options = {**run.options, "day": day} if run.daily else dict(run.options)
        wanted = NewTable(
            game=run.game,
            options=options,
            seats=[PersonSeat()] * run.most_seats,
            late_join=False,
            chat=False,
        )
        try:
            room = await rooms.create(visitor, wanted, AtRun(run.name, day, reason), seed)
        except AnotherRun:  # a moment ago, by another request
            if pause is not None:
                await asyncio.sleep(pause)
            continue
        return RunCreated(room.code, False, reason)
    # The row of a table of which nothing was written: it is away when the visitor tries again.
    await rooms.mend(await _open_runs(store, visitor, run, day))
    raise Unavailable


def _over(day: str | None) -> Reason | None:
    """Why a run of this day does not count any more, whenever its table was made."""
    return "day_over" if day is not None and day < today() else None


async def _reuse(
    store: Store, rooms: Rooms, visitor: Visitor, run: Run, day: str | None
) -> RunCreated | None:
    """The table that the visitor has open for this run, if its clock runs or has not begun; `PeopleError` while another clock runs."""
    waiting = None
    await rooms.find_runs(visitor.ids)
    # The rows are a moment behind the tables in memory.
    codes = [*await _open_runs(store, visitor, run, day), *rooms.running(visitor.ids)]
    for code in dict.fromkeys(codes):
        room = await rooms.find(code)
        if room is None or room.state.run is None:
            continue
        state, at = room.state, room.state.run
        is_same = (at.kind, at.day) == (run.name, day)
        if room.is_playing and not visitor.ids.isdisjoint(state.people()):
            if not is_same:
                raise PeopleError("run_running", f"your run at table {code} is not over")
            return RunCreated(code, True, at.reason)
        was_played = state.last is not None or state.phase == "playing"
        if is_same and not (state.is_daily and was_played):
            waiting = RunCreated(code, False, at.reason or _over(day))
    return waiting


async def _open_runs(store: Store, visitor: Visitor, run: Run, day: str | None) -> list[str]:
    """The tables that the visitor has for this run."""
    tables = schema.tables
    query = (
        select(tables.c.code)
        .where(tables.c.host.in_(visitor.ids), text(schema.IS_OF_RUN), text(schema.IS_OPEN))
        .where(tables.c.run == run.name, tables.c.day == day)
        .order_by(tables.c.created_time.desc())
    )
    async with store.reading() as connection:
        return list((await connection.execute(query)).scalars())


async def has_begun(store: Store, visitor: Visitor, run: Run, day: str) -> bool:
    """Whether the visitor has seen this puzzle before."""
    tables, games = schema.tables, schema.games
    query = (
        select(games.c.id)
        .join(tables, tables.c.code == games.c.code)
        .where(
            tables.c.host.in_(visitor.ids),
            text(schema.IS_OF_RUN),
            tables.c.run == run.name,
            tables.c.day == day,
        )
        .limit(1)
    )
    async with store.reading() as connection:
        return (await connection.execute(query)).first() is not None
