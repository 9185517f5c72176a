"""Whole card games, a random SET taken each time."""

from __future__ import annotations

from array import array

from benchmarks.measure import Aim, Result, compare, in_c, timed
from tercet.kernel import play_card_games
from tercet.kernel.card_games import TAKEN
from tests.kernel.plain import load_plain_kernel

GAMES = 20_000
FEW = 50


def sets_taken(counts: array[int]) -> int:
    return sum(n * counts[TAKEN + n] for n in range(28))


def run(rounds: int) -> Result:
    plain = load_plain_kernel()["card_games"]
    return compare(
        "whole card games",
        "game",
        {
            "kernel": timed(lambda: play_card_games(1, 0, GAMES), GAMES, sets_taken),
            **in_c("card_games.c", GAMES, b"", GAMES),
            "plain": timed(lambda: plain.play_card_games(1, 0, FEW), FEW),
        },
        [Aim("kernel", "C", 1.5, 1.0, at_most=True), Aim("plain", "kernel", 100, 100)],
        rounds,
    )
