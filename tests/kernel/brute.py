"""The dice game's turns straight from RULES, slow and obvious: what the kernel is held equal to."""

from __future__ import annotations

from itertools import combinations, permutations, product

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
    """Every legal turn with its score, by trying all ways to lay one, two or three dice."""
    lying = {s: face for s, face in enumerate(board) if face != 255}
    lines = [run for run in runs(rows, cols) if any(s in lying for s in run)]
    near = sorted({s for run in lines for s in run} - set(lying))
    found = {}
    for size in (1, 2, 3):
        hands = sorted(set(permutations(hand, size)))
        for squares in combinations(near, size):
            filled = [run for run in lines if all(s in lying or s in squares for s in run)]
            touched = [run for run in filled if any(s in squares for s in run)]
            if not all(any(s in run for run in touched) for s in squares):
                continue  # a die in no full run is in no SET, whatever it shows
            for dice in hands:
                for faces in product(*(range(27) if die == WILD else [die] for die in dice)):
                    turn = tuple((s, f, d == WILD) for s, f, d in zip(squares, faces, dice, strict=True))
                    value = score(touched, lying, stars, bonus, turn, never)
                    if value is not None:
                        found[turn] = value
    return found


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
