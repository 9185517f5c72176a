"""The card game in numbers. Three cards are taken without a call, the table deals by itself, and a mistake costs a point.

Action 0 waits; the others are the threes of 21 places, in order (`THREES`). The vector has twelve numbers a place, one for each value of each
feature, then the part of the deck that is left, then the points of each seat from one's own on, in 27ths.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from tercet.cards.play import Show, State
from tercet.extras import needs
from tercet.rl.table import Encoding, Mask, Vector
from tercet.sets import Card

with needs("rl"):
    import numpy as np

PLACES = 21
THREES = tuple(combinations(range(PLACES), 3))

_NONE = len(Card.all())
#: Twelve numbers for each card; none for an empty place.
_VALUES = np.zeros((_NONE + 1, 12), dtype=np.float32)
for _card in Card.all():
    for _feature, _digit in enumerate(_card.digits):
        _VALUES[_card, 3 * _feature + _digit] = 1
_EMPTY = bytes([_NONE]) * PLACES


def _masks() -> list[Mask]:
    """What is allowed with so many cards on the table."""
    highest = np.array([-1, *(three[2] for three in THREES)])
    masks = [(highest < cards).astype(np.int8) for cards in range(PLACES + 1)]
    for mask in masks:
        mask.setflags(write=False)
    return masks


_MASKS = _masks()


class CardEncoding(Encoding):
    name = "set"
    actions = 1 + len(THREES)
    length = 12 * PLACES + 1 + 2
    length_a_player = 1
    options = {"claim": "instant", "auto_deal": True, "penalty": "point", "rounds": 1}  # noqa: RUF012
    stand_in = "regular"

    def decides(self, state: State, seat: int) -> bool:
        return state.phase == "play"

    def mask(self, state: State, seat: int) -> Mask:
        return _MASKS[min(len(state.table), PLACES)]

    def command(self, state: State, seat: int, action: int) -> Show | None:
        if not 0 < action <= len(THREES):
            return None
        a, b, c = THREES[action - 1]
        table = state.table
        return Show(seat, (table[a], table[b], table[c])) if c < len(table) else None

    def observe(self, state: State, seat: int) -> Vector:
        table = state.table[:PLACES]
        codes = np.frombuffer(bytes(table) + _EMPTY[len(table) :], dtype=np.uint8)
        scores = state.scores
        seen = np.empty(12 * PLACES + 1 + len(scores), dtype=np.float32)
        seen[: 12 * PLACES] = _VALUES[codes].ravel()
        rest: list[Any] = [
            len(state.deck) / 81,
            *(points / 27 for points in (*scores[seat:], *scores[:seat])),
        ]
        seen[12 * PLACES :] = rest
        return seen


ENCODING = CardEncoding()
