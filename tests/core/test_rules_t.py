"""T1, as far as the games know it: nobody waits for the absent. The rest of T is the table's: tests/server/test_absent.py."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import cards, cubed, games, record, scramble
from tercet.games import CameBack, ComeBack, StepAway, SteppedAway, counted, have_all
from tests.core.random_games import random_card_game, random_dice_game, random_scramble_game
from tests.core.scripted import NO_SET, card_game, dice_game, happened, mid_game, refusal, scramble_game

AWAY = pytest.mark.parametrize("name", ["set", "scramble", "cubed"])


def new_game(name: str, players: int = 3) -> Any:
    if name == "set":
        return card_game(players=players)
    if name == "scramble":
        return scramble_game(players=players)
    return dice_game(*[["1RD", "1RD", "2GO", "2GO", "3PS"]] * players)


# --- in every game ---


@AWAY
def test_t1_who_is_away_stands_in_the_log(name: str) -> None:
    game = new_game(name)
    assert happened(game, StepAway(2)) == ["3 is away"]
    assert game.rules.away(game.state) == {2}
    assert refusal(game, StepAway(2)) == "away_already"
    assert happened(game, ComeBack(2)) == ["3 is back"]
    assert game.rules.away(game.state) == frozenset()
    assert refusal(game, ComeBack(2)) == "not_away"
    assert refusal(game, StepAway(7)) == "no_such_seat"
    assert [game.rules.cause(entry.event) for entry in game.log[-2:]] == [StepAway(2), ComeBack(2)]


@given(seats=st.integers(1, 8), away=st.frozensets(st.integers(0, 7)))
def test_t1_somebody_always_counts(seats: int, away: frozenset[int]) -> None:
    here = set(range(seats)) - away
    assert set(counted(seats, away)) == (here or set(range(seats)))
    assert have_all(seats, away, here or range(seats))
    assert not have_all(seats, away, away if here else ())


@pytest.mark.slow
@given(number=st.integers(0, 10_000), kind=st.sampled_from([0, 1, 2]))
def test_t1_no_game_ever_stands_where_all_who_are_there_have_said_it(number: int, kind: int) -> None:
    """Whatever happens, and whoever comes and goes in between: as soon as all who count agree, the game has gone on."""
    game: Any = (random_card_game, random_scramble_game, random_dice_game)[kind](number % 40)
    for (_, before), (following, _) in pairwise(record.replay(record.of(game))):
        # What follows by itself comes at the same moment, before anybody else can say something.
        if game.rules.cause(following.event) is None:
            continue
        all_there = set(counted(len(game.seats), before.away))
        assert not (before.locked if kind < 2 else frozenset()) >= all_there
        if before.call is None and not (kind == 2 and before.phase != "opening"):
            assert not (before.none | (before.barred if kind == 2 else frozenset())) >= all_there
        if kind == 2 and before.phase == "extra_roll":
            assert not before.answered >= all_there
            assert set(game.rules.waits_for(before)) == all_there - before.answered


@given(st.data())
def test_t1_who_is_away_may_still_do_everything(data: st.DataObject) -> None:
    """A mark changes nobody's rights: a line that comes back for a moment is not a loss."""
    game = new_game(data.draw(st.sampled_from(["set", "scramble", "cubed"])))
    command = data.draw(st.sampled_from([cards.Call(1), cards.SeeNone(1)]))
    kind = {"set": cards, "scramble": scramble, "cubed": cubed}[game.rules.name]
    own = getattr(kind, type(command).__name__)(1)
    usual = game.rules.decide(game.state, own, 10, game._chance)
    game.do(StepAway(1))
    assert game.rules.decide(game.state, own, 10, game._chance) == usual


# --- the card game ---


def test_t1_k6_who_is_away_is_not_asked() -> None:
    game = card_game(NO_SET[:12], players=3)
    game.do(StepAway(2))
    assert happened(game, cards.SeeNone(0)) == ["1 sees none"]
    sees, opens = happened(game, cards.SeeNone(1))
    assert (sees, opens[:11]) == ("2 sees none", "three more:")


