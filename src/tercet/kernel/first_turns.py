# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""The first turns of a search, in order, and what a learner is told of each: for learning environments.

In order means as `tercet.cubed.sight` has it: the most points first, of equals the smaller int of turns.py.
"""

from __future__ import annotations

from tercet.kernel.search import Search

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython

#: How many turns are kept.
FIRST = cython.declare(cython.int, 63)
#: The bits of a score: turned round, the numbers themselves have the order.
SCORE = cython.declare(cython.longlong, 0x7FFF << 48)


@cython.final
@cython.cclass
class FirstTurns:
    def __init__(self) -> None:
        if not cython.compiled:
            self.turn = [0] * 64
        self.count = 0

    def take(self, search: Search) -> cython.void:
        """Find all turns of a search and keep the first of them, in order."""
        search.find_all()
        n: cython.int = 0
        for i in range(search.turns):
            turned: cython.longlong = search.turn[i] ^ SCORE
            if n == FIRST and turned > self.turn[n - 1]:
                continue
            k: cython.int = n if n < FIRST else FIRST - 1
            while k and self.turn[k - 1] > turned:
                self.turn[k] = self.turn[k - 1]
                k -= 1
            self.turn[k] = turned
            if n < FIRST:
                n += 1
        for i in range(n):
            self.turn[i] ^= SCORE
        self.count = n

    def tell(self, search: Search, out: cython.float[::1], begin: cython.longlong) -> cython.void:
        """Four numbers of each turn: its points in tenths, its dice and its wilds in thirds, its bonus in fives."""
        for i in range(self.count):
            dice: cython.int = 0
            wilds: cython.int = 0
            bonus: cython.int = 0
            for k in range(3):
                p: cython.int = (self.turn[i] >> (16 * k) & 0xFFFF) - 1
                if p >= 0:
                    dice += 1
                    wilds += p & 1
                    bonus += search.board.bonus[search.board.at[p >> 6]]
            out[begin] = (self.turn[i] >> 48) / 10.0
            out[begin + 1] = dice / 3.0
            out[begin + 2] = wilds / 3.0
            out[begin + 3] = bonus / 5.0
            begin += 4
