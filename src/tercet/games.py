"""What a game is: a decider.

``carry_out`` answers a command with events and the state after them, or with a refusal; ``evolve`` applies one
event to a state. Both are pure. Time and chance are handed in. `Rules` is the contract that each game fulfils
and `Game` plays one: it keeps the state and the log.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, cast

import msgspec

from tercet.codec import from_data, reason, to_data
from tercet.fairness import ENTROPY_LIMIT, Chance, Seeded, SeedError, check_seed, commit
from tercet.sets import TercetError

NAME_LIMIT = 40


class OptionsError(TercetError):
    """Options, seats or names with which no game can be played."""


class Refusal:
    """Why a command is not allowed, as data: a code and what goes with it.

    >>> Refusal("not_your_turn", turn=2)
    Refusal('not_your_turn', turn=2)
    >>> Refusal("not_your_turn", turn=2).data
    {'code': 'not_your_turn', 'turn': 2}
    """

    __slots__ = ("code", "details")

    def __init__(self, code: str, **details: Any) -> None:
        self.code = code
        self.details = details

    @property
    def data(self) -> dict[str, Any]:
        return {"code": self.code, **self.details}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refusal) and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.code)

    def __repr__(self) -> str:
        return f"Refusal({', '.join([repr(self.code), *(f'{k}={v!r}' for k, v in self.details.items())])})"


class Refused(TercetError):
    """Raised by `Game.do` for a command that the rules do not allow; the command changed nothing."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal.data))
        self.refusal = refusal

    def __reduce__(self) -> tuple[type[Refused], tuple[Refusal]]:
        return Refused, (self.refusal,)


def _tag(name: str) -> str:
    """``SeeNone`` is ``see_none`` in JSON."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


# What a game is made of points at nothing that points back, so that the garbage collector need not look at it.


class Command(msgspec.Struct, frozen=True, gc=False, tag_field="do", tag=_tag):
    """What a seat wants to do. Every game has its own commands."""

    seat: int


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag=_tag):
    """What happened, chance included. Every game has its own events."""


Opts = TypeVar("Opts")
S = TypeVar("S")
C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)


class Entry(msgspec.Struct, Generic[E], frozen=True, gc=False):
    """A line of a game's log: its number from 1, the milliseconds since the start, the event."""

    seq: int
    at: int
    event: E


class Due(NamedTuple, Generic[C]):
    """A deadline: what is taken as said at that time by those who have said nothing."""

    at: int
    commands: tuple[C, ...]


class Happening(ABC, Generic[S, E]):
    """What follows from a command at a time: the events, and the state after them. Chance is used here alone."""

    __slots__ = ("at", "chance", "events", "state")

    def __init__(self, state: S, at: int, chance: Chance) -> None:
        self.state = state
        self.at = at
        self.chance = chance
        self.events: list[E] = []

    @staticmethod
    @abstractmethod
    def evolve(state: S, event: E, at: int) -> S:
        """The state after an event."""

    def happen(self, event: E) -> None:
        """Let this be the next event."""
        self.events.append(event)
        self.state = self.evolve(self.state, event, self.at)


class Rules(ABC, Generic[Opts, S, C, E]):
    """The contract of a game. One object a game, without state of its own.

    ``options_type`` and ``state_type`` are Structs, ``commands`` and ``events`` unions of Structs, and
    ``entry_type`` is a log line of those events.
    """

    name: ClassVar[str]
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    options_type: type[Opts]
    state_type: type[S]
    commands: Any
    events: Any
    entry_type: Any

    @abstractmethod
    def start(self, options: Opts, seats: int) -> S:
        """The state before the first deal; `OptionsError` if these do not go together."""

    @abstractmethod
    def carry_out(self, state: S, command: C, at: int, chance: Chance) -> Happening[S, E] | Refusal:
        """What follows from a command at a time, or why it is not allowed. Never raises, whatever the command."""

    def decide(self, state: S, command: C, at: int, chance: Chance) -> list[E] | Refusal:
        """The events alone that follow from a command, or why it is not allowed."""
        outcome = self.carry_out(state, command, at, chance)
        return outcome if isinstance(outcome, Refusal) else outcome.events

    @abstractmethod
    def evolve(self, state: S, event: E, at: int) -> S:
        """The state after an event: what `carry_out` has gone through already, for whoever was only told."""

    @abstractmethod
    def due(self, state: S) -> Due[C] | None:
        """The next deadline, if one runs."""

    @abstractmethod
    def cause(self, event: E) -> C | None:
        """The command that this event answers; none for events that only follow from another."""

    @abstractmethod
    def is_over(self, state: S) -> bool: ...

    @abstractmethod
    def scores(self, state: S) -> tuple[int, ...]: ...

    @abstractmethod
    def write_event(self, event: E) -> str:
        """The event as one line of a record."""

    @abstractmethod
    def read_event(self, text: str) -> E:
        """The event that `write_event` wrote so; `NotationError` if there is none."""

    def view(self, state: S, seat: int | None) -> S:
        """The state as far as this seat may know it; None is a spectator."""
        return state

    def see(self, event: E, seat: int | None) -> E:
        """The event as far as this seat may know it."""
        return event

    def describe_options(self, options: Opts) -> dict[str, Any]:
        """The options that differ from the usual, as plain data; `read_options` reads them back."""
        usual = to_data(self.options_type())
        return {key: value for key, value in to_data(options).items() if value != usual[key]}

    def read_options(self, data: Any) -> Opts:
        """Options from plain data; `OptionsError` says what is wrong with them."""
        try:
            return from_data(data, self.options_type)
        except msgspec.ValidationError as error:
            raise OptionsError(f"options of {self.name}: {reason(error)}") from None

    def winners(self, state: S) -> tuple[int, ...]:
        """The seats with the most points; equal points share the win."""
        scores = self.scores(state)
        return tuple(seat for seat, score in enumerate(scores) if score == max(scores))

    def check_seats(self, seats: int) -> None:
        if not self.min_seats <= seats <= self.max_seats:
            raise OptionsError(
                f"{self.name} is for {self.min_seats} to {self.max_seats} players, not {seats}"
            )


