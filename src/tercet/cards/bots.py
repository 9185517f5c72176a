"""Bots for the card game, of five levels. They play every variant and with every option."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

from tercet.bots.finding import LEVELS, FindingBot
from tercet.cards.play import Deal, Show, State
from tercet.cards.variants import Cards, variant_of
from tercet.sets import Card

#: So many ways to be mistaken are looked at.
MISTAKES = 250


class CardBot(FindingBot[State, Deal | Show, Card]):
    """A player of the card game."""

    game = "set"

    def lying(self, view: State) -> Cards:
        return view.table

    def groups(self, view: State) -> Sequence[Cards]:
        return variant_of(view.options).groups(view.table, view.last)

    def near_groups(self, view: State) -> Sequence[Cards]:
        """What is no group because of one feature alone."""
        variant = variant_of(view.options)
        links: Sequence[Cards] = [(link,) for link in view.last] or [()]
        free = variant.size - len(links[0])
        if comb(len(view.table), free) * len(links) <= MISTAKES:
            tried = [link + rest for link in links for rest in combinations(view.table, free)]
        elif len(view.table) >= free:
            random = self.random
            tried = [(*random.choice(links), *random.sample(view.table, free)) for _ in range(MISTAKES)]
        else:
            tried = []
        return [cards for cards in tried if len(variant.explain(cards).broken) == 1]

    def symbol(self, thing: Card) -> Card:
        return thing

    def difficulty(self, view: State) -> float:
        return variant_of(view.options).effort

    def may_agree(self, view: State) -> bool:
        limit = variant_of(view.options).always(view.last)
        return self.seat not in view.none and len(view.table) < limit

    def is_told(self, view: State) -> bool:
        return view.options.honest_none

    def deal(self, view: State) -> Deal | None:
        return Deal(self.seat) if view.dealer == self.seat else None

    def show(self, group: Cards) -> Show:
        return Show(self.seat, group)


class Beginner(CardBot):
    name = "beginner"
    about = "is still learning: 3 SETs a minute, one call in eight is wrong"
    level = LEVELS[0]


class Casual(CardBot):
    name = "casual"
    about = "plays now and then: 5 SETs a minute, one call in twelve is wrong"
    level = LEVELS[1]


class Regular(CardBot):
    name = "regular"
    about = "plays every week: 9 SETs a minute, one call in twenty is wrong"
    level = LEVELS[2]


class Quick(CardBot):
    name = "quick"
    about = "hard to beat: 15 SETs a minute, one call in thirty is wrong"
    level = LEVELS[3]


class Champion(CardBot):
    name = "champion"
    about = "sees them almost at once: 24 SETs a minute, one call in a hundred is wrong"
    level = LEVELS[4]


#: The weakest first.
LADDER = (Beginner, Casual, Regular, Quick, Champion)
