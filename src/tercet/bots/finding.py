"""Bots for races: they look for groups on an open table the way people do.

Every group on the table is found after a time of its own, and the first of them is called: a horse race (`tercet.difficulty`).
Sometimes they call cards that are almost a SET, sometimes they have lost it again when they should show it, and after a while
without a find they say that there is none.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from math import exp, log
from random import Random
from typing import ClassVar, Generic, NamedTuple, TypeVar

from tercet.bots.bot import DEFAULT_TIME_LIMIT, GENTLE_MS, Bot, C
from tercet.difficulty import SECOND_LOOK, SECONDS, SPREAD, hardness, most_common_value
from tercet.games import have_all
from tercet.games.race import Call, RaceCommand, RaceState, SeeNone
from tercet.sets import Symbol

#: How many times as long a gentle bot takes to find something, at first and for each SET that is taken less.
GENTLY, GENTLY_LESS = 3.0, 0.25
#: With so many seconds to show a SET nobody fails to in time, and nobody is kept waiting that long.
LONG_ENOUGH = 10
#: A bot for which everybody else waits takes no longer than this.
HURRY_MS = 6000
#: How many times as long a player who may not call holds out before agreeing that there is no SET.
STUBBORNNESS = 3


class Level(NamedTuple):
    """How well a bot sees.

    ``seconds``: the median time to find one given SET whose cards differ in one feature only. ``error``: the share
    of calls with cards that are no SET. ``fumble``: the share of calls after which nothing is shown in
    time. ``patience``: the seconds after which it says that there is no SET.
    """

    name: str
    seconds: float
    error: float
    fumble: float
    patience: float

    @property
    def speed(self) -> float:
        """How many times as fast as a player of speed 1."""
        return SECONDS / self.seconds


#: The weakest first.
LEVELS = (
    Level("beginner", seconds=11.0, error=0.12, fumble=0.05, patience=45),
    Level("casual", seconds=6.7, error=0.08, fumble=0.03, patience=28),
    Level("regular", seconds=3.7, error=0.05, fumble=0.02, patience=16),
    Level("quick", seconds=2.05, error=0.03, fumble=0.01, patience=9),
    Level("champion", seconds=1.15, error=0.01, fumble=0.005, patience=5),
)


S = TypeVar("S", bound=RaceState)
#: A card or a die.
T = TypeVar("T")


class Find(NamedTuple, Generic[T]):
    """What a bot takes for a group, and when it will have found it."""

    after: float
    group: tuple[T, ...]


class FindingBot(Bot[S, C | RaceCommand], Generic[S, C, T]):
    """A player of a certain `Level`. Each game says what lies there and how it is shown."""

    level: ClassVar[Level]

    def __init__(self, seat: int, random: Random) -> None:
        super().__init__(seat, random)
        self._table: tuple[T, ...] = ()
        self._find: Find[T] | None = None
        self._gives_up = False

    @abstractmethod
    def lying(self, view: S) -> tuple[T, ...]:
        """What lies on the table."""

    @abstractmethod
    def groups(self, view: S) -> Sequence[tuple[T, ...]]:
        """What can be found there."""

    @abstractmethod
    def near_groups(self, view: S) -> Sequence[tuple[T, ...]]:
        """What can be taken for a group by mistake."""

    @abstractmethod
    def symbol(self, thing: T) -> Symbol:
        """What a card or a die shows."""

    def difficulty(self, view: S) -> float:
        """How much longer one looks for one group here than for a SET among twelve cards."""
        return 1.0

    def may_agree(self, view: S) -> bool:
        """Whether the bot may say now that there is no group."""
        return self.seat not in view.none

    def is_told(self, view: S) -> bool:
        """Whether the table tells those who see none that there is one."""
        return False

    @abstractmethod
    def deal(self, view: S) -> C | None:
        """What to do between two rounds."""

    @abstractmethod
    def show(self, group: tuple[T, ...]) -> C: ...

    def delay(self, view: S) -> int:
        if view.phase != "play":
            return round(1000 * self._about(1.5))
        if view.call is not None:
            return round(1000 * self._time_to_show(view)) if view.call.seat == self.seat else 0
        delay = round(1000 * self._look(view))
        if self.gentle:
            delay = self._gently(view, delay)
        return min(delay, HURRY_MS) if _all_others_wait(view, self.seat) else delay

    def _gently(self, view: S, delay: int) -> int:
        """Nobody has taken anything, nor said anything: people go first. Then they have more time, less from SET to SET."""
        taken = max(sum(view.taken), sum(view.scores))
        if not (taken or view.none or view.locked):
            return max(delay, GENTLE_MS)
        return round(delay * max(1.0, GENTLY - GENTLY_LESS * taken))

    def choose(self, view: S, time_limit: float = DEFAULT_TIME_LIMIT) -> C | RaceCommand | None:
        if view.phase == "deal":
            return self.deal(view)
        if view.phase == "over" or (view.call is not None and view.call.seat != self.seat):
            return None
        if self.lying(view) != self._table:
            self._look(view)
        if view.call is not None:
            return self.show(self._find.group if self._find is not None else ())
        if self._gives_up:
            return SeeNone(self.seat) if self.may_agree(view) else None
        if self._find is None or self.seat in view.locked:
            return None
        return self.show(self._find.group) if view.options.claim == "instant" else Call(self.seat)

    def _look(self, view: S) -> float:
        """Look at the table: what will be found, or given up, after how many seconds?"""
        table = self.lying(view)
        pace = SECOND_LOOK if table == self._table else 1.0
        self._table = table
        finds = self._race(view)
        self._find = min(finds, default=None)
        patience = pace * self._about(self.level.patience * self.difficulty(view))
        if self.seat in view.locked:
            self._gives_up = not finds or _all_others_agree(view, self.seat)
            return patience * (STUBBORNNESS if finds else 1)
        if _all_others_agree(view, self.seat):
            patience *= 0.6
        found_after = pace * self._find.after if self._find is not None else patience
        may_give_up = self.may_agree(view) and not (finds and self.is_told(view))
        self._gives_up = may_give_up and (self._find is None or found_after > patience)
        if self._gives_up:
            return patience
        if self.random.random() < self.level.error and (near := self.near_groups(view)):
            self._find = Find(found_after, self.random.choice(near))
        return found_after

    def _race(self, view: S) -> list[Find[T]]:
        common = most_common_value([self.symbol(thing) for thing in self._table])
        middle = log(self.level.seconds * self.difficulty(view))
        finds = []
        for group in self.groups(view):
            mu = middle + hardness([self.symbol(thing) for thing in group], common)
            finds.append(Find(exp(self.random.gauss(mu, SPREAD)), group))
        return finds

    def _time_to_show(self, view: S) -> float:
        limit: float = view.options.show_seconds
        if self.random.random() < self.level.fumble and limit <= LONG_ENOUGH:
            return limit + 1.0
        return min(self._about(0.4 + 0.1 * self.level.seconds**0.5), 0.9 * limit)

    def _about(self, seconds: float) -> float:
        return seconds * exp(self.random.gauss(0, 0.25))


def _all_others_wait(view: RaceState, seat: int) -> bool:
    """Whether everybody else, locked out or seeing none, can only wait for this seat, which may call."""
    return (
        view.seats > 1
        and seat not in view.locked
        and have_all(view.seats, view.away, view.none | view.locked | {seat})
    )


def _all_others_agree(view: RaceState, seat: int) -> bool:
    """Whether nobody else is waited for; not of one who looks alone."""
    return view.seats > 1 and have_all(view.seats, view.away, view.none | {seat})
