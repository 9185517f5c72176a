# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, infer_types=True
"""Chance for simulations: splitmix64 (Steele, Lea, Flood 2014), a stream for each game of a seed.

Simulated game number i of a seed is the same game in whatever batch and process it is played. Real games
take their chance from `tercet.fairness`, never from here.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from tercet.kernel import _uncompiled as cython

STEP = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
MIX_1 = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX_2 = cython.declare(cython.ulonglong, 0x94D049BB133111EB)
#: Keeps plain Python's ints at 64 bits, as C's are by nature.
BITS_64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


@cython.final
@cython.cclass
class Chance:
    def start(self, seed: cython.ulonglong, index: cython.ulonglong) -> cython.void:
        """Begin the stream of game `index` of this seed."""
        self.state = seed
        self.state = self.next() ^ ((index * STEP) & BITS_64)
        self.state = self.next()

    def next(self) -> cython.ulonglong:
        """64 random bits."""
        self.state = (self.state + STEP) & BITS_64
        z: cython.ulonglong = self.state
        z = ((z ^ (z >> 30)) * MIX_1) & BITS_64
        z = ((z ^ (z >> 27)) * MIX_2) & BITS_64
        return z ^ (z >> 31)

    def below(self, n: cython.int) -> cython.int:
        """A number from 0 to n-1, each equally often but for one part in four thousand million."""
        return cython.cast(cython.int, ((self.next() >> 32) * n) >> 32)

    def one_of_six(self, key: cython.ulonglong, label: cython.ulonglong) -> cython.int:
        """A number from 0 to 5 that the key and the label alone decide; the stream stays where it is."""
        kept: cython.ulonglong = self.state
        self.state = (key + label * STEP) & BITS_64
        number: cython.int = self.below(6)
        self.state = kept
        return number
