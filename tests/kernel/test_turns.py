"""The kernel's turns against RULES: a brute-force definition, and the rules' own examples."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tercet.kernel import any_turn, best_turn, list_turns, unpack
from tests.core.brute_force import FACES, Table
from tests.kernel.positions import Position, face, random_position


def listed(position: Position) -> dict[tuple[tuple[int, int, bool], ...], int]:
    turns = [unpack(turn) for turn in list_turns(*position)]
    found = {tuple(placements): score for score, placements in turns}
    assert len(found) == len(turns), "a turn is listed twice"
    return found


def lay(
    text: str, hand: str, never: bool = False, side: int = 9, bonus: dict[int, int] | None = None
) -> Position:
    """A position from rows of faces, `.` for an empty square, `*` before a lying wild, at the top left."""
    board, stars, points = bytearray([255] * side * side), bytearray(side * side), bytearray(side * side)
    for row, line in enumerate(text.strip().splitlines()):
        for col, die in enumerate(line.split()):
            if die != ".":
                board[row * side + col] = face(die.lstrip("*"))
                stars[row * side + col] = die.startswith("*")
    for square, value in (bonus or {}).items():
        points[square] = value
    held = bytes(face(die) for die in hand.split())
    return Position(side, side, bytes(board), bytes(stars), bytes(points), held, never)


def turn(text: str, side: int = 9) -> tuple[tuple[int, int, bool], ...]:
    """Placements such as `*2GS@b3`, as the kernel gives them."""
    placements = []
    for word in text.split():
        die, square = word.split("@")
        place = (int(square[1:]) - 1) * side + "abcdefghijk".index(square[0])
        placements.append((place, face(die.lstrip("*")), die.startswith("*")))
    return tuple(sorted(placements))


WORKED = """
.    3RD  1GS  2PO
.    2PS  .    2RS
.    .    3GS  1GO
.    .    .    .
.    1GD  1RD  1PD
"""


def test_worked_example() -> None:
    turns = listed(lay(WORKED, "2GS 2GD 3GD"))
    assert turns[turn("2GS@c2")] == 6
    assert turns[turn("2GS@c2 2GD@b3")] == 9
    assert turns[turn("2GS@c2 2GD@b3 3GD@b4")] == 12


LINE = """
.   .   .   .   .   .
.   1RO 2RO 3RO .   .
"""


def test_c9_a_die_may_hang_on_another_laid_with_it() -> None:
    turns = listed(lay(LINE, "1GO 1PO"))
    assert turns[turn("1GO@b3 1PO@b4")] == 3
    assert turn("1GO@b3") not in turns


def test_c10_each_run_of_three_is_judged_by_itself() -> None:
    turns = listed(lay(LINE, "1RO 2GO"))
    assert turns[turn("1RO@e2")] == 3
    assert turn("2GO@e2") not in turns


def test_c11_a_set_of_new_dice_alone_counts_for_nothing() -> None:
    turns = listed(lay("1RO 2RO .\n. . .\n. . .", "3RO 3GO 3PO", side=7))
    assert turns[turn("3RO@c1", 7)] == 3
    # c1 finishes a SET with lying dice; c2 and c3 are a SET with it, but of dice laid this turn only
    assert turn("3RO@c1 3GO@c2 3PO@c3", 7) not in turns


def test_c18_bonus_counts_once_also_for_a_wild() -> None:
    turns = listed(lay(LINE, "1RO W", bonus={13: 5}))
    assert turns[turn("1RO@e2")] == 8
    assert turns[turn("*1RO@e2")] == 7


def test_c19_a_wild_counts_from_its_second_die_on() -> None:
    board = """
    1RO 2RO 3RO
    .   .   3GO
    1PO .   .
    """
    turns = listed(lay(board, "W 2GO"))
    assert turns[turn("*1GO@a2")] == 2
    assert turns[turn("*1GO@a2 2GO@b2")] == 5


def test_c19_a_lying_wild_scores_and_c20_it_never_does() -> None:
    board = LINE.replace("3RO", "*3RO")
    assert listed(lay(board, "1RO"))[turn("1RO@e2")] == 3
    assert listed(lay(board, "1RO", never=True))[turn("1RO@e2")] == 2
    assert listed(lay(board, "W", never=True))[turn("*1RO@e2")] == 1


def by_the_rules(position: Position) -> dict[tuple[tuple[int, int, bool], ...], int]:
    """What `listed` gives, by the definition that the core is tested with."""
    rows, cols, board, stars, bonus, hand, never = position
    lying = {
        divmod(at, cols): (FACES[code], bool(star))
        for at, (code, star) in enumerate(zip(board, stars, strict=True))
        if code != 255
    }
    points = {divmod(at, cols): worth for at, worth in enumerate(bonus) if worth}
    table = Table(rows, cols, lying, points, "never" if never else "later")
    return {
        tuple(sorted((row * cols + col, FACES.index(name), wild) for (row, col), name, wild in laid)): score
        for laid, score in table.turns(["W" if code == 27 else FACES[code] for code in hand]).items()
    }


@pytest.mark.parametrize("seed", range(4))
def test_turns_are_those_of_the_brute_force_definition(seed: int, inputs: Callable[[int], int]) -> None:
    rng = random.Random(seed)
    for _ in range(inputs(32) // 4):
        position = random_position(
            rng, hand=(1, 3) if rng.random() < 0.7 else (4, 5), wilds=(0, rng.choice([0, 1, 1, 3]))
        )
        if position.hand.count(27) > 1 and sum(f != 255 for f in position.board) > 8:
            continue  # millions of turns
        turns = listed(position)
        assert turns == by_the_rules(position), position


def test_best_is_the_highest_of_all_and_the_smallest_of_equals() -> None:
    rng = random.Random(9)
    for _ in range(2000):
        position = random_position(rng, wilds=(0, 2))
        turns = list_turns(*position)
        want = max(turns, key=lambda t: (t >> 48, -t), default=0)
        assert best_turn(*position) == want, position
        assert any_turn(*position) == bool(turns)


def test_affine_maps_and_reflections_change_nothing_but_names() -> None:
    rng = random.Random(10)
    for _ in range(300):
        position = random_position(rng, wilds=(0, 1))
        digits = [rng.sample(range(3), 3) for _ in range(3)]
        order = rng.sample(range(3), 3)

        renamed = list(range(256))
        for f in range(27):
            values = [f // 9, f // 3 % 3, f % 3]
            a, b, c = (digits[i][values[order[i]]] for i in range(3))
            renamed[f] = a * 9 + b * 3 + c
        side = position.rows
        flipped = [col * side + row for row in range(side) for col in range(side)]  # its own inverse
        other = position._replace(
            board=bytes(renamed[position.board[s]] for s in flipped),
            stars=bytes(position.stars[s] for s in flipped),
            bonus=bytes(position.bonus[s] for s in flipped),
            hand=bytes(renamed[f] for f in position.hand),
        )
        mapped = {
            tuple(sorted((flipped[s], renamed[f], wild) for s, f, wild in placements)): score
            for placements, score in listed(position).items()
        }
        assert listed(other) == mapped


@pytest.mark.parametrize(
    "change",
    [
        {"rows": 2},
        {"cols": 27},
        {"board": b"\xff" * 80},
        {"board": b"\x1b" + b"\xff" * 80},
        {"bonus": b""},
        {"hand": b"\x1c"},
        {"hand": bytes(8)},
    ],
)
def test_bad_input_is_refused(change: dict[str, Any]) -> None:
    position = lay(LINE, "1RO")._replace(**change)
    for question in (list_turns, best_turn, any_turn):
        with pytest.raises(ValueError, match=r"board|square|hand"):
            question(*position)
