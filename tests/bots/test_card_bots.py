"""Card bots: how fast they are, how often they err, and what they do at a table."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from msgspec.structs import replace

from tercet import Card, bots, cards, explain, find_sets
from tercet.bots.finding import Level
from tercet.cards.bots import CardBot
from tercet.difficulty import differing_features, most_common_value
from tests.bots.tables import CARD_BOTS, card_game, seated


def level_of(name: str) -> Level:
    bot = bots.find("set", name)
    assert issubclass(bot, CardBot)
    return bot.level


def pace(name: str, games: int = 12) -> float:
    """SETs a minute of a bot that plays alone."""
    played = [card_game([name], number) for number in range(games)]
    return sum(sum(game.state.taken) for game in played) / sum(game.clock for game in played) * 60_000


def test_the_pace_is_as_stated() -> None:
    for name in CARD_BOTS:
        stated = re.search(r"(\d+) SETs a minute", bots.describe("set")[name])
        assert stated is not None
        assert pace(name) == pytest.approx(int(stated[1]), rel=0.12)


def test_each_level_is_clearly_faster_than_the_one_below() -> None:
    paces = [pace(name, 6) for name in CARD_BOTS]
    assert all(faster > 1.3 * slower for slower, faster in pairwise(paces))


@pytest.mark.parametrize("name", CARD_BOTS)
def test_errors_and_fumbles_are_as_often_as_stated(name: str) -> None:
    calls = wrong = nothing = 0
    for number in range(40):
        for entry in card_game([name], number).log:
            calls += isinstance(entry.event, cards.Called)
            if isinstance(entry.event, cards.Missed):
                wrong += bool(entry.event.cards)
                nothing += not entry.event.cards
    level = level_of(name)
    for counted, share in ((nothing, level.fumble), (wrong, level.error * (1 - level.fumble))):
        assert abs(counted / calls - share) < 4 * (share * (1 - share) / calls) ** 0.5


def test_a_mistake_is_almost_a_set() -> None:
    game = card_game(["beginner"])
    mistakes = [e.event.cards for e in game.log if isinstance(e.event, cards.Missed) and e.event.cards]
    assert mistakes
    assert all(len(explain(*three).broken) == 1 for three in mistakes)


def test_the_stronger_wins() -> None:
    for weak, strong in pairwise(CARD_BOTS):
        scores = [card_game([weak, strong], number).scores for number in range(3)]
        assert sum(score[1] for score in scores) > sum(score[0] for score in scores)


def test_easy_sets_are_found_first() -> None:
    table = [
        Card(text)
        for text in [
            "1RFD",
            "1RFO",
            "1RFS",
            "2GHO",
            "3PES",
            "1GES",
            "2RED",
            "3GFO",
            "1PHD",
            "2PHS",
            "3REO",
            "2GFD",
        ]
    ]
    easy = [cards_ for cards_ in find_sets(table) if differing_features(cards_) == 1]
    hard = [cards_ for cards_ in find_sets(table) if differing_features(cards_) == 4]
    assert easy
    assert hard
    state = cards.State(
        options=cards.Options(), seats=1, phase="play", table=tuple(table), scores=(0,), taken=(0,)
    )
    found = []
    for number in range(300):
        show = seated("set", ["champion"], number)[0].choose(
            replace(state, options=cards.Options(claim="instant"))
        )
        assert isinstance(show, cards.Show)
        found.append(tuple(show.cards))
    assert sum(map(found.count, easy)) / len(easy) > 2 * sum(map(found.count, hard)) / len(hard)


def test_the_value_that_all_share_is_not_looked_at() -> None:
    assert most_common_value([Card("1RFD"), Card("1RFO"), Card("1RFO")]) == (3, 1)
    assert most_common_value([Card("1RFD")]) is None


def test_21_cards_always_hold_a_set_and_no_bot_denies_it() -> None:
    table = Card.all()[:21]
    state = cards.State(
        options=cards.Options(),
        seats=2,
        phase="play",
        table=table,
        deck=Card.all()[21:],
        scores=(0, 0),
        taken=(0, 0),
    )
    for number in range(50):
        assert isinstance(seated("set", ["beginner"], number)[0].choose(state), cards.Call)


def test_who_is_locked_out_does_not_call_but_gives_in_at_last() -> None:
    table = Card.all()[:12]
    state = cards.State(
        options=cards.Options(),
        seats=2,
        phase="play",
        table=table,
        deck=Card.all()[12:],
        scores=(0, 0),
        taken=(0, 0),
        locked=frozenset({0}),
    )
    bot = seated("set", ["regular"])[0]
    assert bot.choose(state) is None
    alone = replace(state, none=frozenset({1}))
    assert bot.delay(alone) > bot.delay(replace(alone, locked=frozenset()))
    bot.delay(alone)
    assert bot.choose(alone) == cards.SeeNone(0)
