"""How hard a SET is to see: one model for the bots, the review, and whatever else speaks of speed.

Every SET on a table waits by itself to be found, as in a horse race of independent searches. A player of speed *s* finds one
after a random time (log-normal, `SPREAD`) whose median is its difficulty divided by *s*. People see a SET sooner when its
cards share more features (Jacob and Hochstein 2008), and when it shares the value that is most common on the
table (Nyamsuren and Taatgen 2013).

>>> from tercet import Card, find_sets
>>> table = [Card(text) for text in "1RFD 1RFO 1RFS 2GHO 3PES 1GES".split()]
>>> [
...     (" ".join(map(str, three)), round(seconds, 1))
...     for three, seconds in difficulties(table, find_sets(table)).items()
... ]
[('1RFD 1RFO 1RFS', 2.7), ('1RFD 2GHO 3PES', 10.6)]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import erfc, exp, log, sqrt
from typing import TypeVar

from tercet.sets import Symbol

#: The seconds in which a player of speed 1 finds, half of the time, one given SET whose cards differ in one feature.
SECONDS = 3.7
#: How much longer it takes to see a SET for each feature in which its cards differ, as a factor's logarithm.
PER_DIFFERENCE = 0.35
#: How much sooner a SET is seen whose cards share the table's most common value.
FOR_COMMON_VALUE = 0.30
#: How the times of one player spread: the deviation of their logarithms.
SPREAD = 0.75
#: A second look at the same table goes on from the first: it takes this part of the time.
SECOND_LOOK = 0.5

Group = TypeVar("Group", bound=Sequence[Symbol])


def difficulties(table: Iterable[Symbol], groups: Iterable[Group], effort: float = 1.0) -> dict[Group, float]:
    """The difficulty of each group on this table: the median seconds of a player of speed 1.

    ``effort``: how much longer one looks for one group here than for a SET among twelve cards.
    """
    common = most_common_value(table)
    return {group: effort * SECONDS * exp(hardness(group, common)) for group in groups}


def hardness(group: Iterable[Symbol], common: tuple[int, int] | None) -> float:
    """By how much a group is harder to see than the easiest kind, as a factor's logarithm, where this value is the most common."""
    symbols = list(group)
    shares = common is not None and all(symbol.digits[common[0]] == common[1] for symbol in symbols)
    return PER_DIFFERENCE * (differing_features(symbols) - 1) - FOR_COMMON_VALUE * shares


def first_find(difficulties: Iterable[float]) -> float:
    """The median seconds after which a player of speed 1 has found the first of these: the difficulty of a table.

    >>> round(first_find([4.0]), 2), round(first_find([4.0, 4.0]), 2)
    (4.0, 2.66)
    """
    medians = [log(seconds) for seconds in difficulties]
    low, high = min(medians) - 6 * SPREAD, min(medians)
    while high - low > 1e-6:
        middle = (low + high) / 2
        none_yet = 1.0
        for median in medians:
            none_yet *= erfc((middle - median) / SPREAD / sqrt(2)) / 2
        low, high = (low, middle) if none_yet < 0.5 else (middle, high)
    return exp(high)


def last_find(difficulties: Iterable[float]) -> float:
    """The median seconds after which a player of speed 1 has found all of these: the difficulty of a table that is searched to
    the end.

    >>> round(last_find([4.0]), 2), round(last_find([4.0, 4.0]), 2)
    (4.0, 6.02)
    """
    medians = [log(seconds) for seconds in difficulties]
    low, high = max(medians), max(medians) + 6 * SPREAD
    while high - low > 1e-6:
        middle = (low + high) / 2
        all_found = 1.0
        for median in medians:
            all_found *= erfc((median - middle) / SPREAD / sqrt(2)) / 2
        low, high = (low, middle) if all_found > 0.5 else (middle, high)
    return exp(high)


def differing_features(symbols: Iterable[Symbol]) -> int:
    """In how many features these differ."""
    return sum(len(set(digits)) > 1 for digits in zip(*(symbol.digits for symbol in symbols), strict=True))


def most_common_value(table: Iterable[Symbol]) -> tuple[int, int] | None:
    """The feature and the value that most share; a feature in which all are alike is not looked at."""
    counts: dict[tuple[int, int], int] = {}
    total = 0
    for symbol in table:
        total += 1
        for value in enumerate(symbol.digits):
            counts[value] = counts.get(value, 0) + 1
    return max((value for value in counts if counts[value] < total), key=counts.__getitem__, default=None)
