"""The words of a table: what happens there, and how it stands between two events."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from tercet import games
from tercet.bots import GENTLE
from tercet.fairness import Terms, terms_of
from tercet.server.protocol import AtRun, Result, Seat, SentAway, snake

#: How a bot's name ends that leaves people the time for their first game.
GENTLY = f":{GENTLE}"


class TableEvent(Struct, frozen=True, kw_only=True, tag_field="kind", tag=snake):
    """What happened at a table."""


class Opened(TableEvent, frozen=True):
    """A table is made. ``seats`` are bots' names, or None for a person. ``run`` is there where people play against the clock."""

    code: str
    game: str
    options: dict[str, Any]
    host: str
    public: bool
    late_join: bool
    practice: bool
    chat: bool
    seats: tuple[str | None, ...]
    seed: str
    time: int
    quick_bots: bool = False
    run: AtRun | None = None


class Sat(TableEvent, frozen=True):
    """``program``: by a bot's account. ``after``: in a running game, the number of its last event by then."""

    seat: int
    person: str
    name: str
    program: bool = False
    after: int = 0


class BotSat(TableEvent, frozen=True):
    """``after`` as above. ``given_up``: whoever sat there wanted to go, or had to."""

    seat: int
    bot: str
    after: int = 0
    given_up: bool = False


class Stood(TableEvent, frozen=True):
    """The seat is open again."""

    seat: int


class SaidReady(TableEvent, frozen=True):
    seat: int
    ready: bool


class SeatAdded(TableEvent, frozen=True):
    pass


class SeatRemoved(TableEvent, frozen=True):
    seat: int


class HostChanged(TableEvent, frozen=True):
    person: str


class Kicked(TableEvent, frozen=True):
    person: str


class Allowed(TableEvent, frozen=True):
    """Who was sent away may come back."""

    person: str


class Changed(TableEvent, frozen=True):
    options: dict[str, Any]
    public: bool
    late_join: bool
    chat: bool
    quick_bots: bool = False


class StartBegan(TableEvent, frozen=True):
    """Everybody's client is asked for its part of the luck, and has time until then."""

    until: int


class Committed(TableEvent, frozen=True):
    seat: int
    commitment: str


class Revealed(TableEvent, frozen=True):
    """Somebody's secret: nobody is told before all are there."""

    seat: int
    secret: str


class CalledOff(TableEvent, frozen=True):
    """The start comes to nothing: ``silent`` seats did not show their secrets in time, or something has ``changed``.
    ``seed`` is that of the next try."""

    why: Literal["silent", "changed"]
    silent: tuple[int, ...]
    seed: str
    time: int


class Began(TableEvent, frozen=True):
    """A game begins with those who have a seat; the game's own log is called ``game``."""

    game: str
    time: int


