"""The card game command by command in Python, as the server plays it: no kernel here."""

from __future__ import annotations

from benchmarks.measure import Rate, Result, compare, timed
from tercet.cards import CardCommand, Deal, Game, Options, SeeNone, Show
from tercet.fairness import seed_from
from tercet.sets import find_sets

SEED = seed_from("benchmarks")
OPTIONS = Options(claim="instant", rounds=1)


def script() -> list[CardCommand]:
    """The commands of a whole game in which two players take turns to see the first SET."""
    game = Game(["Ann", "Bo"], seed=SEED, options=OPTIONS)
    commands: list[CardCommand] = []

    def do(command: CardCommand) -> None:
        commands.append(command)
        game.do(command)

    do(Deal(0))
    while not game.is_over:
        sets = find_sets(game.state.table)
        if sets:
            do(Show(len(commands) % 2, sets[0]))
        else:
            do(SeeNone(0))
            do(SeeNone(1))
    return commands


def run(rounds: int) -> Result:
    commands = script()

    def play() -> None:
        for _ in range(20):
            game = Game(["Ann", "Bo"], seed=SEED, options=OPTIONS)
            for command in commands:
                game.do(command)

    return compare(
        "card game steps in Python",
        "step",
        {"game": timed(play, 20 * len(commands))},
        [],
        4 * rounds,
        (Rate("game", 50_000, 100_000),),
    )
