"""M: Scramble."""

from __future__ import annotations

from typing import Any

import pytest

from tercet import Face, scramble
from tercet.editions import Die, Edition
from tercet.fairness import seed_from
from tercet.games import OptionsError
from tercet.games.race import PendingCall
from tercet.scramble import Call, SeeNone, Show, TakeBack, Throw
from tests.core.scripted import FILLER, NAMES, NO_SET_DICE, SEED, happened, refusal, scramble_game

#: Dice 1 to 3 are a SET, and 4 to 6 are one; 1, 2 and 4 are none.
TWO_SETS = "1RO 2RO 3RO 1GD 2GS 3GO"


def agree(game: scramble.Game) -> list[str]:
    """All say that they see none."""
    return [line for seat in range(len(game.seats)) for line in happened(game, SeeNone(seat))]


def take(game: scramble.Game, seat: int, *dice: int) -> list[str]:
    game.do(Call(seat))
    return happened(game, Show(seat, dice))


def miss(game: scramble.Game, seat: int) -> None:
    game.do(Call(seat))
    game.do(Show(seat))


# M1


@pytest.mark.parametrize("players", range(1, 9))
def test_m1_one_to_eight_players(players: int) -> None:
    assert scramble_game(players=players).scores == (0,) * players


@pytest.mark.parametrize("players", [0, 9])
def test_m1_no_other_number_of_players(players: int) -> None:
    with pytest.raises(OptionsError, match=f"1 to 8 players, not {players}"):
        scramble.Game([f"P{number}" for number in range(players)], seed=SEED)


def test_m1_all_42_dice_are_thrown_on_the_table() -> None:
    game = scramble_game(thrown=False)
    assert (game.state.phase, game.state.dice) == ("deal", ())
    assert refusal(game, Call(0)) == "not_thrown"
    assert refusal(game, Throw(1)) == "not_the_thrower"
    game.do(Throw(0))
    assert sorted(die.number for die in game.state.lying) == list(range(1, 43))
    assert refusal(game, Throw(0)) == "already_thrown"


@pytest.mark.parametrize("edition", ["house", "dutch"])
def test_m1_every_die_shows_one_of_its_own_faces(edition: str) -> None:
    shown = set[Die]()
    for number in range(60):
        options = {"edition": edition}
        game = scramble.Game(NAMES[:2], seed=seed_from(f"throw {number}"), options=options)
        game.do(Throw(0))
        shown |= set(game.state.lying)
    faces = Edition.named(edition).dice
    assert shown == {Die(number, face) for number in range(1, 43) for face in faces[number - 1]}


def test_m1_the_places_of_the_dice_are_thrown_too() -> None:
    firsts = set()
    for number in range(300):
        game = scramble.Game(NAMES[:1], seed=seed_from(f"throw {number}"))
        game.do(Throw(0))
        firsts.add(game.state.lying[0].number)
    assert len(firsts) == 42


def test_m1_an_edition_with_more_dice_plays_with_its_first_42() -> None:
    large = {"name": "large", "extends": "house", "dice": [FILLER] * 42 + ["W 1RO 2RO 3RO 1GO 2GO"] * 8}
    game = scramble_game(edition=large)
    assert [str(die.face) for die in game.state.lying] == ["1RD"] * 42


@pytest.mark.parametrize("rounds", [1, 2, 10])
def test_m1_so_many_rounds_as_chosen(rounds: int) -> None:
    game = scramble_game(rounds=rounds)
    for number in range(1, rounds):
        assert agree(game)[-1].startswith("round over")
        assert (game.state.phase, game.state.round) == ("deal", number + 1)
        game.do(Throw(game.state.thrower))
    assert agree(game)[-1] == "game over: 0 0"
    assert (game.state.phase, game.state.round) == ("over", rounds)


def test_m1_five_rounds_unless_chosen_otherwise() -> None:
    assert scramble_game().options.rounds == 5


@pytest.mark.parametrize("rounds", [0, 11, None, "5"])
def test_m1_no_other_number_of_rounds(rounds: Any) -> None:
    with pytest.raises(OptionsError, match="rounds is a whole number from 1 to 10"):
        scramble_game(rounds=rounds)


