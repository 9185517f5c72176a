"""Editions: the board and the dice as data, in TOML files (C1, C2, C20)."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from functools import cache, cached_property
from importlib import resources
from typing import Any, Literal

import msgspec

from tercet.codec import reason
from tercet.editions.squares import SIDE_LIMIT, Square
from tercet.fairness import canonical
from tercet.sets import WILD, Face, NotationError, TercetError

WildRule = Literal["later", "never"]

DICE_NEEDED = 42
FACES_A_DIE = 6
BONUS_LIMIT = 99
TITLE_LIMIT = 80
NOTE_LIMIT = 2000


class EditionError(TercetError):
    """A board or dice that cannot be played with; the message says which part."""


class _File(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An edition as it is written. Every key is checked when an `Edition` is made of it."""

    name: str = ""
    title: str = ""
    note: str = ""
    wild: WildRule | None = None
    size: tuple[int, int] | None = None
    logo: tuple[str, ...] = ()
    bonus: dict[str, int] = {}
    dice: tuple[str, ...] = ()


class Layout:
    """A board without dice: its size, the logo in the middle, the bonus squares. Cells count by row."""

    def __init__(self, rows: int, cols: int, logo: tuple[Square, ...], bonus: Mapping[Square, int]) -> None:
        if not (3 <= rows <= SIDE_LIMIT and 3 <= cols <= SIDE_LIMIT):
            raise EditionError(f"size {rows}x{cols}: a board has 3 to {SIDE_LIMIT} rows and columns")
        self.rows, self.cols, self.logo, self.bonus = rows, cols, logo, dict(bonus)
        for square in (*logo, *bonus):
            if square not in self:
                raise EditionError(f"square {square} is not on a board of {rows} rows and {cols} columns")
        for square, points in bonus.items():
            if square in logo:
                raise EditionError(f"bonus on {square}: the logo has no bonus squares")
            if not 1 <= points <= BONUS_LIMIT:
                raise EditionError(f"bonus on {square}: {points} is not from 1 to {BONUS_LIMIT}")
        if logo and not _in_line(logo):
            raise EditionError(f"logo {' '.join(map(str, logo))}: three neighbouring squares in a line")

    def __contains__(self, square: Square) -> bool:
        return square.row < self.rows and square.col < self.cols

    def cell(self, square: Square) -> int:
        """The number of a square of this board."""
        return self.cells[square]

    @cached_property
    def cells(self) -> dict[Square, int]:
        """The number of each square."""
        return {square: cell for cell, square in enumerate(self._squares)}

    def square(self, cell: int) -> Square:
        return self._squares[cell]

    @cached_property
    def _squares(self) -> tuple[Square, ...]:
        return tuple(Square.at(row, col) for row in range(self.rows) for col in range(self.cols))

    @cached_property
    def bonus_by_cell(self) -> bytes:
        """The points of each cell."""
        return bytes(self.bonus.get(self.square(cell), 0) for cell in range(self.rows * self.cols))

    @cached_property
    def runs(self) -> tuple[tuple[int, int, int], ...]:
        """Every three neighbouring cells of a row or a column."""
        across = [
            (cell, cell + 1, cell + 2)
            for cell in range(self.rows * self.cols)
            if cell % self.cols + 2 < self.cols
        ]
        down = [(cell, cell + self.cols, cell + 2 * self.cols) for cell in range((self.rows - 2) * self.cols)]
        return (*across, *down)

    @cached_property
    def runs_through(self) -> tuple[tuple[tuple[int, int, int], ...], ...]:
        """For each cell the runs that it is part of: at most six (C10)."""
        through: list[list[tuple[int, int, int]]] = [[] for _ in range(self.rows * self.cols)]
        for run in self.runs:
            for cell in run:
                through[cell].append(run)
        return tuple(map(tuple, through))


