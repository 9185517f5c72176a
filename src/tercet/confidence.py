"""Means with intervals that may be looked at as often as one likes.

The usual 95 % interval holds for one look at a number of games that was fixed beforehand. Whoever looks after each game
and stops when the interval is clear of the middle is wrong far more often than once in twenty. These intervals
are a *confidence sequence* (the normal mixture of Robbins 1970, with the estimated variance: Waudby-Smith, Arbour,
Sinha, Kennedy and Ramdas 2021): the chance that the true mean is *ever* outside is 5 %. They are about half as
wide again as the usual ones.
"""

from __future__ import annotations

from math import inf, log, sqrt
from typing import NamedTuple

#: The chance that an interval ever misses.
ALPHA = 0.05
#: The number of observations at which the intervals are narrowest for their kind.
TUNED_FOR = 400
#: The variance is not known well enough with fewer observations than this.
LEAST = 30


class Interval(NamedTuple):
    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high


class Mean:
    """A running mean. Takes constant memory, whatever the number of observations (Welford's method)."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0
        self._farthest = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        step = value - self.mean
        if self.count > 1:
            self._farthest = max(self._farthest, abs(step))
        self.mean += step / self.count
        self._squares += step * (value - self.mean)

    @property
    def deviation(self) -> float:
        """The standard deviation of one observation."""
        return sqrt(self._squares / (self.count - 1)) if self.count > 1 else 0.0

    @property
    def standard_error(self) -> float:
        return self.deviation / sqrt(self.count) if self.count else inf

    @property
    def interval(self) -> Interval:
        """Where the true mean lies, at every look together with 95 %."""
        if self.count < LEAST:
            return Interval(-inf, inf)
        # as if one more had been as far off as the farthest, or by one: who always won may lose one day
        deviation = max(self.deviation, max(self._farthest, 1.0) / sqrt(self.count))
        spread = log(TUNED_FOR / ALPHA**2) / TUNED_FOR
        scaled = self.count * spread + 1
        half = deviation * sqrt(2 * scaled / (self.count**2 * spread) * log(sqrt(scaled) / ALPHA))
        return Interval(self.mean - half, self.mean + half)
