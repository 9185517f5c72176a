"""The legal turns of a position, against the brute force of the rules and under what must not matter."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tercet import WILD, Face
from tercet.cubed import Judgement, Placement, Position, PositionError, Square, write_turn
from tercet.cubed.turns import can_lay, legal_turns
from tests.core.brute_force import FACES, Cell, Table

#: Rows, columns, the fewest and the most dice lying, the most dice in hand, wilds among them, how many positions.
#: What wilds multiply is kept small by fewer lying dice, so that the whole takes well under a minute.
PLAN = [
    (7, 7, 3, 39, 5, 0, 100),
    (9, 9, 3, 39, 5, 0, 70),
    (11, 11, 3, 39, 5, 0, 60),
    (4, 6, 3, 14, 5, 0, 70),
    (3, 3, 3, 6, 5, 0, 50),
    (7, 7, 3, 39, 4, 1, 25),
    (9, 9, 3, 39, 3, 1, 15),
    (11, 11, 3, 39, 3, 1, 10),
    (3, 8, 3, 14, 5, 1, 40),
    (7, 7, 3, 5, 4, 2, 10),
    (9, 9, 3, 5, 3, 2, 8),
    (11, 11, 3, 5, 3, 2, 6),
    (3, 3, 3, 6, 5, 2, 20),
    (4, 3, 3, 8, 5, 2, 20),
    (3, 3, 4, 7, 4, 3, 12),
    (7, 7, 3, 3, 3, 3, 2),
    (9, 9, 3, 3, 3, 3, 1),
    (11, 11, 3, 3, 3, 3, 1),
]


randomness = st.integers(0, 2**32).map(random.Random)


class Drawn:
    """A random position, as the brute force and as Tercet see it."""

    def __init__(self, r: random.Random, rows: int, cols: int, lying: int, hand: int, wilds: int) -> None:
        pool = r.choice([FACES, r.sample(FACES, 9), r.sample(FACES, 5)])
        self.rows, self.cols = rows, cols
        self.lying: dict[Cell, tuple[str, bool]] = {
            cell: (r.choice(pool), r.random() < 0.2) for cell in self._squares(r, lying)
        }
        cells = [(row, col) for row in range(rows) for col in range(cols)]
        self.bonus = {cell: r.randint(1, 9) for cell in r.sample(cells, r.randint(0, len(cells) // 3))}
        self.hand = [r.choice(pool) for _ in range(hand - wilds)] + ["W"] * wilds
        self.rule = r.choice(["later", "never"])

    def _squares(self, r: random.Random, count: int) -> list[Cell]:
        """Most beside a square that is taken, as in a game; some anywhere."""
        cells = [(row, col) for row in range(self.rows) for col in range(self.cols)]
        taken = [r.choice(cells)]
        while len(taken) < count:
            row, col = r.choice(taken)
            down, right = r.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
            cell = (row + down, col + right) if r.random() < 0.9 else r.choice(cells)
            if cell in cells and cell not in taken:
                taken.append(cell)
        return taken

    def brute_force(self) -> dict[str, int]:
        table = Table(self.rows, self.cols, self.lying, self.bonus, self.rule)
        return {write(turn): score for turn, score in table.turns(self.hand).items()}

    def position(self) -> Position:
        return Position.from_plain(
            {
                "edition": {
                    "size": [self.rows, self.cols],
                    "bonus": {name(cell): worth for cell, worth in self.bonus.items()},
                },
                "board": {name(cell): "*" * wild + face for cell, (face, wild) in self.lying.items()},
                "hand": self.hand,
                "wild": self.rule,
            }
        )


def in_plain_python(position: Position) -> dict[str, int]:
    """By the readable version, also where the compiled kernel answers for the position."""
    cells = {position.layout.cell(square): die for square, die in position.board.items()}
    found = legal_turns(position.layout, cells, position.hand, position.wild)
    assert can_lay(position.layout, cells, position.hand) == position.can_lay()
    return {
        write(
            frozenset((divmod(die.cell, position.layout.cols), str(die.face), die.wild) for die in turn)
        ): score
        for turn, score in found
    }


def name(cell: Cell) -> str:
    row, col = cell
    return f"{'abcdefghijk'[col]}{row + 1}"


def write(turn: frozenset[tuple[Cell, str, bool]]) -> str:
    return " ".join(f"{'*' * wild}{face}@{name(cell)}" for cell, face, wild in sorted(turn))


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "fewest", "most", "hand", "wilds", "count"), PLAN)
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
def test_turns_equal_the_brute_force(
    rows: int, cols: int, fewest: int, most: int, hand: int, wilds: int, count: int, step: int
) -> None:
    r = random.Random(f"{rows} {cols} {most} {wilds}")
    some = 0
    for number in range(0, count, step):
        lying = fewest + (most - fewest) * number // max(1, count - 1)
        drawn = Drawn(r, rows, cols, lying, r.randint(max(1, wilds), hand), wilds)
        position = drawn.position()
        turns = position.turns()
        expected = drawn.brute_force()
        assert {str(turn): turn.score for turn in turns} == position.scores() == expected
        assert list(position.scores()) == [str(turn) for turn in turns]
        assert in_plain_python(position) == expected
        assert len({str(turn) for turn in turns}) == len(turns), "each turn once"
        assert [turn.score for turn in turns] == sorted((turn.score for turn in turns), reverse=True)
        assert position.can_lay() == bool(turns)
        assert position.best().score == (turns[0].score if turns else 0)
        for turn in r.sample(turns, min(20, len(turns))):
            judgement = position.judge(turn.placements)
            assert isinstance(judgement, Judgement)
            assert judgement.score == turn.score
        some += bool(turns)
    assert some >= count // step // 3, "many of these positions should allow something"


def test_a_board_beyond_the_alphabet_is_played_as_any_other() -> None:
    """Too wide for the compiled kernel."""
    wide = Position({"size": [3, 40], "bonus": {"ac1": 2}}, {"aa1": "1RO", "ab1": "2RO"}, ["3RO", "2GS"])
    assert wide.scores() == {str(turn): turn.score for turn in wide.turns()} == {"3RO@z1": 3, "3RO@ac1": 5}
    assert str(wide.best()) == "3RO@ac1"
    assert wide.can_lay()


def test_at_least_500_positions_are_compared() -> None:
    assert sum(count for *_, count in PLAN) >= 500
    assert {(rows, cols) for rows, cols, *_ in PLAN} >= {(7, 7), (9, 9), (11, 11)}
    assert {wilds for *_, wilds, _ in PLAN} == {0, 1, 2, 3}


@settings(max_examples=60)
@given(randomness)
def test_what_is_not_listed_is_refused(r: random.Random) -> None:
    """Turns that the brute force does not know are refused, and those that it knows are not."""
    drawn = Drawn(r, 5, 5, r.randint(3, 15), 3, 0)
    known = drawn.brute_force()
    position = drawn.position()
    free = [Square.at(row, col) for row in range(5) for col in range(5) if (row, col) not in drawn.lying]
    for _ in range(50):
        count = r.randint(1, min(3, len(free)))
        turn = tuple(
            Placement(square, Face(face))
            for square, face in zip(r.sample(free, count), r.sample(drawn.hand, count), strict=True)
        )
        answer = position.judge(turn)
        assert isinstance(answer, Judgement) == (write_turn(turn) in known)


# What must not matter


def turned(position: Position) -> dict[frozenset[tuple[int, int, Face, bool]], int]:
    return {
        frozenset((p.square.row, p.square.col, p.face, p.wild) for p in turn.placements): turn.score
        for turn in position.turns()
    }


def moved(drawn: Drawn, move: Callable[[Cell], Cell], size: Cell, face: Callable[[str], str]) -> Position:
    """The same position with squares and faces named otherwise."""
    return Position(
        {"size": list(size), "bonus": {name(move(cell)): worth for cell, worth in drawn.bonus.items()}},
        {name(move(cell)): "*" * wild + face(lying) for cell, (lying, wild) in drawn.lying.items()},
        ["W" if die == "W" else face(die) for die in drawn.hand],
        drawn.rule,  # type: ignore[arg-type]
    )


small = st.builds(
    lambda r, rows, cols, hand, wilds: Drawn(
        r, rows, cols, r.randint(3, rows * cols // 2 + 1), max(hand, wilds), wilds
    ),
    randomness,
    st.integers(3, 7),
    st.integers(3, 7),
    st.integers(1, 5),
    st.integers(0, 1),
)


@settings(max_examples=60)
@given(small, st.booleans(), st.booleans(), st.booleans())
def test_reflecting_and_turning_the_board_changes_only_names(
    drawn: Drawn, upside_down: bool, mirrored: bool, transposed: bool
) -> None:
    def move(cell: Cell) -> Cell:
        row, col = cell
        row = drawn.rows - 1 - row if upside_down else row
        col = drawn.cols - 1 - col if mirrored else col
        return (col, row) if transposed else (row, col)

    size = (drawn.cols, drawn.rows) if transposed else (drawn.rows, drawn.cols)
    plain = turned(drawn.position())
    expected = {
        frozenset((*move((row, col)), face, wild) for row, col, face, wild in turn): score
        for turn, score in plain.items()
    }
    assert turned(moved(drawn, move, size, str)) == expected


#: The maps of three values onto each other: each is x -> ax + b modulo 3.
relabellings = st.permutations("012").map("".join)


@settings(max_examples=60)
@given(small, st.tuples(relabellings, relabellings, relabellings), st.permutations([0, 1, 2]))
def test_relabelling_and_permuting_features_changes_only_names(
    drawn: Drawn, labels: tuple[str, str, str], order: list[int]
) -> None:
    letters = ("123", "RGP", "DOS")

    def face(text: str) -> str:
        digits = [labels[place][letters[place].index(letter)] for place, letter in enumerate(text)]
        return "".join(letters[place][int(digits[order[place]])] for place in range(3))

    plain = turned(drawn.position())
    expected = {
        frozenset((row, col, Face(face(str(shown))), wild) for row, col, shown, wild in turn): score
        for turn, score in plain.items()
    }
    assert turned(moved(drawn, lambda cell: cell, (drawn.rows, drawn.cols), face)) == expected


@settings(max_examples=60)
@given(
    small,
    st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=3, max_size=3),
    st.integers(0, 26),
)
def test_affine_maps_of_the_faces_change_only_names(
    drawn: Drawn, matrix: list[list[int]], shift: int
) -> None:
    """SETs are the lines of the affine space over three elements: any invertible map keeps them."""

    def face(text: str) -> str:
        digits = Face(text).digits
        image = [
            (sum(a * x for a, x in zip(row, digits, strict=True)) + Face(shift).digits[place]) % 3
            for place, row in enumerate(matrix)
        ]
        return str(Face(image[0] * 9 + image[1] * 3 + image[2]))

    if len({face(text) for text in FACES}) < 27:
        return
    plain = turned(drawn.position())
    expected = {
        frozenset((row, col, Face(face(str(shown))), wild) for row, col, shown, wild in turn): score
        for turn, score in plain.items()
    }
    assert turned(moved(drawn, lambda cell: cell, (drawn.rows, drawn.cols), face)) == expected


def test_a_position_is_its_json_form() -> None:
    position = Position("dutch", {"d5": "1RO", "e5": "*2RO"}, ["2GS", "W"])
    again = Position.from_plain(position.to_plain())
    assert again.to_plain() == position.to_plain()
    assert again.scores() == position.scores()
    assert eval(repr(position), {"Position": Position}).to_plain() == position.to_plain()


def test_a_face_lies_on_a_board_as_its_text_does() -> None:
    texts, faces = ({"d5": "1RO", "e5": "2RO"}, {"d5": Face("1RO"), "e5": Face("2RO")})
    assert Position(board=faces, hand=[]).board == Position(board=texts).board
    with pytest.raises(PositionError, match="the wild on d5 must stand for a face"):
        Position(board={"d5": WILD})