def test_m1_every_round_all_dice_are_thrown_again() -> None:
    game = scramble.Game(NAMES[:2], seed=SEED)
    game.do(Throw(0))
    first = game.state.dice
    agree(game)
    game.do(Throw(1))
    assert len(game.state.lying) == 42
    assert set(game.state.lying) != set(first)


def test_m1_the_throw_passes_to_the_left_and_after_ten_seconds_the_table_throws() -> None:
    game = scramble_game(players=3)
    agree(game)
    assert (game.state.thrower, game.state.throw_due) == (1, 10_000)
    assert refusal(game, Throw(2)) == "not_the_thrower"
    assert game.advance(9_999) == []
    (entry,) = game.advance(10_000)
    assert isinstance(entry.event, scramble.Thrown)
    assert (entry.event.thrower, entry.event.round) == (1, 2)
    assert game.state.throw_due is None


# M2


def test_m2_call_first_then_show() -> None:
    game = scramble_game(TWO_SETS)
    assert refusal(game, Show(0, (1, 2, 3))) == "call_first"
    game.do(Call(0))
    assert game.state.call == PendingCall(0, 5000)
    assert refusal(game, Call(0)) == "show_first"
    for command in (Call(1), Show(1, (1, 2, 3)), SeeNone(1), TakeBack(1)):
        assert refusal(game, command) == "called_by_another"
    assert happened(game, Show(0, (1, 2, 3))) == ["1 takes 1RO#1 2RO#2 3RO#3"]
    assert game.state.call is None


def test_m2_wrong_dice_stay_and_lock_the_player_out() -> None:
    game = scramble_game(TWO_SETS, players=3)
    assert take(game, 0, 1, 2, 4) == ["1 shows 1RO#1 2RO#2 1GD#4"]
    assert game.scores == (0, 0, 0)
    assert game.state.locked == {0}
    assert len(game.state.lying) == 6
    assert refusal(game, Call(0)) == "locked_out"
    take(game, 1, 1, 2, 5)
    assert game.state.locked == {0, 1}
    take(game, 2, 1, 2, 3)
    assert game.state.locked == set()


def test_m2_nothing_shown_in_time_is_wrong_too() -> None:
    game = scramble_game(TWO_SETS, show_seconds=3)
    game.do(Call(0), at=1000)
    (entry,) = game.advance(4000)
    assert game.rules.write_event(entry.event) == "1 shows nothing"
    assert game.state.locked == {0}


def test_m2_at_the_last_moment_is_in_time() -> None:
    game = scramble_game(TWO_SETS)
    game.do(Call(0), at=1000)
    assert happened(game, Show(0, (1, 2, 3)), 6000) == ["1 takes 1RO#1 2RO#2 3RO#3"]


@pytest.mark.parametrize("seconds", [2, 31])
def test_m2_3_to_30_seconds_to_show(seconds: int) -> None:
    with pytest.raises(OptionsError, match="show_seconds is a whole number from 3 to 30"):
        scramble_game(show_seconds=seconds)


def test_m2_when_everybody_is_locked_out_everybody_is_released() -> None:
    game = scramble_game(TWO_SETS)
    miss(game, 0)
    miss(game, 1)
    assert game.state.locked == set()


def test_m2_the_end_of_a_round_releases_everybody() -> None:
    game = scramble_game(TWO_SETS)
    miss(game, 0)
    agree(game)
    assert game.state.locked == set()


def test_m2_a_lone_player_is_never_locked_out() -> None:
    game = scramble_game(TWO_SETS, players=1)
    miss(game, 0)
    assert game.state.locked == set()
    take(game, 0, 1, 2, 3)
    assert game.scores == (1,)


