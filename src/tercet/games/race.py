"""A race: everybody at once looks at what lies there, and whoever calls first shows (K2 to K4, K6, M2, M4).

A game that is one says what lies there, what a group is, how a round begins and how it ends; everything else is here: the
words, what they change (`evolve`), what is allowed when (`RaceTable`), the rest of the contract (`RaceRules`), and the
lines of a record.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar, assert_never

from msgspec import Struct

from tercet.fairness import Chance
from tercet.games.absence import (
    OF_TABLE,
    CameBack,
    ComeBack,
    OfTable,
    StepAway,
    SteppedAway,
    away_after,
    come_or_go,
    have_all,
)
from tercet.games.lines import Form, read_seat
from tercet.games.rules import Command, Due, E, Event, Happening, Opts, Refusal, Rules

#: How long a table waits between two rounds for whoever begins the next.
PAUSE_MS = 10_000

#: Every code with which any race refuses.
REFUSALS = (
    "away_already",
    "call_first",
    "called_by_another",
    "game_over",
    "locked_out",
    "no_call_needed",
    "no_such_seat",
    "not_away",
    "nothing_to_take_back",
    "said_already",
    "show_first",
    "too_late",
)


def refusals_with(*own: str) -> tuple[str, ...]:
    """The same with those that only one game has."""
    return tuple(sorted(REFUSALS + own))


class Call(Command, frozen=True):
    """ "Set!" (K2, M2)."""


class SeeNone(Command, frozen=True):
    """ "There is no SET here" (K6, M4)."""


class TakeBack(Command, frozen=True):
    """ "Wait, let me look again": no longer agrees that there is none."""


class Called(Event, frozen=True):
    seat: int


class SawNone(Event, frozen=True):
    seat: int


class TookBack(Event, frozen=True):
    seat: int


class Ended(Event, frozen=True):
    scores: tuple[int, ...]


class PendingCall(Struct, frozen=True, gc=False):
    """Who called, and until when the SET must be shown."""

    seat: int
    until: int


#: What can be said, and what can happen, in every race and in the same way. How a round begins, what is shown and what
#: that brings, and how a round ends are words of each game.
RaceCommand = Call | SeeNone | TakeBack | OfTable
RaceEvent = Called | SawNone | TookBack | SteppedAway | CameBack


class RaceState(Protocol):
    """What must be known of a race: who called, who is locked out, who says that there is no SET, who is away. The
    options are ``claim`` and ``show_seconds``; the phases ``deal``, ``play`` and ``over``."""

    @property
    def options(self) -> Any: ...
    @property
    def seats(self) -> int: ...
    @property
    def phase(self) -> str: ...
    @property
    def call(self) -> PendingCall | None: ...
    @property
    def locked(self) -> frozenset[int]: ...
    @property
    def none(self) -> frozenset[int]: ...
    @property
    def taken(self) -> tuple[int, ...]: ...
    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def away(self) -> frozenset[int]: ...


S = TypeVar("S", bound=RaceState)
#: The commands that begin a round and that show something.
B = TypeVar("B", bound=Command)
W = TypeVar("W", bound=Command)

if TYPE_CHECKING:

    def replace(state: S, /, **changes: Any) -> S: ...

else:
    from msgspec.structs import replace


def evolve(state: S, event: RaceEvent, at: int) -> S:
    """The state after the event."""
    match event:
        case Called():
            until = at + state.options.show_seconds * 1000
            return replace(state, call=PendingCall(event.seat, until), none=state.none - {event.seat})
        case SawNone():
            return replace(state, none=state.none | {event.seat})
        case TookBack():
            return replace(state, none=state.none - {event.seat})
        case SteppedAway() | CameBack():
            return _release(replace(state, away=away_after(state.away, event)))
        case _ as unreachable:
            assert_never(unreachable)


def lock_out(state: S, seat: int) -> S:
    """The state after a wrong call (K3)."""
    return _release(replace(state, call=None, locked=state.locked | {seat}))


def _release(state: S) -> S:
    """When all who count are locked out, nobody is (K4, T1)."""
    all_locked = state.locked and have_all(state.seats, state.away, state.locked)
    return replace(state, locked=frozenset()) if all_locked else state


def add(counts: tuple[int, ...], seat: int, points: int = 1) -> tuple[int, ...]:
    """So many points more for this seat."""
    return (*counts[:seat], counts[seat] + points, *counts[seat + 1 :])


class RaceTable(Happening[S, E | RaceEvent], Generic[S, W, E]):
    """A table while a command is carried out: what is allowed, and what follows from it."""

    __slots__ = ()

    @abstractmethod
    def begin(self, seat: int) -> Self | Refusal:
        """A new round, if this seat may begin it now."""

    @abstractmethod
    def not_begun(self) -> Refusal:
        """Why nothing can be said between two rounds: who has not begun the next."""

    @abstractmethod
    def show(self, command: W) -> Self | Refusal:
        """Take what is shown, or `miss` it, if `cannot_show` has nothing against it."""

    @abstractmethod
    def settle(self) -> None:
        """All who count agree that there is no SET: what follows."""

    def cannot_agree(self) -> Refusal | None:
        """Why nobody may say here that there is no SET, if so."""
        return None

    def not_now(self, seat: int) -> Refusal | None:
        """Why this seat may say nothing now, if so: nothing lies there, or somebody else has called (K2)."""
        state = self.state
        if state.phase == "deal":
            return self.not_begun()
        if state.call is not None and state.call.seat != seat:
            return Refusal("called_by_another", seat=state.call.seat)
        return None

    def call(self, seat: int) -> Self | Refusal:
        state = self.state
        if state.options.claim == "instant":
            return Refusal("no_call_needed")
        if state.call is not None:
            return Refusal("show_first")
        if seat in state.locked:
            return Refusal("locked_out")
        self.happen(Called(seat))
        return self

    def cannot_show(self, seat: int, *, something: bool) -> Refusal | None:
        """Why this seat may not show now, if so (K2, K3). After a call it is never too late to show nothing."""
        state = self.state
        if state.options.claim == "instant":
            return Refusal("locked_out") if seat in state.locked else None
        if state.call is None:
            return Refusal("call_first")
        if something and self.at > state.call.until:
            return Refusal("too_late", by_ms=self.at - state.call.until)
        return None

    def miss(self, event: E) -> Self:
        """What was shown is no group, or nothing was."""
        self.happen(event)
        self.agree()
        return self

    def see_none(self, seat: int) -> Self | Refusal:
        state = self.state
        if state.call is not None:
            return Refusal("show_first")
        if seat in state.none:
            return Refusal("said_already")
        refusal = self.cannot_agree()
        if refusal is not None:
            return refusal
        self.happen(SawNone(seat))
        self.agree()
        return self

    def take_back(self, seat: int) -> Self | Refusal:
        if seat not in self.state.none:
            return Refusal("nothing_to_take_back")
        self.happen(TookBack(seat))
        return self

    def come_or_go(self, command: OfTable) -> Self | Refusal:
        event = come_or_go(self.state.away, command)
        if isinstance(event, Refusal):
            return event
        self.happen(event)
        self.agree()
        return self

    def agree(self) -> None:
        """If all who count see no SET, and nobody has called, that is settled (K6, M4, T1)."""
        state = self.state
        if state.none and state.call is None and have_all(state.seats, state.away, state.none):
            self.settle()


class RaceRules(Rules[Opts, S, B | W | RaceCommand, E | RaceEvent], Generic[Opts, S, B, W, E]):
    """The contract of a game, as far as all races fulfil it in the same way.

    ``begin`` and ``show`` are the game's own commands: those that begin a round, and that show something or, with a seat
    alone, nothing. ``table`` is its `RaceTable`.
    """

    min_seats = 1
    max_seats = 8
    is_race = True
    begin: type[B]
    show: type[W]
    table: type[RaceTable[S, W, E]]

    @abstractmethod
    def opening(self, state: S) -> B:
        """How the next round begins, by whose turn it is to begin one."""

    @abstractmethod
    def begin_due(self, state: S) -> int | None:
        """When the table begins the next round by itself."""

    @abstractmethod
    def shows(self, state: S, seat: int) -> Iterator[W]:
        """Everything that this seat could show."""

    def carry_out(
        self, state: S, command: B | W | RaceCommand, at: int, chance: Chance
    ) -> RaceTable[S, W, E] | Refusal:
        seat = command.seat
        if not 0 <= seat < state.seats:
            return Refusal("no_such_seat", seat=seat)
        if state.phase == "over":
            return Refusal("game_over")
        table = self.table(state, at, chance)
        # What is said most often comes first: `isinstance` takes seven times as long for what is something else.
        if isinstance(command, self.show):
            return table.not_now(seat) or table.show(command)
        if isinstance(command, Call):
            return table.not_now(seat) or table.call(seat)
        if isinstance(command, SeeNone):
            return table.not_now(seat) or table.see_none(seat)
        if isinstance(command, TakeBack):
            return table.not_now(seat) or table.take_back(seat)
        if isinstance(command, OF_TABLE):
            return table.come_or_go(command)
        assert isinstance(command, self.begin)
        return table.begin(seat)

    def moves(self, state: S, seat: int) -> Iterator[B | W | RaceCommand]:
        if state.phase == "deal":
            opener = self.opening(state).seat
            if seat == opener or opener in state.away:
                yield self.begin(seat)
        if state.phase != "play" or (state.call is not None and state.call.seat != seat):
            return
        if state.call is not None:
            yield self.show(seat)
            yield from self.shows(state, seat)
            return
        if seat not in state.locked:
            if state.options.claim == "instant":
                yield from self.shows(state, seat)
            else:
                yield Call(seat)
        if seat in state.none:
            yield TakeBack(seat)
        elif self.allows(state, SeeNone(seat), 0):
            yield SeeNone(seat)

    def due(self, state: S) -> Due[B | W | RaceCommand] | None:
        if state.call is not None:
            return Due(state.call.until, (self.show(state.call.seat),))
        if state.phase != "deal" or (at := self.begin_due(state)) is None:
            return None
        return Due(at, (self.opening(state),))

    def away(self, state: S) -> frozenset[int]:
        return state.away

    def misses(self, state: S, seat: int) -> bool:
        return True

    def faster(self, refusal: Refusal, event: E | RaceEvent) -> int | None:
        return event.seat if refusal.code == "called_by_another" and isinstance(event, Called) else None

    def is_over(self, state: S) -> bool:
        return state.phase == "over"

    def scores(self, state: S) -> tuple[int, ...]:
        return state.scores


#: For each event the command that it answers, and what follows the seat in a line of a record.
_WORDS: dict[type[RaceEvent], tuple[type[RaceCommand], str]] = {
    Called: (Call, "calls"),
    SawNone: (SeeNone, "sees none"),
    TookBack: (TakeBack, "looks again"),
    SteppedAway: (StepAway, "is away"),
    CameBack: (ComeBack, "is back"),
}


def cause(event: RaceEvent) -> RaceCommand:
    """The command that this event answers."""
    return _WORDS[type(event)][0](event.seat)


def write_event(event: RaceEvent) -> str:
    return f"{event.seat + 1} {_WORDS[type(event)][1]}"


#: How lines of a record that `write_event` wrote are read.
FORMS: list[Form[RaceEvent]] = [
    (f"([1-8]) {said}", lambda seat, event=event: event(read_seat(seat)))
    for event, (_, said) in _WORDS.items()
]