def test_t1_k6_the_last_who_is_waited_for_leaves() -> None:
    game = card_game(NO_SET[:12], players=3)
    game.do(cards.SeeNone(0))
    game.do(cards.SeeNone(1))
    away, opens = happened(game, StepAway(2))
    assert (away, opens[:11]) == ("3 is away", "three more:")
    assert game.state.none == frozenset()


def test_t1_k6_nothing_is_opened_during_a_call() -> None:
    game = card_game(NO_SET[:12], players=2, show_seconds=30)
    game.do(cards.SeeNone(0))
    game.do(cards.Call(1))
    assert happened(game, StepAway(1)) == ["2 is away"]
    shows, opens = (game.rules.write_event(entry.event) for entry in game.advance(30_000))
    assert (shows, opens[:11]) == ("2 shows nothing", "three more:")


def test_t1_k6_where_all_are_away_nothing_is_opened() -> None:
    game = card_game(NO_SET[:12], players=2)
    game.do(cards.SeeNone(0))
    game.do(StepAway(0))
    assert happened(game, StepAway(1)) == ["2 is away"]
    back, opens = happened(game, ComeBack(0))
    assert (back, opens[:11]) == ("1 is back", "three more:")


def test_t1_k4_who_is_away_locks_nobody_out() -> None:
    game = card_game(players=2)
    game.do(cards.Call(0))
    game.do(cards.Show(0))
    assert game.state.locked == {0}
    game.do(StepAway(1))
    assert game.state.locked == frozenset()
    game.do(cards.Call(0))
    game.do(cards.Show(0))
    assert game.state.locked == frozenset(), "alone at the table, as a lone player"


def test_t1_k8_anybody_deals_for_a_dealer_who_is_away() -> None:
    game = card_game(only="red", rounds=2, auto_deal=True, players=3)
    while game.state.phase == "play":
        found = cards.variant_of(game.options).groups(game.state.table, ())[0]
        game.do(cards.Call(0))
        game.do(cards.Show(0, found))
    assert game.state.dealer == 1
    assert refusal(game, cards.Deal(2)) == "not_the_dealer"
    game.do(StepAway(1))
    (dealt,) = happened(game, cards.Deal(2))
    assert dealt.startswith("2 deals round 2:"), "the deal itself stays where it was"


# --- Scramble ---


def test_t1_m4_who_is_away_is_not_asked() -> None:
    game = scramble_game("1RD 1RO 1GD", players=2, auto_end=False, rounds=1)
    game.do(StepAway(1))
    sees, over, _ = happened(game, scramble.SeeNone(0))
    assert (sees, over) == ("1 sees none", "round over, left: 1RD#1 1RO#2 1GD#3")


def test_t1_m1_anybody_throws_for_a_thrower_who_is_away() -> None:
    game = scramble_game("1RD 1RO 1GD", players=3, auto_end=False)
    for seat in range(3):
        game.do(scramble.SeeNone(seat))
    assert refusal(game, scramble.Throw(2)) == "not_the_thrower"
    game.do(StepAway(1))
    (thrown,) = happened(game, scramble.Throw(2))
    assert thrown.startswith("2 throws round 2:")


def test_t1_m2_who_is_away_locks_nobody_out() -> None:
    game = scramble_game("1RD 1RO 1GD", players=2, auto_end=False)
    game.do(StepAway(1))
    game.do(scramble.Call(0))
    game.do(scramble.Show(0))
    assert game.state.locked == frozenset()


# --- the dice game ---


def opening() -> cubed.Game:
    """An opening in which only Bo has a SET."""
    return dice_game(["1RD", "1RD", "2GO", "2GO", "3PD"], ["1RO", "2RO", "3RO", "1GD", "1GD"])


def test_t1_c3_c4_the_opening_race_goes_on() -> None:
    game = opening()
    assert happened(game, cubed.SeeNone(0)) == ["1 sees none"]
    away, *thrown = happened(game, StepAway(1))
    assert away == "2 is away"
    assert thrown[0].startswith("1 throws ")
    assert game.state.none == frozenset()


def test_t1_c3_a_call_that_runs_is_waited_for() -> None:
    game = opening()
    game.do(cubed.Call(1))
    assert happened(game, StepAway(1)) == ["2 is away"]
    shows, *_ = [game.rules.write_event(entry.event) for entry in game.advance(60_000)]
    assert shows == "2 shows -"


