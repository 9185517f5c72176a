"""The contract that each game fulfils: a decider, and everything else that a shell asks a game.

``carry_out`` answers a command with events and the state after them, or with a refusal; ``evolve`` applies one
event to a state. Both are pure. Time and chance are handed in.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, cast, get_args

import msgspec

from tercet.codec import from_data, reason, to_data
from tercet.fairness import Chance, Seeded, seed_from
from tercet.games.options import Named, Option, describe, misfit
from tercet.sets import TercetError, of_kind

#: Luck for a question whose answer does not depend on it.
_ANY_LUCK = Seeded(seed_from("any luck"))


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
    """Raised by `Game.do` for a command that the rules do not allow; the command changed nothing. ``words`` say why to a person."""

    def __init__(self, refusal: Refusal, words: str = "") -> None:
        super().__init__(f"{refusal.code}: {words}" if words else str(refusal.data))
        self.refusal, self.words = refusal, words

    def __reduce__(self) -> tuple[type[Refused], tuple[Refusal, str]]:
        return Refused, (self.refusal, self.words)


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


class Counts(msgspec.Struct, frozen=True):
    """A seat's line in the statistics: how many SETs it took, how many turns it had."""

    sets: int = 0
    turns: int = 0


def tally(seats: int, found: Iterable[tuple[str, int]]) -> list[Counts]:
    """The lines of all seats, from fields of `Counts` and the seats for which they count one up."""
    sums: list[dict[str, int]] = [{} for _ in range(seats)]
    for field, seat in found:
        sums[seat][field] = sums[seat].get(field, 0) + 1
    return [Counts(**one) for one in sums]


class NoHint(msgspec.Struct, frozen=True):
    """The hint of a game that gives none."""


class Rules(ABC, Generic[Opts, S, C, E]):
    """The contract of a game. One object a game, without state of its own.

    ``title`` is the same in every language. ``options_type`` and ``state_type`` are Structs, ``commands`` and ``events``
    unions of Structs, ``entry_type`` is a log line of those events, ``hint_type`` a Struct. ``refusals`` are all codes
    with which `carry_out` may refuse. ``is_race``: everybody plays at once and a moment decides, so nothing may keep
    such a table waiting. ``counted`` are the events that count in the statistics of the seat that they name, each with
    the field of `Counts`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    is_race: ClassVar[bool] = False
    refusals: ClassVar[tuple[str, ...]]
    counted: ClassVar[Mapping[type[Event], str]] = {}
    options_type: type[Opts]
    state_type: type[S]
    commands: Any
    events: Any
    entry_type: Any
    hint_type: type[msgspec.Struct] = NoHint
    #: The types of ``commands``.
    command_types: ClassVar[frozenset[type[Command]]] = frozenset()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.command_types = frozenset(get_args(getattr(cls, "commands", None)))

    @abstractmethod
    def start(self, options: Opts, seats: int) -> S:
        """The state before the first deal; `OptionsError` if these do not go together."""

    @abstractmethod
    def opening(self, state: S) -> C:
        """What the table does by itself to set a new game going."""

    @abstractmethod
    def carry_out(self, state: S, command: C, at: int, chance: Chance) -> Happening[S, E] | Refusal:
        """What follows from a command at a time, or why it is not allowed. Never raises, whatever the command."""

    @abstractmethod
    def moves(self, state: S, seat: int) -> Iterator[C]:
        """Every command that this seat may give now, each once: cards and dice in the order in which they lie. Drafts and
        what only the table says are left out."""

    def allows(self, state: S, command: C, at: int) -> bool:
        """Whether the command would be carried out, whatever luck brings then."""
        return not isinstance(self.carry_out(state, command, at, _ANY_LUCK), Refusal)

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

    def waits_for(self, state: S) -> tuple[int, ...]:
        """The seats that hold up everybody else: whose turn it is, who has not answered."""
        return ()

    def away(self, state: S) -> frozenset[int]:
        """The seats that are away, as far as the game was told (`tercet.games.StepAway`)."""
        return frozenset()

    def misses(self, state: S, seat: int) -> bool:
        """Whether the game, as it stands, would wait in vain for this seat, were it away. Then the table says so."""
        return False

    def races(self, state: S) -> bool:
        """Whether everybody plays at once just now: that does not go on while nobody is there."""
        return self.is_race

    def is_by_post(self, state: S) -> bool:
        """Whether people come and go while this game is played, for days: then nobody is away, and clocks run on."""
        return False

    def faster(self, refusal: Refusal, event: E) -> int | None:
        """Whoever was faster, if the refusal tells of a race that was lost by this event."""
        return None

    def hint(self, state: S, seat: int, strength: int) -> Any:
        """Where this seat should look, of ``hint_type``: a little (1), more (2) or all (3) of something good."""
        return self.hint_type()

    def count_play(self, log: Sequence[Entry[E]], seats: int) -> list[Counts]:
        """What each seat did in a game, for its statistics."""
        events: Iterable[Any] = (entry.event for entry in log)
        counted = self.counted
        return tally(
            seats,
            ((field, event.seat) for event in events if (field := counted.get(type(event))) is not None),
        )

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

    def options_schema(self) -> tuple[Option, ...]:
        """What can be chosen for a table, with defaults and limits."""
        return describe(self.options_type)

    def describe_options(self, options: Opts) -> dict[str, Any]:
        """The options that differ from the usual, as plain data; `read_options` reads them back.

        What has a name, such as an edition, is always told, with its fingerprint: a later version may be another.
        The usual itself never changes, or old records would mean something else.
        """
        usual = to_data(self.options_type())
        described = {key: value for key, value in to_data(options).items() if value != usual[key]}
        return described | {key: value.reference() for key, value in self.named_options(options).items()}

    def named_options(self, options: Opts) -> dict[str, Named]:
        """Those of the options that have names, such as the edition."""
        values = msgspec.structs.asdict(cast("msgspec.Struct", options))
        return {key: value for key, value in values.items() if isinstance(value, Named)}

    def read_options(self, data: Any) -> Opts:
        """Options from plain data; `OptionsError` says what is wrong with them."""
        try:
            return from_data(data, self.options_type)
        except msgspec.ValidationError as error:
            told = misfit(self.options_type, data) or reason(error)
            raise OptionsError(f"options of {self.name}: {told}") from None

    def winners(self, state: S) -> tuple[int, ...]:
        """The seats with the most points; equal points share the win."""
        scores = self.scores(state)
        return tuple(seat for seat, score in enumerate(scores) if score == max(scores))

    def check_seats(self, seats: int) -> None:
        of_kind(seats, int, "a number of players")
        if not self.min_seats <= seats <= self.max_seats:
            raise OptionsError(
                f"{self.name} is for {self.min_seats} to {self.max_seats} players, not {seats}"
            )


AnyRules = Rules[Any, Any, Any, Any]
