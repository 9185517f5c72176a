"""Every message of the table server, over HTTP and over a table's WebSocket.

All of it is JSON. Socket messages are told apart by ``type``, commands by ``do``, events by ``kind``. Times
called ``now`` and ``at`` are milliseconds since the start of the game, on the server's clock; those that end in
``_time`` are milliseconds since 1970. A refusal is data: a code, and what goes with it.

The TypeScript types of the browser client are written from this file (`tercet.server.typescript`), and so is
the protocol page of the documentation.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from tercet.fairness import ENTROPY_LIMIT
from tercet.games import NAME_LIMIT

VERSION = 1
CHAT_LIMIT = 200
#: What can be said with one tap.
REACTIONS = ("well_played", "wow", "oops", "hurry", "thinking", "thanks", "hello", "bye")

Name = Annotated[str, Meta(min_length=1, max_length=NAME_LIMIT)]
Password = Annotated[str, Meta(min_length=8, max_length=200)]
CommandId = Annotated[str, Meta(min_length=1, max_length=40)]
SeatNumber = Annotated[int, Meta(ge=0, le=7)]
PersonId = Annotated[str, Meta(min_length=1, max_length=32)]
BotName = Annotated[str, Meta(min_length=1, max_length=32)]
Entropy = Annotated[str, Meta(max_length=ENTROPY_LIMIT)]
GameName = Literal["set", "cubed"]
Quality = Literal["offline", "poor", "fair", "good"]

# What one of the two games knows, as the JSON that its own types make.
GameCommand = Annotated[Raw, Meta(extra={"typescript": "CardCommand | CubedCommand"})]
GameOptions = Annotated[dict[str, Any], Meta(extra={"typescript": "CardOptions | CubedOptions"})]
GameState = Annotated[Any, Meta(extra={"typescript": "CardState | CubedState"})]
GameChanges = Annotated[Any, Meta(extra={"typescript": "Partial<CardState> | Partial<CubedState>"})]
GameEntry = Annotated[Any, Meta(extra={"typescript": "CardEntry | CubedEntry"})]
Refusal = Annotated[dict[str, Any], Meta(extra={"typescript": "{ code: string; [detail: string]: unknown }"})]


def snake(name: str) -> str:
    """``StandIn`` is ``stand_in`` in JSON."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


# --- people ---


class NewGuest(Struct, forbid_unknown_fields=True):
    """POST /api/session: sit down as a guest, who needs only a name."""

    name: Name


class Credentials(Struct, forbid_unknown_fields=True):
    """POST /api/account makes the guest an account; POST /api/login comes back to one."""

    name: Name
    password: Password


class Me(Struct):
    """Who you are here. ``account`` is the login name, if you have one."""

    id: str
    name: str
    account: str | None


class NewToken(Struct, forbid_unknown_fields=True):
    """POST /api/tokens: a bearer token for a program of yours."""

    label: Name


class Token(Struct):
    """``secret`` is shown once, when the token is made."""

    id: str
    label: str
    created_time: int
    used_time: int | None
    secret: str | UnsetType = UNSET


class Statistics(Struct):
    """All finished games of a person in one of the games; practice does not count.

    ``pace`` are SETs a minute (Set), ``points_per_turn`` speaks of turns with dice laid or passed (Set Cubed).
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


# --- tables, over HTTP ---


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
    """

    game: GameName
    options: GameOptions = {}
    seats: Annotated[list[PersonSeat | BotSeat], Meta(min_length=1, max_length=8)]
    public: bool = False
    late_join: bool = True
    practice: bool = False
    chat: bool = True


class TableCreated(Struct):
    """The table's code is all that another person needs: /t/CODE."""

    code: str


class TableSummary(Struct):
    """A line of the lobby."""

    code: str
    game: GameName
    host: str
    phase: Literal["gathering", "playing"]
    seats: int
    people: int
    bots: int
    open_seats: int
    options: GameOptions
    created_time: int


