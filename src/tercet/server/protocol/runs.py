"""The bodies of the HTTP API: what is played against the clock, boards, and the puzzles of days."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tercet.server.protocol.words import Day, GameName, GameOptions, PuzzleData, RunName, RunReason


class RunInfo(Struct):
    """A kind of run: GET /api/runs. ``order``: what counts first on its boards. ``daily``: one for each day, the same for all."""

    name: RunName
    game: GameName
    options: GameOptions
    order: Literal["time", "points"]
    most_seats: int
    daily: bool


class NewRun(Struct, forbid_unknown_fields=True, kw_only=True):
    """POST /api/runs: play against the clock. ``day`` is for a daily puzzle: today, or a day that is past and is not counted any more."""

    kind: RunName
    day: Day | None = None


class RunCreated(Struct):
    """Where it is played: join the table of this code, and say ``start``; before it begins your client takes part in the luck (``commit``,
    then ``reveal``). Items are counted from 1, and what is picked from 0. ``resumed``: you have begun it already, and its clock runs.
    ``reason``: why it will be on no board, if that is known beforehand."""

    code: str
    resumed: bool
    reason: RunReason | None


class RunSummary(Struct, kw_only=True):
    """A run that is over. ``game`` and ``seat`` name its record; ``reason`` is why it is on no board, None if it is. ``value`` is what boards go by,
    the least first. ``day`` is that of a daily puzzle."""

    kind: RunName
    game: str
    seat: int
    day: str | None
    points: int
    time_ms: int
    errors: int
    value: int
    reason: RunReason | None
    start_time: int
    end_time: int


class MyRuns(Struct, kw_only=True):
    """GET /api/me/runs: how often one has played a kind, the best, the last, the averages of those that count, and a page of them, the
    latest first. ``average_ms`` has what errors added, where less time is better. ``streak`` are the days in a row, up to today or yesterday, on which a daily puzzle was solved, ``longest`` the
    most there ever were, and ``solved`` all of them."""

    kind: RunName
    count: int
    best: RunSummary | None
    last: RunSummary | None
    average_ms: int | None
    average_points: float | None
    streak: int
    longest: int
    solved: int
    runs: list[RunSummary]


class BoardLine(Struct, kw_only=True):
    """A line of a board: a person's best run of the period. ``game`` and ``seat`` name its record, which anybody may replay."""

    place: int
    name: str
    you: bool
    game: str
    seat: int
    points: int
    time_ms: int
    errors: int
    value: int
    end_time: int


class Board(Struct, kw_only=True):
    """GET /api/boards/{kind}: the best runs of a period, each person once. ``on`` is the period: a day, a week as 2026-W47, a month as 2026-11, or
    ``ever``. ``count`` are all who are on it, ``yours`` your own line, also if nobody else sees it (``listed``: they do, because you have an account).
    ``next`` is for the next page: ask for those ``after`` it."""

    kind: RunName
    period: Literal["day", "week", "month", "ever"]
    on: str
    among: Literal["all", "company"]
    count: int
    lines: list[BoardLine]
    yours: BoardLine | None
    listed: bool
    next: str | None


class TurnValue(Struct, frozen=True, kw_only=True):
    """A turn of a daily puzzle with dice: its ``placements`` as text, the chance to win after it with its standard error, its points, and
    how many chose it."""

    turn: str
    chance: float
    error: float
    points: int
    chosen: int = 0


class DailyResults(Struct, kw_only=True):
    """How those who count did: how many played, how many solved it (all SETs, or the best turn), and the middle of the times that count,
    with what errors added: half of them took no longer. None where the chance to win counts, and not the time."""

    played: int
    solved: int
    middle_ms: int | None


class Daily(Struct, kw_only=True):
    """GET /api/daily/{kind}/{day}: the puzzle of a day, and the best of it. ``level`` is from 1 to 4. ``commitment`` is the hash of kind, day and seed,
    published ahead; the ``seed`` comes when the day is over, and with it ``solutions``: the picks of all SETs. ``turns`` (of dice) come then, too,
    and before to who has played. ``puzzle`` is None before its day. ``begun``: you have; ``yours`` is your run, if it is over. ``ends_time``: when the
    day is over."""

    kind: RunName
    day: str
    level: int
    commitment: str
    seed: str | None
    puzzle: PuzzleData | None
    solutions: list[tuple[int, ...]]
    turns: list[TurnValue]
    results: DailyResults
    best: list[BoardLine]
    begun: bool
    yours: RunSummary | None
    ends_time: int


class DayLine(Struct, kw_only=True):
    """A day of the calendar: GET /api/daily/{kind}. The seed is there when the day is over; ``yours`` is the run that counts, else the best one."""

    day: str
    level: int
    commitment: str
    seed: str | None
    yours: RunSummary | None


class Calendar(Struct, kw_only=True):
    """The days of a month with a puzzle, those to come as far as they are committed to."""

    kind: RunName
    today: str
    month: str
    days: list[DayLine]
