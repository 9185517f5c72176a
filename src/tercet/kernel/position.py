# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""A position from which games are played on, and what the games before have found out about it.

Most games from one position come to their first extra roll with the same board, and those that begin with an extra roll with the same hands:
what is worked out there for one game serves all.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython


@cython.final
@cython.cclass
class Position:
    """Filled by `DiceGames.position`; by square, by seat, and by place of the hands as in dice_table.py."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.cell, self.star, self.bonus, self.die = [0] * 676, [0] * 676, [0] * 676, [0] * 676
            self.size, self.throws, self.score, self.chosen = [0] * 4, [0] * 4, [0] * 4, [0] * 4
            self.hand, self.up, self.bag = [0] * 20, [0] * 20, [0] * 256
            self.known_cell, self.known_star = [0] * 676, [0] * 676
            self.known_best, self.promised = [0] * 4495, [0] * 128
        self.in_bag = self.first = self.seat = self.stage = 0
        self.laid = self.could = self.dry = self.rethrows = self.over = 0
        self.is_known = self.is_solved = 0
