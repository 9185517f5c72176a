"""The dice game's turns straight from RULES, slow and obvious: what the kernel is held equal to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

WILD = 27
Placement = tuple[int, int, bool]


def is_set(a: int, b: int, c: int) -> bool:
    """S1 by the digits of the faces: all the same or all different."""
    return all(len({x // w % 3 for x in (a, b, c)}) != 2 for w in (9, 3, 1))


def runs(rows: int, cols: int) -> list[tuple[int, int, int]]:
    """C8: three neighbouring squares of one row or column."""
    across = [
        (r * cols + c, r * cols + c + 1, r * cols + c + 2) for r in range(rows) for c in range(cols - 2)
    ]
    down = [
        (r * cols + c, r * cols + c + cols, r * cols + c + 2 * cols)
        for r in range(rows - 2)
        for c in range(cols)
    ]
    return across + down


def turns(
    rows: int, cols: int, board: bytes, stars: bytes, bonus: bytes, hand: bytes, never: bool
) -> dict[tuple[Placement, ...], int]:
    """Every legal turn with its score, by trying all ways to lay one, two or three dice.

    Only what cannot matter is skipped: squares in no run that the turn could fill, and faces on a square
    all of whose runs are filled and none is a SET.
    """
    lying = {s: face for s, face in enumerate(board) if face != 255}
    lines = [run for run in runs(rows, cols) if any(s in lying for s in run)]
    near = sorted({s for run in lines for s in run} - set(lying))
    through = {s: [run for run in lines if s in run] for s in near}
    alone = {s for run in lines for s in run if all(o in lying or o == s for o in run)}
    beside = {s: {o for run in through[s] for o in run if o != s} - set(lying) for s in near}
    found = {}
    for size in (1, 2, 3):
        hands = sorted(set(permutations(hand, size)))
        for squares in combinations(near, size):
            if not all(s in alone or any(o in beside[s] for o in squares) for s in squares):
                continue
            touched = sorted(
                {run for s in squares for run in through[s] if all(o in lying or o in squares for o in run)}
            )
            for dice in hands:
                for faces in _faces(squares, dice, touched, lying):
                    turn = tuple((s, f, d == WILD) for s, f, d in zip(squares, faces, dice, strict=True))
                    value = score(touched, lying, stars, bonus, turn, never)
                    if value is not None:
                        found[turn] = value
    return found


def _faces(
    squares: tuple[int, ...],
    dice: tuple[int, ...],
    touched: list[tuple[int, int, int]],
    lying: dict[int, int],
) -> Iterator[tuple[int, ...]]:
    """The faces that these dice can show or be named, square by square."""

    def lay(after: dict[int, int]) -> Iterator[tuple[int, ...]]:
        n = len(after) - len(lying)
        for s in squares[:n]:
            mine = [run for run in touched if s in run]
            full = [run for run in mine if all(o in after for o in run)]
            if len(full) == len(mine) and not any(is_set(*(after[o] for o in run)) for run in full):
                return
        if n == len(squares):
            yield tuple(after[s] for s in squares)
            return
        for face in range(27) if dice[n] == WILD else [dice[n]]:
            yield from lay(after | {squares[n]: face})

    return lay(lying)


def score(
    lines: list[tuple[int, int, int]],
    lying: dict[int, int],
    stars: bytes,
    bonus: bytes,
    turn: tuple[Placement, ...],
    never: bool,
) -> int | None:
    """The score of a turn, or None where it is not legal."""
    laid = {s: f for s, f, _ in turn}
    after = lying | laid
    new = [
        run
        for run in lines
        if all(s in after for s in run)
        and any(s in laid for s in run)
        and any(s in lying for s in run)
        and is_set(*(after[s] for s in run))
    ]
    if not all(any(s in run for run in new) for s in laid):
        return None  # C9
    wilds = [s for s, _, wild in turn if wild]
    points = sum(1 for run in new for s in run if not (s in wilds or (never and s in lying and stars[s])))
    if not never:
        points += max(wild_points(new, order, wilds) for order in permutations(laid))
    return points + sum(bonus[s] for s in laid)


def wild_points(new: list[tuple[int, int, int]], order: tuple[int, ...], wilds: list[int]) -> int:
    """C19: what the wilds laid this turn score when the dice are laid in this order."""
    points = 0
    for wild in wilds:
        joined = None
        for step, die in enumerate(order):
            finished = [run for run in new if die in run and all(s not in order[step + 1 :] for s in run)]
            with_wild = [run for run in finished if wild in run]
            if with_wild and joined is None:
                joined = die
            elif joined is not None:
                points += len(with_wild)
    return points
