"""The dice game in numbers, on the house board or another of 81 squares.

Action 0 passes, or keeps all dice. Actions 1 to 63 lay the first turns of the list of legal ones, the most points first. Actions 64 to 94 throw
dice once more: 63 and a number whose bits are the places in hand. The race for the opening SET is chance, and a wild that can be replaced is.

The vector: eleven numbers for each square and each place of one's own hand (three a feature, whether a die is there, whether it is a
wild), then for each of the 63 turns its points in tenths, its dice in thirds, its wilds in thirds and its bonus in fives, then the hands of the others,
the part of the bag that is left, whether it is the extra roll, and the points of each seat from one's own on, in hundreds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tercet.cubed.play import Choose, CubedCommand, Lay, Pass, State
from tercet.cubed.sight import Sight, Turn
from tercet.editions.dice import Die
from tercet.rl.table import Encoding, Mask, Vector
from tercet.sets import WILD, Face

SQUARES, HAND, TURNS = 81, 5, 63
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
    actions = 1 + TURNS + 31
    length = _WIDTH * (SQUARES + 2 * HAND) + 4 * TURNS + 4
    length_a_player = _WIDTH * HAND + 1
    options = {}  # noqa: RUF012
    stand_in = "greedy"

    def __init__(self) -> None:
        self._known: tuple[object, object, Sight, list[Turn]] | None = None

    def turns(self, state: State, seat: int) -> tuple[Sight, list[Turn]]:
        """The first legal turns with this seat's hand; remembered, as mask, vector and command all ask."""
        known, hand = self._known, state.hands[seat]
        if known is None or known[0] is not state.board or known[1] is not hand:
            sight = Sight.of(state)
            known = state.board, hand, sight, sight.first([die.face for die in hand], TURNS)
            self._known = known
        return known[2], known[3]

    def decides(self, state: State, seat: int) -> bool:
        if state.phase == "extra_roll":
            return seat not in state.answered
        return state.phase == "turn" and seat == state.turn and not _replaceable(state, seat)

    def mask(self, state: State, seat: int) -> Mask:
        mask = np.zeros(self.actions, dtype=np.int8)
        mask[0] = 1
        if state.phase == "extra_roll" and seat not in state.answered:
            mask[1 + TURNS : TURNS + (1 << len(state.hands[seat]))] = 1
        elif state.phase == "turn" and seat == state.turn:
            mask[1 : 1 + len(self.turns(state, seat)[1])] = 1
        return mask

    def command(self, state: State, seat: int, action: int) -> CubedCommand | None:
        if state.phase == "extra_roll":
            bits = action - TURNS if action > TURNS else 0
            return Choose(
                seat, tuple([die.number for place, die in enumerate(state.hands[seat]) if bits >> place & 1])
            )
        sight, turns = self.turns(state, seat)
        if not 1 <= action <= len(turns):
            return Pass(seat)
        return Lay(seat, sight.placements(turns[action - 1].puts))

    def observe(self, state: State, seat: int) -> Vector:
        seats = state.seats
        seen = np.zeros(self.size(seats), dtype=np.float32)
        codes = [_code(die) for die in state.board[:SQUARES]]
        codes += [_NONE] * (SQUARES - len(codes))
        codes += _hand(state.hands[seat])
        end = _WIDTH * (SQUARES + HAND)
        seen[:end] = _VALUES[codes].ravel()
        if state.phase == "turn" and seat == state.turn:
            bonus = state.options.edition.layout.bonus_by_cell
            for turn in self.turns(state, seat)[1]:
                puts = turn.puts
                seen[end : end + 4] = (
                    turn.score / 10,
                    len(puts) / 3,
                    sum([wild for _, _, wild in puts]) / 3,
                    sum([bonus[cell] for cell, _, _ in puts]) / 5,
                )
                end += 4
        end = _WIDTH * (SQUARES + HAND) + 4 * TURNS
        for other in range(1, seats):
            hand = state.hands[(seat + other) % seats]
            seen[end : end + _WIDTH * HAND] = _VALUES[_hand(hand)].ravel()
            end += _WIDTH * HAND
        seen[end] = len(state.bag) / 42
        seen[end + 1] = state.phase == "extra_roll"
        scores = state.scores
        seen[end + 2 :] = [points / 100 for points in (*scores[seat:], *scores[:seat])]
        return seen


def _hand(dice: Sequence[Die]) -> list[int]:
    return [*map(_code, dice), *[_NONE] * (HAND - len(dice))]


def _replaceable(state: State, seat: int) -> bool:
    """Whether a wild on the board can be replaced by a die of this hand."""
    faces = [die.face for die in state.hands[seat]]
    return any(die is not None and die.wild and die.face in faces for die in state.board)


ENCODING = CubedEncoding()