class Player(Struct):
    """Who sat where in a game."""

    name: str
    you: bool
    bot: str | None
    points: int | None
    won: bool


class GameSummary(Struct):
    """A line of my games. ``your_turn``: a running game waits for you."""

    id: str
    table: str
    game: GameName
    players: list[Player]
    practice: bool
    start_time: int
    end_time: int | None
    your_turn: bool


class BotLevel(Struct):
    """A bot that can be seated, and a line about it."""

    name: str
    about: str


class GameInfo(Struct):
    """What can be chosen when a table is made; ``options`` is a JSON schema."""

    name: GameName
    min_seats: int
    max_seats: int
    bots: list[BotLevel]
    editions: list[str]
    options: dict[str, Any]


class Failure(Struct):
    """The body of every answer that is not a success."""

    code: str
    detail: str


class Health(Struct):
    """GET /health."""

    status: Literal["ok", "store_unavailable"]
    version: str
    tables: int
    sockets: int


# --- a table, over its socket: what is seen ---


class Seat(Struct, kw_only=True):
    """A seat. ``person`` and ``bot`` are both None while it is open."""

    name: str
    person: str | None
    bot: str | None
    ready: bool


class Table(Struct, kw_only=True):
    """All that people at a table know of it.

    ``version`` counts up with every change. ``commitment`` is the hash of the seed of the running game, or of
    the next one while the table is gathering. ``playing`` is the running game, ``last`` the one before.
    """

    code: str
    version: int
    game: GameName
    options: GameOptions
    host: str
    public: bool
    late_join: bool
    practice: bool
    chat: bool
    phase: Literal["gathering", "playing", "closed"]
    seats: tuple[Seat, ...]
    commitment: str
    playing: str | None
    last: Result | None


class Result(Struct):
    """How a game ended. With the seed anybody can check every card and throw."""

    game: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    seed: str


class RunningGame(Struct, kw_only=True):
    """A game from where you sit (``seat`` is None for a spectator).

    ``state`` is what you may know now, after event ``seq``. ``entries`` are the events after the number that you
    said you had seen; all of them, if you named none.
    """

    id: str
    game: GameName
    names: tuple[str, ...]
    seat: int | None
    seq: int
    now: int
    state: GameState
    entries: tuple[GameEntry, ...]


class Present(Struct):
    """Somebody at the table, playing or looking on."""

    person: str
    name: str
    quality: Quality


class Said(Struct):
    """A chat message."""

    person: str
    name: str
    text: str
    sent_time: int


# --- a table, over its socket: from the server ---


class FromServer(Struct, tag_field="type", tag=snake, kw_only=True):
    """What the server says."""


class Welcome(FromServer):
    """The first message: where you are and how things stand."""

    version: int
    you: Me
    table: Table
    game: RunningGame | None
    present: tuple[Present, ...]
    chat: tuple[Said, ...]


class TableChanged(FromServer):
    table: Table


class GameStarted(FromServer):
    game: RunningGame


class Events(FromServer):
    """What happened, in order. ``changes`` are the fields of the state that are different now.

    ``now`` is the time of sending, so that a client can set its clock.
    """

    game: str
    entries: tuple[GameEntry, ...]
    changes: GameChanges
    now: int


class Accepted(FromServer):
    """Your command was carried out; ``seq`` is the number of its last event, if it brought any."""

    id: str
    seq: int | None = None


class Refused(FromServer):
    """Your command was not carried out, and nothing has changed.

    Who lost a race is told ``seat`` and ``earlier_ms``: who was faster, and by how much.
    """

    id: str
    refusal: Refusal


class Hint(FromServer):
    """Where to look (practice tables only): some cards of a SET, numbers of own dice that are one, or placements
    of a good turn; all empty if there is nothing to be found."""

    id: str
    cards: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    placements: tuple[str, ...] = ()


