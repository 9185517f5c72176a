"""What anyone may rely on who seats a bot."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from tercet import bots, cubed, games, record
from tercet.bots import BotError
from tercet.cubed.bots import Greedy
from tercet.fairness import seed_from
from tercet.games import OptionsError
from tests.bots.tables import CARD_BOTS, DICE_BOTS, card_game, dice_game, seated, states_for


def test_the_names_go_from_weak_to_strong() -> None:
    assert bots.names("set") == list(CARD_BOTS)
    assert bots.names("cubed") == ["random", "greedy", "steady", "expert", "master"]


@pytest.mark.parametrize("game", games.names())
def test_every_bot_says_what_it_is(game: str) -> None:
    about = bots.describe(game)
    assert list(about) == bots.names(game)
    assert all(line and "\n" not in line for line in about.values())


def test_an_unknown_name_is_answered_with_those_there_are() -> None:
    with pytest.raises(BotError, match=r"'hal'.*random, greedy, steady, expert, master"):
        bots.make("cubed", "hal", 0, Random(1))
    with pytest.raises(OptionsError, match="no game is called 'chess'"):
        bots.names("chess")


@pytest.mark.parametrize(
    "name", ["greedy:5", "master:", "master:0", "master:-4", "master:x", "master:99999999999"]
)
def test_only_a_master_is_given_a_number_of_games(name: str) -> None:
    with pytest.raises(BotError):
        bots.make("cubed", name, 0, Random(1))
    assert bots.make("cubed", "master:70", 0, Random(1)).effort == 70


@pytest.mark.parametrize("game", games.names())
def test_a_gentle_bot_leaves_the_first_race_to_people_for_a_while(game: str) -> None:
    for name in bots.names(game):
        race = games.find(game)(["Ann", "Bo"], seed=seed_from("gentle"))
        first = bots.make(game, name, 0, Random(1))
        while race.state.phase in ("deal", "start"):
            race.do(first.choose(race.view(0)))
        gentle = bots.make(game, f"{name}:gentle", 1, Random(1))
        assert gentle.delay(race.view(1)) >= bots.GENTLE_MS
        assert bots.make(game, name, 1, Random(1)).delay(race.view(1)) < bots.GENTLE_MS


def test_a_bot_of_ones_own_plays_like_any_other() -> None:
    @bots.register
    class Last(Greedy):
        name = "last"
        about = "lays the turn with fewest points"

        def play_turn(self, view: cubed.State, time_limit: float) -> cubed.Replace | cubed.Lay | cubed.Pass:
            turns = view.position(self.seat).turns()
            return cubed.Lay(self.seat, turns[-1].placements) if turns else cubed.Pass(self.seat)

    try:
        assert dice_game(["last", "greedy"]).is_over
    finally:
        bots.unregister(Last)
    assert "last" not in bots.names("cubed")


@pytest.mark.parametrize("name", CARD_BOTS)
def test_card_games_of_each_bot_end(name: str) -> None:
    game = card_game([name] * 3)
    assert game.is_over
    assert sum(game.state.taken) >= 3 * 20


@pytest.mark.parametrize("name", DICE_BOTS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_dice_games_of_each_bot_end(name: str, seats: int) -> None:
    assert dice_game([name] * seats).is_over


@pytest.mark.parametrize(
    "options",
    [
        {"claim": "instant"},
        {"auto_deal": True},
        {"honest_none": True},
        {"penalty": "point"},
        {"only": "red"},
        {"only": "oval", "table": 9},
        {"claim": "instant", "penalty": "point", "auto_deal": True, "show_seconds": 3},
        {"only": "2", "honest_none": True, "show_seconds": 30},
    ],
)
def test_card_bots_cope_with_every_option(options: dict[str, object]) -> None:
    for number in range(3):
        assert card_game(["beginner", "champion", "regular"], number, **options).is_over


def test_a_lone_card_bot_finishes_its_practice() -> None:
    assert card_game(["beginner"]).is_over


@pytest.mark.parametrize("edition", ["house", "dutch"])
def test_dice_bots_play_every_edition(edition: str) -> None:
    assert dice_game(["random", "greedy", "steady", "expert"], edition=edition).is_over


def test_dice_bots_play_on_a_board_too_large_for_the_kernel() -> None:
    house = cubed.Edition.named("house")
    large = {
        "name": "large",
        "size": [30, 30],
        "logo": ["n15", "o15", "p15"],
        "dice": [" ".join(map(str, faces)) for faces in house.dice],
    }
    assert dice_game(["greedy", "random"], edition=large).is_over


@pytest.mark.parametrize(("game", "name"), [("set", "regular"), *[("cubed", name) for name in DICE_BOTS]])
def test_the_same_chance_gives_the_same_game(game: str, name: str) -> None:
    play = card_game if game == "set" else dice_game
    first = play([name, name]).log
    assert play([name, name]).log == first
    assert play([name, name], 2).log != first


@pytest.mark.parametrize("name", DICE_BOTS)
def test_a_bot_chooses_the_same_whatever_the_others_hide(name: str) -> None:
    for view, seat in states_for(name, "extra_roll")[:4]:
        other = 1 - seat
        hidden = [die.number for die in view.hands[other]]
        chosen = set()
        for dice in ((), tuple(hidden), tuple(hidden[:1])):
            choices = tuple(dice if owner == other else None for owner in range(2))
            state = replace(view, answered=frozenset({other}), choices=choices)
            seen = cubed.rules.view(state, seat)
            chosen.add(seated("cubed", [name, name])[seat].choose(seen, float("inf")))
        assert len(chosen) == 1


def test_what_bots_played_is_a_record_that_verifies() -> None:
    for game in (card_game(["quick", "casual"]), dice_game(["expert", "greedy"])):
        assert record.verify(record.read(record.write(record.of(game)))) is None


def test_nothing_to_do_is_said_as_none() -> None:
    game = cubed.Game(["Ann", "Bo"], seed="00" * 32)
    game.do(cubed.Begin(0))
    game.do(cubed.Call(0))
    assert seated("cubed", ["greedy", "greedy"])[1].choose(game.view(1)) is None


def test_a_table_at_which_nobody_acts_is_named() -> None:
    class Idle(Greedy):
        name = "idle"

        def choose(self, view: cubed.State, time_limit: float = 1) -> None:
            return None

    game = cubed.Game(["Ann", "Bo"], seed="00" * 32)
    with pytest.raises(RuntimeError, match="idle, idle: nobody does anything"):
        bots.play(game, [Idle(seat, Random(1)) for seat in range(2)])
