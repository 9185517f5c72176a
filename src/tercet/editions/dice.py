"""A die and its text form.

>>> Die.read("W#3"), str(Die(17, Face("2GS")))
(Die(number=3, face=Face('W'), wild=False), '2GS#17')
"""

from __future__ import annotations

import re
from typing import Self

from msgspec import Struct

from tercet.sets import Face, NotationError

_DIE = re.compile(r"(\*?)(\w+)#([0-9]{1,4})", re.ASCII)


class Die(Struct, frozen=True, gc=False):
    """A die and what it shows. ``wild``: it lies on the board as a wild that stands for that face."""

    number: int
    face: Face
    wild: bool = False

    def __str__(self) -> str:
        return f"{'*' * self.wild}{self.face}#{self.number}"

    @classmethod
    def read(cls, text: str) -> Self:
        parts = _DIE.fullmatch(text)
        if parts is None or parts[1] + parts[2].upper() == "*W":
            raise NotationError(f"{text[:20]!r} is not a die: a face and the die's number, as in 2GS#17")
        return cls(int(parts[3]), Face(parts[2]), bool(parts[1]))
