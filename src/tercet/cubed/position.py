"""A position: one turn of the dice game, with what lies and what is in hand.

>>> position = Position(board={"d5": "1RO", "e5": "2RO", "f5": "3RO"}, hand=["1GO", "1PO", "2RO"])
>>> print(position.best())
1PO@d3 1GO@d4
>>> position.judge("2RO@c5")
Refusal('makes_no_set', square='c5')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from tercet import codec
from tercet.cubed.placements import Placement, read_turn, write_turn
from tercet.cubed.sight import Sight
from tercet.cubed.sight import Turn as SeenTurn
from tercet.cubed.turns import Laid, Lying, LyingOn, NewSet, new_sets, points
from tercet.editions.dice import Die
from tercet.editions.edition import Edition, EditionError, Layout, WildRule
from tercet.editions.squares import Square
from tercet.games import Refusal
from tercet.sets import WILD, Face, NotationError, TercetError, of_kind

if TYPE_CHECKING:
    from tercet.drawing import Picture

HAND_LIMIT = 5
LAY_LIMIT = 3


class PositionError(TercetError):
    """A position that cannot be; the message says which part."""


class ScoredSet(Struct, frozen=True):
    """A new SET of a turn: where it lies, and which of its dice were laid in this turn."""

    squares: tuple[Square, ...]
    laid: tuple[Square, ...]


class Turn(Struct, frozen=True):
    """A legal turn with its score. As text: its placements by row, then column."""

    placements: tuple[Placement, ...]
    score: int

    def __str__(self) -> str:
        return write_turn(self.placements)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def svg(self, **options: Any) -> Picture:
        """Its dice, each with its square; options are those of `tercet.drawing.draw_rows`."""
        from tercet.drawing import draw_rows  # noqa: PLC0415

        return draw_rows(self.placements, **{"labels": True, **options})

    def _repr_svg_(self) -> str:
        return self.svg()


class Judgement(Struct, frozen=True):
    """A legal turn taken apart: its new SETs, the points for them, the bonus."""

    sets: tuple[ScoredSet, ...]
    set_points: int
    bonus: int

    @property
    def score(self) -> int:
        return self.set_points + self.bonus


class Position:
    """What lies on a board, and the hand of the one whose turn it is.

    ``edition`` is an `Edition`, the name of one, or a mapping with ``size``, ``logo`` and ``bonus`` (a whole
    edition will do as well); ``board`` gives the face on each occupied square, a wild as ``*2GS``; ``hand``
    the faces, a wild as ``W``; they may be one text, as in ``"2GS W"``.
    """

    def __init__(
        self,
        edition: Edition | Layout | str | Mapping[str, Any] = "house",
        board: Mapping[str, str | Face | Lying] | Mapping[Square, str | Face | Lying] | None = None,
        hand: Iterable[str | Face] = (),
        wild: WildRule | None = None,
    ) -> None:
        if isinstance(edition, str):
            edition = Edition.named(edition)
        elif isinstance(edition, Mapping) and not edition.keys().isdisjoint(("dice", "extends")):
            edition = Edition.from_plain(dict(edition))
        if isinstance(edition, Edition):
            self.layout, usual = edition.layout, edition.wild
        elif isinstance(edition, Layout):
            self.layout, usual = edition, "later"
        else:
            self.layout, usual = _read_layout(edition)
        self.wild: WildRule = usual if wild is None else wild
        if self.wild not in ("later", "never"):
            raise PositionError(f"wild is 'later' or 'never', not {self.wild!r:.20}")
        of_kind(hand, Iterable, "the hand as text, as in '2GS 1RO', or faces in a list")
        self.hand = Face.read(hand) if isinstance(hand, str) else tuple(Face(face) for face in hand)
        if len(self.hand) > HAND_LIMIT:
            raise PositionError(f"{len(self.hand)} dice in hand: at most {HAND_LIMIT}")
        self._cells: dict[int, Lying] = {}
        self._lying: LyingOn = self._cells.get
        board = {} if board is None else board
        of_kind(board, Mapping, "the board as a dict, as in {'d5': '1RO'}")
        for square, die in board.items():
            self._put(square if isinstance(square, Square) else Square.from_plain(square), die)

    def _put(self, square: Square, die: str | Face | Lying) -> None:
        if square not in self.layout:
            raise PositionError(f"{square} is not on this board")
        if self.layout.cell(square) in self._cells:
            raise PositionError(f"{square} is occupied twice")
        if isinstance(die, str):
            die = Lying(Face(die.removeprefix("*")), die.startswith("*"))
        elif isinstance(die, Face):
            die = Lying(die, False)
        elif not isinstance(die, Lying):
            raise PositionError(f"{square}: {die!r:.20} is not a face, as in 2GS or *2GS")
        if die.face is WILD:
            raise PositionError(f"the wild on {square} must stand for a face, as in *2GS")
        self._cells[self.layout.cell(square)] = die

    @classmethod
    def of(cls, edition: Edition, board: tuple[Die | None, ...], hand: Iterable[Face]) -> Position:
        """A position of a game, by the cells of its board: all of it is known to be in order."""
        return _InGame(edition, board, tuple(hand))

    def _occupied(self) -> dict[int, Lying]:
        """What lies on each occupied cell."""
        return self._cells

    @property
    def board(self) -> dict[Square, Lying]:
        """What lies on each occupied square."""
        return {self.layout.square(cell): die for cell, die in self._occupied().items()}

    @classmethod
    def read(cls, text: str | bytes) -> Position:
        """A position from its JSON form."""
        of_kind(text, (str, bytes), "a position as JSON")
        try:
            data = codec.from_json(text, Any)
        except msgspec.DecodeError as error:
            raise PositionError(f"not JSON: {codec.reason(error)}") from None
        return cls.from_plain(data)

    @classmethod
    def from_plain(cls, data: object) -> Position:
        """A position from its JSON form, parsed."""
        try:
            file = msgspec.convert(data, _File)
        except (msgspec.ValidationError, UnicodeError) as error:
            raise PositionError(f"position: {codec.reason(error, _File)}") from None
        return cls(file.edition, file.board, file.hand, file.wild)

    def __eq__(self, other: object) -> bool:
        """Whether the same lies on the same board, and the hand is the same in the same order."""
        return self.to_plain() == other.to_plain() if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.hand, self.wild, frozenset(self._occupied().items())))

    def to_plain(self) -> dict[str, Any]:
        """The JSON form, parsed; `from_plain` reads it back."""
        layout = self.layout
        return {
            "edition": {
                "size": [layout.rows, layout.cols],
                "logo": [str(square) for square in layout.logo],
                "bonus": {str(square): worth for square, worth in layout.bonus.items()},
            },
            "board": {str(square): "*" * die.wild + str(die.face) for square, die in self.board.items()},
            "hand": [str(face) for face in self.hand],
            "wild": self.wild,
        }

    def __repr__(self) -> str:
        return f"Position.from_plain({self.to_plain()!r})"

    def __str__(self) -> str:
        """The board as text, with the hand below.

        >>> board = {"a1": "1RO", "b2": "*2RO"}
        >>> print(Position({"size": [3, 3], "bonus": {"c3": 4}}, board, ["3RO", "W"]))
              a    b    c
          1  1RO    .    .
          2    . *2RO    .
          3    .    .   +4
        hand: 3RO W
        """
        lying = {square: (die.face, die.wild) for square, die in self.board.items()}
        return f"{self.layout.text(lying)}\nhand: {' '.join(map(str, self.hand)) or 'empty'}"

    def svg(self, **options: Any) -> Picture:
        """The board with the hand below; options are those of `tercet.drawing.draw_board`. A turn that is given as ``turn``
        is laid, and marked."""
        from tercet.drawing import draw_board  # noqa: PLC0415

        lying = {square: (die.face, die.wild) for square, die in self.board.items()}
        hand = list(self.hand)
        if (turn := options.pop("turn", None)) is not None:
            placements = _placements(turn)
            for placement in placements:
                lying[placement.square] = (placement.face, placement.wild)
                shown = WILD if placement.wild else placement.face
                if shown in hand:
                    hand.remove(shown)
            options.setdefault("marked", [placement.square for placement in placements])
        return draw_board(self.layout, lying, **{"hand": hand, **options})

    def _repr_svg_(self) -> str:
        return self.svg()

    def turns(self) -> list[Turn]:
        """Every legal turn once, the best first. Passing is always allowed and not listed."""
        sight = self._sight()
        return [_turn(sight, seen) for seen in sight.turns(self.hand)]

    def scores(self) -> dict[str, int]:
        """The score of every legal turn by its text, the best first: as `turns`, but cheaper."""
        return self._sight().texts(self.hand)

    def best(self) -> Turn:
        """A turn with the most points; a pass if nothing can be laid."""
        sight = self._sight()
        seen = sight.best(self.hand)
        return Turn((), 0) if seen is None else _turn(sight, seen)

    def can_lay(self) -> bool:
        """Whether any die can be laid."""
        return self._sight().can_lay(self.hand)

    def _sight(self) -> Sight:
        return Sight.of_dice(self.layout, self.wild, self._cells.items())

    def judge(self, placements: Iterable[Placement] | Turn | str) -> Judgement | Refusal:
        """What laying these dice scores, or why it is not allowed: placements, a turn, or its text. Whose dice they are is not asked."""
        found = self._examine(_placements(placements))
        if isinstance(found, Refusal):
            return found
        sets, bonus = found
        return Judgement(tuple(map(self._scored, sets)), points(sets, self.wild), bonus)

    def score(self, placements: Iterable[Placement] | Turn | str) -> int | Refusal:
        """As `judge`, but only what it scores in all."""
        found = self._examine(placements if type(placements) is tuple else _placements(placements))
        return found if isinstance(found, Refusal) else points(found[0], self.wild) + found[1]

    def _examine(self, placements: tuple[Placement, ...]) -> tuple[list[NewSet], int] | Refusal:
        """The new SETs of these dice, and the bonus."""
        if not placements:
            return Refusal("nothing_laid")
        if len(placements) > LAY_LIMIT:
            return Refusal("too_many_dice", count=len(placements), most=LAY_LIMIT)
        layout, lying = self.layout, self._lying
        laid: dict[int, Laid] = {}
        for placement in placements:
            square = placement.square
            if placement.face is WILD:
                return Refusal("wild_not_named", square=str(square))
            cell = layout.cells.get(square)
            if cell is None:
                return Refusal("off_board", square=str(square))
            if lying(cell) is not None:
                return Refusal("occupied", square=str(square))
            if cell in laid:
                return Refusal("same_square_twice", square=str(square))
            laid[cell] = Laid(cell, placement.face, placement.wild)
        sets = new_sets(layout, lying, laid.values(), self.wild)
        scoring = {die.cell for found in sets for die in found.laid}
        for cell in laid:
            if cell not in scoring:
                return Refusal("makes_no_set", square=str(layout.square(cell)))
        return sets, sum(layout.bonus_by_cell[cell] for cell in laid)

    def _scored(self, found: NewSet) -> ScoredSet:
        square = self.layout.square
        return ScoredSet(tuple(map(square, found.run)), tuple(square(die.cell) for die in found.laid))


def _placements(turn: Iterable[Placement] | Turn | str) -> tuple[Placement, ...]:
    found = turn.placements if isinstance(turn, Turn) else read_turn(turn) if isinstance(turn, str) else turn
    of_kind(found, Iterable, "a turn, or its text, as in 2GS@e5")
    placements = tuple(found)
    for placement in placements:
        of_kind(placement, Placement, "placements, or the text of them all, as in 2GS@e5")
    return placements


def _turn(sight: Sight, seen: SeenTurn) -> Turn:
    return Turn(sight.placements(seen.puts), seen.score)


class _InGame(Position):
    """The position of one whose turn it is in a game, where nothing needs to be checked."""

    def __init__(self, edition: Edition, board: tuple[Die | None, ...], hand: tuple[Face, ...]) -> None:
        self.layout = edition.layout
        self.wild = edition.wild
        self.hand = hand
        self._dice = board
        self._lying = board.__getitem__

    def _occupied(self) -> dict[int, Lying]:
        return {cell: Lying(die.face, die.wild) for cell, die in enumerate(self._dice) if die is not None}

    def _sight(self) -> Sight:
        return Sight.of_dice(self.layout, self.wild, enumerate(self._dice))


class _LayoutFile(Struct, forbid_unknown_fields=True):
    """An edition without its dice; what else an edition may say, it may say too."""

    size: tuple[int, int]
    logo: tuple[str, ...] = ()
    bonus: dict[str, int] = {}
    wild: WildRule = "later"
    name: str = ""
    title: str = ""
    note: str = ""


class _File(Struct, forbid_unknown_fields=True):
    board: dict[str, str]
    hand: list[str]
    edition: str | dict[str, Any] = "house"
    wild: WildRule | None = None


def _read_layout(data: Mapping[str, Any]) -> tuple[Layout, WildRule]:
    """The part of an edition that one turn needs."""
    try:
        file = codec.from_data(data, _LayoutFile)
        bonus = {Square(square): worth for square, worth in file.bonus.items()}
        return Layout(*file.size, tuple(map(Square, file.logo)), bonus), file.wild
    except (msgspec.ValidationError, NotationError) as error:
        raise EditionError(f"edition: {codec.reason(error)}") from None