class Presence(FromServer):
    """Who is here now, and how good their connections are."""

    present: tuple[Present, ...]


class Chat(FromServer):
    said: Said


class Reaction(FromServer):
    person: str
    reaction: str


class Ping(FromServer):
    """Answer with a pong of the same number: that is how the connection's quality is known."""

    number: int


class Bye(FromServer):
    """The last message; the socket is closed after it.

    ``slow`` and ``restart`` are worth another try, the others are not.
    """

    reason: Literal["kicked", "closed", "slow", "restart", "flood", "bad_message"]


ServerMessage = (
    Welcome
    | TableChanged
    | GameStarted
    | Events
    | Accepted
    | Refused
    | Hint
    | Presence
    | Chat
    | Reaction
    | Ping
    | Bye
)

# --- a table, over its socket: from the client ---


class FromClient(Struct, tag_field="type", tag=snake, kw_only=True, forbid_unknown_fields=True):
    """What a client says. Each ``id`` is of the client's own choice and is answered by accepted or refused. A
    command that was accepted is not carried out again under the same id: who lost the connection before the
    answer came may safely send it once more."""


class Play(FromClient):
    """A command of the game, given by your own seat."""

    id: CommandId
    command: GameCommand


class Manage(FromClient):
    """A command about the table."""

    id: CommandId
    command: TableCommand


class Say(FromClient):
    id: CommandId
    text: Annotated[str, Meta(min_length=1, max_length=CHAT_LIMIT)]


class React(FromClient):
    id: CommandId
    reaction: Literal["well_played", "wow", "oops", "hurry", "thinking", "thanks", "hello", "bye"]


class Mute(FromClient):
    """Hear no more chat and reactions from this person, or from anybody (None); or hear them again."""

    id: CommandId
    person: PersonId | None = None
    muted: bool = True


class AskHint(FromClient):
    """Practice tables: ``strength`` 1 to 3 tells that much of a SET or of a good turn."""

    id: CommandId
    strength: Annotated[int, Meta(ge=1, le=3)] = 1


class Pong(FromClient):
    number: int


class Order(Struct, frozen=True, tag_field="do", tag=snake, forbid_unknown_fields=True):
    """What somebody wants of the table, apart from the game."""


class Sit(Order, frozen=True):
    """Take an open seat (any, if none is named); in a running game with late join also a bot's."""

    seat: SeatNumber | None = None


class Leave(Order, frozen=True):
    """Give up your seat. In a running game a bot plays on for you."""


class Ready(Order, frozen=True):
    """Ready for the next game, or not after all. The game starts when everybody is ready.

    ``entropy``: your own text, mixed into the chance of the game.
    """

    ready: bool = True
    entropy: Entropy = ""


class Start(Order, frozen=True):
    """Host: start without waiting; open seats are taken away."""


class AddSeat(Order, frozen=True):
    """Host: one more seat, for a person or for a bot."""

    bot: BotName | None = None


class RemoveSeat(Order, frozen=True):
    """Host: take away an open seat or a bot's, before the game."""

    seat: SeatNumber


class Kick(Order, frozen=True):
    """Host: send somebody away, for as long as this table stands. In a running game a bot plays on."""

    person: PersonId


class HandOver(Order, frozen=True):
    """Host: make somebody with a seat the host."""

    person: PersonId


class StandIn(Order, frozen=True):
    """Host: a bot plays on for somebody who is missing."""

    seat: SeatNumber
    bot: BotName


class Change(Order, frozen=True):
    """Host: other options between two games, or other settings of the table at any time."""

    options: GameOptions | None = None
    public: bool | None = None
    late_join: bool | None = None
    chat: bool | None = None


class Close(Order, frozen=True):
    """Host: end the table, and with it a running game."""


TableCommand = Sit | Leave | Ready | Start | AddSeat | RemoveSeat | Kick | HandOver | StandIn | Change | Close
ClientMessage = Play | Manage | Say | React | Mute | AskHint | Pong
