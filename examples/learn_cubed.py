"""Learn to play the dice game in minutes, by the cross-entropy method, until it beats `random` and `greedy`.

    python examples/learn_cubed.py --plot curve.svg

A turn is judged by six numbers (its points, what the others could answer, what is left in hand, …), and what is learned is how much each of them counts.
It begins knowing nothing: any turn is as good as another. Needs ``pip install 'tercet[rl,study]'``.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from tercet.cubed.learning import TURNS, CubedEncoding
from tercet.cubed.sight import Sight, left_in_hand
from tercet.rl.single import SeatEnv

Weights = Any  # an array of six numbers

FEATURES = ("points", "answer of the others", "next turn", "dice laid", "wilds laid", "bonus")
#: So many of the turns with most points are looked at.
LOOKED_AT = 10


def judge(env: SeatEnv) -> np.ndarray[Any, Any]:
    """The six numbers of each of the first turns."""
    view = env.game.view(env.seat)
    assert isinstance(env.encoding, CubedEncoding)
    sight, turns = Sight.of(view), env.encoding.turns(view, env.seat)
    hand = [int(die.face) for die in view.hands[env.seat]]
    others = [[int(die.face) for die in dice] for seat, dice in enumerate(view.hands) if seat != env.seat]
    bonus = view.options.edition.layout.bonus_by_cell
    rows = []
    for turn in turns[:LOOKED_AT]:
        after: Sight = sight.after(turn.puts)
        rows.append(
            (
                turn.score,
                max(after.best_score(other) for other in others),
                after.best_score(left_in_hand(hand, turn.puts)),
                len(turn.puts),
                sum(wild for _, _, wild in turn.puts),
                sum(bonus[cell] for cell, _, _ in turn.puts),
            )
        )
    return np.array(rows, dtype=float)


def choose(env: SeatEnv, mask: Any, weights: Weights) -> int:
    """The turn that these weights like best; dice are thrown again where the kernel expects the most from it."""
    view = env.game.view(env.seat)
    if view.phase == "extra_roll":
        if not weights.any():
            return 0
        dice = view.hands[env.seat]
        known = view.options.edition.dice
        sides = b"".join(bytes(known[die.number - 1]) for die in dice)
        shown = bytes(known[die.number - 1].index(die.face) for die in dice)
        bits, _ = Sight.of(view).solve_extra_roll(sides, shown) if len(dice) == 5 else (0, ())
        return TURNS + bits if bits else 0
    if not mask[1]:
        return 0
    if not weights.any():
        return int(env.np_random.choice(np.flatnonzero(mask[1:]))) + 1
    return 1 + int(np.argmax(judge(env) @ weights))


def play(weights: Weights, opponent: str, games: range) -> list[float]:
    """Both seats with the same luck; what each pair of games was worth, in points."""
    worth = []
    for number in games:
        total = 0.0
        for seat in range(2):
            env = SeatEnv("cubed", [opponent], seat=seat)
            seen, _ = env.reset(seed=number)
            over = False
            while not over:
                seen, reward, done, late, _ = env.step(choose(env, seen["action_mask"], weights))
                total += reward
                over = done or late
        worth.append(total / 2)
    return worth


def wins(weights: Weights, opponent: str, games: range) -> tuple[float, float]:
    """The part of the games that is won, and the mean margin."""
    won, margins = 0.0, []
    for number in games:
        for seat in range(2):
            env = SeatEnv("cubed", [opponent], seat=seat)
            seen, _ = env.reset(seed=number)
            over = False
            while not over:
                seen, _, done, late, _ = env.step(choose(env, seen["action_mask"], weights))
                over = done or late
            own, other = env.game.scores[seat], env.game.scores[1 - seat]
            won += (own > other) + 0.5 * (own == other)
            margins.append(own - other)
    return won / len(margins), float(np.mean(margins))


def fitness(given: tuple[Weights, range]) -> float:
    return float(np.mean(play(given[0], "greedy", given[1])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--population", type=int, default=16)
    parser.add_argument("--pairs", type=int, default=8, help="pairs of games for each of the population")
    parser.add_argument(
        "--test-pairs", type=int, default=60, help="pairs of games for each point of the curve"
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    random = np.random.default_rng(1)
    mean, spread = np.zeros(len(FEATURES)), np.ones(len(FEATURES))
    curve: list[dict[str, float]] = []
    begin = time.monotonic()
    with ProcessPoolExecutor(given.workers) as pool:
        for number in range(given.rounds + 1):
            test = range(10**6, 10**6 + given.test_pairs)
            asked = [pool.submit(wins, mean, opponent, test) for opponent in ("random", "greedy")]
            (random_rate, random_margin), (greedy_rate, greedy_margin) = (each.result() for each in asked)
            curve.append(
                {
                    "round": number,
                    "seconds": round(time.monotonic() - begin),
                    "wins against random": random_rate,
                    "margin against random": random_margin,
                    "wins against greedy": greedy_rate,
                    "margin against greedy": greedy_margin,
                }
            )
            print(curve[-1], np.round(mean, 2), flush=True)
            if number == given.rounds:
                break
            games = range(number * given.pairs, (number + 1) * given.pairs)
            tried = [mean + spread * random.normal(size=len(mean)) for _ in range(given.population)]
            found = list(pool.map(fitness, [(weights, games) for weights in tried]))
            best = [tried[place] for place in np.argsort(found)[-given.population // 4 :]]
            mean, spread = np.mean(best, axis=0), np.std(best, axis=0) + 0.05
    if given.csv:
        with given.csv.open("w", newline="") as file:
            writer = csv.DictWriter(file, curve[0])
            writer.writeheader()
            writer.writerows(curve)
    if given.plot:
        draw(given.plot, curve)
    if curve[-1]["wins against greedy"] <= 0.5 or curve[-1]["wins against random"] <= 0.5:
        sys.exit("It has not learned enough: more rounds, or a larger population.")


def draw(path: Path, curve: list[dict[str, float]]) -> None:
    import matplotlib as mpl  # noqa: PLC0415

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
    for opponent, colour in (("random", "#0d9a76"), ("greedy", "#47217f")):
        axes.plot(
            [point["round"] for point in curve],
            [100 * point[f"wins against {opponent}"] for point in curve],
            marker="o",
            color=colour,
            label=f"against {opponent}",
        )
    axes.axhline(50, color="#888", linewidth=0.8)
    axes.set(xlabel="round of learning", ylabel="games won, %", ylim=(0, 105))
    axes.set_xticks([point["round"] for point in curve])
    axes.legend(frameon=False, loc="center", bbox_to_anchor=(0.5, 0.8))
    figure.savefig(path)


if __name__ == "__main__":
    main()
