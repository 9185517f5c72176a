"""Whole dice games between two greedy players."""

from __future__ import annotations

from benchmarks.measure import Aim, Rate, Result, compare, timed
from tercet.kernel import DiceGames
from tests.kernel.plain import load_plain_kernel
from tests.kernel.positions import house

GAMES = 200


def run(rounds: int) -> Result:
    games = DiceGames(**house())
    plain = load_plain_kernel()["dice_games"].DiceGames(**house())
    return compare(
        "greedy dice games",
        "game",
        {
            "kernel": timed(lambda: games.games(1, 0, GAMES), GAMES),
            "plain": timed(lambda: plain.games(1, 0, 1), 1),
        },
        [Aim("plain", "kernel", 200, 200)],
        rounds,
        (Rate("kernel", 1_000, 5_000),),
    )
