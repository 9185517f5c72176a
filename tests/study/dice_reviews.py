"""Whether reviews of the dice game tell the truth, on games between bots.

python -m tests.study.dice_reviews luck|ladder|errors [--number 200] [--games 200] [--first 1]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import fmean, pvariance, stdev

from tercet import cubed, record
from tercet.cubed import State
from tercet.cubed.review import Review
from tercet.cubed.review.values import Values
from tercet.study.review import review
from tests.bots.tables import dice_game

LADDER = ("greedy", "steady", "expert", "master:200")


def reviewed(players: Sequence[str], number: int, games: int) -> Review:
    seen = review(record.of(dice_game(list(players), number)), games)
    assert isinstance(seen, Review)
    return seen


def luck(numbers: range, games: int) -> Iterator[tuple[float, float]]:
    """For seat 0 of games between experts: the result, and all luck in its favour."""
    for number in numbers:
        seen = reviewed(("expert", "expert"), number, games)
        top = max(seen.result)
        result = (seen.result[0] == top) / seen.result.count(top)
        yield result, result - seen.seats[0].adjusted / 100


def error_rates(bot: str, numbers: range, games: int) -> list[float]:
    """The mean loss of a decision, in percentage points, of both seats of each game of a bot against itself."""
    rates = []
    for number in numbers:
        seen = reviewed((bot, bot), number, games)
        rates.append(fmean(seat.error_rate for seat in seen.seats if seat.error_rate is not None))
    return rates


def positions(number: int) -> Iterator[State]:
    """Some turns of games between experts, while there are dice in the bag."""
    game = 1
    while True:
        played = dice_game(["expert", "expert"], game)
        state = cubed.rules.start(played.options, 2)
        for entry in played.log:
            if state.phase == "turn" and state.bag and (entry.seq + game) % 5 == 0:
                yield state
                number -= 1
                if number == 0:
                    return
            state = cubed.rules.evolve(state, entry.event, 0)
        game += 1


def differences(number: int, games: int) -> list[float]:
    """How far two independent values of the same positions are apart, in standard errors of the difference."""
    found = []
    for state in positions(number):
        one, two = (Values(state, games, seed).of_turn(state, to_the_end=False) for seed in (1, 2))
        found.append((one.chances[0] - two.chances[0]) / sqrt(one.errors[0] ** 2 + two.errors[0] ** 2))
    return found


def interval(values: Sequence[float]) -> tuple[float, float]:
    """95 % for the mean."""
    half = 1.96 * stdev(values) / sqrt(len(values))
    return fmean(values) - half, fmean(values) + half


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.study.dice_reviews", description=__doc__)
    parser.add_argument("what", choices=("luck", "ladder", "errors"))
    parser.add_argument("--number", type=int, default=200, help="of games, or of positions")
    parser.add_argument("--games", type=int, default=200, help="played out for a decision")
    parser.add_argument("--first", type=int, default=1, help="the number of the first game")
    given = parser.parse_args()
    numbers = range(given.first, given.first + given.number)
    if given.what == "luck":
        results, lucks = [], []
        for result, lucky in luck(numbers, given.games):
            results.append(result)
            lucks.append(lucky)
            if len(lucks) % 50 == 0 or len(lucks) == given.number:
                low, high = interval(lucks)
                left = pvariance([a - b for a, b in zip(results, lucks, strict=True)]) / pvariance(results)
                print(
                    f"{len(lucks)} games: mean luck {fmean(lucks):+.3f} ({low:+.3f} to {high:+.3f}); "
                    f"variance left without it: {left:.0%}",
                    flush=True,
                )
    elif given.what == "ladder":
        for bot in LADDER:
            low, high = interval(rates := error_rates(bot, numbers, given.games))
            print(f"{bot}: {fmean(rates):.2f} % lost a decision ({low:.2f} to {high:.2f})", flush=True)
    else:
        found = differences(given.number, given.games)
        print(f"mean {fmean(found):+.2f}, deviation {stdev(found):.2f} (1 if the errors are honest)")


if __name__ == "__main__":
    main()
