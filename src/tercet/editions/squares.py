"""Squares of the board: `e5` is column e, row 5; `a1` is at the top left."""

from __future__ import annotations

import re
from string import ascii_lowercase
from typing import ClassVar, Self

from tercet.sets import NotationError, of_kind

#: The widest and highest board there can be.
SIDE_LIMIT = 100


class Square(int):
    """A square as an int that sorts by row, then column.

    >>> Square("e5"), Square("e5").row, Square("e5").col, Square.at(4, 4)
    (Square('e5'), 4, 4, Square('e5'))
    >>> Square("aa1").col
    26
    """

    _known: ClassVar[dict[str, Square]] = {}
    _texts: ClassVar[dict[int, str]] = {}

    def __new__(cls, text: str) -> Self:
        of_kind(text, str, "a square as text, as in 'e5'")
        found = cls._known.get(text)
        if found is None:
            parts = re.fullmatch(r"([a-z]{1,2})([1-9][0-9]{0,2})", text, re.IGNORECASE | re.ASCII)
            if parts is None:
                raise NotationError(
                    f"{text[:20]!r} is not a square: a column letter and a row number, as in e5"
                )
            col = 0
            for letter in parts[1].lower():
                col = col * 26 + ord(letter) - ord("a") + 1
            if col > SIDE_LIMIT or int(parts[2]) > SIDE_LIMIT:
                raise NotationError(
                    f"{text} is on no board: {SIDE_LIMIT} rows and columns are the most there can be"
                )
            found = cls.at(int(parts[2]) - 1, col - 1)
        return found  # type: ignore[return-value]

    @classmethod
    def at(cls, row: int, col: int) -> Square:
        """The square in this row and column, counted from 0."""
        if not (type(row) is type(col) is int and 0 <= row < SIDE_LIMIT and 0 <= col < SIDE_LIMIT):
            raise NotationError(
                f"row {row!r:.20} and column {col!r:.20} are on no board: whole numbers from 0 to {SIDE_LIMIT - 1}"
            )
        code = row * 1000 + col
        text = cls._texts.get(code)
        if text is None:
            text = cls._texts[code] = _write(row, col)
            cls._known[text] = int.__new__(cls, code)
        return cls._known[text]

    @property
    def row(self) -> int:
        return int(self) // 1000

    @property
    def col(self) -> int:
        return int(self) % 1000

    def __str__(self) -> str:
        return self._texts[self]

    def __repr__(self) -> str:
        return f"Square({str(self)!r})"

    def __format__(self, spec: str) -> str:
        """Its text, laid out as texts are."""
        return format(str(self), spec)

    to_plain = __str__

    @classmethod
    def from_plain(cls, value: object) -> Self:
        if not isinstance(value, str):
            raise NotationError(f"a square is written as text, not {value!r:.20}")
        return cls(value)

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return type(self), (str(self),)


def _write(row: int, col: int) -> str:
    letters = ascii_lowercase[col // 26 - 1] if col >= 26 else ""
    return letters + ascii_lowercase[col % 26] + str(row + 1)
