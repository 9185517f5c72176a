"""C12 to C16 and C21: rounds, the extra roll, replacing wilds, and how a game ends."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tercet import cubed
from tercet.cubed import Choose, Pass, Replace, Square
from tercet.cubed.game import DRAFTS_LIMIT
from tests.core.scripted import dice_game, draft, faces, happened, lay, mid_game, on, refusal

LINE = {"d5": "1RO", "e5": "2RO", "f5": "3RO"}
#: Nothing that can be laid beside LINE, alone or in pairs.
IDLE = "1GD 1GD"


def passes(game: cubed.Game) -> list[str]:
    """Everyone passes from the one to move to the end of the round."""
    lines: list[str] = []
    this_round = game.state.round
    while game.state.phase == "turn" and game.state.round == this_round:
        assert game.state.turn is not None
        lines += happened(game, Pass(game.state.turn))
    return lines


def keep(game: cubed.Game) -> None:
    for seat in range(len(game.seats)):
        game.do(Choose(seat))


# C12


def test_c12_when_nobody_could_lay_everyone_throws_all_dice_again() -> None:
    game = mid_game(LINE, IDLE, "1GD 2GD", dice=["1RO", "2RO", "3RO", "1PD"], bag=7)
    assert passes(game) == [
        "1 passes",
        "2 passes",
        "round 2 over, then rethrow",
        "1 draws 1RD#8 1RD#9 1RD#10",
        "2 draws 1RD#11 1RD#12 1RD#13",
        "1 throws 1RO#1 2RO#2 1RD#8 1RD#9 1RD#10",
        "2 throws 3RO#3 1PD#4 1RD#11 1RD#12 1RD#13",
    ]
    assert game.state.phase == "turn"
    assert (game.state.turn, game.state.round) == (0, 3)


def test_c12_board_and_scores_stay() -> None:
    game = mid_game(LINE, IDLE, IDLE)
    board, scores = game.state.board, game.scores
    passes(game)
    assert (game.state.board, game.scores) == (board, scores)


def test_c12_no_throw_if_somebody_could_have_laid() -> None:
    game = mid_game(LINE, IDLE, "1RO")
    assert passes(game) == ["1 passes", "2 passes (could lay)", "round 2 over, then extra roll"]


def test_c12_no_throw_if_a_die_was_laid() -> None:
    game = mid_game(LINE, "1RO 1GD", IDLE)
    game.do(lay(0, "1RO@g5"))
    assert passes(game) == ["2 passes", "round 2 over, then extra roll"]


def test_c12_what_one_could_lay_counts_also_before_a_replacement() -> None:
    """With 1RO the player could have laid; after putting it in the wild's place, no longer."""
    game = mid_game({**LINE, "a9": "*1RO"}, "1RO", IDLE)
    assert happened(game, Replace(0, 1, Square("a9"))) == ["1 replaces 1RO#1>a9=1RD#7 (could lay)"]
    assert passes(game) == ["1 passes", "2 passes", "round 2 over, then extra roll"]


def test_c12_what_one_could_lay_counts_also_after_a_replacement() -> None:
    """The wild that was taken shows 1RO, which could be laid."""
    dice = ["1GD"] * 6 + ["1RO"]
    game = mid_game({**LINE, "a9": "*1GD"}, "1GD", IDLE, dice=dice)
    assert happened(game, Replace(0, 1, Square("a9"))) == ["1 replaces 1GD#1>a9=1RO#7"]
    assert passes(game)[0] == "1 passes (could lay)"


def test_c12_who_could_lay_is_asked_anew_each_round() -> None:
    game = mid_game(LINE, IDLE, "1RO", dice=["1GD", "1GD", "1GD"])
    passes(game)
    game.do(Choose(0))
    game.do(Choose(1, (3,)))
    assert passes(game)[2] == "round 3 over, then rethrow"


# C13


def test_c13_everyone_draws_up_to_five_clockwise_from_the_first_player() -> None:
    game = dice_game(
        ["1GD"] * 5,
        ["1RO", "2RO", "3RO", "2GS", "2GD"],
        ["1RD", "1RO", "2RD", "2RO", "1GS"],
        later=["3PS"] * 3,
    )
    game.do(cubed.Call(1))
    game.do(cubed.Show(1, cubed.read_turn("1RO@d5 2RO@e5 3RO@f5")))
    assert (game.state.first, game.state.turn) == (1, 2)
    game.do(Pass(2))
    assert happened(game, Pass(0))[1:] == ["round 1 over, then extra roll", "2 draws 3PS#16 3PS#17 3PS#18"]
    assert faces(game.state.hands[1]) == "2GS 2GD 3PS 3PS 3PS"
    keep(game)
    assert (game.state.first, game.state.turn) == (1, 1)


