"""How many cards can lie without a group: 39 without a Chain, 9 without an Ultra, 12 without a Ghost.

The search stands on two things. An affine map of the cards (features added up, and a card added to each) takes
groups to groups. And a table whose cards all lie in one affine hyperplane can take any card from outside it:
a group would have exactly one card outside, and cannot (in the feature that tells, its values would not sum to
zero, or the thirds of its pairs would differ). So the largest tables have five affinely independent cards, and
each can be mapped to one with the cards of `BASIS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tercet.kernel import count_chains, count_ghosts, count_ultras, has_ghost, has_ultra
from tests.perft import groups as defined

Cards = Sequence[int]
Sums = np.ndarray[Any, np.dtype[np.bool_]]

VALUES = np.array([defined.values(card) for card in range(81)])
WEIGHTS = np.array([27, 9, 3, 1])
PLUS = (VALUES[:, None] + VALUES) % 3 @ WEIGHTS
MINUS = (VALUES[:, None] - VALUES) % 3 @ WEIGHTS
BASIS = (0, 1, 3, 9, 27)


class WithoutUltra:
    """A table without an Ultra: it cannot take a + b - c of its cards."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def plus(self, card: int) -> WithoutUltra:
        return WithoutUltra((*self.cards, card))

    def free(self, cards: Cards) -> Cards:
        """Those that the table can take."""
        taken = {MINUS[PLUS[a, b], c] for a, b in combinations(self.cards, 2) for c in self.cards}
        return [card for card in cards if card not in taken]


class WithoutGhost:
    """A table without a Ghost: it cannot take what five of its cards lack to zero.

    `sums` says for each number of cards up to five, and each card, whether so many of the table sum to it.
    """

    def __init__(self, cards: Cards, sums: Sums | None = None) -> None:
        self.cards = cards
        if sums is None:
            sums = np.zeros((6, 81), bool)
            sums[0, 0] = True
            for card in cards:
                sums = self._more(sums, card)
        self.sums = sums

    @staticmethod
    def _more(sums: Sums, card: int) -> Sums:
        more = sums.copy()
        more[1:] |= sums[:-1, MINUS[:, card]]
        return more

    def plus(self, card: int) -> WithoutGhost:
        return WithoutGhost((*self.cards, card), self._more(self.sums, card))

    def free(self, cards: Cards) -> Cards:
        """Those that the table can take."""
        lacking = self.sums[5, MINUS[0]]
        return [card for card in cards if not lacking[card]]


Table = WithoutUltra | WithoutGhost


def larger(table: Table, candidates: Cards, size: int) -> Cards | None:
    """A table of this size with these cards, and others of the candidates; None if there is none."""
    if len(table.cards) == size:
        return table.cards
    for place, card in enumerate(candidates):
        if len(table.cards) + len(candidates) - place < size:
            break
        grown = table.plus(card)
        found = larger(grown, grown.free(candidates[place + 1 :]), size)
        if found is not None:
            return found
    return None


def kind(card: int) -> tuple[int, ...]:
    """Affine maps that permute `BASIS` take cards of one kind to each other: the weights of BASIS in them."""
    values = defined.values(card)
    return tuple(sorted(((1 - sum(values)) % 3, *values)))


def largest(table: Table, size: int) -> Cards | None:
    """A table of this size, or None: the sixth card is the first of its kind, and kinds that failed stay out."""
    candidates = sorted(set(range(81)) - set(BASIS), key=lambda card: (kind(card), card))
    while candidates:
        sixth, *others = candidates
        grown = table.plus(sixth)
        found = larger(grown, grown.free(others), size)
        if found is not None:
            return found
        candidates = [card for card in candidates if kind(card) != kind(sixth)]
    return None


def test_v3_nine_cards_can_lie_without_an_ultra_and_ten_cannot() -> None:
    nine = largest(WithoutUltra(BASIS), 9)
    assert nine is not None
    assert not defined.ultras(nine)
    assert count_ultras(bytes(nine)) == 0
    assert not has_ultra(bytes(nine))
    assert largest(WithoutUltra(BASIS), 10) is None


@pytest.mark.slow
def test_v4_twelve_cards_can_lie_without_a_ghost_and_thirteen_cannot() -> None:
    twelve = largest(WithoutGhost(BASIS), 12)
    assert twelve is not None
    assert not defined.ghosts(twelve)
    assert count_ghosts(bytes(twelve)) == 0
    assert not has_ghost(bytes(twelve))
    assert largest(WithoutGhost(BASIS), 13) is None


@pytest.mark.parametrize("last", [(0, 1, 2), (0, 40, 80), (5, 33, 55)])
def test_v2_39_of_the_other_cards_can_lie_without_a_chain_and_40_cannot(last: tuple[int, int, int]) -> None:
    """The others fall apart into 13 sixes: three cards and three more, a Chain for each one of both."""
    assert defined.is_set(*last)
    others = [card for card in range(81) if card not in last]
    partners = {card: frozenset(defined.THIRD[card, one] for one in last) for card in others}
    halves = set(partners.values())
    assert len(halves) == 26
    assert {len(half) for half in halves} == {3}
    for half in halves:
        (opposite,) = {partners[card] for card in half}
        assert {partners[card] for card in opposite} == {half}
    one_of_each_two = {
        min(half, next(iter({partners[card] for card in half})), key=sorted) for half in halves
    }
    largest_table = bytes(card for half in one_of_each_two for card in half)
    assert len(largest_table) == 39
    assert count_chains(largest_table, bytes(last)) == 0
    for card in set(others) - set(largest_table):
        assert count_chains(bytes((*largest_table, card)), bytes(last)) == 3
