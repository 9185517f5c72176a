"""Tables of bots for the tests."""

from __future__ import annotations

from random import Random
from typing import Any

from tercet import bots, cards, cubed, scramble
from tercet.fairness import seed_from

CARD_BOTS = ("beginner", "casual", "regular", "quick", "champion")
#: Masters that play out few games: quick, and the same everywhere.
DICE_BOTS = ("random", "greedy", "steady", "expert", "master:40")
SEATS = ("Ann", "Bo", "Cy", "Di")


def card_game(players: list[str], number: int = 1, **options: Any) -> cards.Game:
    """A game of these bots, played to its end."""
    game = cards.Game(
        SEATS[: len(players)], seed=seed_from(f"cards {number}"), options=cards.rules.read_options(options)
    )
    bots.play(game, seated("set", players, number))
    return game


def dice_game(players: list[str], number: int = 1, **options: Any) -> cubed.Game:
    game = cubed.Game(
        SEATS[: len(players)], seed=seed_from(f"dice {number}"), options=cubed.rules.read_options(options)
    )
    bots.play(game, seated("cubed", players, number), float("inf"))
    return game


def scramble_game(players: list[str], number: int = 1, **options: Any) -> scramble.Game:
    game = scramble.Game(SEATS[: len(players)], seed=seed_from(f"scramble {number}"), options=options)
    bots.play(game, seated("scramble", players, number))
    return game


def seated(game: str, players: list[str], number: int = 1) -> list[bots.Bot[Any, Any]]:
    return [bots.make(game, name, seat, Random(f"{number} {seat}")) for seat, name in enumerate(players)]


def states_for(name: str, phase: str, number: int = 1) -> list[tuple[cubed.State, int]]:
    """The views on which a bot had to choose in a game against itself, each with its seat."""
    found: list[tuple[cubed.State, int]] = []
    game = cubed.Game(SEATS[:2], seed=seed_from(f"states {number}"))
    players = seated("cubed", [name, name], number)
    for bot in players:
        bot.choose = _spied(bot, phase, found)  # type: ignore[method-assign]
    bots.play(game, players, float("inf"))
    return found


def _spied(bot: bots.Bot[Any, Any], phase: str, found: list[tuple[cubed.State, int]]) -> Any:
    choose = bot.choose

    def spy(view: cubed.State, time_limit: float) -> Any:
        command = choose(view, time_limit)
        if view.phase == phase and command is not None:
            found.append((view, bot.seat))
        return command

    return spy