def test_m2_instant_takes_without_a_call() -> None:
    game = scramble_game(TWO_SETS, claim="instant")
    assert refusal(game, Call(0)) == "no_call_needed"
    assert happened(game, Show(0, (1, 2, 4))) == ["1 shows 1RO#1 2RO#2 1GD#4"]
    assert refusal(game, Show(0, (1, 2, 3))) == "locked_out"
    assert refusal(game, Show(1, ())) == "wrong_number"
    assert happened(game, Show(1, (3, 1, 2))) == ["2 takes 3RO#3 1RO#1 2RO#2"]
    assert game.state.locked == set()


def test_m2_three_identical_dice_are_a_set() -> None:
    game = scramble_game("2GS 2GS 2GS 1RO")
    assert take(game, 1, 1, 2, 3)[0] == "2 takes 2GS#1 2GS#2 2GS#3"


@pytest.mark.parametrize("lying", ["1RO 2GS W", "1RO W W", "W W W"])
def test_m2_a_wild_stands_for_whatever_completes_the_set(lying: str) -> None:
    game = scramble_game(lying)
    take(game, 0, 1, 2, 3)
    assert game.scores == (1, 0)


def test_m2_the_first_call_that_is_received_counts() -> None:
    game = scramble_game(TWO_SETS)
    game.do(Call(1), at=1000)
    assert refusal(game, Call(0), 1000) == "called_by_another"


# M3


def test_m3_one_point_and_the_dice_leave_the_table() -> None:
    game = scramble_game(TWO_SETS + " 1PS")
    take(game, 1, 2, 3, 1)
    assert (game.scores, game.state.taken) == ((0, 1), (0, 1))
    assert [die.number for die in game.state.lying] == [4, 5, 6, 7]
    assert refusal(game, Call(2)) == "no_such_seat"
    game.do(Call(0))
    assert refusal(game, Show(0, (1, 5, 6))) == "not_on_table"


def test_m3_nothing_is_filled_up_and_no_die_changes_its_place() -> None:
    game = scramble_game()
    before = game.state.dice
    found = scramble.rules.hint(game.state, 0, 3).dice
    take(game, 0, *found)
    assert len(game.state.dice) == 42
    for place, die in enumerate(game.state.dice):
        assert die == (None if before[place] and before[place].number in found else before[place])  # type: ignore[union-attr]


def test_m3_the_sets_of_a_round_are_counted_from_0_each_time() -> None:
    game = scramble_game(TWO_SETS)
    take(game, 0, 1, 2, 3)
    agree(game)
    assert (game.scores, game.state.taken) == ((1, 0), (1, 0))
    game.do(Throw(1))
    assert (game.scores, game.state.taken) == ((1, 0), (0, 0))


# M4


def test_m4_the_round_ends_when_all_agree_also_if_a_set_was_overlooked() -> None:
    game = scramble_game(TWO_SETS, rounds=1)
    assert happened(game, SeeNone(1)) == ["2 sees none"]
    assert refusal(game, SeeNone(1)) == "said_already"
    assert happened(game, SeeNone(0)) == [
        "1 sees none",
        "round over, left: 1RO#1 2RO#2 3RO#3 1GD#4 2GS#5 3GO#6",
        "game over: 0 0",
    ]


def test_m4_a_vote_stands_until_it_is_taken_back_or_a_set_is_taken_or_the_player_calls() -> None:
    game = scramble_game(TWO_SETS + " 1PS")
    assert refusal(game, TakeBack(0)) == "nothing_to_take_back"
    game.do(SeeNone(0))
    assert happened(game, TakeBack(0)) == ["1 looks again"]
    assert game.state.none == set()
    game.do(SeeNone(0))
    game.do(Call(0))
    assert game.state.none == set()
    assert refusal(game, SeeNone(0)) == "show_first"
    game.do(Show(0))
    game.do(SeeNone(0))
    take(game, 1, 1, 2, 3)
    assert game.state.none == set()


def test_m4_players_who_are_locked_out_agree_too() -> None:
    game = scramble_game(TWO_SETS)
    miss(game, 0)
    assert agree(game)[-1].startswith("round over")


