"""The bodies of the HTTP API: people, tables, games."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tercet.games import Option
from tercet.server.protocol.challenges import Challenge
from tercet.server.protocol.reviews import AskedReview
from tercet.server.protocol.runs import RunSummary
from tercet.server.protocol.words import (
    EDITION_LIMIT,
    SCOPES,
    BotName,
    Code,
    EditionData,
    EditionProblem,
    GameName,
    GameOptions,
    Name,
    Password,
    RunName,
    Scope,
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