def test_c13_old_dice_keep_their_faces_and_new_ones_are_thrown() -> None:
    game = mid_game(LINE, "1RO 2PS 3PD", IDLE, dice=["3GS"] * 8 + ["2GO"] * 9, bag=9)
    game.do(lay(0, "1RO@g5"))
    passes(game)
    assert faces(game.state.hands[0]) == "2PS 3PD 2GO 2GO 2GO"
    assert faces(game.state.hands[1]) == "1GD 1GD 2GO 2GO 2GO"
    assert game.state.bag == (15, 16, 17)


@pytest.mark.parametrize(("bag", "drawn"), [(0, (1, 2)), (1, (2, 2)), (3, (4, 2)), (5, (5, 3)), (7, (5, 5))])
def test_c13_a_short_bag_is_drawn_in_that_order_until_it_is_empty(bag: int, drawn: tuple[int, int]) -> None:
    game = mid_game(LINE, "1RO 2PS", IDLE, bag=bag)
    game.do(lay(0, "1RO@g5"))
    passes(game)
    assert tuple(len(hand) for hand in game.state.hands) == drawn
    assert game.state.bag == ()


def test_c13_the_first_player_draws_first_wherever_they_sit() -> None:
    game = mid_game(LINE, "1RO 2PS", "1GD 2GD", "1GD 2GD", bag=4, turn=1, first=1)
    assert passes(game)[-3:] == [
        "round 2 over, then extra roll",
        "2 draws 1RD#10 1RD#11 1RD#12",
        "3 draws 1RD#13",
    ]


# C14


def extra_roll(**options: Any) -> cubed.Game:
    """The extra roll of a table of two; every die shows 3PS when it is thrown."""
    game = mid_game(LINE, "1RO 2PS", "1GD 2GD", dice=["3PS"] * 7, **options)
    passes(game)
    assert game.state.phase == "extra_roll"
    return game


def test_c14_each_may_throw_any_or_all_of_the_own_dice_once_more() -> None:
    game = extra_roll()
    assert happened(game, Choose(0, (2,))) == ["1 throws again 2"]
    assert happened(game, Choose(1, (3, 4))) == [
        "2 throws again 3 4",
        "1 throws 3PS#2",
        "2 throws 3PS#3 3PS#4",
    ]
    assert faces(game.state.hands[0]) == "1RO 3PS"
    assert (game.state.phase, game.state.turn, game.state.round) == ("turn", 0, 3)


def test_c14_or_keep_them_all() -> None:
    game = extra_roll()
    assert happened(game, Choose(1)) == ["2 keeps"]
    assert happened(game, Choose(0)) == ["1 keeps"]
    assert faces(game.state.hands[1]) == "1GD 2GD"


def test_c14_nobody_throws_before_all_have_answered_and_answers_are_final() -> None:
    game = extra_roll()
    game.do(Choose(1, (3,)))
    assert faces(game.state.hands[1]) == "1GD 2GD"
    assert refusal(game, Choose(1)) == "answered_already"
    assert refusal(game, Pass(0)) == "wrong_phase"


def test_c14_answers_are_hidden_until_all_have_answered() -> None:
    game = extra_roll()
    (entry,) = game.do(Choose(1, (3,)))
    assert game.view(1).choices == (None, (3,))
    assert game.view(0).choices == game.view(None).choices == (None, None)
    assert game.view(0).answered == {1}
    assert cubed.rules.see(entry.event, 0) == cubed.rules.see(entry.event, None) == cubed.Chose(1, None)
    assert cubed.rules.see(entry.event, 1) == entry.event
    game.do(Choose(0))
    assert game.state.choices == ()


@pytest.mark.parametrize(
    ("dice", "code"), [((1,), "not_in_hand"), ((3, 3), "same_die_twice"), ((99,), "not_in_hand")]
)
def test_c14_only_own_dice_each_once(dice: tuple[int, ...], code: str) -> None:
    assert refusal(extra_roll(), Choose(1, dice)) == code


def test_c14_silence_means_keep_when_time_is_up() -> None:
    game = extra_roll(extra_seconds=30)
    game.do(Choose(0, (1,)), at=29_000)
    assert game.due == (30_000, (Choose(1),))
    lines = [cubed.rules.write_event(entry.event) for entry in game.advance(30_000)]
    assert lines == ["2 keeps", "1 throws 3PS#1"]
    late = extra_roll(extra_seconds=30)
    answer = cubed.rules.decide(late.state, Choose(0, (1,)), 30_001, late._chance)
    assert repr(answer) == "Refusal('too_late', by_ms=1)"


