"""What all races share: one set of words, by whatever name they are asked for."""

from __future__ import annotations

from importlib import import_module

import pytest

from tercet import games
from tercet.games import race

RACES = [name for name in games.names() if isinstance(games.find(name).rules, race.RaceRules)]
WORDS = ("Call", "Called", "Ended", "SawNone", "SeeNone", "TakeBack", "TookBack")


def test_set_and_scramble_are_races() -> None:
    assert RACES == ["set", "scramble"]


@pytest.mark.parametrize("name", RACES)
def test_the_words_of_a_race_are_its_games_too(name: str) -> None:
    package = type(games.find(name).rules).__module__.rpartition(".")[0]
    for word in WORDS:
        assert getattr(import_module(package), word) is getattr(race, word)


@pytest.mark.parametrize("name", RACES)
def test_what_was_pickled_when_each_game_had_its_own_words_is_found(name: str) -> None:
    play = import_module(type(games.find(name).rules).__module__.rpartition(".")[0] + ".play")
    for word in (*WORDS, "PendingCall"):
        assert getattr(play, word) is getattr(race, word)


@pytest.mark.parametrize("word", race.RaceEvent.__args__)
def test_every_event_has_a_line_and_a_cause(word: type[race.RaceEvent]) -> None:
    for name in RACES:
        rules = games.find(name).rules
        for seat in (0, 7):
            event = word(seat)
            assert rules.read_event(rules.write_event(event)) == event
            assert rules.cause(event) == race.cause(event)
            assert type(race.cause(event)) in rules.command_types