class Edition:
    """A board, its dice and the rule for wilds.

    >>> house = Edition.named("house")
    >>> house.layout.rows, len(house.dice), house.wild
    (9, 42, 'later')
    """

    def __init__(self, file: _File) -> None:
        if not file.name:
            raise EditionError("name is missing: lower-case letters, digits and -, at most 30")
        if not re.fullmatch(r"[a-z][a-z0-9-]{0,29}", file.name):
            raise EditionError(f"name {file.name[:40]!r}: lower-case letters, digits and -, at most 30")
        if not file.title.isprintable() or len(file.title) > TITLE_LIMIT:
            raise EditionError(f"title: one line of at most {TITLE_LIMIT} printable characters")
        if not "".join(file.note.split()).isprintable() or len(file.note) > NOTE_LIMIT:
            raise EditionError(f"note: at most {NOTE_LIMIT} printable characters")
        if file.size is None:
            raise EditionError("size is missing: write it as [rows, columns]")
        part = "logo"
        try:
            logo = tuple(Square(text) for text in file.logo)
            part = "bonus"
            bonus = {Square(text): points for text, points in file.bonus.items()}
            dice = []
            for number, text in enumerate(file.dice, 1):
                part = f"die {number}"
                dice.append(tuple(Face(word) for word in text.split()))
        except NotationError as error:
            raise EditionError(f"{part}: {error}") from None
        self.dice = tuple(dice)
        if len(set(logo)) != 3:
            raise EditionError(f"logo: three different squares, not {len(set(logo))}")
        if len(bonus) < len(file.bonus):
            raise EditionError("bonus: the same square is listed twice")
        self.layout = Layout(*file.size, logo, bonus)
        self.name, self.title, self.note = file.name, file.title, file.note
        self.wild: WildRule = file.wild or "later"
        self._file = msgspec.structs.replace(file, bonus=dict(sorted(file.bonus.items())))
        self._check_dice()

    def _check_dice(self) -> None:
        if not DICE_NEEDED <= len(self.dice) <= 1000:
            raise EditionError(f"{len(self.dice)} dice: the game needs {DICE_NEEDED} or more (at most 1000)")
        for number, faces in enumerate(self.dice, 1):
            if len(faces) != FACES_A_DIE:
                raise EditionError(f"die {number} has {len(faces)} faces: a die has {FACES_A_DIE}")
            if faces.count(WILD) > 1:
                raise EditionError(f"die {number} has {faces.count(WILD)} wild faces: at most one a die")
        room = self.layout.rows * self.layout.cols
        if room < len(self.dice):
            raise EditionError(f"{room} squares for {len(self.dice)} dice: there must be room for all")

    @classmethod
    def read(cls, text: str) -> Edition:
        """An edition from the text of its TOML file."""
        try:
            data = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise EditionError(f"not a TOML file: {reason(error)}") from None
        return cls.from_plain(data)

    @classmethod
    def named(cls, name: str) -> Edition:
        """One of the editions that come with Tercet."""
        return _built_in(name)

    @staticmethod
    def known() -> tuple[str, ...]:
        """The names of those."""
        return built_in_names()

    def to_plain(self) -> Any:
        """The name of a built-in edition, or everything that its file says."""
        if self.name in built_in_names() and _built_in(self.name) == self:
            return self.name
        return self.whole()

    def whole(self) -> dict[str, Any]:
        """Everything that its file says: what a record keeps, so that it can be read for ever."""
        said: dict[str, Any] = msgspec.to_builtins(self._file)
        return said

    def reference(self) -> Any:
        """As it stands in the options of a table: ``name:fingerprint`` of a built-in one, all of any other."""
        plain = self.to_plain()
        return f"{plain}:{self.fingerprint}" if isinstance(plain, str) else plain

    @classmethod
    def from_plain(cls, data: object) -> Edition:
        """What `to_plain` gave; a built-in edition also as ``name:fingerprint``."""
        if isinstance(data, str):
            name, colon, fingerprint = _FORMERLY.get(data, data).partition(":")
            edition = _built_in(name)
            if colon and fingerprint != edition.fingerprint:
                edition = _past(name, fingerprint)
            return edition
        try:
            return cls(msgspec.convert(_complete(data), _File))
        except msgspec.ValidationError as error:
            raise EditionError(f"edition: {reason(error)}") from None

    @cached_property
    def fingerprint(self) -> str:
        """32 digits that differ when anything that matters to the game differs (docs/fairness.md)."""
        matters = {
            "bonus": {str(square): points for square, points in self.layout.bonus.items()},
            "dice": [" ".join(map(str, faces)) for faces in self.dice],
            "logo": [str(square) for square in self.layout.logo],
            "size": [self.layout.rows, self.layout.cols],
            "wild": self.wild,
        }
        return hashlib.sha256(canonical(matters).encode()).hexdigest()[:32]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Edition) and (
            self is other or (self.name, self.fingerprint) == (other.name, other.fingerprint)
        )

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return (
            f"Edition.named({self.name!r})" if isinstance(self.to_plain(), str) else f"<Edition {self.name}>"
        )


#: What tables of the time when fingerprints were shorter say.
_FORMERLY = {"house:e783621495": "house", "dutch:8052d60d78": "dutch"}


@cache
def built_in_names() -> tuple[str, ...]:
    """The editions that come with Tercet."""
    folder = resources.files("tercet") / "editions"
    found = (entry.name for entry in folder.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


def template() -> str:
    """The text of an edition to fill in, for owners of the box; it can be played with as it is."""
    return (resources.files("tercet") / "editions" / "template" / "my-box.toml").read_text("utf-8")


@cache
def _built_in(name: str) -> Edition:
    if name not in built_in_names():
        raise EditionError(f"no edition is called {name[:30]!r}; there are {', '.join(built_in_names())}")
    return Edition.read((resources.files("tercet") / "editions" / f"{name}.toml").read_text("utf-8"))


def _past(name: str, fingerprint: str) -> Edition:
    """An earlier version of a built-in edition: ``past/house-1a2b.toml`` and so on, one file for each there ever was."""
    folder = resources.files("tercet") / "editions" / "past"
    for entry in folder.iterdir() if folder.is_dir() else ():
        if entry.name.startswith(f"{name}-") and entry.name.endswith(".toml"):
            edition = Edition.read(entry.read_text("utf-8"))
            if edition.fingerprint == fingerprint:
                return edition
    raise EditionError(f"edition {name} is not the one with fingerprint {fingerprint[:20]!r}")


def _complete(data: object) -> object:
    """What a file says, with what it takes over from the edition that it extends."""
    if not isinstance(data, dict) or "extends" not in data:
        return data
    if not isinstance(data["extends"], str):
        raise EditionError("extends: the name of an edition that comes with Tercet")
    base = msgspec.to_builtins(_built_in(data["extends"])._file)
    return {**base, **{key: value for key, value in data.items() if key != "extends"}}


def _in_line(squares: tuple[Square, ...]) -> bool:
    rows, cols = [sorted({getattr(square, side) for square in squares}) for side in ("row", "col")]
    lines = ((rows, cols), (cols, rows))
    return any(len(a) == 1 and b == [b[0], b[0] + 1, b[0] + 2] for a, b in lines if len(b) == 3)