def test_c14_there_is_no_limit_unless_asked_for() -> None:
    assert cubed.Options().extra_seconds is None
    assert extra_roll().due is None


def test_c14_also_when_the_bag_ran_short() -> None:
    game = extra_roll()
    assert game.state.bag == ()
    assert game.state.phase == "extra_roll"


def test_c14_none_before_the_first_round_and_none_after_a_forced_throw() -> None:
    game = dice_game(["1RO", "2RO", "3RO", "2GS", "2GD"], ["1GD"] * 5)
    assert refusal(game, Choose(0)) == "wrong_phase"
    stuck = mid_game(LINE, IDLE, IDLE)
    passes(stuck)
    assert stuck.state.phase == "turn"


# C15


def test_c15_an_empty_hand_ends_the_game_after_the_round() -> None:
    game = mid_game(LINE, IDLE, "1RO", "2GD 2RO", bag=9, turn=0)
    game.do(Pass(0))
    game.do(lay(1, "1RO@g5"))
    assert game.state.turn == 2
    assert happened(game, lay(2, "2RO@h5")) == [
        "3 lays 2RO#5@h5 = 3",
        "round 2 over, then end",
        "game over: 0 3 3",
    ]
    assert game.is_over
    assert len(game.state.bag) == 9
    assert [len(hand) for hand in game.state.hands] == [2, 0, 1]
    assert game.winners == (1, 2)


def test_c15_those_who_had_their_turn_get_no_other() -> None:
    game = mid_game(LINE, IDLE, "1RO")
    game.do(Pass(0))
    game.do(lay(1, "1RO@g5"))
    assert game.is_over
    assert refusal(game, Pass(0)) == "game_over"


def test_c15_the_most_points_win_and_dice_left_cost_nothing() -> None:
    game = mid_game({**LINE, "g4": "1PO", "g3": "1GO"}, "1RO 1GS 2GD 2PD", "2RO")
    game.do(lay(0, "1RO@g5"))
    game.do(lay(1, "2RO@h5"))
    assert game.is_over
    assert game.scores == (6, 3)
    assert game.winners == (0,)
    assert len(game.state.hands[0]) == 3


def test_c15_equal_points_share_the_win() -> None:
    game = mid_game(LINE, "1RO 1GS", "2RO")
    game.do(lay(0, "1RO@g5"))
    game.do(lay(1, "2RO@h5"))
    assert game.is_over
    assert game.scores == (3, 3)
    assert game.winners == (0, 1)


# C16


def test_c16_three_rounds_without_a_die_laid_end_the_game() -> None:
    game = mid_game(LINE, "1RO", "1GD", bag=0)
    ends = []
    for _ in range(3):
        lines = passes(game)
        ends.append(next(line for line in lines if line.startswith("round")))
        if game.state.phase == "extra_roll":
            keep(game)
    assert ends == [
        "round 2 over, then extra roll",
        "round 3 over, then extra roll",
        "round 4 over, then end",
    ]
    assert game.is_over
    assert lines[-1] == "game over: 0 0"


def test_c16_forced_throws_neither_count_nor_break_the_row() -> None:
    game = mid_game(LINE, "1RO", "1GD", idle_rounds=1)
    game.state = replace(game.state, hands=mid_game(LINE, IDLE, IDLE).state.hands)
    passes(game)
    assert (game.state.idle_rounds, game.state.rethrows) == (1, 1)
    game.state = replace(game.state, hands=mid_game(LINE, "1RO", "1GD").state.hands)
    passes(game)
    assert (game.state.idle_rounds, game.state.rethrows) == (2, 0)
    keep(game)
    passes(game)
    assert game.is_over


def test_c16_the_twentieth_forced_throw_in_a_row_ends_the_game() -> None:
    game = mid_game(LINE, IDLE, IDLE, dice=["1GD"] * 4)
    for _ in range(20):
        assert not game.is_over
        lines = passes(game)
    assert game.is_over
    assert lines[-2:] == ["round 21 over, then end", "game over: 0 0"]


def test_c16_a_die_laid_starts_the_count_again() -> None:
    game = mid_game(LINE, "1RO 2GS", "1GD", idle_rounds=2)
    game.do(lay(0, "1RO@g5"))
    passes(game)
    assert not game.is_over
    assert game.state.idle_rounds == 0


