"""Games of Set reviewed, their records checked first, as `tercet review` does."""

from __future__ import annotations

from random import Random

from benchmarks.measure import Rate, Result, compare, timed
from tercet import bots, cards, record
from tercet.fairness import seed_from
from tercet.study.review import review


def run(rounds: int) -> Result:
    game = cards.Game(["Ann", "Bo"], seed=seed_from("benchmarks"))
    bots.play(game, [bots.make("set", "regular", seat, Random(seat)) for seat in range(2)])
    played = record.of(game)

    def play() -> None:
        for _ in range(3):
            review(played)

    return compare(
        "review of a card game for two",
        "game",
        {"review": timed(play, 3)},
        [],
        rounds,
        (Rate("review", 5, 20),),
    )
