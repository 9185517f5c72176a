"""Editions: the board and the dice as data, in TOML files (C1, C2, C20)."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from tercet.codec import reason
from tercet.editions.squares import SIDE_LIMIT, Square
from tercet.fairness import canonical
from tercet.sets import WILD, Face, NotationError, TercetError, of_kind

if TYPE_CHECKING:
    from tercet.drawing import Picture

WildRule = Literal["later", "never"]

DICE_NEEDED = 42
DICE_LIMIT = 1000
FACES_A_DIE = 6
BONUS_LIMIT = 99
TITLE_LIMIT = 80
NOTE_LIMIT = 2000

#: All codes of an `EditionError`.
PROBLEMS = (
    "bad_bonus",
    "bad_face",
    "bad_form",
    "bad_key",
    "bad_name",
    "bad_note",
    "bad_size",
    "bad_square",
    "bad_title",
    "bonus_on_logo",
    "bonus_twice",
    "dice_count",
    "faces_count",
    "logo_not_in_line",
    "logo_not_three",
    "no_name",
    "no_room",
    "no_size",
    "no_such_base",
    "not_toml",
    "off_board",
    "wilds_count",
)


class EditionError(TercetError):
    """A board or dice that cannot be played with; the message says which part.

    ``code`` and ``details`` say the same for whoever puts it into other words.

    >>> try:
    ...     Edition.read('name = "x"\\nextends = "house"\\nsize = [2, 9]')
    ... except EditionError as error:
    ...     print(error, error.code, error.details)
    size 2x9: a board has 3 to 100 rows and columns bad_size {'rows': 2, 'cols': 9}
    """

    def __init__(self, message: str, code: str = "bad_form", **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.details = details


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
            raise EditionError(
                f"size {rows}x{cols}: a board has 3 to {SIDE_LIMIT} rows and columns",
                "bad_size",
                rows=rows,
                cols=cols,
            )
        self.rows, self.cols, self.logo, self.bonus = rows, cols, logo, dict(bonus)
        for square in (*logo, *bonus):
            if square not in self:
                raise EditionError(
                    f"square {square} is not on a board of {rows} rows and {cols} columns",
                    "off_board",
                    square=str(square),
                )
        for square, points in bonus.items():
            if square in logo:
                raise EditionError(
                    f"bonus on {square}: the logo has no bonus squares", "bonus_on_logo", square=str(square)
                )
            if not 1 <= points <= BONUS_LIMIT:
                raise EditionError(
                    f"bonus on {square}: {points} is not from 1 to {BONUS_LIMIT}",
                    "bad_bonus",
                    square=str(square),
                    points=points,
                )
        if logo and not _in_line(logo):
            raise EditionError(
                f"logo {' '.join(map(str, logo))}: three neighbouring squares in a line", "logo_not_in_line"
            )

    def text(self, lying: Mapping[Square, tuple[Face, bool]]) -> str:
        """The board as text with what lies there: wilds with a *, bonus squares by their points, the logo as o."""

        def cell(square: Square) -> str:
            if square in lying:
                face, wild = lying[square]
                return f"{'*' * wild}{face}"
            return f"+{self.bonus[square]}" if square in self.bonus else "o" if square in self.logo else "."

        rows = [[Square.at(row, col) for col in range(self.cols)] for row in range(self.rows)]
        head = "".join(f"{str(square).rstrip('0123456789'):>5}" for square in rows[0])
        return "\n".join(
            [
                f"  {head}",
                *(
                    f"{number:3}" + "".join(f"{cell(s):>5}" for s in row)[1:]
                    for number, row in enumerate(rows, 1)
                ),
            ]
        )

    def __str__(self) -> str:
        return self.text({})

    def svg(self, **options: Any) -> Picture:
        """The empty board; options are those of `tercet.drawing.draw_board`."""
        from tercet.drawing import draw_board  # noqa: PLC0415

        return draw_board(self, **options)

    def _repr_svg_(self) -> str:
        return self.svg()

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
            raise EditionError("name is missing: lower-case letters, digits and -, at most 30", "no_name")
        if not re.fullmatch(r"[a-z][a-z0-9-]{0,29}", file.name):
            raise EditionError(
                f"name {file.name[:40]!r}: lower-case letters, digits and -, at most 30", "bad_name"
            )
        if not file.title.isprintable() or len(file.title) > TITLE_LIMIT:
            raise EditionError(f"title: one line of at most {TITLE_LIMIT} printable characters", "bad_title")
        if not "".join(file.note.split()).isprintable() or len(file.note) > NOTE_LIMIT:
            raise EditionError(f"note: at most {NOTE_LIMIT} printable characters", "bad_note")
        if file.size is None:
            raise EditionError("size is missing: write it as [rows, columns]", "no_size")
        logo = tuple(_square("logo", text) for text in file.logo)
        bonus = {_square("bonus", text): points for text, points in file.bonus.items()}
        self.dice = tuple(_faces(number, text) for number, text in enumerate(file.dice, 1))
        if len(set(logo)) != 3:
            raise EditionError(f"logo: three different squares, not {len(set(logo))}", "logo_not_three")
        if len(bonus) < len(file.bonus):
            raise EditionError("bonus: the same square is listed twice", "bonus_twice")
        self.layout = Layout(*file.size, logo, bonus)
        self.name, self.title, self.note = file.name, file.title, file.note
        self.wild: WildRule = file.wild or "later"
        self._file = msgspec.structs.replace(file, bonus=dict(sorted(file.bonus.items())))
        self._check_dice()

    def _check_dice(self) -> None:
        if not DICE_NEEDED <= len(self.dice) <= DICE_LIMIT:
            raise EditionError(
                f"{len(self.dice)} dice: the game needs {DICE_NEEDED} or more (at most {DICE_LIMIT})",
                "dice_count",
                count=len(self.dice),
            )
        for number, faces in enumerate(self.dice, 1):
            if len(faces) != FACES_A_DIE:
                raise EditionError(
                    f"die {number} has {len(faces)} faces: a die has {FACES_A_DIE}",
                    "faces_count",
                    die=number,
                    count=len(faces),
                )
            if faces.count(WILD) > 1:
                raise EditionError(
                    f"die {number} has {faces.count(WILD)} wild faces: at most one a die",
                    "wilds_count",
                    die=number,
                )
        room = self.layout.rows * self.layout.cols
        if room < len(self.dice):
            raise EditionError(
                f"{room} squares for {len(self.dice)} dice: there must be room for all",
                "no_room",
                squares=room,
                count=len(self.dice),
            )

    @classmethod
    def read(cls, text: str) -> Edition:
        """An edition from the text of its TOML file."""
        of_kind(text, str, "the text of a TOML file")
        try:
            data = tomllib.loads(text.removeprefix("\ufeff"))  # some editors begin a file with this
        except (ValueError, RecursionError) as error:
            line = re.search(r"at line (\d+)", str(error))
            raise EditionError(
                f"not a TOML file: {reason(error)}", "not_toml", line=int(line[1]) if line else None
            ) from None
        return cls.from_plain(data)

    @classmethod
    def named(cls, name: str) -> Edition:
        """One of the editions that come with Tercet."""
        of_kind(name, str, "the name of an edition, such as 'house'")
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
            name, colon, fingerprint = data.partition(":")
            edition = _built_in(name)
            if colon and fingerprint != edition.fingerprint:
                edition = _past(name, fingerprint)
            return edition
        try:
            return cls(msgspec.convert(_complete(data), _File))
        except msgspec.ValidationError as error:
            key = re.search(r"\$\.(\w+)|unknown field `(.{1,40})`", str(error))
            code, key_name = ("bad_key", key[1] or key[2]) if key else ("bad_form", "")
            raise EditionError(f"edition: {reason(error, _File)}", code, key=key_name) from None

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
        raise EditionError(
            f"no edition is called {name[:30]!r}; there are {', '.join(built_in_names())}", "no_such_base"
        )
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
        raise EditionError("extends: the name of an edition that comes with Tercet", "no_such_base")
    base = msgspec.to_builtins(_built_in(data["extends"])._file)
    return {**base, **{key: value for key, value in data.items() if key != "extends"}}


def _square(part: str, text: str) -> Square:
    try:
        return Square(text)
    except NotationError as error:
        raise EditionError(f"{part}: {error}", "bad_square", part=part, text=text[:20]) from None


def _faces(number: int, text: str) -> tuple[Face, ...]:
    word = ""
    try:
        return tuple(Face(word := each) for each in text.split())
    except NotationError as error:
        raise EditionError(f"die {number}: {error}", "bad_face", die=number, text=word[:20]) from None


def _in_line(squares: tuple[Square, ...]) -> bool:
    rows, cols = [sorted({getattr(square, side) for square in squares}) for side in ("row", "col")]
    lines = ((rows, cols), (cols, rows))
    return any(len(a) == 1 and b == [b[0], b[0] + 1, b[0] + 2] for a, b in lines if len(b) == 3)
