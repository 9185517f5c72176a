"""A run begins: one at a time for each person, the puzzle of a day once."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import select, text

from tercet.games.runs import Run
from tercet.server.ids import today
from tercet.server.people.people import PeopleError, Visitor
from tercet.server.projections.writer import AnotherRun
from tercet.server.protocol import AtRun, NewTable, PersonSeat, RunCreated
from tercet.server.room.rooms import Rooms
from tercet.server.runs.days import Days
from tercet.server.store import Store, schema


class _OpenRun(NamedTuple):
    code: str
    run: str
    day: str | None


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
    while True:
        found = await _reuse(store, rooms, visitor, run, day)
        if found is not None:
            return found
        reason = None
        if day is not None and day < now:
            reason = "day_over"
        elif day is not None and await has_begun(store, visitor, run, day):
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
            continue
        return RunCreated(room.code, False, reason)


async def _reuse(
    store: Store, rooms: Rooms, visitor: Visitor, run: Run, day: str | None
) -> RunCreated | None:
    """The table that the visitor has open for this run, if its clock runs or has not begun; `PeopleError` while another clock runs."""
    waiting = None
    for one in await _open_runs(store, visitor):
        room = await rooms.find(one.code)
        if room is None or room.state.run is None:
            continue
        state, at = room.state, room.state.run
        is_same = (at.kind, at.day) == (run.name, day)
        if state.phase == "playing" and not visitor.ids.isdisjoint(state.people()):
            if not is_same:
                raise PeopleError("run_running", f"your run at table {one.code} is not over")
            return RunCreated(one.code, True, at.reason)
        if is_same and not (state.is_daily and state.last is not None):
            waiting = RunCreated(one.code, False, at.reason)
    return waiting


async def _open_runs(store: Store, visitor: Visitor) -> list[_OpenRun]:
    tables = schema.tables
    query = (
        select(tables.c.code, tables.c.run, tables.c.day)
        .where(tables.c.host.in_(visitor.ids), text(schema.IS_OF_RUN), text(schema.IS_OPEN))
        .order_by(tables.c.created_time.desc())
        .limit(50)
    )
    async with store.reading() as connection:
        return [_OpenRun(*row) for row in await connection.execute(query)]


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
