"""Turns of the dice game: which are legal and what they score (C7 to C11, C17 to C20).

This is the readable version. A new SET holds one or two dice laid this turn, never three (C11), so a
legal turn is made of *singles*, dice that finish a run of two lying dice, and *pairs*, two dice that
finish a run with one lying die.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import NamedTuple, Protocol

from tercet.editions.edition import Layout, WildRule
from tercet.sets import WILD, Face, is_set, third


class Laid(NamedTuple):
    """A die laid this turn, by the cell it lies on."""

    cell: int
    face: Face
    wild: bool


class Lying(NamedTuple):
    """A die that lay before the turn."""

    face: Face
    wild: bool


class NewSet(NamedTuple):
    """A run of three that became a SET: its cells, the points of its lying dice, the dice laid in it."""

    run: tuple[int, int, int]
    lying_points: int
    laid: tuple[Laid, ...]


Board = Mapping[int, Lying]


class Shown(Protocol):
    """A die of which only this matters: `Lying`, or a whole `Die`."""

    @property
    def face(self) -> Face: ...

    @property
    def wild(self) -> bool: ...


#: What lies on a cell before the turn.
LyingOn = Callable[[int], Shown | None]
Turn = tuple[Laid, ...]


def new_sets(layout: Layout, lying: LyingOn, turn: Iterable[Laid], wild: WildRule) -> list[NewSet]:
    """The new SETs of a turn, by definition: at least one die laid and one that lay before (C8)."""
    laid = {die.cell: die for die in turn}
    found = []
    for run in {run for cell in laid for run in layout.runs_through[cell]}:
        faces = []
        for cell in run:
            die = laid.get(cell) or lying(cell)
            if die is None:
                break
            faces.append(die.face)
        else:
            first, second, last = faces
            if Face.thirds[first][second] is last:
                mine = tuple(laid[cell] for cell in run if cell in laid)
                others = [die for cell in run if cell not in laid and (die := lying(cell))]
                if others:
                    found.append(NewSet(run, _lying_points(others, wild), mine))
    found.sort()
    return found


def points(sets: Sequence[NewSet], wild: WildRule) -> int:
    """What new SETs score: a point a die (C17), for laid wilds in the order that scores most (C19)."""
    total, wilds = 0, False
    for found in sets:
        total += found.lying_points
        for die in found.laid:
            total += not die.wild
            wilds |= die.wild
    if wild == "never" or not wilds:
        return total
    dice = {die for found in sets for die in found.laid}
    return total + max(_wild_points(sets, order) for order in permutations(dice))


def _wild_points(sets: Sequence[NewSet], order: Sequence[Laid]) -> int:
    """The points of laid wilds when the dice are laid in this order.

    A die finishes the SETs whose last die it is. A wild scores in all its SETs but those finished by
    the die with which it first joined one.
    """
    scored = 0
    for die in order:
        if die.wild:
            finished = [max(order.index(one) for one in found.laid) for found in sets if die in found.laid]
            scored += len(finished) - finished.count(min(finished))
    return scored


def _lying_points(dice: Iterable[Shown], wild: WildRule) -> int:
    return sum(1 for die in dice if wild == "later" or not die.wild)


def legal_turns(
    layout: Layout, board: Board, hand: Sequence[Face], wild: WildRule
) -> Iterator[tuple[Turn, int]]:
    """Every legal turn once, with its score, bonus squares included. Passing is not listed.

    A used-up bonus square needs no thought: it is occupied, so that nothing can be laid there (C18).
    """
    finder = _Finder(layout, board, hand, wild)
    for turn in finder.turns():
        bonus = sum(layout.bonus.get(layout.square(die.cell), 0) for die in turn)
        yield turn, points(finder.sets_of(turn), wild) + bonus


def can_lay(layout: Layout, board: Board, hand: Sequence[Face]) -> bool:
    """Whether there is any legal turn."""
    shown = set(hand)
    for run in layout.runs:
        lying = [board[cell].face for cell in run if cell in board]
        if len(lying) == 2 and (WILD in shown or third(*lying) in shown):
            return True
        if len(lying) == 1 and any(is_set(lying[0], *pair) for pair in combinations(hand, 2)):
            return True
    return False


class _Finder:
    """The singles and pairs of a position, with the new SETs that each brings."""

    def __init__(self, layout: Layout, board: Board, hand: Sequence[Face], wild: WildRule) -> None:
        self.wild = wild
        self.faces = Counter(face for face in hand if face is not WILD)
        self.wilds = len(hand) - self.faces.total()
        self.singles: dict[Laid, list[NewSet]] = {}
        self.pairs: dict[tuple[Laid, Laid], list[NewSet]] = {}
        for run in layout.runs:
            gaps = [cell for cell in run if cell not in board]
            lying = [board[cell] for cell in run if cell in board]
            if len(gaps) == 1:
                self._add_singles(run, gaps[0], lying)
            elif len(gaps) == 2:
                self._add_pairs(run, gaps[0], gaps[1], lying[0])

    def _ways(self, cell: int, face: Face) -> list[Laid]:
        """To show this face there: with a die that shows it, with a wild."""
        dice = [Laid(cell, face, False)] if self.faces[face] else []
        return [*dice, Laid(cell, face, True)] if self.wilds else dice

    def _add_singles(self, run: tuple[int, int, int], cell: int, lying: Sequence[Lying]) -> None:
        for die in self._ways(cell, third(lying[0].face, lying[1].face)):
            found = NewSet(run, _lying_points(lying, self.wild), (die,))
            self.singles.setdefault(die, []).append(found)

    def _add_pairs(self, run: tuple[int, int, int], first: int, second: int, lying: Lying) -> None:
        for face in Face.all() if self.wilds else self.faces:
            for one in self._ways(first, face):
                for other in self._ways(second, third(lying.face, face)):
                    if self._in_hand((one, other)):
                        found = NewSet(run, _lying_points((lying,), self.wild), (one, other))
                        self.pairs.setdefault((one, other), []).append(found)

    def _in_hand(self, turn: Sequence[Laid]) -> bool:
        """Whether the hand holds all these dice, and they lie on different cells."""
        if len({die.cell for die in turn}) < len(turn) or sum(die.wild for die in turn) > self.wilds:
            return False
        needed = Counter(die.face for die in turn if not die.wild)
        return all(self.faces[face] >= count for face, count in needed.items())

    def turns(self) -> Iterator[Turn]:
        """Each legal turn once: every die of it in a single or in a pair."""
        partners: dict[Laid, list[Laid]] = {}
        for one, other in self.pairs:
            partners.setdefault(one, []).append(other)
            partners.setdefault(other, []).append(one)
        found: set[Turn] = {(die,) for die in self.singles}
        found.update(map(_sorted, combinations(self.singles, 2)), self.pairs)
        found.update(map(_sorted, combinations(self.singles, 3)))
        found.update(_sorted((*pair, single)) for pair in self.pairs for single in self.singles)
        for shared, others in partners.items():
            found.update(_sorted((shared, *two)) for two in combinations(others, 2))
        return filter(self._in_hand, found)

    def sets_of(self, turn: Turn) -> list[NewSet]:
        """The new SETs of a turn: those of its singles and of its pairs."""
        sets = [found for die in turn for found in self.singles.get(die, ())]
        return sets + [found for pair in combinations(turn, 2) for found in self.pairs.get(pair, ())]


def _sorted(turn: Iterable[Laid]) -> Turn:
    return tuple(sorted(turn))
