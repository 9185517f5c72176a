"""Dice put on squares, with their text forms.

>>> print(write_turn(read_turn("2GD@a3 *2GS@b2")))
*2GS@b2 2GD@a3
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Self

from msgspec import Struct

from tercet.editions.squares import Square
from tercet.sets import Face, NotationError, of_kind

_PLACEMENT = re.compile(r"(\*?)(\w+)(?:#([0-9]{1,4}))?@(\w+)", re.ASCII)


class Placement(Struct, frozen=True, gc=False):
    """A die put on a square. Without a number any die that shows the face will do."""

    square: Square
    face: Face
    wild: bool = False
    die: int | None = None

    def __str__(self) -> str:
        number = "" if self.die is None else f"#{self.die}"
        return f"{'*' * self.wild}{self.face}{number}@{self.square}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    @classmethod
    def read(cls, text: str) -> Self:
        of_kind(text, str, "a placement as text, as in 2GS@e5")
        parts = _PLACEMENT.fullmatch(text)
        if parts is None:
            raise NotationError(f"{text[:20]!r} is not a placement: a face, @ and a square, as in 2GS@e5")
        number = None if parts[3] is None else int(parts[3])
        return cls(Square(parts[4]), Face(parts[2]), bool(parts[1]), number)


def write_turn(placements: Iterable[Placement]) -> str:
    """Placements by row, then column; a pass is ``-``."""
    return " ".join(map(str, sorted(placements, key=lambda placement: placement.square))) or "-"


def read_turn(text: str) -> tuple[Placement, ...]:
    """What `write_turn` writes, in any order."""
    of_kind(text, str, "a turn as text, as in 2GS@e5")
    if text.strip() == "-":
        return ()
    placements = [Placement.read(word) for word in text.split()]
    if not placements:
        raise NotationError("an empty text is not a turn: write placements such as 2GS@e5, or - to pass")
    return tuple(sorted(placements, key=lambda placement: placement.square))
