"""Bots for the card game that look for SETs the way people do.

Every SET on the table is found after a time of its own, and the first of them is called: a horse race. People
see a SET sooner when its cards share more features (Jacob and Hochstein 2008) and when it shares the value that
is most common on the table (Nyamsuren and Taatgen 2013). Sometimes they call three cards that are almost a
SET, sometimes they have lost it again when they should show it, and after a while without a find they say that
there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import exp, log
from random import Random
from typing import NamedTuple

from tercet.bots.bot import DEFAULT_TIME_LIMIT, Bot, register
from tercet.cards.play import Call, CardCommand, Deal, SeeNone, Show, State
from tercet.cards.table import TABLE_LIMIT
from tercet.sets import Card, explain, find_sets

#: How much longer it takes to see a SET for each feature in which its cards differ, as a factor's logarithm.
PER_DIFFERENCE = 0.35
#: How much sooner a SET is seen whose cards share the table's most common value.
FOR_COMMON_VALUE = 0.30
#: How the times of one player spread.
SPREAD = 0.75
#: A second look at the same cards goes on from the first: it takes this part of the time.
SECOND_LOOK = 0.5
#: How many times as long a player who may not call holds out before agreeing that there is no SET.
STUBBORNNESS = 3

Cards = tuple[Card, ...]


class Level(NamedTuple):
    """How well a bot sees.

    ``seconds``: the median time to find one given SET whose cards differ in one feature only. ``error``: the share
    of calls with three cards that are no SET. ``fumble``: the share of calls after which nothing is shown in
    time. ``patience``: the seconds after which it says that there is no SET.
    """

    seconds: float
    error: float
    fumble: float
    patience: float


class Find(NamedTuple):
    """Three cards that a bot takes for a SET, and when it will have found them."""

    after: float
    cards: Cards


class CardBot(Bot[State, CardCommand]):
    """A player of a certain `Level`. Works with every option of the game."""

    game = "set"
    level: Level

    def __init__(self, seat: int, random: Random) -> None:
        super().__init__(seat, random)
        self._table: Cards = ()
        self._find: Find | None = None
        self._gives_up = False

    def delay(self, view: State) -> int:
        if view.phase != "play":
            return round(1000 * self._about(1.5))
        if view.call is not None:
            return round(1000 * self._time_to_show(view)) if view.call.seat == self.seat else 0
        return round(1000 * self._look(view))

    def choose(self, view: State, time_limit: float = DEFAULT_TIME_LIMIT) -> CardCommand | None:
        if view.phase == "deal":
            return Deal(self.seat) if view.dealer == self.seat else None
        if view.phase == "over" or (view.call is not None and view.call.seat != self.seat):
            return None
        if view.table != self._table:
            self._look(view)
        if view.call is not None:
            return Show(self.seat, self._find.cards if self._find is not None else ())
        if self._gives_up:
            return SeeNone(self.seat) if self._may_agree(view) else None
        if self._find is None or self.seat in view.locked:
            return None
        return Show(self.seat, self._find.cards) if view.options.claim == "instant" else Call(self.seat)

    def _look(self, view: State) -> float:
        """Look at the table: what will be found, or given up, after how many seconds?"""
        pace = SECOND_LOOK if view.table == self._table else 1.0
        self._table = view.table
        finds = self._race(view.table)
        self._find = min(finds, default=None)
        patience = pace * self._about(self.level.patience)
        if self.seat in view.locked:
            self._gives_up = not finds or _all_others_agree(view, self.seat)
            return patience * (STUBBORNNESS if finds else 1)
        if _all_others_agree(view, self.seat):
            patience *= 0.6
        found_after = pace * self._find.after if self._find is not None else patience
        may_give_up = self._may_agree(view) and not (finds and view.options.honest_none)
        self._gives_up = may_give_up and (self._find is None or found_after > patience)
        if self._gives_up:
            return patience
        if self.random.random() < self.level.error:
            self._find = self._mistake(found_after)
        return found_after

    def _may_agree(self, view: State) -> bool:
        return self.seat not in view.none and len(view.table) < TABLE_LIMIT

    def _race(self, table: Cards) -> list[Find]:
        common = most_common_value(table)
        middle = log(self.level.seconds)
        finds = []
        for cards in find_sets(table):
            differing = differing_features(cards)
            shares = common is not None and all(card.digits[common[0]] == common[1] for card in cards)
            mu = middle + PER_DIFFERENCE * (differing - 1) - FOR_COMMON_VALUE * shares
            finds.append(Find(exp(self.random.gauss(mu, SPREAD)), cards))
        return finds

    def _mistake(self, after: float) -> Find | None:
        """Three cards that break a single feature, if there are any such."""
        near = near_sets(self._table)
        return Find(after, self.random.choice(near)) if near else self._find

    def _time_to_show(self, view: State) -> float:
        limit = view.options.show_seconds
        if self.random.random() < self.level.fumble:
            return limit + 1.0
        return min(self._about(0.4 + 0.1 * self.level.seconds**0.5), 0.9 * limit)

    def _about(self, seconds: float) -> float:
        return seconds * exp(self.random.gauss(0, 0.25))


def differing_features(cards: Sequence[Card]) -> int:
    """In how many features these cards differ."""
    return sum(len(set(digits)) > 1 for digits in zip(*(card.digits for card in cards), strict=True))


def most_common_value(table: Sequence[Card]) -> tuple[int, int] | None:
    """The feature and the value that most cards share; a feature in which all are alike is not looked at."""
    counts: dict[tuple[int, int], int] = {}
    for card in table:
        for value in enumerate(card.digits):
            counts[value] = counts.get(value, 0) + 1
    return max(
        (value for value in counts if counts[value] < len(table)), key=counts.__getitem__, default=None
    )


def near_sets(table: Sequence[Card]) -> list[Cards]:
    """All threes that are no SET because of one feature alone."""
    return [three for three in combinations(table, 3) if len(explain(*three).broken) == 1]


def _all_others_agree(view: State, seat: int) -> bool:
    return view.seats > 1 and all(other in view.none for other in range(view.seats) if other != seat)


@register
class Beginner(CardBot):
    name = "beginner"
    about = "is still learning: 3 SETs a minute, one call in eight is wrong"
    level = Level(seconds=11.0, error=0.12, fumble=0.05, patience=45)


@register
class Casual(CardBot):
    name = "casual"
    about = "plays now and then: 5 SETs a minute, one call in twelve is wrong"
    level = Level(seconds=6.7, error=0.08, fumble=0.03, patience=28)


@register
class Regular(CardBot):
    name = "regular"
    about = "plays every week: 9 SETs a minute, one call in twenty is wrong"
    level = Level(seconds=3.7, error=0.05, fumble=0.02, patience=16)


@register
class Quick(CardBot):
    name = "quick"
    about = "hard to beat: 15 SETs a minute, one call in thirty is wrong"
    level = Level(seconds=2.05, error=0.03, fumble=0.01, patience=9)


@register
class Champion(CardBot):
    name = "champion"
    about = "sees them almost at once: 24 SETs a minute, one call in a hundred is wrong"
    level = Level(seconds=1.15, error=0.01, fumble=0.005, patience=5)
