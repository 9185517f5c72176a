"""The dice game in numbers, on the house board or another of 81 squares.

Action 0 passes, or keeps all dice. Actions 1 to 63 lay the first turns of the list of legal ones, the most points first. Actions 64 to 94 throw
dice once more: 63 and a number whose bits are the places in hand. Actions 95 to 99 put the die of that place in hand where a wild lies that stands for its
face. The race for the opening SET is left to chance, and the SET to a bot.

The vector: eleven numbers for each square and each place of one's own hand (three a feature, whether a die is there, whether it is a
wild), then for each of the 63 turns its points in tenths, its dice in thirds, its wilds in thirds and its bonus in fives, then the hands of the others,
the part of the bag that is left, whether it is the extra roll, and the points of each seat from one's own on, in hundreds.
"""

from __future__ import annotations

from collections.abc import Sequence

from tercet.cubed.play import Choose, CubedCommand, Lay, Pass, Replace, State
from tercet.cubed.sight import EMPTY, FIRST, FirstTurns, Sight
from tercet.editions.dice import Die
from tercet.extras import needs
from tercet.rl.table import Encoding, Mask, Vector
from tercet.sets import WILD, Face

with needs("rl"):
    import numpy as np

SQUARES, HAND, TURNS = 81, 5, FIRST
#: The first of the actions that replace a wild.
REPLACE = 1 + TURNS + 31
_WIDTH = 11
_NONE = 2 * len(Face.all()) + 1
#: Eleven numbers for each face, then for each face for which a wild stands, the wild in hand, and for no die.
_VALUES = np.zeros((_NONE + 1, _WIDTH), dtype=np.float32)
for _face in Face.all():
    for _feature, _digit in enumerate(_face.digits):
        _VALUES[_face, 3 * _feature + _digit] = _VALUES[_face + 28, 3 * _feature + _digit] = 1
_VALUES[:_NONE, 9] = 1
_VALUES[27:_NONE, 10] = 1


def _code(die: Die | None) -> int:
    if die is None:
        return _NONE
    return int(die.face) + 28 if die.wild and die.face is not WILD else int(die.face)


class CubedEncoding(Encoding):
    name = "cubed"
    actions = 1 + TURNS + 31 + HAND
    length = _WIDTH * (SQUARES + 2 * HAND) + 4 * TURNS + 4
    length_a_player = _WIDTH * HAND + 1
    options = {}  # noqa: RUF012
    stand_in = "greedy"
    hides = True

    def __init__(self) -> None:
        self._board: tuple[object, Sight, Vector, frozenset[int]] | None = None
        self._known: tuple[object, object, FirstTurns] | None = None

    def _seen(self, state: State) -> tuple[object, Sight, Vector, frozenset[int]]:
        """The board as it is, in the kernel's form and in numbers, and the faces for which wilds stand; remembered, as it changes only when
        somebody lays dice."""
        known = self._board
        if known is None or known[0] is not state.board:
            sight = Sight.of(state)
            lying = np.frombuffer(sight.board, np.uint8)[:SQUARES]
            codes = np.where(
                lying == EMPTY, _NONE, lying + 28 * np.frombuffer(sight.stars, np.uint8)[:SQUARES]
            )
            wilds = frozenset(face for _, face in sight.wilds())
            known = self._board = state.board, sight, _VALUES[codes].ravel(), wilds
        return known

    def turns(self, state: State, seat: int) -> FirstTurns:
        """The first legal turns with this seat's hand; remembered, as mask, vector and command all ask."""
        known, hand = self._known, state.hands[seat]
        if known is None or known[0] is not state.board or known[1] is not hand:
            sight = self._seen(state)[1]
            known = self._known = state.board, hand, sight.first([die.face for die in hand])
        return known[2]

    def decides(self, state: State, seat: int) -> bool:
        if state.phase == "extra_roll":
            return seat not in state.answered
        return state.phase == "turn" and seat == state.turn

    def mask(self, state: State, seat: int) -> Mask:
        mask = np.zeros(self.actions, dtype=np.int8)
        mask[0] = 1
        if state.phase == "extra_roll" and seat not in state.answered:
            mask[1 + TURNS : TURNS + (1 << len(state.hands[seat]))] = 1
        elif state.phase == "turn" and seat == state.turn:
            mask[1 : 1 + len(self.turns(state, seat))] = 1
            if wilds := self._seen(state)[3]:
                for place, die in enumerate(state.hands[seat]):
                    mask[REPLACE + place] = die.face in wilds
        return mask

    def command(self, state: State, seat: int, action: int) -> CubedCommand | None:
        if state.phase == "extra_roll":
            hand, bits = state.hands[seat], action - TURNS
            if not 0 < bits < 1 << len(hand):
                return Choose(seat)
            return Choose(seat, tuple([die.number for place, die in enumerate(hand) if bits >> place & 1]))
        sight = self._seen(state)[1]
        if REPLACE <= action < REPLACE + len(state.hands[seat]):
            die = state.hands[seat][action - REPLACE]
            for cell, face in sight.wilds():
                if face == die.face:
                    return Replace(seat, die.number, sight.layout.square(cell))
        turns = self.turns(state, seat)
        if not 1 <= action <= len(turns):
            return Pass(seat)
        return Lay(seat, sight.placements(turns[action - 1].puts))

    def observe(self, state: State, seat: int) -> Vector:
        seats = state.seats
        board = self._seen(state)[2]
        seen = np.zeros(self.size(seats), dtype=np.float32)
        seen[: len(board)] = board
        end = _WIDTH * SQUARES
        hands = [code for place in range(seats) for code in _hand(state.hands[(seat + place) % seats])]
        held = _VALUES[hands].ravel()
        seen[end : end + _WIDTH * HAND] = held[: _WIDTH * HAND]
        end += _WIDTH * HAND
        if state.phase == "turn" and seat == state.turn:
            told = self.turns(state, seat).told
            seen[end : end + len(told)] = told
        end += 4 * TURNS
        rest = len(held) - _WIDTH * HAND
        seen[end : end + rest] = held[_WIDTH * HAND :]
        end += rest
        seen[end] = len(state.bag) / 42
        seen[end + 1] = state.phase == "extra_roll"
        scores = state.scores
        seen[end + 2 :] = [points / 100 for points in (*scores[seat:], *scores[:seat])]
        return seen


def _hand(dice: Sequence[Die]) -> list[int]:
    return [*map(_code, dice), *[_NONE] * (HAND - len(dice))]


ENCODING = CubedEncoding()
