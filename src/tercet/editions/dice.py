"""A die and its text form.

>>> Die.read("W#3"), str(Die(17, Face("2GS")))
(Die(number=3, face=Face('W'), wild=False), '2GS#17')
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct

from tercet.sets import Face, NotationError, of_kind

if TYPE_CHECKING:
    from tercet.drawing import Picture

_DIE = re.compile(r"(\*?)(\w+)#([0-9]{1,4})", re.ASCII)


class Die(Struct, frozen=True, gc=False):
    """A die and what it shows. ``wild``: it lies on the board as a wild that stands for that face."""

    number: int
    face: Face
    wild: bool = False

    def __str__(self) -> str:
        return f"{'*' * self.wild}{self.face}#{self.number}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    @classmethod
    def read_all(cls, text: str) -> tuple[Self, ...]:
        """All dice that a text names, with spaces or commas between them."""
        of_kind(text, str, "dice as text, as in '2GS#17 W#40'")
        return tuple(map(cls.read, text.replace(",", " ").split()))

    def svg(self, **options: Any) -> Picture:
        """A picture of it; options are those of `tercet.drawing.draw_rows`."""
        from tercet.drawing import draw_rows  # noqa: PLC0415

        return draw_rows([self], **options)

    def _repr_svg_(self) -> str:
        return self.svg()

    @classmethod
    def read(cls, text: str) -> Self:
        of_kind(text, str, "a die as text, as in 2GS#17")
        parts = _DIE.fullmatch(text)
        if parts is None or parts[1] + parts[2].upper() == "*W":
            raise NotationError(f"{text[:20]!r} is not a die: a face and the die's number, as in 2GS#17")
        return cls(int(parts[3]), Face(parts[2]), bool(parts[1]))
