"""The boards: written with the rows of runs, and what is asked of them.

A board holds the best run of each person for a kind and a period. A run enters four boards, if it is better than what is there; so what
is asked is answered by one index, however many have played.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Collection, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct
from sqlalchemy import Table, and_, delete, exists, func, or_, select, text, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from tercet.codec import from_json
from tercet.games import part
from tercet.games.runs import Measured, find_run
from tercet.server.projections.rows import Row, periods_of
from tercet.server.protocol import BoardLine, DailyResults, MyRuns, RunSummary
from tercet.server.store import Store, many, schema
from tercet.server.store.many import insert_or

if TYPE_CHECKING:
    from tercet.server.projections.writer import Projection

#: So many lines of a board are shown at a time, and so many at most.
PAGE, MOST = 50, 100
#: Those with whom one has played are looked for in so many games, the latest that were not played alone.
COMPANY_GAMES = 1000

#: A board with so many lines is long: every so many-th line is remembered, for so many seconds.
LONG, STEP, KNOWN_SECONDS = 5000, 500, 30.0

Among = Literal["all", "company"]
#: A place in the order of a board: its value, when it was achieved, and by whom.
Key = tuple[int, int, str]


class _Ladder(NamedTuple):
    """A long board a moment ago: to count its lines up to a place is most of the work, and from the rung before few are left."""

    time: float
    lines: int
    #: The lines whose places are STEP, twice STEP and so on.
    rungs: list[Key]


_ladders: dict[tuple[str, ...], _Ladder] = {}


# --- writing ---


async def value_days(connection: AsyncConnection, rows: Sequence[Row]) -> None:
    """Of a daily puzzle with dice the turn is worth what deep search has found for it, which is kept with the puzzle."""
    for row in rows:
        if row["answer"] is None or row["day"] is None:
            continue
        days = schema.days
        query = select(days.c.turns).where(days.c.kind == row["kind"], days.c.day == row["day"])
        found = (await connection.execute(query)).scalar()
        made = part(find_run(row["kind"]).game, "days")
        if found is not None and made is not None:
            measured = Measured(**{name: row[name] for name in Measured.__struct_fields__})
            row["value"] = made.value_of(from_json(found, made.Turns), measured)


async def enter(connection: AsyncConnection, bests: Table, rows: Sequence[Row]) -> None:
    """Put these runs on the boards, where they are better than what their people have there."""
    counted = [row for row in rows if row["person"] is not None and row["reason"] is None]
    if not counted:
        return
    people = {row["person"] for row in counted}
    query = "SELECT id FROM people WHERE account IS NOT NULL AND id IN (SELECT value FROM <keys>)"
    listed = {person for (person,) in await many.ask(connection, query, people)}
    best: dict[tuple[str, str, str], Row] = {}
    for row in counted:
        for period in periods_of(row["date"]):
            key = row["kind"], period, row["person"]
            entered = _entry(row, period, listed=row["person"] in listed)
            known = best.get(key)
            if known is None or (entered["value"], entered["end_time"]) < (known["value"], known["end_time"]):
                best[key] = entered
    await _put(connection, bests, list(best.values()))


def _entry(row: Row, period: str, *, listed: bool) -> Row:
    names = ("kind", "person", "value", "end_time", "game", "seat", "points", "time_ms", "errors")
    return {**{name: row[name] for name in names}, "period": period, "listed": listed}


async def _put(connection: AsyncConnection, bests: Table, entries: Sequence[Row]) -> None:
    if not entries:
        return
    entering = insert_or(connection, bests)
    new = entering.excluded
    names = ("value", "end_time", "game", "seat", "points", "time_ms", "errors", "listed")
    is_better = or_(
        new.value < bests.c.value, and_(new.value == bests.c.value, new.end_time <= bests.c.end_time)
    )
    await connection.execute(
        entering.on_conflict_do_update(
            index_elements=["kind", "period", "person"],
            set_={name: new[name] for name in names},
            where=is_better,
        ),
        list(entries),
    )


async def hand_over(
    connection: AsyncConnection, into: Projection, people: Collection[str], account: str
) -> None:
    """What these people have achieved is the account's now, which has a name for all to see."""
    kept, bests, tables = into.runs, into.bests, into.tables
    daily = tables.c.host.in_(people), text(schema.IS_OF_RUN), tables.c.day.is_not(None)
    begun = await connection.execute(select(tables.c.run, tables.c.day).where(*daily).distinct())
    tries = [(account, kind, day) for kind, day in begun]
    await connection.execute(update(kept).where(kept.c.person.in_(people)).values(person=account))
    theirs = (await connection.execute(select(bests).where(bests.c.person.in_(people)))).all()
    await connection.execute(delete(bests).where(bests.c.person.in_(people)))
    await _put(connection, bests, [{**row._asdict(), "person": account, "listed": True} for row in theirs])
    await _let_first_count(connection, into, tries)


