"""The SETs that lie on a table, die by die.

Several dice can show the same face, so one SET of faces may be there more than once.

>>> dice = [Die(1, Face("1RO")), Die(2, Face("2RO")), Die(3, Face("3RO")), Die(4, Face("3RO"))]
>>> [[die.number for die in three] for three in sets_without_wild(dice)]
[[1, 2, 3], [1, 2, 4]]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from tercet.editions import Die
from tercet.sets import WILD, Face

Three = tuple[Die, Die, Die]


def sets_without_wild(dice: Sequence[Die]) -> Iterator[Three]:
    """Every SET of dice that show what they are, each once, in the order in which they lie."""
    plain = [die for die in dice if die.face is not WILD]
    places: dict[Face, list[int]] = {}
    for place, die in enumerate(plain):
        places.setdefault(die.face, []).append(place)
    for (_, a), (second, b) in combinations(enumerate(plain), 2):
        for last in places.get(Face.thirds[a.face][b.face], ()):
            if last > second:
                yield a, b, plain[last]


def easy_set(dice: Sequence[Die]) -> tuple[Die, ...]:
    """A SET on the table, without a wild if there is one: the wilds anybody sees. No dice if there is no SET."""
    for three in sets_without_wild(dice):
        return three
    wilds = [die for die in dice if die.face is WILD]
    others = [die for die in dice if die.face is not WILD]
    return tuple([*others, *wilds][-3:]) if wilds and len(dice) >= 3 else ()