class Game(Generic[Opts, S, C, E]):
    """One game as it is played: rules, seats, chance, state and log.

    ``seats`` are the players' names; ``options`` may also be plain data, such as ``{"rounds": 1}``. Times are milliseconds since the start; a game that is not
    told the time stands still in time. See `tercet.cards.Game` and `tercet.cubed.Game`.
    """

    rules: ClassVar[Any]

    def __init__(
        self,
        seats: Sequence[str],
        *,
        seed: str,
        options: Opts | Mapping[str, Any] | None = None,
        entropy: Sequence[str] = (),
    ) -> None:
        self.seats = check_names(seats)
        self.rules.check_seats(len(self.seats))
        self.options: Opts = (
            cast("Opts", options)
            if isinstance(options, self.rules.options_type)
            else self.rules.read_options({} if options is None else options)
        )
        self.state: S = self.rules.start(self.options, len(self.seats))
        self.log: list[Entry[E]] = []
        self.entropy = check_entropy(entropy, len(self.seats))
        self._seed = check_seed(seed)
        self._chance: Chance = Seeded(self._seed, self.entropy)

    @property
    def commitment(self) -> str:
        """The hash of the seed, to be published before play."""
        return commit(self._seed)

    def reveal(self) -> str:
        """The seed, once the game is over."""
        if not self.is_over:
            raise Refused(Refusal("not_over"))
        return self._seed

    @property
    def is_over(self) -> bool:
        return bool(self.rules.is_over(self.state))

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.rules.scores(self.state))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, or that lead while the game goes on."""
        return tuple(self.rules.winners(self.state))

    @property
    def due(self) -> Due[C] | None:
        due: Due[C] | None = self.rules.due(self.state)
        return due

    @property
    def clock(self) -> int:
        """The time of the last event."""
        return self.log[-1].at if self.log else 0

    def view(self, seat: int | None) -> S:
        """What this seat may know; None for a spectator."""
        view: S = self.rules.view(self.state, seat)
        return view

    def do(self, command: C, at: int | None = None) -> list[Entry[E]]:
        """Play a command; what happened, or `Refused`.

        Deadlines that ran out before are dealt with first, also for a command that is then refused.
        """
        if not isinstance(command, self.rules.commands):
            raise Refused(Refusal("bad_command"))
        clock = self.clock
        at = clock if at is None or at < clock else at
        late = self.advance(at - 1)
        outcome = self.rules.carry_out(self.state, command, at, self._chance)
        if isinstance(outcome, Refusal):
            raise Refused(outcome)
        return late + self._take(outcome)

    def advance(self, at: int) -> list[Entry[E]]:
        """Let time pass up to and including this moment; what happened by deadlines alone."""
        entries: list[Entry[E]] = []
        while (due := self.rules.due(self.state)) is not None and due.at <= at:
            for command in due.commands:
                entries += self._take(self.rules.carry_out(self.state, command, due.at, self._chance))
        return entries

    def _take(self, happened: Happening[S, E]) -> list[Entry[E]]:
        entries = number_events(happened.events, happened.at, len(self.log))
        self.state = happened.state
        self.log += entries
        return entries


def number_events(events: Sequence[E], at: int, last: int) -> list[Entry[E]]:
    """Log lines for events that come after line ``last``."""
    return [Entry(seq, at, event) for seq, event in enumerate(events, last + 1)]


def check_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names fit for seats: not empty, one line, not too long, each once."""
    for name in names:
        if not name.strip() or len(name) > NAME_LIMIT or not name.isprintable():
            raise OptionsError(f"{name[:NAME_LIMIT]!r} is not a name: 1 to {NAME_LIMIT} printable characters")
    if len(set(names)) < len(names):
        raise OptionsError(f"two players have the same name: {', '.join(names)}")
    return tuple(names)


def check_entropy(entropy: Sequence[str], seats: int) -> tuple[str, ...]:
    """One text a seat, empty where a player adds none."""
    if len(entropy) > seats:
        raise SeedError(f"entropy for {len(entropy)} seats, but the game has {seats}")
    for text in entropy:
        if len(text) > ENTROPY_LIMIT or not text.isprintable():
            raise SeedError(f"entropy is at most {ENTROPY_LIMIT} printable characters a seat")
    return (*entropy, *[""] * (seats - len(entropy)))


_registry: dict[str, type[Game[Any, Any, Any, Any]]] = {}


def register(game: type[Game[Any, Any, Any, Any]]) -> None:
    """Make a game known by its name."""
    _registry[game.rules.name] = game


def names() -> list[str]:
    """The names of all games."""
    return list(_registry)


def find(name: str) -> type[Game[Any, Any, Any, Any]]:
    """The game of this name."""
    if name not in _registry:
        raise OptionsError(f"no game is called {name[:20]!r}; there are {', '.join(_registry)}")
    return _registry[name]