def test_c16_replacing_is_not_laying() -> None:
    game = mid_game({**LINE, "a9": "*1GD"}, "1GD 2GS", IDLE, idle_rounds=2)
    game.do(Replace(0, 1, Square("a9")))
    passes(game)
    assert game.is_over


# Time for a turn


def test_c7_a_turn_that_takes_too_long_is_a_pass() -> None:
    game = mid_game(LINE, "1RO", IDLE, turn_seconds=60)
    assert game.due == (60_000, (Pass(0),))
    answer = cubed.rules.decide(game.state, lay(0, "1RO@g5"), 60_001, game._chance)
    assert repr(answer) == "Refusal('too_late', by_ms=1)"
    (entry,) = game.advance(60_000)
    assert entry.event == cubed.Passed(0, True)
    assert game.due == (120_000, (Pass(1),))


def test_c7_when_the_time_is_up_dice_that_lie_there_and_may_be_laid_are_laid() -> None:
    game = mid_game(LINE, "1RO 2GS", IDLE, turn_seconds=60)
    game.do(draft(0, "1RO@g5"), at=5000)
    assert on(game, "g5") is None
    (laid,) = game.advance(60_000)
    assert game.rules.write_event(laid.event) == "1 lays 1RO#1@g5 = 3"
    assert (laid.at, game.state.turn, game.state.draft, game.state.drafts) == (60_000, 1, (), 0)


def test_c7_dice_taken_back_are_not_laid_and_the_last_that_lay_there_are() -> None:
    game = mid_game(LINE, "1RO 2GS 3RO", IDLE, turn_seconds=60)
    assert happened(game, draft(0, "1RO@g5"), at=1000) == ["1 drafts 1RO#1@g5"]
    assert happened(game, draft(0, "1RO@g5"), at=2000) == []
    assert happened(game, draft(0, "3RO@c5"), at=3000) == ["1 drafts 3RO#3@c5"]
    other = mid_game(LINE, "1RO 2GS 3RO", IDLE, turn_seconds=60)
    other.do(draft(0, "1RO@g5"), at=1000)
    assert happened(other, cubed.Draft(0), at=2000) == ["1 drafts -"]
    for one, line in ((game, "1 lays 3RO#3@c5 = 3"), (other, "1 passes (could lay)")):
        assert [one.rules.write_event(entry.event) for entry in one.advance(60_000)][:1] == [line]


def test_c7_only_what_may_be_laid_lies_there_on_ones_own_turn_and_in_time() -> None:
    game = mid_game(LINE, "1RO 2GS", IDLE, turn_seconds=60)
    assert refusal(game, draft(0, "2GS@g5")) == "makes_no_set"
    assert refusal(game, draft(0, "1RO@e5")) == "occupied"
    assert refusal(game, draft(1, "1RO@g5")) == "not_your_turn"
    assert refusal(game, draft(0, "3RO@c5")) == "not_in_hand"
    assert refusal(mid_game(LINE, "1RO", IDLE), draft(0, "1RO@g5")) == "no_draft_needed"
    for time in range(DRAFTS_LIMIT):
        game.do(draft(0, "1RO@g5") if time % 2 == 0 else cubed.Draft(0), at=time)
    assert refusal(game, draft(0, "1RO@g5")) == "too_many_drafts"
    assert happened(game, lay(0, "1RO@g5"))[0] == "1 lays 1RO#1@g5 = 3"
    assert refusal(game, draft(0, "1RO@g5")) == "not_your_turn"


def test_c7_nobody_else_knows_what_lies_there_for_now() -> None:
    game = mid_game(LINE, "1RO 2GS", IDLE, turn_seconds=60)
    (drafted,) = game.do(draft(0, "1RO@g5"), at=1000)
    assert game.view(0).draft == game.state.draft != ()
    assert [game.view(seat).draft for seat in (1, None)] == [(), ()]
    assert cubed.rules.see(drafted.event, 0) == drafted.event
    for seat in (1, None):
        heard = cubed.rules.see(drafted.event, seat)
        assert heard == cubed.Drafted(0, ())
        before = mid_game(LINE, "1RO 2GS", IDLE, turn_seconds=60).view(seat)
        assert cubed.rules.evolve(before, heard, 1000) == game.view(seat)


def test_c7_a_wild_that_is_replaced_takes_back_what_lay_there() -> None:
    game = mid_game({**LINE, "a9": "*1GD"}, "1GD 1RO", IDLE, turn_seconds=60)
    game.do(draft(0, "1RO@g5"), at=1000)
    game.do(Replace(0, 1, Square("a9")), at=2000)
    assert game.state.draft == ()
    assert "passes" in game.rules.write_event(game.advance(60_000)[0].event)


