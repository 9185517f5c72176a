"""All turns of a position: by the compiled kernel where there is one, else by the readable version.

Both give the same turns in the same order: the most points first; of equals those with fewer dice, then
those whose last die is nearer to the top left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tercet import kernel
from tercet.cubed import turns
from tercet.cubed.placements import Placement
from tercet.cubed.turns import Board, Laid, Turn
from tercet.editions.edition import Layout, WildRule
from tercet.sets import Face

#: The largest board that the kernel takes.
_KERNEL_SIDE = 26
#: How the kernel writes a square on which no die lies.
_EMPTY = 255
#: The bits of a turn of the kernel below those of its score.
_TURN_BITS = 48


class Scored(NamedTuple):
    """A legal turn and what it scores."""

    turn: Turn
    score: int


def all_turns(layout: Layout, board: Board, hand: Sequence[Face], wild: WildRule) -> list[Scored]:
    """Every legal turn once. Passing is not listed."""
    if not _fits(layout):
        found = [Scored(turn, score) for turn, score in turns.legal_turns(layout, board, hand, wild)]
        return sorted(found, key=lambda scored: (-scored.score, _pack(scored.turn)))
    packed = kernel.list_turns(*_for_kernel(layout, board, hand, wild))
    return [_unpack(turn) for turn in sorted(packed, key=_rank)]


def all_texts(layout: Layout, board: Board, hand: Sequence[Face], wild: WildRule) -> dict[str, int]:
    """The score of every legal turn by its text, in the order of `all_turns`."""
    if not _fits(layout):
        return {
            " ".join([_write(layout, die) for die in turn]): score
            for turn, score in all_turns(layout, board, hand, wild)
        }
    # A position with wilds can have a hundred thousand turns, made of a few hundred placements.
    texts = {0: ""}
    scores = {}
    for packed in sorted(kernel.list_turns(*_for_kernel(layout, board, hand, wild)), key=_rank):
        placements = packed & 0xFFFF, packed >> 16 & 0xFFFF, packed >> 32 & 0xFFFF
        for placement in placements:
            if placement not in texts:
                texts[placement] = _write(layout, _unpack(placement).turn[0]) + " "
        first, second, last = placements
        scores[(texts[first] + texts[second] + texts[last])[:-1]] = packed >> _TURN_BITS
    return scores


def best_turn(layout: Layout, board: Board, hand: Sequence[Face], wild: WildRule) -> Scored | None:
    """The first of `all_turns`, found without listing them; None if there is none."""
    if not _fits(layout):
        return next(iter(all_turns(layout, board, hand, wild)), None)
    packed = kernel.best_turn(*_for_kernel(layout, board, hand, wild))
    return _unpack(packed) if packed else None


def can_lay(layout: Layout, board: Board, hand: Sequence[Face]) -> bool:
    """Whether there is any legal turn."""
    if not _fits(layout):
        return turns.can_lay(layout, board, hand)
    return kernel.any_turn(*_for_kernel(layout, board, hand, "later"))


def _fits(layout: Layout) -> bool:
    return kernel.COMPILED and max(layout.rows, layout.cols) <= _KERNEL_SIDE


def _for_kernel(
    layout: Layout, board: Board, hand: Sequence[Face], wild: WildRule
) -> tuple[int, int, bytes, bytes, bytes, bytes, bool]:
    faces = bytearray([_EMPTY]) * (layout.rows * layout.cols)
    wilds = bytearray(len(faces))
    bonus = bytearray(layout.bonus_by_cell)
    for cell, die in board.items():
        faces[cell], wilds[cell], bonus[cell] = die.face, die.wild, 0
    args = (bytes(faces), bytes(wilds), bytes(bonus), bytes(hand), wild == "never")
    return (layout.rows, layout.cols, *args)


def _write(layout: Layout, die: Laid) -> str:
    return str(Placement(layout.square(die.cell), die.face, die.wild))


def _rank(packed: int) -> tuple[int, int]:
    return -(packed >> _TURN_BITS), packed & ((1 << _TURN_BITS) - 1)


def _pack(turn: Turn) -> int:
    """The turn as the kernel writes it, without its score."""
    return sum(
        (die.cell * 64 + die.face * 2 + die.wild + 1) << (place * 16) for place, die in enumerate(turn)
    )


def _unpack(packed: int) -> Scored:
    score, placements = kernel.unpack(packed)
    return Scored(tuple(Laid(cell, Face(face), wild) for cell, face, wild in placements), score)
