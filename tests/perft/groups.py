"""The groups of the card game and its variants, word by word as RULES S1 and V2-V4 have them, and slow.

A card is its code, 0..80. Nothing here knows the kernel, or anything else of the package.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

Pair = tuple[int, int]


def values(card: int) -> tuple[int, ...]:
    return tuple(card // weight % 3 for weight in (27, 9, 3, 1))


def is_set(a: int, b: int, c: int) -> bool:
    """Three cards; each feature is the same on all three or different on all three (S1)."""
    three = zip(values(a), values(b), values(c), strict=True)
    return len({a, b, c}) == 3 and all(len(set(feature)) != 2 for feature in three)


#: The only card that completes a SET with two others (S5).
THIRD: dict[Pair, int] = {}
for _a, _b, _c in combinations(range(81), 3):
    if is_set(_a, _b, _c):
        THIRD |= {(_a, _b): _c, (_b, _a): _c, (_a, _c): _b, (_c, _a): _b, (_b, _c): _a, (_c, _b): _a}


def splits(cards: Sequence[int]) -> Iterator[list[Pair]]:
    """Every way to split cards into pairs."""
    if not cards:
        yield []
    for place in range(1, len(cards)):
        for others in splits([*cards[1:place], *cards[place + 1 :]]):
            yield [(cards[0], cards[place]), *others]


def is_chain(two: Sequence[int], last: Sequence[int]) -> bool:
    """Two cards that are a SET with exactly one card of the last SET (V2)."""
    one, other = two
    return sum(is_set(one, other, card) for card in last) == 1


def is_ultra(four: Sequence[int]) -> bool:
    """Four cards that split into two pairs whose third cards are the same card (V3)."""
    return any(THIRD[one] == THIRD[other] for one, other in splits(four))


def is_ghost(six: Sequence[int]) -> bool:
    """Six cards that split into three pairs whose third cards are a SET (V4)."""
    return any(THIRD.get((THIRD[one], THIRD[two])) == THIRD[three] for one, two, three in splits(six))


def places(size: int, table: Sequence[int]) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """So many places of a table in every way, in lexicographic order, and the cards there."""
    for chosen in combinations(range(len(table)), size):
        yield chosen, [table[place] for place in chosen]


def sets(table: Sequence[int]) -> list[tuple[int, ...]]:
    return [at for at, three in places(3, table) if is_set(*three)]


def chains(table: Sequence[int], last: Sequence[int]) -> list[tuple[int, ...]]:
    return [at for at, two in places(2, table) if is_chain(two, last)]


def ultras(table: Sequence[int]) -> list[tuple[int, ...]]:
    return [at for at, four in places(4, table) if is_ultra(four)]


def ghosts(table: Sequence[int]) -> list[tuple[int, ...]]:
    return [at for at, six in places(6, table) if is_ghost(six)]