async def settle_days(
    connection: AsyncConnection, into: Projection, tables: Sequence[Row], rows: Sequence[Row]
) -> None:
    """Of the days played at these tables let each person's first try count; ``rows`` are runs that are not on the boards yet.

    Whoever played a day as a guest, and again by the account that the guest then became, has two that seemed to be the first.
    """
    begun = [(row["host"], row["run"], row["day"]) for row in tables]
    ended = [(row["person"], row["kind"], row["day"]) for row in rows]
    daily = {one for one in (*begun, *ended) if one[2] is not None}
    query = (
        "SELECT one.id, account.id FROM people AS one JOIN people AS account ON account.id = coalesce(one.merged_into, one.id)"
        " WHERE one.id IN (SELECT value FROM <keys>)"
        " AND EXISTS (SELECT 1 FROM people AS guest WHERE guest.merged_into = account.id)"
    )
    people = {person for person, _, _ in daily}
    merged: dict[str, str] = dict(await many.ask(connection, query, people)) if people else {}
    tries = {(merged[person], kind, day) for person, kind, day in daily if person in merged}
    late = await _let_first_count(connection, into, tries)
    for row in rows:
        if row["game"] in late:
            row["reason"] = "played_before"


async def _let_first_count(
    connection: AsyncConnection, into: Projection, tries: Collection[tuple[str, str, str]]
) -> set[str]:
    """Take later tries of a day off the boards, by person, kind and day; their games.

    The first is the one that began first, whether it was played to its end or not.
    """
    all_late: set[str] = set()
    days: dict[tuple[str, str], set[str]] = {}
    kept, bests, tables, games = into.runs, into.bests, into.tables, into.games
    for person, kind, day in tries:
        days.setdefault((person, kind), set()).add(day)
    for (person, kind), of_these in days.items():
        mine = kept.c.person == person, kept.c.kind == kind
        guests = select(schema.people.c.id).where(schema.people.c.merged_into == person)
        hosts = [person, *(await connection.execute(guests)).scalars()]
        begun = (
            select(games.c.id, tables.c.day)
            .join(tables, tables.c.code == games.c.code)
            .where(tables.c.host.in_(hosts), text(schema.IS_OF_RUN), tables.c.run == kind)
            .where(tables.c.day.in_(of_these))
            .order_by(games.c.start_time, games.c.id)
        )
        first: dict[str, str] = {}
        for game, day in await connection.execute(begun):
            first.setdefault(day, game)
        later = kept.c.day.in_(first), kept.c.game.not_in(first.values())
        query = select(kept.c.game).where(*mine, *later, kept.c.reason.is_(None))
        late = list((await connection.execute(query)).scalars())
        if late:
            all_late.update(late)
            await connection.execute(
                update(kept).where(*mine, kept.c.game.in_(late)).values(reason="played_before")
            )
            await connection.execute(delete(bests).where(bests.c.person == person, bests.c.kind == kind))
            left = await connection.execute(select(kept).where(*mine, kept.c.reason.is_(None)))
            await enter(connection, bests, [row._asdict() for row in left])
    return all_late


async def list_person(connection: AsyncConnection, bests: Table, person: str) -> None:
    """This person has an account now: others see what they achieved."""
    await connection.execute(update(bests).where(bests.c.person == person).values(listed=True))


async def forget(connection: AsyncConnection, kept: Table, bests: Table, people: Collection[str]) -> None:
    """These people are on no board any more, and nobody knows whose runs theirs were."""
    await connection.execute(delete(bests).where(bests.c.person.in_(people)))
    await connection.execute(delete(kept).where(kept.c.person.in_(people)))