class Finished(TableEvent, frozen=True):
    """The game is over; ``seed`` is that of the next one. ``date`` is the day on which that was, in UTC, by the clock on the wall.
    ``first``: it was a gentle one with hints, and the next is not."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    seed: str
    time: int
    date: str = ""
    first: bool = False


class Closed(TableEvent, frozen=True):
    time: int


class Paused(TableEvent, frozen=True):
    """The running game stands still, because somebody wants it so or because nobody is here."""

    why: Literal["wanted", "nobody_here"]
    time: int


class Resumed(TableEvent, frozen=True):
    """The running game goes on; no time has passed in it meanwhile."""

    time: int


class Emptied(TableEvent, frozen=True):
    """Nobody has been at the table for a while: it is not in the lobby any more."""

    time: int


class Visited(TableEvent, frozen=True):
    """Somebody is at the table again."""


AnyTableEvent = (
    Opened
    | Sat
    | BotSat
    | Stood
    | SaidReady
    | SeatAdded
    | SeatRemoved
    | HostChanged
    | Kicked
    | Allowed
    | Changed
    | StartBegan
    | Committed
    | Revealed
    | CalledOff
    | Began
    | Finished
    | Closed
    | Paused
    | Resumed
    | Emptied
    | Visited
)


class Starting(Struct, frozen=True):
    """A game that is about to begin: the seats' commitments and secrets as far as they are there, one a seat, empty
    for bots. First all commit, then all reveal."""

    until: int
    commitments: tuple[str, ...]
    secrets: tuple[str, ...]


class StartedGame(Struct, frozen=True):
    """The running game: what was agreed when it began. For ``paused_ms`` since then it stood still."""

    id: str
    called_off: int
    commitments: tuple[str, ...]
    secrets: tuple[str, ...]
    time: int
    paused_ms: int = 0


class Sitter(Struct, frozen=True):
    """Somebody, or a bot, on a seat of a running game, from after this event of it on. ``given_up``: the one before has given it up."""

    name: str
    person: str | None
    bot: str | None
    after: int = 0
    given_up: bool = False


class State(Struct, frozen=True, kw_only=True):
    """A table between two events. ``seed`` is secret until the game is over. ``number`` is that of the running game
    or of the next one, and ``called_off`` how often its start has been called off. ``sitters``: all who have sat on each
    seat since the running game began, the first first. ``pause`` is there while the game stands still, ``empty_since``
    while nobody has been here for a while. ``run``: people play against the clock here."""

    code: str
    game: str
    options: dict[str, Any]
    host: str
    public: bool
    late_join: bool
    practice: bool
    chat: bool
    quick_bots: bool = False
    time: int
    seed: str
    phase: Literal["gathering", "playing", "closed"] = "gathering"
    seats: tuple[Seat, ...]
    sent_away: tuple[SentAway, ...] = ()
    number: int = 1
    called_off: int = 0
    start: Starting | None = None
    started: StartedGame | None = None
    last: Result | None = None
    sitters: tuple[tuple[Sitter, ...], ...] = ()
    pause: Paused | None = None
    empty_since: int | None = None
    run: AtRun | None = None

    @property
    def rules(self) -> games.Rules[Any, Any, Any, Any]:
        rules: games.Rules[Any, Any, Any, Any] = games.find(self.game).rules
        return rules

    @property
    def terms(self) -> Terms:
        """What the commitments for this game are bound to: of the puzzle of a day, which is the same at all tables, not the table."""
        if self.is_daily:
            return terms_of(self.game, self.options)
        return terms_of(self.game, self.options, self.code, self.number)

    @property
    def is_daily(self) -> bool:
        """Whether the seed is that of a day, and stays secret until it is over."""
        return self.run is not None and self.run.day is not None

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits where; in a running game every seat is taken."""
        return tuple(seat.name for seat in self.seats)

    @property
    def bots(self) -> tuple[str | None, ...]:
        """Which of them are bots, and of which level."""
        return tuple(seat.bot for seat in self.seats)

    @property
    def is_gentle(self) -> bool:
        """Whether a bot here leaves people the time for their first game."""
        return any(bot is not None and bot.endswith(GENTLY) for bot in self.bots)

    @property
    def banned(self) -> frozenset[str]:
        return frozenset(away.person for away in self.sent_away)

    def seat_of(self, person: str) -> int | None:
        return next((number for number, seat in enumerate(self.seats) if seat.person == person), None)

    def people_seats(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.person is not None]

    def is_committed(self) -> bool:
        """Whether the start has got as far as that everybody's commitment is there."""
        return self.start is not None and all(self.start.commitments[seat] for seat in self.people_seats())

    def open_seats(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.person is None and seat.bot is None]

    def counts(self, seat: int) -> bool:
        """Whether the running game counts for who sits there: only for who has sat there from its beginning."""
        return len(self.sitters) <= seat or len(self.sitters[seat]) == 1

    def began_on(self, known_as: frozenset[str]) -> int | None:
        """The seat that somebody had first in the running game, whoever sits there now."""
        return next(
            (
                number
                for number, sitters in enumerate(self.sitters)
                if any(sitter.person in known_as for sitter in sitters)
            ),
            None,
        )

    def missing(self, seat: int) -> str | None:
        """The person for whom a bot plays on there, and who has not given the seat up."""
        if len(self.sitters) <= seat or self.seats[seat].bot is None:
            return None
        for sitter in reversed(self.sitters[seat]):
            if sitter.person is not None:
                return None if sitter.person in self.banned else sitter.person
            if sitter.given_up:
                return None
        return None

    def people(self) -> list[str]:
        return [seat.person for seat in self.seats if seat.person is not None]


class Asking(Struct, frozen=True):
    """What the shell hands in with a command: who asks, the time, fresh ids and seeds, the bots there are; who is at the
    table or on the way back to it; what else the asker is and was known by; and the seats for whose people the game
    has waited long enough (T3). ``gone`` are those with a seat who are not at the table now, ``away`` those of them who have
    been gone for so long that nobody waits for them (T1). ``is_running``: the asker plays against the clock at another table.
    ``program``: the asker is a bot's account. ``seq``: the number of the last event of the running game."""

    person: str
    name: str
    time: int
    new_game: str
    new_seed: str
    bots: tuple[str, ...]
    present: frozenset[str] = frozenset()
    known_as: frozenset[str] = frozenset()
    missed: frozenset[int] = frozenset()
    gone: frozenset[str] = frozenset()
    away: frozenset[str] = frozenset()
    is_running: bool = False
    program: bool = False
    seq: int = 0
