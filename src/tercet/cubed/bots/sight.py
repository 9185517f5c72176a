"""The dice board as bots see it: in the kernel's form, with what can be laid on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tercet import kernel
from tercet.cubed.placements import Placement
from tercet.cubed.play import State
from tercet.cubed.turns import Lying, can_lay, legal_turns
from tercet.editions.edition import Layout, WildRule
from tercet.kernel.extra_roll import ExtraRoll
from tercet.kernel.hands import hand_tables
from tercet.sets import Face

EMPTY = 255
#: A wild in hand.
WILD = 27
#: The widest and highest board that the kernel takes.
KERNEL_SIDE = 26

#: A die on a cell: the cell, the face, whether it is a wild.
Put = tuple[int, int, bool]


class Turn(NamedTuple):
    """A legal turn, by cells."""

    score: int
    puts: tuple[Put, ...]


class Sight:
    """A board, one byte a cell: the faces (255 where none lies), where wilds lie, the bonus that is left."""

    __slots__ = ("board", "bonus", "layout", "stars", "wild")

    def __init__(self, layout: Layout, wild: WildRule, board: bytes, stars: bytes, bonus: bytes) -> None:
        self.layout, self.wild = layout, wild
        self.board, self.stars, self.bonus = board, stars, bonus

    @classmethod
    def of(cls, view: State) -> Sight:
        edition = view.options.edition
        bonus = bytearray(len(view.board))
        for square, worth in edition.layout.bonus.items():
            cell = edition.layout.cell(square)
            bonus[cell] = 0 if view.board[cell] is not None else worth
        return cls(
            edition.layout,
            edition.wild,
            bytes(EMPTY if die is None else die.face for die in view.board),
            bytes(die is not None and die.wild for die in view.board),
            bytes(bonus),
        )

    @property
    def key(self) -> tuple[bytes, bytes]:
        """What tells this board from others of its edition."""
        return self.board, self.stars

    @property
    def in_kernel(self) -> bool:
        """Whether the board is small enough for the kernel."""
        return max(self.layout.rows, self.layout.cols) <= KERNEL_SIDE

    def _args(self, hand: Iterable[int]) -> tuple[int, int, bytes, bytes, bytes, bytes, bool]:
        layout = self.layout
        never = self.wild == "never"
        return layout.rows, layout.cols, self.board, self.stars, self.bonus, bytes(hand), never

    def turns(self, hand: Sequence[int]) -> list[Turn]:
        """Every legal turn, most points first, in an order that is always the same."""
        if self.in_kernel:
            listed = sorted(kernel.list_turns(*self._args(hand)), key=_falling)
            return [_unpacked(turn) for turn in listed]
        laid = legal_turns(self._bonus_layout(), self._lying(), [Face(face) for face in hand], self.wild)
        found = [Turn(score, tuple((d.cell, int(d.face), d.wild) for d in turn)) for turn, score in laid]
        return sorted(found, key=lambda turn: (-turn.score, turn.puts))

    def best(self, hand: Sequence[int]) -> Turn | None:
        """A turn with the most points; None where nothing can be laid."""
        if self.in_kernel:
            best = kernel.best_turn(*self._args(hand))
            return _unpacked(best) if best else None
        return next(iter(self.turns(hand)), None)

    def best_score(self, hand: Sequence[int]) -> int:
        if self.in_kernel:
            return kernel.best_turn(*self._args(hand)) >> 48
        best = self.best(hand)
        return best.score if best else 0

    def can_lay(self, hand: Sequence[int]) -> bool:
        if self.in_kernel:
            return kernel.any_turn(*self._args(hand))
        return can_lay(self.layout, self._lying(), [Face(face) for face in hand])

    def solve_extra_roll(self, sides: bytes, shown: bytes) -> tuple[int, Sequence[int]]:
        """The dice to throw once more, as bits, and 7,776 x the expected best score for every choice of dice.

        ``sides`` are six faces a die, ``shown`` says which of the six is up.
        """
        rows, cols, board, stars, bonus, _, never = self._args(())
        return ExtraRoll(hand_tables(rows, cols, board, stars, bonus, never)).expected(sides, shown)

    def after(self, puts: Iterable[Put]) -> Sight:
        """The board once these dice are laid, or put in the place of wilds."""
        board, stars, bonus = bytearray(self.board), bytearray(self.stars), bytearray(self.bonus)
        for cell, face, wild in puts:
            board[cell], stars[cell], bonus[cell] = face, wild, 0
        return Sight(self.layout, self.wild, bytes(board), bytes(stars), bytes(bonus))

    def wilds(self) -> list[tuple[int, int]]:
        """The cells on which wilds lie, each with the face for which it stands."""
        return [(cell, self.board[cell]) for cell, star in enumerate(self.stars) if star]

    def placements(self, puts: Iterable[Put]) -> tuple[Placement, ...]:
        return tuple(Placement(self.layout.square(cell), Face(face), wild) for cell, face, wild in puts)

    def _lying(self) -> dict[int, Lying]:
        return {
            cell: Lying(Face(face), bool(self.stars[cell]))
            for cell, face in enumerate(self.board)
            if face != EMPTY
        }

    def _bonus_layout(self) -> Layout:
        layout = self.layout
        bonus = {layout.square(cell): worth for cell, worth in enumerate(self.bonus) if worth}
        return Layout(layout.rows, layout.cols, layout.logo, bonus)


def _falling(turn: int) -> tuple[int, int]:
    return -(turn >> 48), turn


def _unpacked(turn: int) -> Turn:
    score, puts = kernel.unpack(turn)
    return Turn(score, tuple(puts))


def left_in_hand(hand: Sequence[int], puts: Iterable[Put]) -> list[int]:
    """The faces that stay in hand."""
    left = list(hand)
    for _, face, wild in puts:
        left.remove(WILD if wild else face)
    return left