# --- asking ---


class Page(Struct):
    """A part of a board: its lines, how many there are in all, one's own line, and where the next part begins."""

    lines: list[BoardLine]
    count: int
    yours: BoardLine | None
    next: str | None


def _name() -> Any:
    """Who stands on a board, by the name of the account, which nobody else can take: anybody may be called as they like."""
    people = schema.people
    return func.coalesce(people.c.account, people.c.name).label("name")


def _line(row: Any, place: int, person: str | None) -> BoardLine:
    return BoardLine(
        place=place,
        name=row.name,
        you=row.person == person,
        game=row.game,
        seat=row.seat,
        points=row.points,
        time_ms=row.time_ms,
        errors=row.errors,
        value=row.value,
        end_time=row.end_time,
    )


def read_cursor(text_: str) -> tuple[Key, int]:
    """Where a page ended: the key of its last line, and its place; ValueError if it is no such thing."""
    *numbers, person = text_.split(".", 3)
    value, end_time, place = map(int, numbers)
    if max(abs(value), abs(end_time), abs(place)) >= 2**63 or "\0" in person:
        raise ValueError("no database holds this")
    return (value, end_time, person), place


def write_cursor(line: Any, place: int) -> str:
    return f"{line.value}.{line.end_time}.{place}.{line.person}"