LINE = {"d5": "1RO", "e5": "2RO", "f5": "3RO"}


def extra_roll(**options: Any) -> cubed.Game:
    game = mid_game(LINE, "1GO 1PO 2GS", "1GD 2PD 3GS", "2GO 1PD 2PS", bag=20, **options)
    for seat in range(3):
        game.do(cubed.Pass(seat))
    assert game.state.phase == "extra_roll"
    return game


def test_t1_c14_who_is_away_keeps_in_the_extra_roll() -> None:
    game = extra_roll()
    game.do(StepAway(1))
    game.do(cubed.Choose(0, (1,)))
    chosen, thrown = happened(game, cubed.Choose(2, ()))
    assert (chosen, thrown.split(" ")[:2]) == ("3 keeps", ["1", "throws"])
    assert (game.state.phase, game.state.turn) == ("turn", 0)


def test_t1_c14_the_last_who_is_waited_for_leaves() -> None:
    game = extra_roll()
    game.do(cubed.Choose(0, (1,)))
    game.do(cubed.Choose(2, (7,)))
    away, *thrown = happened(game, StepAway(1))
    assert away == "2 is away"
    assert [line.split(" ")[0] for line in thrown] == ["1", "3"]


def test_t1_c14_who_comes_back_in_time_still_chooses() -> None:
    game = extra_roll()
    game.do(StepAway(1))
    game.do(cubed.Choose(0))
    game.do(ComeBack(1))
    assert happened(game, cubed.Choose(2)) == ["3 keeps"]
    assert game.rules.waits_for(game.state) == (1,)


def test_t1_c14_the_time_limit_ends_it_for_those_who_are_there() -> None:
    game = extra_roll(extra_seconds=30)
    game.do(StepAway(1))
    kept = [game.rules.write_event(entry.event) for entry in game.advance(game.clock + 30_000)]
    assert kept == ["1 keeps", "3 keeps"]
    assert game.state.phase == "turn"


def test_t1_c14_the_time_limit_ends_it_where_all_are_away() -> None:
    game = extra_roll(extra_seconds=30)
    for seat in range(3):
        game.do(StepAway(seat))
    game.advance(game.clock + 30_000)
    assert game.state.phase == "turn"


def test_t1_a_turn_stays_with_its_player() -> None:
    game = mid_game(LINE, "1GO 1PO", "1GD 2PD", turn=1)
    game.do(StepAway(1))
    assert game.state.turn == 1
    assert refusal(game, cubed.Pass(0)) == "not_your_turn"
    assert game.rules.waits_for(game.state) == (1,)


@pytest.mark.parametrize(
    ("options", "by_post"),
    [
        ({}, False),
        ({"turn_seconds": 3599, "extra_seconds": 30}, False),
        ({"turn_seconds": 3600}, True),
        ({"extra_seconds": 86_400}, True),
    ],
)
def test_t1_nobody_is_away_in_a_game_by_post(options: dict[str, int], by_post: bool) -> None:
    game = extra_roll(**options)
    assert game.rules.is_by_post(game.state) is by_post
    assert game.rules.misses(game.state, 1) is not by_post


def test_t1_the_table_need_not_say_it_where_nobody_is_asked() -> None:
    game = mid_game(LINE, "1GO 1PO", "1GD 2PD")
    assert not game.rules.misses(game.state, 1)
    assert card_game().rules.misses(card_game().state, 1)


def test_t1_a_game_that_knows_nothing_of_it_is_left_alone() -> None:
    """What the contract says for a game of one's own."""
    rules = games.Rules
    state: Any = None
    assert rules.away(cards.rules, state) == frozenset()
    assert not rules.misses(cards.rules, state, 0)
    assert not rules.is_by_post(cards.rules, state)


def test_t1_after_the_end_nobody_comes_or_goes() -> None:
    for game in (random_card_game(0), random_dice_game(0), random_scramble_game(0)):
        assert refusal(game, StepAway(0)) == "game_over"


def test_t1_the_words_of_the_record() -> None:
    for rules in (cards.rules, cubed.rules, scramble.rules):
        assert rules.read_event("2 is away") == SteppedAway(1)
        assert rules.read_event("3 is back") == CameBack(2)