def test_m4_the_round_ends_by_itself_when_no_set_is_left() -> None:
    game = scramble_game(TWO_SETS + " 1PS")
    assert take(game, 0, 1, 2, 3) == ["1 takes 1RO#1 2RO#2 3RO#3"]
    assert take(game, 0, 4, 5, 6) == ["1 takes 1GD#4 2GS#5 3GO#6", "round over, left: 1PS#7"]
    last = scramble_game("1RO 2RO 3RO")
    assert take(last, 0, 1, 2, 3)[1:] == ["round over, left: nothing"]


def test_m4_a_wild_left_with_two_dice_is_still_a_set() -> None:
    game = scramble_game("1RO 2RO 3RO W 1GD 2PS")
    assert len(take(game, 0, 1, 2, 3)) == 1
    game = scramble_game("1RO 2RO 3RO W 1GD")
    assert take(game, 0, 1, 2, 3)[1] == "round over, left: W#4 1GD#5"


@pytest.mark.parametrize("left", ["", " 1PS 2PS"])
def test_m4_without_auto_end_all_must_agree_however_few_dice_are_left(left: str) -> None:
    game = scramble_game("1RO 2RO 3RO" + left, auto_end=False)
    assert len(take(game, 0, 1, 2, 3)) == 1
    assert game.state.phase == "play"
    assert agree(game)[-1] == f"round over, left: {'1PS#4 2PS#5' if left else 'nothing'}"


def test_m4_eighteen_dice_can_lie_there_without_a_set() -> None:
    game = scramble_game(NO_SET_DICE + " 3RO 3RO 3RO")
    assert scramble.rules.hint(game.state, 0, 3).dice
    assert take(game, 0, 19, 20, 21)[1].startswith("round over, left: 1RD#1 ")


def test_m4_most_points_win_and_equal_points_share() -> None:
    game = scramble_game(TWO_SETS + " 1PS", rounds=1)
    take(game, 0, 1, 2, 3)
    assert list(game.winners) == [0]
    take(game, 1, 4, 5, 6)
    assert game.is_over
    assert list(game.winners) == [0, 1]
    assert refusal(game, Throw(0)) == "game_over"


# What the shells ask


def test_a_hint_shows_so_many_dice_of_a_set() -> None:
    game = scramble_game("W 1RO 1GD 2RO 3RO")
    for strength, dice in ((1, (2,)), (2, (2, 4)), (3, (2, 4, 5))):
        assert scramble.rules.hint(game.state, 0, strength).dice == dice
    assert scramble.rules.hint(scramble_game("1RO 1RO 2GS").state, 0, 3).dice == ()
    assert scramble.rules.hint(scramble_game("1RO W").state, 0, 3).dice == ()
    for lying in ("1RO W 2GS 1RO", "W W 1RO", "W W W W"):
        state = scramble_game(lying).state
        faces = {die.number: die.face for die in state.lying}
        shown = [faces[number] for number in scramble.rules.hint(state, 0, 3).dice]
        assert len(shown) == 3
        assert Face("W") in shown


def test_whoever_was_faster_is_known() -> None:
    rules, game = scramble.rules, scramble_game(TWO_SETS)
    (called,) = game.do(Call(1))
    lost = rules.carry_out(game.state, Call(0), 0, game._chance)
    (took,) = game.do(Show(1, (1, 2, 3)))
    game.do(Call(0))
    late = rules.carry_out(game.state, Show(0, (2, 4, 5)), 0, game._chance)
    other = rules.carry_out(game.state, Show(0, (40, 4, 5)), 0, game._chance)
    for refused in (lost, late, other):
        assert not isinstance(refused, scramble.table.Table)
    assert rules.faster(lost, called.event) == 1  # type: ignore[arg-type]
    assert rules.faster(late, took.event) == 1  # type: ignore[arg-type]
    assert rules.faster(lost, took.event) is None  # type: ignore[arg-type]
    assert rules.faster(other, took.event) is None  # type: ignore[arg-type]


def test_the_sets_of_each_seat_are_counted() -> None:
    game = scramble_game(TWO_SETS + " 1PS")
    take(game, 1, 1, 2, 3)
    take(game, 1, 4, 5, 6)
    assert [counts.sets for counts in scramble.rules.count_play(game.log, 2)] == [0, 2]
