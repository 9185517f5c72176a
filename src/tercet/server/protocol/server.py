"""What the server says over a table's socket, and what these messages hold."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tercet.server.protocol.http import Me
from tercet.server.protocol.reviews import Making
from tercet.server.protocol.words import (
    Code,
    GameEntry,
    GameHint,
    GameName,
    GameOptions,
    GameState,
    Quality,
    Refusal,
    RunName,
    RunReason,
    snake,
)


class Seat(Struct, kw_only=True):
    """A seat. ``person`` and ``bot`` are both None while it is open; ``bot`` is one of the server's own. ``program``: the person is
    the account of somebody's bot."""

    name: str
    person: str | None
    bot: str | None
    ready: bool
    program: bool = False


class Table(Struct, kw_only=True):
    """All that people at a table know of it.

    ``version`` counts up with every change. ``number`` counts the games of the table, and ``commitment`` is the
    hash of the seed of the running game, or of the next one while the table is gathering. ``called_off`` is how
    often the start of that game came to nothing, ``start`` is there while it is under way. ``playing`` is the
    running game, ``last`` the one before. ``paused`` says why the game stands still, if it does: no time passes in it, and
    nobody plays, until somebody with a seat says ``resume``. ``sent_away`` are those whom the host sent away last. ``run`` is there where people
    play against the clock. ``taken_over``: the seats that have changed hands in the running game.
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
    quick_bots: bool
    phase: Literal["gathering", "playing", "closed"]
    seats: tuple[Seat, ...]
    number: int
    commitment: str
    called_off: int
    start: Starting | None
    playing: str | None
    last: Result | None
    paused: Literal["wanted", "nobody_here"] | None
    sent_away: tuple[SentAway, ...]
    run: AtRun | None = None
    taken_over: tuple[TakenOver, ...] = ()


class AtRun(Struct, frozen=True):
    """What run is played at a table. Its clock does not stand still, whoever is there. ``day`` is that of a daily puzzle, whose seed stays secret
    until the day is over: `Result.seed` is empty then. ``reason``: why it will be on no board, if that is known beforehand."""

    kind: RunName
    day: str | None = None
    reason: RunReason | None = None


class SentAway(Struct, frozen=True):
    """Somebody whom the host sent away. ``name`` is empty for who had no seat."""

    person: str
    name: str


class Starting(Struct, kw_only=True):
    """A game that is about to begin. Everybody's client commits to a secret, and when all have, shows it.

    ``commitments`` are the seats', empty for bots; ``waits_for`` are the seats that have not yet done what the stage
    asks. After ``until_time`` the start is called off.
    """

    stage: Literal["committing", "revealing"]
    commitments: tuple[str, ...]
    waits_for: tuple[int, ...]
    until_time: int


class Result(Struct):
    """How a game ended. With the seed anybody can check every card and throw.

    ``bots``: the level of the bot on a seat, None for a person. ``names`` are those who sat there at the end;
    ``taken_over`` says who sat there before. Such a seat counts in nobody's statistics.
    """

    game: str
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    seed: str
    taken_over: tuple[TakenOver, ...] = ()


class TakenOver(Struct, frozen=True):
    """A seat that changed hands during the game; ``before`` are those who had it, the first first. ``bots``: the level of each of them
    that was a bot, None for a person. ``until``: the number of the last event of the game while each of them had it."""

    seat: int
    before: tuple[str, ...]
    bots: tuple[str | None, ...] = ()
    until: tuple[int, ...] = ()


class RunningGame(Struct, kw_only=True):
    """A game from where you sit (``seat`` is None for a spectator; ``own_seat`` is then the one that you had in it before, to
    which you may come back while a bot has it).

    ``state`` is what you may know now, after event ``seq``. ``entries`` are the events after the number that you
    said you had seen; all of them, if you named none.
    """

    id: str
    game: GameName
    names: tuple[str, ...]
    seat: int | None
    own_seat: int | None
    seq: int
    now: int
    state: GameState
    entries: tuple[GameEntry, ...]


class Present(Struct):
    """Somebody at the table, playing or looking on. ``round_trip_ms``: how long a message to them and back took last, if it is known here."""

    person: str
    name: str
    quality: Quality
    round_trip_ms: int | None = None


class Gone(Struct):
    """A seat of the running game whose person is not here. After ``host_ms`` milliseconds the host may let a bot play on there, after
    ``anybody_ms`` everybody with a seat; None while no turn without a time limit waits for them."""

    seat: int
    host_ms: int
    anybody_ms: int | None


class Said(Struct):
    """A chat message."""

    person: str
    name: str
    text: str
    sent_time: int


class FromServer(Struct, tag_field="type", tag=snake, kw_only=True):
    """What the server says."""


class Welcome(FromServer):
    """The first message: where you are and how things stand. ``missed`` and ``gone`` as in presence."""

    version: int
    you: Me
    table: Table
    game: RunningGame | None
    present: tuple[Present, ...]
    missed: tuple[int, ...]
    chat: tuple[Said, ...]
    gone: tuple[Gone, ...] = ()


class TableChanged(FromServer):
    table: Table


class GameStarted(FromServer):
    game: RunningGame


class Events(FromServer):
    """What happened, in order. The rules of the game say what each event changes.

    ``now`` is the time of sending, so that a client can set its clock.
    """

    game: str
    entries: tuple[GameEntry, ...]
    now: int


class Accepted(FromServer):
    """Your command was carried out; ``seq`` is the number of its last event, if it brought any."""

    id: str
    seq: int | None = None


class Refused(FromServer):
    """Your command was not carried out, and nothing has changed.

    Whoever lost a race is told ``seat`` and ``earlier_ms``: who was faster, and by how much.
    """

    id: str
    refusal: Refusal


class Hint(FromServer):
    """Where to look (practice tables only), in the game's own words; they say nothing if there is nothing to be found."""

    id: str
    hint: GameHint


class Presence(FromServer):
    """Who is here now, and how good their connections are. ``missed`` are the seats for whose people the game has waited
    so long in vain that anybody with a seat may let a bot play on there; ``gone`` all whose people are not here."""

    present: tuple[Present, ...]
    missed: tuple[int, ...]
    gone: tuple[Gone, ...] = ()


class BotsWaiting(FromServer):
    """A bot at this table waits for its turn to think, because bots of many tables do; ``ahead`` are so many others.
    Said again every few seconds; None when none waits any more."""

    ahead: int | None


class ReviewNews(FromServer):
    """How far the review of a game of this table has come: said about once a second while it is ``making``, and when it is
    ``ready`` to be fetched, or cannot be made because of a ``problem``."""

    game: str
    making: Making | None = None
    ready: bool = False
    problem: Code | None = None


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

    ``slow`` and ``restart`` are worth another try. ``signed_out``: the session has ended with which the socket was opened;
    another try is worth it for whoever is signed in again. The others are not.
    """

    reason: Literal["kicked", "closed", "slow", "restart", "flood", "bad_message", "signed_out", "too_many"]


ServerMessage = (
    Welcome
    | TableChanged
    | GameStarted
    | Events
    | Accepted
    | Refused
    | Hint
    | Presence
    | BotsWaiting
    | ReviewNews
    | Chat
    | Reaction
    | Ping
    | Bye
)
