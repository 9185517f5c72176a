"""The dice board in the kernel's form, and what can be laid on it.

All questions about turns go through here: to the kernel, compiled or plain, and where a board is too large for it to
the readable version. Both give the same turns in the same order: the most points first; of equals those with
fewer dice, then those whose last die is nearer to the top left.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

from tercet import kernel
from tercet.cubed import turns
from tercet.cubed.placements import Placement
from tercet.cubed.turns import Lying, Shown
from tercet.editions.edition import Layout, WildRule
from tercet.sets import Face

if TYPE_CHECKING:
    from tercet.cubed.play import State

EMPTY = 255
#: A wild in hand.
WILD = 27
#: The widest and highest board that the kernel takes.
KERNEL_SIDE = 26
#: The bits of a turn of the kernel below those of its score.
TURN_BITS = 48
#: So many of the first turns a learner is told of.
FIRST = 63

#: A die on a cell: the cell, the face, whether it is a wild.
Put = tuple[int, int, bool]


class Turn(NamedTuple):
    """A legal turn, by cells."""

    score: int
    puts: tuple[Put, ...]


class FirstTurns(Sequence[Turn]):
    """The first turns of a position, taken apart only when they are asked for. ``told`` has four numbers of each: its points in tenths, its dice and
    its wilds in thirds, its bonus in fives."""

    __slots__ = ("_turns", "told")

    def __init__(self, turns: Sequence[Turn | int], told: array[float]) -> None:
        self._turns, self.told = turns, told

    def __len__(self) -> int:
        return len(self._turns)

    @overload
    def __getitem__(self, place: int) -> Turn: ...

    @overload
    def __getitem__(self, place: slice) -> list[Turn]: ...

    def __getitem__(self, place: int | slice) -> Turn | list[Turn]:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        turn = self._turns[place]
        return _unpacked(turn) if isinstance(turn, int) else turn


class Sight:
    """A board, one byte a cell: the faces (255 where none lies), where wilds lie, the bonus that is left."""

    __slots__ = ("board", "bonus", "layout", "stars", "wild")

    def __init__(self, layout: Layout, wild: WildRule, board: bytes, stars: bytes, bonus: bytes) -> None:
        self.layout, self.wild = layout, wild
        self.board, self.stars, self.bonus = board, stars, bonus

    @classmethod
    def of(cls, view: State) -> Sight:
        edition = view.options.edition
        return cls.of_dice(edition.layout, edition.wild, enumerate(view.board))

    @classmethod
    def of_dice(cls, layout: Layout, wild: WildRule, dice: Iterable[tuple[int, Shown | None]]) -> Sight:
        """From cells and what lies there; those that are left out are empty."""
        bonus = bytearray(layout.bonus_by_cell)
        board, stars = bytearray([EMPTY]) * len(bonus), bytearray(len(bonus))
        for cell, die in dice:
            if die is not None:
                board[cell], stars[cell], bonus[cell] = die.face, die.wild, 0
        return cls(layout, wild, bytes(board), bytes(stars), bytes(bonus))

    @property
    def key(self) -> tuple[bytes, bytes]:
        """What tells this board from others of its edition."""
        return self.board, self.stars

    @property
    def in_kernel(self) -> bool:
        """Whether the board is small enough for the kernel."""
        return max(self.layout.rows, self.layout.cols) <= KERNEL_SIDE

    def turns(self, hand: Sequence[int]) -> list[Turn]:
        """Every legal turn once. Passing is not listed."""
        if self.in_kernel:
            return [_unpacked(turn) for turn in self._packed(hand)]
        faces = [Face(face) for face in hand]
        laid = turns.legal_turns(self.layout, self._lying(), faces, self.wild)
        found = [Turn(score, tuple((d.cell, int(d.face), d.wild) for d in turn)) for turn, score in laid]
        return sorted(found, key=lambda turn: (-turn.score, len(turn.puts), turn.puts[::-1]))

    def first(self, hand: Sequence[int]) -> FirstTurns:
        """The first 63 of `turns`, without writing out the rest."""
        if self.in_kernel:
            return FirstTurns(*kernel.first_turns(*self._args(hand)))
        found = self.turns(hand)[:FIRST]
        return FirstTurns(found, array("f", [number for turn in found for number in self._told(turn)]))

    def _told(self, turn: Turn) -> tuple[float, float, float, float]:
        """What `FirstTurns.told` has of a turn."""
        score, puts = turn
        wilds, bonus = sum(wild for _, _, wild in puts), sum(self.bonus[cell] for cell, _, _ in puts)
        return score / 10, len(puts) / 3, wilds / 3, bonus / 5

    def texts(self, hand: Sequence[int]) -> dict[str, int]:
        """The score of every legal turn by its text, in the order of `turns`."""
        if not self.in_kernel:
            return {" ".join(map(str, self.placements(turn.puts))): turn.score for turn in self.turns(hand)}
        # A position with wilds can have a hundred thousand turns, made of a few hundred placements.
        texts = {0: ""}
        scores = {}
        for packed in self._packed(hand):
            places = packed & 0xFFFF, packed >> 16 & 0xFFFF, packed >> 32 & 0xFFFF
            for place in places:
                if place not in texts:
                    (placement,) = self.placements(_unpacked(place).puts)
                    texts[place] = f"{placement} "
            first, second, last = places
            scores[(texts[first] + texts[second] + texts[last])[:-1]] = packed >> TURN_BITS
        return scores

    def best(self, hand: Sequence[int]) -> Turn | None:
        """The first of `turns`, found without listing them; None where nothing can be laid."""
        if self.in_kernel:
            best = kernel.best_turn(*self._args(hand))
            return _unpacked(best) if best else None
        return next(iter(self.turns(hand)), None)

    def best_score(self, hand: Sequence[int]) -> int:
        if self.in_kernel:
            return kernel.best_turn(*self._args(hand)) >> TURN_BITS
        best = self.best(hand)
        return best.score if best else 0

    def can_lay(self, hand: Sequence[int]) -> bool:
        if self.in_kernel:
            return kernel.any_turn(*self._args(hand))
        return turns.can_lay(self.layout, self._lying(), [Face(face) for face in hand])

    def solve_extra_roll(self, sides: bytes, shown: bytes) -> tuple[int, Sequence[int]]:
        """The dice to throw once more, as bits, and 7,776 x the expected best score for every choice of dice.

        ``sides`` are six faces a die, ``shown`` says which of the six is up.
        """
        rows, cols, board, stars, bonus, _, never = self._args(())
        tables = kernel.hand_tables(rows, cols, board, stars, bonus, never)
        return kernel.ExtraRoll(tables).expected(sides, shown)

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

    def _args(self, hand: Iterable[int]) -> tuple[int, int, bytes, bytes, bytes, bytes, bool]:
        layout = self.layout
        never = self.wild == "never"
        return layout.rows, layout.cols, self.board, self.stars, self.bonus, bytes(hand), never

    def _packed(self, hand: Iterable[int]) -> list[int]:
        """Every legal turn as the kernel writes it."""
        return sorted(kernel.list_turns(*self._args(hand)), key=_falling)

    def _lying(self) -> dict[int, Lying]:
        return {
            cell: Lying(Face(face), bool(self.stars[cell]))
            for cell, face in enumerate(self.board)
            if face != EMPTY
        }


def _falling(packed: int) -> tuple[int, int]:
    return -(packed >> TURN_BITS), packed


def _unpacked(packed: int) -> Turn:
    score, puts = kernel.unpack(packed)
    return Turn(score, tuple(puts))


def left_in_hand(hand: Sequence[int], puts: Iterable[Put]) -> list[int]:
    """The faces that stay in hand."""
    left = list(hand)
    for _, face, wild in puts:
        left.remove(WILD if wild else face)
    return left
