"""The turns of a position straight from RULES C7 to C11 and C17 to C20: slow, and plain to see.

Nothing of `tercet.cubed.turns` is used, not even what a SET is. Every way to put one, two or three dice of
the hand on empty squares is tried, a wild with each of its 27 names, and judged by the letter of the rules.
Only what cannot be in any new SET is left out beforehand:

- squares that see no lying die within two squares along a row or column: a new SET is three neighbours in a
  line with a lying die among them (C8), so its laid dice lie within two squares of it;
- choices of squares in which one has no full line with a lying die: the geometry alone breaks C9;
- on a square, faces that make no SET in any line that is full when these squares are taken (C9).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product

Cell = tuple[int, int]
Line = tuple[Cell, Cell, Cell]
#: A face, and whether a wild shows it.
Kind = tuple[str, bool]
#: A laid die: its square, its face and whether it is a wild.
Die = tuple[Cell, str, bool]

FACES = [number + colour + shape for number in "123" for colour in "RGP" for shape in "DOS"]


def is_a_set(a: str, b: str, c: str) -> bool:
    """Each feature all the same or all different (S1)."""
    return all(len({x, y, z}) != 2 for x, y, z in zip(a, b, c, strict=True))


SETS = frozenset(three for three in product(FACES, repeat=3) if is_a_set(*three))


class Table:
    """A board with lying dice: ``lying[row, col]`` is a face and whether it is a wild."""

    def __init__(
        self,
        rows: int,
        cols: int,
        lying: Mapping[Cell, tuple[str, bool]],
        bonus: Mapping[Cell, int],
        wild_rule: str,
    ) -> None:
        self.rows, self.cols = rows, cols
        self.lying, self.bonus, self.wild_rule = lying, bonus, wild_rule
        self._known: dict[Cell, list[tuple[Line, frozenset[Cell]]]] = {}

    def lines_through(self, cell: Cell) -> Iterator[Line]:
        """The lines of three neighbours in a row or a column that a square is part of."""
        row, col = cell
        for back in (0, 1, 2):
            across = tuple((row, col - back + step) for step in range(3))
            down = tuple((row - back + step, col) for step in range(3))
            for line in (across, down):
                if all(0 <= r < self.rows and 0 <= c < self.cols for r, c in line):
                    yield line  # type: ignore[misc]

    def full_lines(self, squares: Sequence[Cell]) -> list[Line]:
        """The lines in which new SETs can be: all three filled, one laid now and one lying before (C8, C11).

        None at all if one of the squares is in no such line: then the turn breaks C9, whatever the faces.
        """
        found = set()
        for square in squares:
            full = [line for line, empty in self._lines_with_lying(square) if empty.issubset(squares)]
            if not full:
                return []
            found.update(full)
        return sorted(found)

    def _lines_with_lying(self, square: Cell) -> list[tuple[Line, frozenset[Cell]]]:
        """The lines through a square that hold a lying die, and which of their squares are empty."""
        if square not in self._known:
            empties = {line: frozenset(line) - self.lying.keys() for line in self.lines_through(square)}
            self._known[square] = [(line, empty) for line, empty in empties.items() if len(empty) < 3]
        return self._known[square]

    def turns(self, hand: Sequence[str]) -> dict[frozenset[Die], int]:
        """Every legal turn with its score (C7, C9)."""
        kinds = [(face, False) for face in sorted(set(hand)) if face != "W"]
        kinds += [(face, True) for face in FACES if "W" in hand]
        found = {}
        for count in range(1, min(3, len(hand)) + 1):
            for squares in combinations(self._empty_near(), count):
                if not (lines := self.full_lines(squares)):
                    continue
                hopes = [self._hopeful(square, lines, kinds) for square in squares]
                for turn in _ways(squares, hopes, Counter(hand)):
                    score = self._score(turn, lines)
                    if score is not None:
                        found[frozenset(turn)] = score
        return found

    def _empty_near(self) -> list[Cell]:
        near = {cell for lying in self.lying for line in self.lines_through(lying) for cell in line}
        return sorted(near - set(self.lying))

    def _hopeful(self, square: Cell, lines: Sequence[Line], kinds: Sequence[Kind]) -> list[Kind]:
        """What could be in a new SET on this square, in one of these lines: all of it where another laid die
        is in the line, and where the other two lie already, what makes a SET with them."""
        allowed = set()
        for line in lines:
            if square in line:
                two = [self.lying[cell][0] for cell in line if cell in self.lying]
                allowed.update(FACES if len(two) == 1 else [face for face in FACES if (face, *two) in SETS])
        return [kind for kind in kinds if kind[0] in allowed]

    def _score(self, turn: Sequence[Die], lines: Sequence[Line]) -> int | None:
        """What the turn scores; None if a die of it is in no new SET (C9)."""
        faces = {cell: face for cell, face, _ in turn}
        sets = [
            line
            for line in lines
            if tuple(faces[cell] if cell in faces else self.lying[cell][0] for cell in line) in SETS
        ]
        if not all(any(cell in line for line in sets) for cell in faces):
            return None
        if any(wild for _, _, wild in turn):
            points = max(self._points(order, sets) for order in permutations(turn))
        else:
            points = self._points(turn, sets)
        return points + sum(self.bonus.get(cell, 0) for cell in faces)

    def _points(self, order: Sequence[Die], sets: Sequence[Line]) -> int:
        """C17, C19 and C20, the dice laid in this order."""
        wilds = {cell: wild for cell, _, wild in order}
        laid: set[Cell] = set()
        joined: set[Cell] = set()
        points = 0
        for cell, _, _ in order:
            laid.add(cell)
            finished = [
                s for s in sets if cell in s and all(other in laid or other in self.lying for other in s)
            ]
            for one in finished:
                for other in one:
                    if other in self.lying:
                        points += not (self.lying[other][1] and self.wild_rule == "never")
                    elif not wilds[other]:
                        points += 1
                    else:
                        points += other in joined and self.wild_rule == "later"
            joined.update(other for one in finished for other in one if other in laid)
        return points


def _ways(
    squares: Sequence[Cell], hopes: Sequence[Sequence[Kind]], hand: Counter[str]
) -> Iterator[list[Die]]:
    """Every way to put dice of the hand on these squares."""
    if not squares:
        yield []
        return
    for face, wild in hopes[0]:
        die = "W" if wild else face
        if hand[die]:
            for rest in _ways(squares[1:], hopes[1:], hand - Counter([die])):
                yield [(squares[0], face, wild), *rest]