def test_c7_replacing_does_not_stop_the_clock() -> None:
    game = mid_game({**LINE, "a9": "*1GD"}, "1GD 2GS", IDLE, turn_seconds=60)
    game.do(Replace(0, 1, Square("a9")), at=59_000)
    assert game.due is not None
    assert game.due.at == 60_000


# C21

WILD_LIES = {**LINE, "g5": "*1RO"}


def test_c21_an_own_die_with_the_named_face_takes_the_wilds_place() -> None:
    game = mid_game(WILD_LIES, "1RO 2GS", IDLE, dice=["1GD"] * 7 + ["3PS"], bonus={"g5": 9})
    assert happened(game, Replace(0, 1, Square("g5"))) == ["1 replaces 1RO#1>g5=3PS#8"]
    assert on(game, "g5") == "1RO#1"
    assert [str(die) for die in game.state.hands[0]] == ["2GS#2", "3PS#8"]
    assert game.scores == (0, 0)
    assert game.state.turn == 0


@pytest.mark.parametrize(
    ("die", "square", "code"),
    [
        (2, "g5", "not_the_named_face"),
        (3, "g5", "not_the_named_face"),
        (4, "g5", "not_in_hand"),
        (1, "d5", "no_wild_there"),
        (1, "a1", "no_wild_there"),
        (1, "z9", "off_board"),
    ],
)
def test_c21_nothing_else_may_be_replaced(die: int, square: str, code: str) -> None:
    """Die 2 shows another face, die 3 a wild, die 4 is another player's."""
    game = mid_game(WILD_LIES, "1RO 2GS W", "1RO")
    assert refusal(game, Replace(0, die, Square(square))) == code


def test_c21_only_on_ones_own_turn() -> None:
    game = mid_game(WILD_LIES, "2GS", "1RO")
    assert refusal(game, Replace(1, 2, Square("g5"))) == "not_your_turn"


def test_c21_as_often_as_possible_also_with_the_die_just_thrown() -> None:
    board = {**LINE, "g5": "*1RO", "a1": "*2GS"}
    game = mid_game(board, "1RO", IDLE, dice=["1GD"] * 6 + ["2GS", "3PS"])
    game.do(Replace(0, 1, Square("g5")))
    assert faces(game.state.hands[0]) == "2GS"
    game.do(Replace(0, 7, Square("a1")))
    assert faces(game.state.hands[0]) == "3PS"
    assert game.state.throws[6:8] == (1, 1)


def test_c21_it_is_not_one_of_the_three_and_what_was_thrown_may_be_laid() -> None:
    board = {**WILD_LIES, "a1": "1GS", "b1": "2GS", "a3": "1PD", "b3": "2PD"}
    game = mid_game(board, "1RO 3GS 3PD", IDLE, dice=["1GD"] * 8 + ["2RO"])
    game.do(Replace(0, 1, Square("g5")))
    assert faces(game.state.hands[0]) == "3GS 3PD 2RO"
    assert happened(game, lay(0, "3GS@c1 3PD@c3 2RO@h5"))[0].endswith("= 9")
    assert game.state.hands[0] == ()


def test_c21_the_thrown_die_may_show_its_wild_again_and_be_kept() -> None:
    game = mid_game(WILD_LIES, "1RO 2GS", IDLE, dice=["1GD"] * 7 + ["W"])
    game.do(Replace(0, 1, Square("g5")))
    assert faces(game.state.hands[0]) == "2GS W"
    assert happened(game, Pass(0)) == ["1 passes (could lay)"]
    assert faces(game.state.hands[0]) == "2GS W"


def test_c21_before_laying_not_after() -> None:
    game = mid_game(WILD_LIES, "1RO 2RO", IDLE)
    game.do(lay(0, "2RO@h5"))
    assert refusal(game, Replace(0, 1, Square("g5"))) == "not_your_turn"


def test_c21_replacing_and_passing_is_not_laying_a_die() -> None:
    game = mid_game({"a9": "*1GD"}, "1GD", "2GS", dice=["2GS"] * 3)
    game.do(Replace(0, 1, Square("a9")))
    assert passes(game)[2] == "round 2 over, then rethrow"


def test_c21_the_die_that_was_put_scores_as_any_other() -> None:
    game = mid_game({"d5": "1RO", "e5": "*2RO"}, "2RO 3RO", IDLE, wild="never")
    game.do(Replace(0, 1, Square("e5")))
    game.do(lay(0, "3RO@f5"))
    assert game.scores == (3, 0)
