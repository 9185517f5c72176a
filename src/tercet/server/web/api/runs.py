"""Runs against the clock over HTTP: where they begin, the boards, and the puzzles of days. Playing itself goes over a table's WebSocket."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal

from litestar import Controller, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tercet.codec import to_data
from tercet.games import part
from tercet.games.runs import Run, find_run, runs
from tercet.server.ids import today
from tercet.server.people.people import PeopleError, Visitor
from tercet.server.projections import boards
from tercet.server.projections.rows import periods_of
from tercet.server.protocol import (
    Board,
    Calendar,
    Daily,
    DayLine,
    MyRuns,
    NewRun,
    RunCreated,
    RunInfo,
    TurnValue,
)
from tercet.server.runs.begin import begin, has_begun
from tercet.server.service import Service
from tercet.server.web.asking import ANY_TOKEN, PLAY, READ, Here, Id, Maybe, Who

Kind = Annotated[str, PathParameter(max_length=40, pattern=r"^[a-z_]+$")]
Period = Literal["day", "week", "month", "ever"]
PERIODS = ("day", "week", "month", "ever")
DAY_MS = 24 * 3600 * 1000
#: So many lines of a board stand with the puzzle of a day.
BEST = 10


class RunsApi(Controller):
    """Runs against the clock, their boards, and the puzzles of days."""

    path = "/api"
    tags = ("runs",)

    @get("/runs", summary="The kinds of runs", sync_to_thread=False, opt=ANY_TOKEN)
    def kinds(self) -> list[RunInfo]:
        return [
            RunInfo(run.name, run.game, dict(run.options), run.order, run.most_seats, run.daily)
            for run in runs().values()
        ]

    @post("/runs", summary="Begin a run", opt=PLAY)
    async def new_run(self, service: Here, visitor: Who, data: JSONBody[NewRun]) -> RunCreated:
        """A table at which you play against the clock: join it and say ``start``. While another run of yours goes on there is no new one."""
        visitor.check_player()
        run = find_run(data.kind)
        service.rates.new_tables.check(visitor.id, "you begin too many runs; wait a minute")
        return await begin(
            service.store, service.rooms, service.days, visitor, run, _day(data.day) if data.day else None
        )

    @get("/me/runs", summary="My runs of a kind", opt=READ)
    async def my_runs(
        self,
        service: Here,
        visitor: Who,
        kind: Annotated[str, QueryParameter(max_length=40, description="the kind of run")],
        before: Annotated[
            str | None,
            QueryParameter(max_length=40, description="the game of the last run that is known already"),
        ] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=200, description="how many at most")] = boards.PAGE,
    ) -> MyRuns:
        """The best, the last, the average, and a page of them, the latest first."""
        await service.rooms.projector.flush()
        found = await boards.runs_of(service.store, visitor.id, find_run(kind).name, today(), limit, before)
        dated = {id(run): run for run in (found.best, found.last, *found.runs) if run is not None}
        service.clock.show(dated.values())
        return found

    @get("/boards/{kind:str}", summary="A board", opt=ANY_TOKEN)
    async def board(
        self,
        service: Here,
        maybe: Maybe,
        kind: Kind,
        period: Annotated[Period, QueryParameter(description="day, week, month or ever")] = "day",
        on: Annotated[
            str | None,
            QueryParameter(max_length=10, description="a day of that period; today if it is left out"),
        ] = None,
        among: Annotated[
            Literal["all", "company"], QueryParameter(description="all, or those with whom you have played")
        ] = "all",
        after: Annotated[
            str | None, QueryParameter(max_length=120, description="``next`` of the page before")
        ] = None,
        around: Annotated[bool, QueryParameter(description="the part around your own line")] = False,
        limit: Annotated[
            int, QueryParameter(ge=1, le=boards.MOST, description="how many lines")
        ] = boards.PAGE,
    ) -> Board:
        """The best runs of a period, each person once; those of guests only they see."""
        run = find_run(kind)
        if among == "company" and maybe is None:
            raise PeopleError("bad_request", "say who you are first: POST /api/session")
        await service.rooms.projector.flush()
        of = periods_of(_day(on or today()))[PERIODS.index(period)]
        person = None if maybe is None else maybe.id
        page = await _ask(service, run, of, person, among=among, after=after, around=around, limit=limit)
        return Board(
            kind=run.name,
            period=period,
            on=of,
            among=among,
            count=page.count,
            lines=page.lines,
            yours=page.yours,
            listed=maybe is not None and maybe.account is not None,
            next=page.next,
        )

    @get("/daily/{kind:str}", summary="The days of a month", opt=ANY_TOKEN)
    async def calendar(
        self,
        service: Here,
        maybe: Maybe,
        kind: Kind,
        month: Annotated[
            str | None, QueryParameter(max_length=7, description="as in 2026-11; this one if it is left out")
        ] = None,
    ) -> Calendar:
        """With the hash of each puzzle, also of those to come, and the seed of each day that is over."""
        run, now = _daily(kind), today()
        month = _month(month) if month else now[:7]
        first, last = f"{month}-01", f"{month}-31"
        found = await service.days.between(run.name, first, last)
        yours = {}
        if maybe is not None:
            await service.rooms.projector.flush()
            yours = await boards.days_of(service.store, maybe.id, run.name, first, last)
            service.clock.show(yours.values())
        days = [
            DayLine(
                day=one.day,
                level=one.level,
                commitment=one.commitment,
                seed=one.seed if one.day < now else None,
                yours=yours.get(one.day),
            )
            for one in found
        ]
        return Calendar(kind=run.name, today=now, month=month, days=days)

    @get("/daily/{kind:str}/{day:str}", summary="The puzzle of a day", opt=ANY_TOKEN)
    async def daily(self, service: Here, maybe: Maybe, kind: Kind, day: Id) -> Daily:
        """What is asked on this day (``today`` will do), how people did, and the best of them. The answers come when the day is over."""
        run, now = _daily(kind), today()
        day = now if day == "today" else _day(day)
        puzzle = await service.days.find(run.name, day)
        if puzzle is None:
            raise PeopleError("no_such_day", "there is no such puzzle for this day")
        return await _show_day(service, run, puzzle, maybe, now)


async def _ask(service: Service, run: Run, of: str, person: str | None, **how: Any) -> boards.Page:
    try:
        page = await boards.ask_board(service.store, run.name, of, person=person, **how)
    except ValueError:
        raise PeopleError("bad_request", "after: this is not where a page ended") from None
    service.clock.show([*page.lines, *([page.yours] if page.yours is not None else [])])
    return page


async def _show_day(service: Service, run: Run, puzzle: Any, visitor: Visitor | None, now: str) -> Daily:
    day, is_over = puzzle.day, puzzle.day < now
    await service.rooms.projector.flush()
    yours = None
    if visitor is not None:
        yours = (await boards.days_of(service.store, visitor.id, run.name, day, day)).get(day)
    page = await _ask(service, run, day, None if visitor is None else visitor.id, limit=BEST)
    results, chosen = await boards.results_of(service.store, run.name, day)
    if yours is not None:
        service.clock.show([yours])
    item = puzzle.item if day <= now else None
    days = part(run.game, "days")
    assert days is not None
    begins = dt.datetime.combine(dt.date.fromisoformat(day), dt.time(), dt.UTC)
    if puzzle.turns:
        results.solved = chosen.get(puzzle.turns[0].turn, 0)
    return Daily(
        kind=run.name,
        day=day,
        level=puzzle.level,
        commitment=puzzle.commitment,
        seed=puzzle.seed if is_over else None,
        puzzle=None if item is None else to_data(item),
        solutions=days.solutions(item) if is_over else [],
        turns=[
            TurnValue(
                turn=one.turn,
                chance=one.chance,
                error=one.error,
                points=one.points,
                chosen=chosen.get(one.turn, 0),
            )
            for one in puzzle.turns
        ]
        if is_over or yours is not None
        else [],
        results=results,
        best=page.lines,
        begun=visitor is not None and await has_begun(service.store, visitor, run, day),
        yours=yours,
        ends_time=round(1000 * begins.timestamp()) + DAY_MS,
    )


def _daily(kind: str) -> Run:
    run = find_run(kind)
    if not run.daily:
        raise PeopleError("no_such_day", f"{run.name} is no puzzle of a day")
    return run


def _month(text: str) -> str:
    try:
        return dt.date.fromisoformat(f"{text}-01").isoformat()[:7]
    except ValueError:
        raise PeopleError("bad_request", "this is not a month: write it as in 2026-11") from None


def _day(text: str) -> str:
    try:
        return dt.date.fromisoformat(text).isoformat()
    except ValueError:
        raise PeopleError("bad_request", "this is not a day: write it as in 2026-11-17") from None