async def ask_board(
    store: Store,
    kind: str,
    period: str,
    *,
    person: str | None,
    among: Among = "all",
    after: str | None = None,
    around: bool = False,
    limit: int = PAGE,
) -> Page:
    """A page of a board: from the top, after a cursor, or around one's own line."""
    bests, people = schema.bests, schema.people
    key = tuple_(bests.c.value, bests.c.end_time, bests.c.person)
    here: list[Any] = [bests.c.kind == kind, bests.c.period == period]
    if among == "company":
        here.append(bests.c.person.in_(await _company(store, person or "")))
        here.append(or_(text(f"bests.{schema.IS_LISTED}"), bests.c.person == person))
    else:
        here.append(text(f"bests.{schema.IS_LISTED}"))
    rows = select(bests, _name()).join(people, people.c.id == bests.c.person)
    order = bests.c.value, bests.c.end_time, bests.c.person
    async with store.reading() as connection:
        if among == "all":
            count, rungs = await _climb(connection, (kind, period), here)
        else:
            count, rungs = await _count(connection, here), []
        yours = await _yours(connection, kind, period, person, here, rungs)
        passed, last = 0, None
        if after is not None:
            last, passed = read_cursor(after)
        elif around and yours is not None:
            mine = yours.value, yours.end_time, person
            above = rows.where(*here, key < tuple_(*mine)).order_by(*(column.desc() for column in order))
            neighbours = (await connection.execute(above.limit(limit // 2 + 1))).all()
            if len(neighbours) > limit // 2:  # the furthest is where the page before would end
                first = neighbours[-1]
                last = (first.value, first.end_time, first.person)
                passed = yours.place - len(neighbours)
        query = rows.where(*here).order_by(*order).limit(limit + 1)
        if last is not None:
            query = query.where(key > tuple_(*last))
        found = (await connection.execute(query)).all()
    lines = [_line(row, passed + number, person) for number, row in enumerate(found[:limit], 1)]
    more = write_cursor(found[limit - 1], passed + limit) if len(found) > limit else None
    return Page(lines, count, yours, more)


async def _climb(
    connection: AsyncConnection, board: tuple[str, str], here: Sequence[Any]
) -> tuple[int, list[Key]]:
    """How many are on a board; and of a long one the rungs of its ladder, as they were a moment ago."""
    key = (str(connection.engine.url), *board)
    known = _ladders.get(key)
    if known is None or monotonic() - known.time > KNOWN_SECONDS:
        count = await _count(connection, here)
        if count < LONG:
            return count, []
        bests = schema.bests
        line = bests.c.value, bests.c.end_time, bests.c.person
        number = func.row_number().over(order_by=line).label("number")
        numbered = select(*line, number).where(*here).subquery()
        found = await connection.execute(
            select(numbered).where(numbered.c.number % STEP == 0).order_by(numbered.c.number)
        )
        if len(_ladders) > 1000:
            _ladders.clear()
        rungs = [(row.value, row.end_time, row.person) for row in found]
        known = _ladders[key] = _Ladder(monotonic(), count, rungs)
    return known.lines, known.rungs


async def _count(connection: AsyncConnection, here: Sequence[Any]) -> int:
    query = select(func.count()).select_from(schema.bests).where(*here)
    return int((await connection.execute(query)).scalar_one())


async def _yours(
    connection: AsyncConnection,
    kind: str,
    period: str,
    person: str | None,
    here: Sequence[Any],
    rungs: Sequence[Key],
) -> BoardLine | None:
    """One's own line with the place that it has, or would have if others saw it."""
    if person is None:
        return None
    bests, people = schema.bests, schema.people
    mine = bests.c.kind == kind, bests.c.period == period, bests.c.person == person
    query = select(bests, _name()).join(people, people.c.id == bests.c.person).where(*mine)
    row = (await connection.execute(query)).first()
    if row is None:
        return None
    # Two questions, each of which the index answers by its ends alone: half the work of comparing all three columns with every row.
    key = row.value, row.end_time, row.person
    below = bisect_left(rungs, key)
    above = (
        [tuple_(bests.c.value, bests.c.end_time, bests.c.person) > tuple_(*rungs[below - 1])] if below else []
    )
    place = 1 + STEP * below
    tie = (
        bests.c.value == row.value,
        tuple_(bests.c.end_time, bests.c.person) < tuple_(row.end_time, row.person),
    )
    for ahead in ((bests.c.value < row.value,), tie):
        place += await _count(connection, [*here, *above, *ahead])
    return _line(row, place, person)


async def _company(store: Store, person: str) -> list[str]:
    """Those with whom somebody has played lately, and they themselves."""
    players, other = schema.players, schema.players.alias("other")
    with_others = exists().where(other.c.game == players.c.game, other.c.person != person)
    mine = (
        select(players.c.game)
        .where(players.c.person == person, with_others)
        .order_by(players.c.start_time.desc(), players.c.game.desc())
        .limit(COMPANY_GAMES)
    )
    query = select(players.c.person).where(players.c.game.in_(mine), players.c.person.is_not(None)).distinct()
    async with store.reading() as connection:
        return [*(await connection.execute(query)).scalars(), person]


def summary(row: Any) -> RunSummary:
    return RunSummary(**{name: getattr(row, name) for name in RunSummary.__struct_fields__})


async def runs_of(
    store: Store, person: str, kind: str, today: str, limit: int = PAGE, before: str | None = None
) -> MyRuns:
    """How somebody does at a kind of run; a page of their runs, those before this one if one is named."""
    kept = schema.runs
    mine = kept.c.person == person, kept.c.kind == kind
    counted = (*mine, kept.c.reason.is_(None))
    latest = kept.c.end_time.desc(), kept.c.game.desc()
    page = select(kept).where(*mine).order_by(*latest).limit(limit)
    if before is not None:
        ended = (
            select(kept.c.end_time).where(kept.c.game == before, kept.c.person == person).scalar_subquery()
        )
        page = page.where(kept.c.end_time < ended)
    async with store.reading() as connection:
        time = kept.c.value if find_run(kind).order == "time" else kept.c.time_ms
        sums = select(func.avg(time), func.avg(kept.c.points)).where(*counted)
        mean_ms, mean_points = (await connection.execute(sums)).one()
        count = (await connection.execute(select(func.count()).select_from(kept).where(*mine))).scalar_one()
        best = (
            await connection.execute(select(kept).where(*counted).order_by(kept.c.value).limit(1))
        ).first()
        last = (await connection.execute(select(kept).where(*mine).order_by(*latest).limit(1))).first()
        found = (await connection.execute(page)).all()
        solved = select(kept.c.day).where(*counted, kept.c.day.is_not(None)).distinct().order_by(kept.c.day)
        days = list((await connection.execute(solved)).scalars()) if find_run(kind).daily else []
    streak, longest = streaks(days, today)
    return MyRuns(
        kind=kind,
        count=int(count),
        best=None if best is None else summary(best),
        last=None if last is None else summary(last),
        average_ms=None if mean_ms is None else round(float(mean_ms)),
        average_points=None if mean_points is None else float(mean_points),
        streak=streak,
        longest=longest,
        solved=len(days),
        runs=[summary(row) for row in found],
    )


async def all_runs_of(
    store: Store, person: str, before: tuple[int, str] | None = None, limit: int = PAGE
) -> list[RunSummary]:
    """A page of what somebody has achieved, the latest first: what ended before that moment, or then in a game before that one."""
    kept = schema.runs
    latest = kept.c.end_time.desc(), kept.c.game.desc()
    query = select(kept).where(kept.c.person == person).order_by(*latest).limit(limit)
    if before is not None:
        query = query.where(tuple_(kept.c.end_time, kept.c.game) < tuple_(*before))
    async with store.reading() as connection:
        return [summary(row) for row in await connection.execute(query)]


async def days_of(store: Store, person: str, kind: str, first: str, last: str) -> dict[str, RunSummary]:
    """Somebody's run of each daily puzzle from one day to another: the one that counts, else the best that was finished."""
    kept = schema.runs
    worst = kept.c.reason.is_not(None), func.coalesce(kept.c.reason, "") == "not_finished", kept.c.value
    query = (
        select(kept)
        .where(kept.c.person == person, kept.c.kind == kind, kept.c.day >= first, kept.c.day <= last)
        .order_by(*(column.desc() for column in worst))
    )
    async with store.reading() as connection:
        return {row.day: summary(row) for row in await connection.execute(query)}


async def results_of(store: Store, kind: str, day: str) -> tuple[DailyResults, dict[str, int]]:
    """How those who count did on a day; and how many chose each turn, where one was chosen.

    A try that was given up is one of those played on the day, if it was the first.
    """
    kept, other = schema.runs, schema.runs.alias("other")
    of_day = kept.c.kind == kind, kept.c.day == day, text(schema.IS_OF_DAY)
    counted = *of_day, kept.c.reason.is_(None)
    before = (
        other.c.person == kept.c.person,
        other.c.kind == kind,
        other.c.start_time < kept.c.start_time,
        other.c.day == day,
    )
    given_up = *of_day, kept.c.reason == "not_finished", kept.c.date == day, ~exists().where(*before)
    async with store.reading() as connection:
        solved = int(
            (await connection.execute(select(func.count()).select_from(kept).where(*counted))).scalar_one()
        )
        unsolved = int(
            (await connection.execute(select(func.count()).select_from(kept).where(*given_up))).scalar_one()
        )
        middle = None
        if solved and find_run(kind).order == "time":
            times = select(kept.c.value).where(*counted).order_by(kept.c.value)
            middle = (await connection.execute(times.offset((solved - 1) // 2).limit(1))).scalar()
        chosen = select(kept.c.answer, func.count()).where(*counted, kept.c.answer.is_not(None))
        turns = {
            turn: int(number) for turn, number in await connection.execute(chosen.group_by(kept.c.answer))
        }
    return DailyResults(played=solved + unsolved, solved=solved, middle_ms=middle), turns


async def has_played(store: Store, person: str, kind: str, day: str) -> bool:
    """Whether somebody has ended the puzzle of a day, however."""
    kept = schema.runs
    query = (
        select(kept.c.game).where(kept.c.person == person, kept.c.kind == kind, kept.c.day == day).limit(1)
    )
    async with store.reading() as connection:
        return (await connection.execute(query)).first() is not None


def streaks(days: Sequence[str], today: str) -> tuple[int, int]:
    """The days in a row up to today or yesterday, and the most there ever were, of days in order.

    >>> streaks(["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-15", "2026-11-16"], "2026-11-17")
    (2, 3)
    >>> streaks(["2026-11-14"], "2026-11-17"), streaks([], "2026-11-17")
    ((0, 1), (0, 0))
    """
    numbers = [dt.date.fromisoformat(day).toordinal() for day in days]
    longest = row = 0
    last = None
    for number in numbers:
        row = row + 1 if last is not None and number == last + 1 else 1
        longest, last = max(longest, row), number
    is_on = last is not None and dt.date.fromisoformat(today).toordinal() - last <= 1
    return (row if is_on else 0), longest
