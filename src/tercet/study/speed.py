"""How fast somebody is, and how sure that is, from what they found and what they did not.

By `tercet.difficulty` every SET waits by itself to be found, so each of them tells something during each look at a
table: it was found after so long, or it was not found for so long (it was taken by somebody else, or the table changed).
The second kind is censored: the time to find it is only known to be longer. Both enter the likelihood of
the player's log speed, which has one maximum; the curvature there says how sure it is.

>>> found = [Search(seconds=4.0, difficulty=4.0, found=1)] * 12
>>> beaten = [Search(seconds=2.0, difficulty=4.0, found=0)] * 12
>>> estimate(found).rounded, estimate(found + beaten).rounded
((1.0, 0.66, 1.52), (0.84, 0.58, 1.21))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import erfc, exp, log, pi, sqrt
from typing import NamedTuple, TypeVar

from msgspec import Struct

from tercet.difficulty import SPREAD

#: Before anything is seen, log speeds lie around 0 with this deviation: the five levels of bots are within 1.2 of it.
USUAL_DEVIATION = 2.0
#: Before anything is seen, one kind of SETs is found about as fast as the others: most are within a factor of two.
KIND_DEVIATION = 0.7
#: So many deviations to either side hold 95 %.
SIDES = 1.96

_STEPS = 50

K = TypeVar("K")
_ROOT_2, _PEAK = sqrt(2), sqrt(2 / pi)


class Search(NamedTuple):
    """One SET during one look at a table: whether it was found, after how long; or for how long it was not. Where that is not
    known, ``found`` is the chance that it was (`likely_finds`)."""

    seconds: float
    difficulty: float
    found: float


class Estimate(Struct, frozen=True):
    """A factor such as a speed: the most likely logarithm, and its deviation."""

    log: float
    deviation: float

    @property
    def factor(self) -> float:
        return exp(self.log)

    @property
    def low(self) -> float:
        """With `high` an interval that holds the true factor 95 % of the time."""
        return exp(self.log - SIDES * self.deviation)

    @property
    def high(self) -> float:
        return exp(self.log + SIDES * self.deviation)

    @property
    def rounded(self) -> tuple[float, float, float]:
        """The factor and its interval, for people."""
        return round(self.factor, 2), round(self.low, 2), round(self.high, 2)


def estimate(searches: Iterable[Search]) -> Estimate:
    """The speed of whoever made these searches."""
    log_speed, information = _fit(searches, 0.0, USUAL_DEVIATION)
    return Estimate(log_speed, (information + USUAL_DEVIATION**-2) ** -0.5)


def likely_finds(seconds: float, difficulties: Sequence[float], speed: Estimate) -> list[float]:
    """The chance that each of these was the one found, where one was after so long, and nobody knows which.

    >>> [round(chance, 2) for chance in likely_finds(2.0, [4.0, 4.0, 12.0], Estimate(0.0, 0.2))]
    [0.48, 0.48, 0.04]
    """
    hazards = [_hazard((log(max(seconds, 0.001) / one) + speed.log) / SPREAD) for one in difficulties]
    return [hazard / sum(hazards) for hazard in hazards]


def compare(parts: Mapping[K, Sequence[Search]], speed: Estimate) -> dict[K, Estimate]:
    """How many times as long a player of this speed takes for one part of their searches as for all the others together.

    >>> parts = {"easy": [Search(4.0, 4.0, 1)] * 20, "hard": [Search(12.0, 6.0, 1)] * 20}
    >>> {name: one.rounded for name, one in compare(parts, Estimate(-0.35, 0.1)).items()}
    {'easy': (0.54, 0.35, 0.83), 'hard': (1.86, 1.2, 2.89)}
    """
    prior = KIND_DEVIATION**-2
    known = {}
    for name, searches in parts.items():
        log_speed, information = _fit(searches, speed.log, KIND_DEVIATION)
        # what the searches alone say, without what is believed of every kind
        known[name] = (log_speed - speed.log) * (information + prior), information
    pull, total = (sum(one[place] for one in known.values()) for place in (0, 1))
    found = {}
    for name, (own_pull, own) in known.items():
        if not 0 < own < total:
            continue
        later = (pull - own_pull) / (total - own) - own_pull / own
        certain = 1 / (1 / own + 1 / (total - own))
        found[name] = Estimate(later * certain / (certain + prior), (certain + prior) ** -0.5)
    return found


def together(estimates: Sequence[Estimate]) -> Estimate:
    """One speed from those of several games.

    Where the games differ by more than chance, as people have days, it is less sure by as much.

    >>> together([Estimate(0.1, 0.2), Estimate(0.3, 0.2)]).rounded
    (1.22, 0.93, 1.61)
    >>> together([Estimate(-0.6, 0.1), Estimate(0.6, 0.1)]).deviation > 0.5
    True
    """
    usual = USUAL_DEVIATION**-2
    information = usual + sum(max(one.deviation**-2 - usual, 0.0) for one in estimates)
    middle = sum(one.log * one.deviation**-2 for one in estimates) / information
    off = sum(((one.log - middle) / one.deviation) ** 2 for one in estimates)
    scale = max(1.0, sqrt(off / (len(estimates) - 1))) if len(estimates) > 1 else 1.0
    return Estimate(middle, min(scale * information**-0.5, USUAL_DEVIATION))


def _fit(searches: Iterable[Search], around: float, deviation: float) -> tuple[float, float]:
    """The most likely log speed, and the information about it in the searches, by Newton's method: the likelihood is concave."""
    usual = deviation**-2
    terms = [(log(max(one.seconds, 0.001) / one.difficulty), one.found) for one in searches]
    log_speed = around
    information = 0.0
    for _ in range(_STEPS):
        slope, information = _slope(terms, log_speed)
        slope -= (log_speed - around) * usual
        step = slope / (information + usual)
        log_speed += min(max(step, -1.0), 1.0)
        if abs(step) < 1e-4:
            break
    return log_speed, information


def _slope(terms: Iterable[tuple[float, float]], log_speed: float) -> tuple[float, float]:
    """The first derivative of the log likelihood, and the second with its sign changed."""
    first = second = 0.0
    for late, found in terms:
        z = (late + log_speed) / SPREAD
        if found:
            first -= found * z
            second += found
        if found < 1:
            hazard = _hazard(z)
            first -= (1 - found) * hazard
            second += (1 - found) * hazard * (hazard - z)
    return first / SPREAD, second / SPREAD**2


def _hazard(z: float) -> float:
    """Of the normal distribution: its density by what is left of it beyond ``z``."""
    if z > 12:
        return z + 1 / z - 2 / z**3
    return _PEAK * exp(-z * z / 2) / erfc(z / _ROOT_2)
