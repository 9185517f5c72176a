"""Tables of cards and how many groups of each variant they hold, by definition."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from tests.perft import groups

TABLES = 400
#: Sizes from 3 up; the larger, the fewer, for a table of 21 cards has 54,264 sixes.
SIZES = [*range(3, 13)] * 3 + [*range(12, 16)] * 3 + [*range(16, 22)]
#: Twelve cards without a Ghost and nine without an Ultra are the most there are.
REMARKABLE = (
    bytes((0, 1, 2, 3, 4, 9, 10, 27, 28, 44, 50, 68)),
    bytes((0, 1, 2, 3, 9, 24, 27, 43, 50)),
    bytes(range(9)),
    bytes(range(18)),
)


def write(cards: Sequence[int]) -> str:
    return " ".join(
        "".join(letters[value] for letters, value in zip(("123", "RGP", "FHE", "DOS"), values, strict=True))
        for values in map(groups.values, cards)
    )


def tables() -> Iterator[dict[str, Any]]:
    """Most are random; in some cards are of two colours only, which makes for more groups."""
    rng = random.Random("perft of cards")
    for number in range(TABLES):
        pool = [card for card in range(81) if number % 5 or card // 9 % 3]
        a, b = rng.sample(range(81), 2)
        last = (a, b, groups.THIRD[a, b])
        if number < len(REMARKABLE):
            table: Sequence[int] = REMARKABLE[number]
            last = (80, 79, 78)
        else:
            table = rng.sample([card for card in pool if card not in last], SIZES[number % len(SIZES)])
        yield counted(table, last)


def counted(table: Sequence[int], last: Sequence[int]) -> dict[str, Any]:
    return {
        "table": write(table),
        "last": write(last),
        "set": len(groups.sets(table)),
        "chain": len(groups.chains(table, last)),
        "ultra": len(groups.ultras(table)),
        "ghost": len(groups.ghosts(table)),
    }
