"""The bodies of the HTTP API: people, tables, games."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from tercet.games import Option
from tercet.server.protocol.words import (
    EDITION_LIMIT,
    SCOPES,
    BotName,
    Code,
    Day,
    EditionData,
    EditionProblem,
    GameJudged,
    GameName,
    GameOptions,
    GameReview,
    Name,
    Password,
    PuzzleData,
    Refusal,
    RunName,
    RunReason,
    Scope,
    TriedCommand,
)


class NewGuest(Struct, forbid_unknown_fields=True):
    """POST /api/session: sit down as a guest, who needs only a name."""

    name: Name


class Credentials(Struct, forbid_unknown_fields=True):
    """POST /api/account makes the guest an account; POST /api/login comes back to one."""

    name: Name
    password: Password


class NewPassword(Struct, forbid_unknown_fields=True):
    """PATCH /api/account: the old password, and the one to log in with from now on."""

    password: Password
    new_password: Password


class Me(Struct):
    """Who you are here. ``account`` is the login name, if you have one. ``program``: it is a bot's account."""

    id: str
    name: str
    account: str | None
    program: bool = False


class NewToken(Struct, forbid_unknown_fields=True):
    """POST /api/tokens: a bearer token for a program of yours. ``scopes`` are what it may do: ``read`` what is yours and look on at
    tables, ``play``, and ``challenge``, with which it also answers challenges. ``days``: after so many it ends by itself."""

    label: Name
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=10)] = SCOPES
    days: Annotated[int, Meta(ge=1, le=3650)] | None = None


class Token(Struct):
    """``secret`` is shown once, when the token is made. After ``expires_time`` it is worth nothing."""

    id: str
    label: str
    created_time: int
    used_time: int | None
    scopes: tuple[Scope, ...] = SCOPES
    expires_time: int | None = None
    secret: str | UnsetType = UNSET


class Statistics(Struct):
    """All finished games of a person in one of the games; practice does not count.

    ``pace`` are SETs a minute, for a game in which SETs are counted; ``points_per_turn`` is for one with turns.
    """

    game: GameName
    games: int
    wins: int
    points: int
    sets: int
    turns: int
    pace: float | None
    points_per_turn: float | None


#: Why a challenge is declined, as far as one wants to say: not at all, not now, not this game, not these options.
Decline = Literal["no", "later", "game", "options"]
DECLINES: tuple[Decline, ...] = get_args(Decline)
Status = Literal["open", "accepted", "declined", "cancelled", "expired"]


class Side(Struct, frozen=True):
    """Who challenges or is challenged. ``program``: it is a bot's account."""

    id: str
    name: str
    account: str | None
    program: bool


class Challenge(Struct, kw_only=True):
    """A game for two that somebody wants to play with somebody; one of them, at least, is a bot. ``table`` is where it is played, once it
    is accepted: both have a seat there. ``reason``: why it was declined."""

    id: str
    status: Status
    challenger: Side
    challenged: Side
    game: GameName
    options: GameOptions
    table: str | None
    reason: Decline | None
    created_time: int
    expires_time: int


class PersonalData(Struct):
    """GET /api/me/export: all that is kept about you."""

    me: Me
    created_time: int
    tokens: list[Token]
    games: list[GameSummary]
    statistics: list[Statistics]
    runs: list[RunSummary]
    reviews: list[AskedReview]
    challenges: list[Challenge]


class PersonSeat(Struct, tag_field="kind", tag="person", forbid_unknown_fields=True):
    """A seat for somebody."""


class BotSeat(Struct, tag_field="kind", tag="bot", forbid_unknown_fields=True):
    """A seat for a bot of this level."""

    bot: BotName


class NewTable(Struct, forbid_unknown_fields=True, kw_only=True):
    """POST /api/tables. You take the first seat for a person.

    ``public``: listed in the lobby; otherwise only who has the link comes in.
    ``late_join``: a newcomer may take over the seat of a bot while a game runs.
    ``practice``: hints are given, and the game does not count.
    ``chat``: whether people may write to each other.
    ``quick_bots``: in a game with turns bots play at once, and do not take a moment that people can follow.
    """

    game: GameName
    options: GameOptions = {}
    seats: Annotated[list[PersonSeat | BotSeat], Meta(min_length=1, max_length=10)]
    public: bool = False
    late_join: bool = True
    practice: bool = False
    chat: bool = True
    quick_bots: bool = False


class EditionText(Struct, forbid_unknown_fields=True):
    """POST /api/editions: an edition of your own, as the text of its TOML file."""

    text: Annotated[str, Meta(max_length=EDITION_LIMIT)]


