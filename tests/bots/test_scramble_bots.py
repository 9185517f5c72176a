"""Bots for Scramble: how fast they are, how often they err, and what they do at a table."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from msgspec.structs import replace

from tercet import bots, explain, is_set, scramble
from tercet.scramble.bots import LADDER, PART, ScrambleBot
from tests.bots.tables import CARD_BOTS, scramble_game, seated
from tests.core.scripted import NO_SET_DICE
from tests.core.scripted import scramble_game as table


def pace(name: str, games: int = 12) -> float:
    """SETs a minute of a bot that plays alone."""
    played = [scramble_game([name], number) for number in range(games)]
    return sum(sum(game.scores) for game in played) / sum(game.clock for game in played) * 60_000


def test_the_levels_are_called_as_those_of_the_card_game() -> None:
    assert tuple(bots.names("scramble")) == CARD_BOTS


def test_the_pace_is_as_stated() -> None:
    for name in CARD_BOTS:
        stated = re.search(r"(\d+) SETs a minute", bots.describe("scramble")[name])
        assert stated is not None
        assert pace(name) == pytest.approx(int(stated[1]), rel=0.12)


def test_early_in_a_round_a_regular_player_finds_10_to_14_sets_a_minute() -> None:
    count = milliseconds = 0
    for number in range(12):
        began = sets = 0
        for entry in scramble_game(["regular"], number).log:
            if isinstance(entry.event, scramble.Thrown):
                began, sets = entry.at, 0
            sets += isinstance(entry.event, scramble.Took)
            if isinstance(entry.event, scramble.Took) and sets == 6:
                count += sets
                milliseconds += entry.at - began
    assert 10 < count / milliseconds * 60_000 < 14


def test_each_level_is_clearly_faster_than_the_one_below() -> None:
    paces = [pace(name, 6) for name in CARD_BOTS]
    assert all(faster > 1.3 * slower for slower, faster in pairwise(paces))


@pytest.mark.parametrize("bot", LADDER, ids=lambda bot: bot.name)
def test_errors_and_fumbles_are_as_often_as_stated(bot: type[ScrambleBot]) -> None:
    calls = wrong = nothing = 0
    for number in range(20):
        for entry in scramble_game([bot.name], number).log:
            calls += isinstance(entry.event, scramble.Called)
            if isinstance(entry.event, scramble.Missed):
                wrong += bool(entry.event.dice)
                nothing += not entry.event.dice
    level = bot.level
    for counted, share in ((nothing, level.fumble), (wrong, level.error * (1 - level.fumble))):
        assert abs(counted / calls - share) < 4 * (share * (1 - share) / calls) ** 0.5


def test_a_mistake_is_almost_a_set() -> None:
    mistakes = [
        entry.event.dice
        for number in range(3)
        for entry in scramble_game(["beginner"], number).log
        if isinstance(entry.event, scramble.Missed) and entry.event.dice
    ]
    assert mistakes
    assert all(len(explain(*(die.face for die in three)).broken) == 1 for three in mistakes)


def test_the_stronger_wins() -> None:
    for weak, strong in pairwise(CARD_BOTS):
        scores = [scramble_game([weak, strong], number).scores for number in range(3)]
        assert sum(score[1] for score in scores) > sum(score[0] for score in scores)


def test_a_wild_is_one_easy_find_and_not_hundreds() -> None:
    state = table("1RO 1RO 2GS 3PD W " + "2GD 1PS 3RS 2RO 1GD 3GO 2PS").state
    assert len(state.lying) == PART
    (bot,) = seated("scramble", ["regular"])
    assert isinstance(bot, ScrambleBot)
    with_wild = [group for group in bot.groups(state) if any(die.wild for die in group)]
    assert [[die.number for die in group] for group in with_wild] == [[1, 2, 5]]
    assert all(is_set(*(die.face for die in group)) for group in bot.groups(state))
    wilds = table("W W W W").state
    assert [len(group) for group in bot.groups(wilds)] == [3]
    assert bot.groups(table("1RO W").state) == []


def test_the_only_set_on_a_large_table_is_found() -> None:
    state = table("3RO " + NO_SET_DICE + " 3RO 3RO").state
    for number in range(20):
        (bot,) = seated("scramble", ["champion"], number)
        bot.delay(state)
        assert bot.choose(state) == scramble.Call(0)


def test_nobody_says_that_there_is_none_among_more_than_18_dice() -> None:
    state = replace(table().state, none=frozenset({1}))
    for number in range(50):
        (bot,) = seated("scramble", ["beginner"], number)
        bot.delay(state)
        assert isinstance(bot.choose(state), scramble.Call)


@pytest.mark.parametrize("lying", ["", "1RO", "1RO 1GO 2PS", NO_SET_DICE])
def test_where_there_is_no_set_a_bot_agrees_at_last(lying: str) -> None:
    state = table(lying).state
    (bot,) = seated("scramble", ["regular"])
    assert 1000 < bot.delay(state) < 90_000
    assert bot.choose(state) == scramble.SeeNone(0)


def test_whoever_is_locked_out_does_not_call_but_gives_in_at_last() -> None:
    state = replace(table("1RO 2RO 3RO 1GD").state, locked=frozenset({0}))
    (bot,) = seated("scramble", ["regular"])
    assert bot.choose(state) is None
    alone = replace(state, none=frozenset({1}))
    bot.delay(alone)
    assert bot.choose(alone) == scramble.SeeNone(0)


@pytest.mark.parametrize("claim", ["call", "instant"])
@pytest.mark.parametrize("auto_end", [True, False])
@pytest.mark.parametrize("players", [1, 2, 4])
def test_they_play_with_every_option(claim: str, auto_end: bool, players: int) -> None:
    names = ["casual", "champion", "quick", "regular"][:players]
    game = scramble_game(names, edition="dutch", rounds=2, claim=claim, auto_end=auto_end)
    assert game.is_over
    assert sum(game.scores) > 10
