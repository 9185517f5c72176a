"""C1 to C6: the board and the dice, the opening race, what a die is."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from tercet import WILD, Face, cubed, find_sets, is_set, record
from tercet.cubed import Begin, Call, Edition, EditionError, SeeNone, Show, Square
from tercet.fairness import seed_from
from tercet.games import OptionsError
from tests.core.scripted import (
    FILLER,
    NAMES,
    SEED,
    dice_game,
    edition,
    faces,
    happened,
    lay,
    mid_game,
    on,
    placed,
    refusal,
    show,
)

A_SET = ["1RO", "2RO", "3RO", "1GS", "2GS"]
NO_SET = ["1RD", "1RD", "2RD", "2RO", "1RO"]
OPENING = "1RO@d5 2RO@e5 3RO@f5"

# C1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_c1_two_to_four_players_and_42_dice(players: int) -> None:
    game = cubed.Game(NAMES[:players], seed=SEED)
    assert game.state.bag == tuple(range(1, 43))
    game.do(Begin(players - 1))
    assert [len(hand) for hand in game.state.hands] == [5] * players
    assert len(game.state.bag) == 42 - 5 * players


@pytest.mark.parametrize("players", [1, 5])
def test_c1_no_other_number_of_players(players: int) -> None:
    with pytest.raises(OptionsError, match=f"2 to 4 players, not {players}"):
        cubed.Game(NAMES[:players], seed=SEED)


def test_c1_hands_are_open() -> None:
    game = dice_game(A_SET, NO_SET)
    for seat in (0, 1, None):
        assert game.view(seat).hands == game.state.hands


def test_c1_board_and_dice_are_data() -> None:
    own = Edition.read(
        """
        name = "own"
        wild = "never"
        size = [7, 8]
        logo = ["c2", "c3", "c4"]
        dice = [{}]
        [bonus]
        h7 = 12
        a1 = 1
        """.format(",".join(["'1RO 2RO 3RO 1GO W 1PD'"] * 43))
    )
    assert (own.layout.rows, own.layout.cols) == (7, 8)
    assert own.layout.logo == (Square("c2"), Square("c3"), Square("c4"))
    assert own.layout.bonus == {Square("h7"): 12, Square("a1"): 1}
    assert own.wild == "never"
    assert len(own.dice) == 43
    assert own.dice[42] == tuple(map(Face, ["1RO", "2RO", "3RO", "1GO", "W", "1PD"]))


# C2


def test_c2_the_house_edition() -> None:
    house = Edition.named("house")
    assert cubed.Options().edition == house
    assert "Our own design" in house.note
    assert (house.layout.rows, house.layout.cols) == (9, 9)
    assert [str(square) for square in house.layout.logo] == ["d5", "e5", "f5"]
    assert not set(house.layout.logo) & set(house.layout.bonus)
    assert len(house.dice) == 42
    assert sum(WILD in die for die in house.dice) == 9
    assert all(len(set(die)) == 6 for die in house.dice)
    counted = Counter(face for die in house.dice for face in die if face is not WILD)
    assert set(counted) == set(Face.all())
    assert set(counted.values()) == {9}


def test_c2_the_bonus_squares_of_the_house_are_symmetric() -> None:
    bonus = {
        (square.row, square.col): points for square, points in Edition.named("house").layout.bonus.items()
    }
    assert bonus
    for (row, col), points in bonus.items():
        assert bonus[8 - row, col] == bonus[row, 8 - col] == points


GOOD = {"name": "own", "size": [9, 9], "logo": ["d5", "e5", "f5"], "bonus": {"a1": 2}, "dice": [FILLER] * 42}


def test_c2_the_checks_let_a_good_edition_through() -> None:
    assert Edition.from_plain(GOOD).name == "own"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dice": [FILLER] * 41}, "41 dice: the game needs 42"),
        ({"dice": [*[FILLER] * 41, "1RO 2RO 3RO 1GO 2GO"]}, "die 42 has 5 faces"),
        ({"dice": [*[FILLER] * 41, "1RO 2RO 3RO 1GO 2GO 3GO 1PO"]}, "die 42 has 7 faces"),
        ({"dice": ["1RO 2RO 3RO 1GO W W", *[FILLER] * 41]}, "die 1 has 2 wild faces"),
        ({"logo": ["d5", "e5", "g5"]}, "three neighbouring squares in a line"),
        ({"logo": ["d5", "e5", "e6"]}, "three neighbouring squares in a line"),
        ({"logo": ["d5", "e6", "f7"]}, "three neighbouring squares in a line"),
        ({"logo": ["d5", "e5"]}, "three different squares, not 2"),
        ({"logo": ["d5", "e5", "f5", "g5"]}, "three different squares, not 4"),
        ({"bonus": {"e5": 1}}, "bonus on e5: the logo has no bonus"),
        ({"size": [6, 6], "logo": ["d5", "e5", "f5"], "dice": [FILLER] * 42}, "36 squares for 42 dice"),
    ],
)
def test_c2_loading_checks(change: dict[str, object], message: str) -> None:
    with pytest.raises(EditionError, match=message):
        Edition.from_plain({**GOOD, **change})


# C3


def test_c3_everyone_draws_five_and_throws() -> None:
    game = dice_game(A_SET, NO_SET, begun=False)
    assert refusal(game, Call(0)) == "wrong_phase"
    assert happened(game, Begin(1)) == [
        "2 begins",
        "1 draws 1RO#1 2RO#2 3RO#3 1GS#4 2GS#5",
        "2 draws 1RD#6 1RD#7 2RD#8 2RO#9 1RO#10",
    ]
    assert refusal(game, Begin(0)) == "wrong_phase"


def test_c3_the_first_to_call_and_show_is_first_player() -> None:
    game = dice_game(NO_SET, NO_SET, A_SET)
    assert refusal(game, show(2, OPENING)) == "call_first"
    game.do(Call(2))
    assert happened(game, show(2, OPENING)) == ["3 opens 1RO#11@d5 2RO#12@e5 3RO#13@f5 = 3"]
    assert game.state.first == 2
    assert game.state.turn == 0
    assert game.scores == (0, 0, 3)


def test_c3_nobody_else_may_call_until_the_check_is_done() -> None:
    game = dice_game(A_SET, A_SET)
    game.do(Call(1))
    for command in (Call(0), SeeNone(0), show(0, OPENING)):
        assert refusal(game, command) == "called_by_another"
    assert refusal(game, Call(1)) == "show_first"
    assert refusal(game, SeeNone(1)) == "show_first"


def test_c3_after_a_wrong_call_no_further_call_until_the_next_throw() -> None:
    game = dice_game(A_SET, A_SET)
    game.do(Call(0))
    assert happened(game, show(0, "1GS@d5 2RO@e5 3RO@f5")) == ["1 shows 1GS#4@d5 2RO#2@e5 3RO#3@f5"]
    assert game.state.barred == {0}
    assert refusal(game, Call(0)) == "barred"
    assert refusal(game, SeeNone(0)) == "barred"
    assert game.state.hands[0] == dice_game(A_SET, A_SET).state.hands[0]
    assert happened(game, SeeNone(1))[1:] == [
        "1 throws 1RO#1 2RO#2 3RO#3 1GS#4 2GS#5",
        "2 throws 1RO#6 2RO#7 3RO#8 1GS#9 2GS#10",
    ]
    assert game.state.barred == frozenset()
    game.do(Call(0))


def test_c3_everyone_throws_again_when_all_are_barred() -> None:
    game = dice_game(A_SET, A_SET)
    game.do(Call(1))
    game.do(Show(1))
    game.do(Call(0))
    lines = happened(game, Show(0))
    assert lines[0] == "1 shows -"
    assert len(lines) == 3
    assert game.state.barred == frozenset()


def test_c3_nothing_shown_in_time_is_a_wrong_call() -> None:
    game = dice_game(A_SET, A_SET, show_seconds=7)
    game.do(Call(0), at=1000)
    assert game.due == (8000, (Show(0),))
    game.advance(8000)
    assert game.log[-1].event == cubed.Missed(0, ())
    assert game.state.barred == {0}
    assert game.due is None


def test_c3_a_late_show_is_refused() -> None:
    game = dice_game(A_SET, A_SET)
    game.do(Call(0), at=0)
    answer = cubed.rules.decide(game.state, show(0, OPENING), 5001, game._chance)
    assert repr(answer) == "Refusal('too_late', by_ms=1)"
    assert isinstance(cubed.rules.decide(game.state, show(0, OPENING), 5000, game._chance), list)


@pytest.mark.parametrize(
    ("shown", "code"),
    [
        ("1RO@d5 2RO@e5", "not_on_logo"),
        ("1RO@d5 2RO@e5 3RO@f6", "not_on_logo"),
        ("1RO@d5 2RO@e5 3RO@f5 1GS@g5", "not_on_logo"),
        ("1RO@d5 2RO@e5 3RO@e5", "not_on_logo"),
        ("1RO@d5 1GO@e5 1PO@f5", "not_in_hand"),
        ("1RO#1@d5 2RO#1@e5 3RO@f5", "same_die_twice"),
        ("1RO#2@d5 2RO@e5 3RO@f5", "not_in_hand"),
        ("1RO@d5 *2RO@e5 3RO@f5", "not_in_hand"),
        ("1RO@d5 W@e5 3RO@f5", "wild_not_named"),
    ],
)
def test_c3_three_own_dice_on_the_logo_are_shown(shown: str, code: str) -> None:
    game = dice_game(A_SET, A_SET)
    game.do(Call(0))
    assert refusal(game, show(0, shown)) == code


# C4


def test_c4_when_nobody_has_a_set_everyone_throws_again_as_often_as_needed() -> None:
    """The first two throws hold no SET, the third does."""
    slow = ["1RO 1RO 1RO", "1RO 1RO 2RO", "2RO 2RO 3RO", "2RO 2RO 1GS", "1GS 1GS 2GS"]
    assert not find_sets(map(Face, ["1RO", "1RO", "2RO", "2RO", "1GS"]))
    game = dice_game(slow, NO_SET)
    assert [type(entry.event) for entry in game.log] == [
        cubed.Began,
        *[cubed.Drew] * 2,
        *[cubed.Threw] * 4,
    ]
    assert faces(game.state.hands[0]) == "1RO 2RO 3RO 1GS 2GS"
    assert set(game.state.throws[:10]) == {3}
    assert set(game.state.throws[10:]) == {0}


def test_c4_when_all_say_that_they_see_none_everyone_throws_again() -> None:
    game = dice_game(A_SET, A_SET)
    assert happened(game, SeeNone(1)) == ["2 sees none"]
    assert refusal(game, SeeNone(1)) == "said_already"
    assert len(happened(game, SeeNone(0))) == 3
    assert game.state.none == frozenset()
    assert game.state.phase == "opening"


def test_c4_who_saw_none_may_still_call() -> None:
    game = dice_game(A_SET, A_SET)
    game.do(SeeNone(1))
    game.do(Call(1))
    assert game.state.none == frozenset()
    game.do(show(1, OPENING))
    assert game.state.first == 1


def test_c4_dice_with_six_equal_faces_that_can_never_show_a_set_end_the_game() -> None:
    """No face is on three dice, and no throw changes anything: after a hundred throws it is over."""
    dice = [" ".join([str(face)] * 6) for face in Face.all()] * 2
    own = {"name": "own", "size": [9, 9], "logo": ["d5", "e5", "f5"], "dice": dice}
    games = [
        cubed.Game(["Ann", "Bo"], seed=seed_from(f"equal {n}"), options={"edition": own}) for n in range(20)
    ]
    for game in games:
        game.do(Begin(0))
    ended = [game for game in games if game.is_over]
    assert ended
    for game in ended:
        assert game.scores == (0, 0)
        assert game.winners == (0, 1)
        assert not any(find_sets(die.face for die in hand) for hand in game.state.hands)
        assert sum(isinstance(entry.event, cubed.Threw) for entry in game.log) == 200
        assert record.verify(record.read(record.write(record.of(game)))) is None


# C5


@pytest.mark.parametrize("order", list(permutations(["1RO", "2RO", "3RO"])))
def test_c5_the_opening_set_goes_on_the_logo_in_any_order(order: tuple[str, ...]) -> None:
    game = dice_game(A_SET, NO_SET)
    game.do(Call(0))
    game.do(
        Show(0, placed(*(f"{face}@{square}" for face, square in zip(order, ("d5", "e5", "f5"), strict=True))))
    )
    assert [str(on(game, square)).partition("#")[0] for square in ("d5", "e5", "f5")] == list(order)
    assert game.scores == (3, 0)
    assert faces(game.state.hands[0]) == "1GS 2GS"


@pytest.mark.parametrize("wild", ["later", "never"])
@pytest.mark.parametrize(
    ("hand", "shown", "points"),
    [
        (["1RO", "2RO", "W", "1GS", "2GS"], "1RO@d5 2RO@e5 *3RO@f5", 2),
        (["1RO", "W", "W", "1GS", "2GS"], "1RO@d5 *1GS@e5 *1PD@f5", 1),
        (["W", "W", "W", "1GS", "2GS"], "*1RO@d5 *1GS@e5 *1PD@f5", 0),
    ],
)
def test_c5_c19_wilds_score_nothing_in_the_opening(
    hand: list[str], shown: str, points: int, wild: str
) -> None:
    game = dice_game(hand, NO_SET, wild=wild)
    game.do(Call(0))
    game.do(show(0, shown))
    assert game.scores == (points, 0)
    assert str(on(game, "f5")).startswith("*")


def test_c5_a_wild_named_wrongly_is_a_wrong_call() -> None:
    game = dice_game(["1RO", "2RO", "W", "1GS", "2GS"], NO_SET)
    game.do(Call(0))
    game.do(show(0, "1RO@d5 2RO@e5 *1RO@f5"))
    assert game.state.barred == {0}


def test_c5_the_opening_is_the_whole_first_turn() -> None:
    game = dice_game(A_SET, NO_SET)
    game.do(Call(0))
    game.do(show(0, OPENING))
    assert game.state.turn == 1
    assert refusal(game, lay(0, "1GS@d6 2GS@d7")) == "not_your_turn"
    game.do(cubed.Pass(1))
    assert game.state.round == 2


# C6


def test_c6_a_die_in_hand_keeps_its_face_until_it_is_thrown() -> None:
    changing = ["1RO 1PD", "2RO 1PD", "3RO 1PD", "1GS 1PD", "2GS 1PD"]
    game = dice_game(changing, NO_SET, later=["3PS"] * 3)
    game.do(Call(0))
    game.do(show(0, OPENING))
    game.do(cubed.Pass(1))
    assert faces(game.state.hands[0]) == "1GS 2GS 3PS 3PS 3PS"


def test_c6_a_die_keeps_its_identity_on_the_board() -> None:
    game = dice_game(A_SET, NO_SET)
    game.do(Call(0))
    game.do(show(0, OPENING))
    assert [on(game, square) for square in ("d5", "e5", "f5")] == ["1RO#1", "2RO#2", "3RO#3"]
    assert not {1, 2, 3} & {*game.state.bag, *(die.number for hand in game.state.hands for die in hand)}


LINE = {"d5": "1RO", "e5": "2RO", "f5": "3RO"}


@pytest.mark.parametrize(("turn", "die"), [("1RO@g5", 1), ("1RO#1@g5", 1), ("1RO#3@g5", 3)])
def test_c6_the_player_chooses_among_equal_dice_and_the_lower_number_is_meant(turn: str, die: int) -> None:
    game = mid_game(LINE, "1RO 2GS 1RO", "2GD")
    game.do(lay(0, turn))
    assert on(game, "g5") == f"1RO#{die}"


def test_c6_a_die_named_elsewhere_in_the_turn_is_not_taken_for_another() -> None:
    game = mid_game({**LINE, "d7": "3RO", "e7": "2RO"}, "1RO 1RO", "2GD")
    game.do(lay(0, "1RO@g5 1RO#1@f7"))
    assert (on(game, "g5"), on(game, "f7")) == ("1RO#2", "1RO#1")


def test_is_set_of_the_scripts() -> None:
    """The fixtures are what they say."""
    assert is_set(*map(Face, A_SET[:3]))
    assert not find_sets(map(Face, NO_SET))
    assert edition(*A_SET).dice[0][0] == Face("1RO")
