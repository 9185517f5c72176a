"""What the looks of one player say: speed, pace, consistency, and which kinds of SETs are slow."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import tanh
from statistics import NormalDist, fmean, pstdev
from typing import Literal

from msgspec import Struct

from tercet.cards.review.watching import LOOK_LIMIT, Group, Look
from tercet.difficulty import differing_features, first_find
from tercet.sets import Card
from tercet.study.speed import Estimate, Search, estimate, slowness

#: The pace is told for so many equal parts of a game.
PARTS = 4
#: One in twenty players is told of a kind that they are not slow or fast at.
DOUBT = 0.05


class Kind(Struct, frozen=True, order=True):
    """A kind of SETs: those that differ in so many features, those on which a feature is different, or those that share
    a value."""

    by: Literal["count", "different", "same"]
    name: str

    def __str__(self) -> str:
        match self.by:
            case "count":
                return f"{self.name} differing"
            case "different":
                return f"{self.name} different"
            case "same":
                return f"all {self.name}"


#: Every kind, in the order in which they are told.
KINDS = (
    *(Kind("count", str(count)) for count in (1, 2, 3, 4)),
    *(Kind("different", feature.name) for feature in Card.features),
    *(Kind("same", value) for feature in Card.features for value in feature.values),
)


class Strength(Struct, frozen=True, kw_only=True):
    """How many times as long a player takes for one kind of SETs as on average; ``found``: from so many of them.

    ``clear``: beyond chance, also where one looks at all kinds at once.
    """

    kind: Kind
    found: int
    slowness: Estimate
    clear: bool


class Pace(Struct, frozen=True):
    """A part of the game, up to ``until`` (milliseconds): SETs found, and seconds for which the player looked."""

    until: int
    found: int
    looked: float

    @property
    def per_minute(self) -> float | None:
        return 60 * self.found / self.looked if self.looked else None


def speed_of(looks: Sequence[Look]) -> Estimate:
    return estimate([search for _, search in searches(looks)])


def searches(looks: Sequence[Look]) -> Iterator[tuple[Group, Search]]:
    """Every SET in every look that tells something about speed."""
    for look in looks:
        if look.measured:
            found = look.found if look.seconds * 1000 < LOOK_LIMIT else None
            for group, difficulty in look.difficulty.items():
                yield group, Search(look.seconds, look.pace * difficulty, group == found)


def strengths(looks: Sequence[Look], speed: Estimate) -> tuple[Strength, ...]:
    """All kinds of which there were some, but not only such."""
    number = 0
    by_kind: dict[Kind, list[Search]] = {kind: [] for kind in KINDS}
    for group, search in searches(looks):
        number += 1
        for kind in kinds(group):
            by_kind[kind].append(search)
    told = {kind: found for kind, found in by_kind.items() if 0 < len(found) < number}
    strengths = []
    for kind, some in told.items():
        slow = slowness(some, speed)
        strengths.append(
            Strength(
                kind=kind,
                found=sum(search.found for search in some),
                slowness=slow,
                clear=is_beyond_chance(slow, len(told)),
            )
        )
    return tuple(strengths)


def is_beyond_chance(slow: Estimate, kinds: int) -> bool:
    """Whether a kind is slow or fast, where one looks at so many at once."""
    return abs(slow.log) > NormalDist().inv_cdf(1 - DOUBT / 2 / kinds) * slow.deviation


@lru_cache(maxsize=4096)
def kinds(group: Group) -> tuple[Kind, ...]:
    """The kinds that a SET is of."""
    found = [Kind("count", str(differing_features(group)))]
    values = [card.values for card in group]
    for name in values[0]:
        shown = {one[name] for one in values}
        found.append(Kind("different", name) if len(shown) > 1 else Kind("same", shown.pop()))
    return tuple(found)


def pace(looks: Sequence[Look], finds: Iterable[int], end: int) -> tuple[Pace, ...]:
    """The pace in each part of a game of so many milliseconds, in which something was taken at these moments."""
    ends = [round(end * part / PARTS) for part in range(1, PARTS + 1)]
    found, looked = [0] * PARTS, [0.0] * PARTS
    for at in finds:
        found[bisect_left(ends, at)] += 1
    for look in looks:
        if look.difficulty:
            looked[bisect_left(ends, look.at)] += look.seconds
    return tuple(map(Pace, ends, found, looked))


def consistency(looks: Sequence[Look]) -> float | None:
    """From 0 to 100: how alike the times were, each beside what its table asked for. None for fewer than three finds."""
    times = [
        (look.before + look.seconds) / first_find(look.difficulty.values())
        for look in looks
        if look.found is not None
    ]
    return evenness(times) if len(times) >= 3 else None


def evenness(times: Sequence[float]) -> float:
    """100 for equal times, less the more they spread (monkeytype's measure).

    >>> evenness([2.0, 2.0, 2.0]), round(evenness([1.0, 2.0, 3.0]), 1)
    (100.0, 59.2)
    """
    c = pstdev(times) / fmean(times)
    return 100 * (1 - tanh(c + c**3 / 3 + c**5 / 5))
