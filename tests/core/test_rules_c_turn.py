"""C7 to C11 and C17 to C20: what may be laid, and what it scores."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tercet.cubed import Edition, Judgement, Pass, Position, read_turn
from tests.core.scripted import happened, lay, mid_game, on, refusal

#: A board for positions: nine by nine, no bonus.
BARE = {"size": [9, 9]}


def judged(
    board: Mapping[str, str], turn: str, wild: str = "later", bonus: Mapping[str, int] | None = None
) -> object:
    """The score of a turn, or the code with which it is refused."""
    position = Position({**BARE, "bonus": dict(bonus or {})}, board, (), wild)  # type: ignore[arg-type]
    answer = position.judge(read_turn(turn))
    return answer.score if isinstance(answer, Judgement) else answer.code


def turns(board: Mapping[str, str], hand: str, wild: str = "later") -> dict[str, int]:
    found = Position(BARE, board, hand.split(), wild).turns()  # type: ignore[arg-type]
    return {str(turn): turn.score for turn in found}


LINE = {"d5": "1RO", "e5": "2RO", "f5": "3RO"}

# C7


def test_c7_play_goes_clockwise() -> None:
    game = mid_game(LINE, "1GS", "1GS", "1GS", turn=0)
    for seat in (0, 1):
        assert game.state.turn == seat
        assert refusal(game, Pass(seat + 1)) == "not_your_turn"
        game.do(Pass(seat))
    assert game.state.turn == 2


def test_c7_up_to_three_dice_are_laid() -> None:
    board = {
        "a1": "1RO",
        "b1": "2RO",
        "a3": "1RO",
        "b3": "2RO",
        "a5": "1RO",
        "b5": "2RO",
        "a7": "1RO",
        "b7": "2RO",
    }
    assert judged(board, "3RO@c1 3RO@c3 3RO@c5") == 9
    assert judged(board, "3RO@c1 3RO@c3 3RO@c5 3RO@c7") == "too_many_dice"
    assert max(turn.count("@") for turn in turns(board, "3RO 3RO 3RO 3RO 3RO")) == 3
    assert Position(BARE).judge(()) == Position(BARE).judge([])
    assert judged(board, "-") == "nothing_laid"


def test_c7_passing_is_always_allowed() -> None:
    game = mid_game(LINE, "1RO", "1GS")
    assert game.state.position(0).can_lay()
    assert happened(game, Pass(0)) == ["1 passes (could lay)"]
    assert game.scores == (0, 0)


# C8


@pytest.mark.parametrize(
    "turn", ["1GO@d6 1PO@d7", "1GO@d4 1PO@d3", "1GO@c5 1PO@b5", "1GO@d4 1PO@d6", "1RO@g5"]
)
def test_c8_a_new_set_lies_in_a_row_or_a_column(turn: str) -> None:
    assert judged(LINE, turn) == 3


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        ("1GO@c6 1PO@b7", "diagonal"),
        ("1GO@d6 1PO@e6", "round a corner"),
        ("1GO@d6 1PO@d8", "a gap"),
        ("1GO@h8", "touches nothing"),
        ("1GO@d6", "only two"),
    ],
)
def test_c8_never_diagonal_never_round_a_corner_no_gaps(turn: str, why: str) -> None:
    assert judged({"d5": "1RO"}, turn) == "makes_no_set", why


def test_c8_a_row_does_not_go_on_in_the_next() -> None:
    assert judged({"h1": "1RO", "i1": "2RO"}, "3RO@a2") == "makes_no_set"
    assert judged({"i1": "1RO", "a2": "2RO"}, "3RO@b2") == "makes_no_set"
    assert judged({"a8": "1RO", "a9": "2RO"}, "3RO@b1") == "makes_no_set"


def test_c8_a_square_holds_one_die() -> None:
    assert judged(LINE, "1RO@d5") == "occupied"
    assert judged(LINE, "1RO@g5 1RO@g5") == "same_square_twice"
    assert judged(LINE, "1RO@j5") == "off_board"
    assert judged(LINE, "1RO@a10") == "off_board"


# C9


def test_c9_every_die_laid_must_be_in_a_new_set() -> None:
    assert judged(LINE, "1RO@g5 1GS@a1") == "makes_no_set"
    game = mid_game(LINE, "1RO 1GS", "1GS")
    assert refusal(game, lay(0, "1RO@g5 1GS@d6")) == "makes_no_set"


def test_c9_the_dice_of_a_turn_need_not_be_near_each_other() -> None:
    board = {"a1": "1RO", "b1": "2RO", "i8": "1GS", "i7": "2GS"}
    assert judged(board, "3RO@c1 3GS@i9") == 6
    assert turns(board, "3RO 3GS")["3RO@c1 3GS@i9"] == 6


def test_c9_a_die_may_touch_dice_with_which_it_makes_no_set() -> None:
    assert judged({**LINE, "g4": "2PD", "g6": "1PD", "h5": "2GS"}, "1RO@g5") == 3


# C10


def test_c10_each_run_of_a_longer_line_is_judged_by_itself() -> None:
    line = {"a1": "1RO", "b1": "2RO", "d1": "1RO", "e1": "2RO"}
    assert judged(line, "3RO@c1") == 9
    assert judged({"a1": "1RO", "b1": "2RO", "d1": "1GS"}, "3RO@c1") == 3


def test_c10_one_die_can_finish_six_sets() -> None:
    board = {
        "c5": "1RO",
        "d5": "2RO",
        "f5": "1RO",
        "g5": "2RO",
        "e3": "3RD",
        "e4": "3RS",
        "e6": "3RD",
        "e7": "3RS",
    }
    assert judged(board, "3RO@e5") == 18
    answer = Position(BARE, board).judge(read_turn("3RO@e5"))
    assert isinstance(answer, Judgement)
    assert len(answer.sets) == 6


# C11


def test_c11_a_set_of_laid_dice_only_is_not_legal() -> None:
    assert judged(LINE, "1GS@a1 2GS@b1 3GS@c1") == "makes_no_set"


def test_c11_a_set_of_laid_dice_only_scores_nothing() -> None:
    """Each of the three finishes a row of its own; their column is a SET too, of laid dice alone."""
    board = {"a1": "1RO", "b1": "2RO", "a2": "1GO", "b2": "2GO", "a3": "1PO", "b3": "2PO"}
    assert judged(board, "3RO@c1 3GO@c2 3PO@c3") == 9


def test_c11_it_does_not_make_a_turn_legal_for_one_of_them() -> None:
    board = {"a1": "1RO", "b1": "2RO", "a2": "1GO", "b2": "2GO"}
    assert judged(board, "3RO@c1 3GO@c2 3PO@c3") == "makes_no_set"


# C17


def test_c17_a_point_for_each_die_of_a_set() -> None:
    assert judged(LINE, "1RO@g5") == 3
    assert judged(LINE, "1GO@d6 1PO@d7") == 3


def test_c17_a_die_in_several_sets_counts_in_each() -> None:
    board = {"a1": "1RO", "b1": "2RO", "c2": "3GO", "c3": "3PO"}
    assert judged(board, "3RO@c1") == 6


# C18


def test_c18_bonus_counts_once_whatever_the_number_of_sets() -> None:
    board = {"a1": "1RO", "b1": "2RO", "c2": "3GO", "c3": "3PO"}
    assert judged(board, "3RO@c1", bonus={"c1": 5}) == 11
    assert judged(board, "*3RO@c1", bonus={"c1": 5}) == 9
    assert judged(board, "*3RO@c1", "never", bonus={"c1": 5}) == 9


def test_c18_each_bonus_square_of_a_turn_counts() -> None:
    assert judged(LINE, "1GO@d6 1PO@d7", bonus={"d6": 2, "d7": 4}) == 9


def test_c18_only_the_first_die_on_a_square_gets_it() -> None:
    """A die that lies on a bonus square brings nothing to later SETs."""
    game = mid_game(LINE, "1RO 2RO", "2RO 1GS", bonus={"g5": 4})
    game.do(lay(0, "1RO@g5"))
    assert game.scores == (7, 0)
    game.do(lay(1, "2RO@h5"))
    assert game.scores == (7, 3)


def test_c18_replacing_a_wild_there_brings_no_bonus() -> None:
    from tercet.cubed import Replace, Square

    game = mid_game({**LINE, "g5": "*1RO"}, "1RO 2GS", "1GS", bonus={"g5": 4})
    game.do(Replace(0, 1, Square("g5")))
    assert game.scores == (0, 0)


# C19


def test_c19_a_wild_may_stand_for_any_face_and_scores_nothing_at_first() -> None:
    assert judged(LINE, "*1RO@g5") == 2
    assert judged(LINE, "*2RO@g5") == "makes_no_set"
    assert judged(LINE, "W@g5") == "wild_not_named"


def test_c19_who_lays_it_names_it_and_the_name_stays() -> None:
    game = mid_game(LINE, "W 1GS", "2RO 1GS 3GS", turn=0)
    game.do(lay(0, "*1RO@g5"))
    assert on(game, "g5") == "*1RO#1"
    assert refusal(game, lay(1, "3GS@h5")) == "makes_no_set"
    game.do(lay(1, "2RO@h5"))
    assert game.scores == (2, 3)


def test_c19_a_lying_wild_scores_its_point() -> None:
    assert judged({"d5": "1RO", "e5": "*2RO"}, "3RO@f5") == 3


def test_c19_a_wild_scores_nothing_in_all_the_sets_with_which_it_enters() -> None:
    board = {"a1": "1RO", "b1": "2RO", "c2": "3GO", "c3": "3PO"}
    assert judged(board, "*3RO@c1") == 4


def test_c19_any_number_of_wilds_in_a_turn_and_in_a_set() -> None:
    assert judged({"d5": "1RO"}, "*2GS@e5 *3PD@f5") == 1
    assert judged({"d5": "1RO"}, "2GS@e5 *3PD@f5") == 2
    assert judged({"d5": "1RO"}, "*1RO@e5 *1RO@f5 *1RO@c5") == judged(
        {"d5": "1RO"}, "*1RO@c5 *1RO@e5 *1RO@f5"
    )


def test_c19_a_wild_scores_in_a_set_finished_by_a_later_die() -> None:
    """The vector of RULES: 2 points for the wild above 1PO, and 3 more because the wild now counts."""
    board = {**LINE, "d7": "1PO", "f6": "3GO"}
    assert judged(board, "*1GO@d6") == 2
    assert judged(board, "*1GO@d6 2GO@e6") == 5


def test_c19_the_order_that_scores_most_is_credited() -> None:
    """Both wilds enter with SETs of their own, and then count in the SET that they make together:
    whichever is laid last, it enters only then. So one of the two scores there."""
    board = {"a1": "1RO", "b1": "2RO", "c2": "3GO", "c3": "3PO", "d2": "1GO", "d3": "1PO"}
    alone = judged(board, "*3RO@c1")
    assert alone == 4
    # *3RO@c1 finishes a row and a column; *1RO@d1 the run b1-c1-d1 and its own column.
    assert judged(board, "*3RO@c1 *1RO@d1") == 4 + 2 + 2
    assert judged(board, "*3RO@c1 *1RO@d1", "never") == 4 + 2 + 1


def test_c19_turns_are_unordered() -> None:
    position = Position(BARE, {**LINE, "d7": "1PO", "f6": "3GO"})
    one = position.judge(read_turn("*1GO@d6 2GO@e6"))
    other = position.judge(tuple(reversed(read_turn("*1GO@d6 2GO@e6"))))
    assert isinstance(one, Judgement)
    assert isinstance(other, Judgement)
    assert one.score == other.score == 5


# C20


def test_c20_dutch_wilds_never_score() -> None:
    dutch = Edition.named("dutch")
    assert dutch.wild == "never"
    assert dutch.layout.bonus == Edition.named("house").layout.bonus
    assert dutch.dice == Edition.named("house").dice
    assert judged({"d5": "1RO", "e5": "*2RO"}, "3RO@f5", "never") == 2
    assert judged({"d5": "1RO", "e5": "*2RO"}, "*3RO@f5", "never") == 1
    assert judged({**LINE, "d7": "1PO", "f6": "3GO"}, "*1GO@d6 2GO@e6", "never") == 4


def test_c20_it_is_the_edition_that_says_so() -> None:
    board = {"d5": "1RO", "e5": "*2RO"}
    for name, score in (("house", 3), ("dutch", 2)):
        (turn, *_) = Position(name, board, ["3RO"]).turns()
        assert turn.score == score
    assert Position("dutch", board, ["3RO"], "later").turns()[0].score == 3


def test_c20_a_game_plays_by_its_edition() -> None:
    game = mid_game({"d5": "1RO", "e5": "*2RO"}, "3RO 1GS", "1GS", wild="never")
    game.do(lay(0, "3RO@f5"))
    assert game.scores == (2, 0)


# The worked example and the vectors of RULES

EXAMPLE = {
    "a1": "3RD", "b1": "1GS", "c1": "2PO",
    "a2": "2PS", "c2": "2RS",
    "b3": "3GS", "c3": "1GO",
    "a5": "1GD", "b5": "1RD", "c5": "1PD",
}  # fmt: skip


def test_c17_worked_example_scores_6_9_12() -> None:
    assert judged(EXAMPLE, "2GS@b2") == 6
    assert judged(EXAMPLE, "2GS@b2 2GD@a3") == 9
    assert judged(EXAMPLE, "2GS@b2 2GD@a3 3GD@a4") == 12
    found = turns(EXAMPLE, "2GS 2GD 3GD")
    assert found["2GS@b2"] == 6
    assert found["2GS@b2 2GD@a3"] == 9
    assert found["2GS@b2 2GD@a3 3GD@a4"] == 12
    assert Position(BARE, EXAMPLE, ["2GS", "2GD", "3GD"]).best().score == 12


def test_c8_vectors_on_a_line() -> None:
    assert judged(LINE, "1GO@d6 1PO@d7") == 3
    assert judged(LINE, "1RO@g5") == 3
    assert judged(LINE, "2GO@g5") == "makes_no_set"
    assert turns(LINE, "2GO") == {}
    assert not Position(BARE, LINE, ["2GO"]).can_lay()
