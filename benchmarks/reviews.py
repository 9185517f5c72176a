"""Games of Set reviewed, their records checked first, as `tercet review` does.

python -m benchmarks.reviews [--turns 5]   games of both kinds in turns, at the usual depth, in seconds of processor time
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import median
from time import process_time

from benchmarks.measure import Rate, Result, compare, timed
from tercet import bots, cards, record
from tercet.fairness import seed_from
from tercet.record import Record
from tercet.study.review import review
from tests.bots.tables import dice_game


def card_game(name: str = "benchmarks") -> Record:
    game = cards.Game(["Ann", "Bo"], seed=seed_from(name))
    bots.play(game, [bots.make("set", "regular", seat, Random(seat)) for seat in range(2)])
    return record.of(game)


def run(rounds: int) -> Result:
    played = card_game()

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


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reviews", description=__doc__)
    parser.add_argument("--turns", type=int, default=5)
    taken: dict[str, list[float]] = {"cards": [], "dice": []}
    for turn in range(1, parser.parse_args().turns + 1):
        played = {
            "cards": card_game(f"turn {turn}"),
            "dice": record.of(dice_game(["expert", "expert"], turn)),
        }
        for kind, one in played.items():
            begun = process_time()
            review(one)
            taken[kind].append(process_time() - begun)
            print(f"turn {turn}, {kind}: {taken[kind][-1]:.2f} s for {len(one.log)} lines", flush=True)
    for kind, seconds in taken.items():
        print(f"{kind}: median {median(seconds):.2f} s, longest {max(seconds):.2f} s")


if __name__ == "__main__":
    main()