class CheckedEdition(Struct):
    """The edition as it goes into the options of a table; or what is wrong with it, as a code with what goes with it, and
    a sentence in English."""

    edition: EditionData | None = None
    problem: EditionProblem | None = None
    detail: str = ""


class TableCreated(Struct):
    """The table's code is all that another person needs: /t/CODE."""

    code: str


class Sitting(Struct):
    """Somebody, or a bot, at a table. ``program``: the account of somebody's bot."""

    seat: int
    name: str
    bot: str | None
    program: bool = False


class TableSummary(Struct):
    """A line of the lobby. ``sitting``: who has a seat, as far as this node knows. Bots' accounts are among ``bots``. ``run``: it is
    played against the clock."""

    code: str
    game: GameName
    host: str
    sitting: list[Sitting]
    phase: Literal["gathering", "playing"]
    seats: int
    people: int
    bots: int
    open_seats: int
    options: GameOptions
    created_time: int
    run: RunName | None = None


class Company(Struct):
    """GET /api/company: how many people are at tables now, listed ones or not."""

    people: int


class Player(Struct):
    """Who sat where in a game. ``you`` with a ``bot``: it plays on for you, and you may have the seat back."""

    name: str
    you: bool
    bot: str | None
    points: int | None
    won: bool


class GameSummary(Struct):
    """A line of my games. ``your_turn``: a running game waits for you. ``hosted``: you host its table, which still stands.
    ``broken_off``: its table was closed before its end. ``review``: it has one, or one is being made. ``run``: it was against the clock."""

    id: str
    table: str
    game: GameName
    players: list[Player]
    practice: bool
    start_time: int
    end_time: int | None
    your_turn: bool
    hosted: bool = False
    broken_off: bool = False
    review: Literal["ready", "making"] | None = None
    run: RunName | None = None


class Making(Struct, frozen=True):
    """A review that is being made. ``ahead``: so many are made before; None once it has begun. Then ``done`` of ``total`` steps
    are behind it (0 of 0 while that is not known)."""

    ahead: int | None
    done: int = 0
    total: int = 0


class ReviewState(Struct, kw_only=True):
    """GET /api/games/ID/review: what there is of the review of a game, for whoever may see its record.

    ``review`` is the finished one. ``making``: one is being made, the first or a deeper one; look again in some seconds, or hear
    ``review_news`` at the table. ``problem``: there is none, and none can be made, for this reason (but after ``review_failed``
    it may be asked for once more). With none of the three, it can be asked for. ``games``: so many were played out for a decision, None for a game in which none are; ``deeper``: whether a
    review by more of them can be asked for. ``left``: how many reviews you may still ask for today, None if nobody knows you.
    """

    id: str
    game: GameName
    review: GameReview | None = None
    made_time: int | None = None
    games: int | None = None
    making: Making | None = None
    problem: Code | None = None
    deeper: bool = False
    left: int | None = None


class AskForReview(Struct, forbid_unknown_fields=True):
    """POST /api/games/ID/review: have a finished game reviewed; ``deeper``: once more, with four times as many games played
    out. What is there or being made already is not made again, and does not count."""

    deeper: bool = False


class WhatIf(Struct, forbid_unknown_fields=True):
    """POST /api/games/ID/review/what-if: what another command would have been worth than the one in this line of the log, which
    is a decision of the review. Whose ``seat`` it is does not matter: it is taken as theirs who decided there."""

    line: Annotated[int, Meta(ge=1, le=1_000_000)]
    command: TriedCommand


class Judged(Struct):
    """What the command would have been worth; or why the rules do not allow it."""

    game: GameName
    judged: GameJudged | None = None
    refusal: Refusal | None = None


class AskedReview(Struct):
    """A review that you asked for lately."""

    game: str
    asked_time: int


class BotLevel(Struct):
    """A bot that can be seated, and a line about it."""

    name: str
    about: str


class GameInfo(Struct):
    """What can be chosen when a table is made. ``title`` is the game's name for people, in every language. ``review``: whether
    finished games can be reviewed."""

    name: GameName
    title: str
    min_seats: int
    max_seats: int
    bots: list[BotLevel]
    options: list[Option]
    review: bool


class Failure(Struct):
    """The body of every answer that is not a success."""

    code: Code
    detail: str


class Health(Struct):
    """GET /health. ``detail`` says what is wrong. ``bus``: whether other machines are heard of, where there is one; games go on without it."""

    status: Literal["ok", "store_unavailable", "cannot_write"]
    version: str
    tables: int
    sockets: int
    detail: str = ""
    bus: Literal["up", "away"] | None = None


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
