"""What the looks of one player say: speed, pace, consistency, and which kinds of SETs are slow."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import tanh
from statistics import NormalDist, fmean, pstdev
from typing import Literal, NamedTuple

from msgspec import Struct

from tercet.cards.review.watching import LOOK_LIMIT, Group, Look
from tercet.difficulty import differing_features, first_find
from tercet.sets import Card
from tercet.study.speed import Estimate, Search, compare, estimate, likely_finds

#: The pace is told for so many equal parts of a game.
PARTS = 4
#: A SET in a round; the next round may have the same cards again.
Sighting = tuple[int, Group]

#: Whoever looks at a table for so many times as long as they usually need for the first SET there is somewhere else.
ABSENT = 8.0
#: From fewer finds of a kind nobody is told that it is clear.
FINDS = 5
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
    """How many times as long a player takes for one kind of SETs as for the rest; ``found``: from so many of them.

    ``clear``: beyond chance, also where one looks at all kinds at once, and from several finds.
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


class Speed(NamedTuple):
    """A speed, the looks that it was measured by, everything that was sought in them, and the looks in which the player was somewhere
    else."""

    estimate: Estimate
    looks: Sequence[Look]
    searches: Sequence[tuple[Sighting, Search]]
    away: Sequence[Look]


def measure_speed(looks: Sequence[Look]) -> Speed:
    """The speed by all looks but those in which the player was somewhere else."""
    away: list[Look] = []
    while True:
        speed, searches = _measure(looks)
        found = [look for look in looks if _is_absent(look, speed)]
        if not found:
            return Speed(speed, looks, searches, away)
        away += found
        looks = [look for look in looks if look not in found]


def _is_absent(look: Look, speed: Estimate) -> bool:
    if not look.difficulty:
        return False
    usual = look.pace * first_find(look.difficulty.values()) / speed.factor
    return look.seconds > ABSENT * usual


def _measure(looks: Sequence[Look]) -> tuple[Estimate, list[tuple[Sighting, Search]]]:
    """The speed by what was found for certain, and then by what was almost found, too; and all searches that tell it."""
    certain = [look for look in looks if look.ended != "almost"]
    first = estimate(search for _, search in _searches(certain, estimate(())))
    found = list(_searches(looks, first))
    return estimate(search for _, search in found), found


def _searches(looks: Sequence[Look], speed: Estimate) -> Iterator[tuple[Sighting, Search]]:
    """Every SET in every look that tells something about this player's speed, which is about so."""
    for look in looks:
        if look.ended == "guess":
            continue
        chances = _finds(look, speed)
        for (group, difficulty), chance in zip(look.difficulty.items(), chances, strict=True):
            yield (look.round, group), Search(look.seconds, look.pace * difficulty, chance)


def _finds(look: Look, speed: Estimate) -> list[float]:
    """The chance that each SET on the table was found in this look."""
    if look.seconds * 1000 >= LOOK_LIMIT:
        return [0] * len(look.difficulty)
    if look.ended == "almost":
        return likely_finds(look.seconds, [look.pace * one for one in look.difficulty.values()], speed)
    return [float(group == look.found) for group in look.difficulty]


def strengths(searches: Iterable[tuple[Group, Search]], speed: Estimate) -> tuple[Strength, ...]:
    """Every kind of which there were some, beside the rest. The speed is the one by which all of these are measured."""
    aspects: list[dict[Kind, list[Search]]] = [{} for _ in range(1 + len(Card.features))]
    for group, search in searches:
        for aspect, kind in zip(aspects, kinds(group), strict=True):
            aspect.setdefault(kind, []).append(search)
    found = {kind: some for aspect in aspects for kind, some in aspect.items()}
    slow = {kind: one for aspect in aspects for kind, one in compare(aspect, speed).items()}
    beyond = NormalDist().inv_cdf(1 - DOUBT / 2 / max(len(slow), 1))
    finds = {kind: sum(search.found == 1 for search in some) for kind, some in found.items()}
    return tuple(
        Strength(
            kind=kind,
            found=finds[kind],
            slowness=slow[kind],
            clear=finds[kind] >= FINDS and abs(slow[kind].log) > beyond * slow[kind].deviation,
        )
        for kind in KINDS
        if kind in slow
    )


@lru_cache(maxsize=4096)
def kinds(group: Group) -> tuple[Kind, ...]:
    """The kind that a SET is of in each aspect: how many features differ, and what each feature is."""
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
