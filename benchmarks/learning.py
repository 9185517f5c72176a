"""The learning environments against PettingZoo's and OpenSpiel's own games, with random legal actions, in one run.

`python -m benchmarks.learning` takes turns between all of them; the best of each counts, in steps a second of processor time.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table as Printed

#: Seconds of one turn.
TURN = 0.6
#: What all others are compared with.
THEIRS = "PettingZoo connect four"


def walk_zoo(env: Any) -> Callable[[], int]:
    """A few hundred steps of an AEC environment; how many."""
    random = np.random.default_rng(1)
    env.reset(seed=1)

    def walk() -> int:
        for _ in range(200):
            if any(env.terminations.values()) or any(env.truncations.values()):
                env.reset()
            seen, _, _, _, _ = env.last()
            allowed = seen["action_mask"].nonzero()[0]
            env.step(int(allowed[random.integers(len(allowed))]))
        return 200

    return walk


def walk_spiel(name: str) -> Callable[[], int]:
    """A whole game of OpenSpiel; how many decisions and chances."""
    import pyspiel  # noqa: PLC0415

    game, random = pyspiel.load_game(name), Random(1)

    def walk() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal() and steps < 2000:
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[random.randrange(len(outcomes))][0])
            else:
                state.observation_tensor()
                state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps

    return walk


def walk_cards(count: int) -> Callable[[], int]:
    """Some steps of many tables of cards: random threes of twelve places, most of them no SET."""
    from tercet.rl.batch import CardTables  # noqa: PLC0415

    many, random = CardTables(count, seed=1), np.random.default_rng(1)

    def walk() -> int:
        for _ in range(20):
            many.step(random.integers(0, 221, count))
        return 20 * count

    return walk


def walk_sets(count: int) -> Callable[[], int]:
    """The same, with a SET at every step."""
    from tercet.rl.batch import CardTables  # noqa: PLC0415

    many = CardTables(count, seed=1)

    def walk() -> int:
        for _ in range(5):
            many.step(many.find())
        return 5 * count

    return walk


def walk_dice(count: int) -> Callable[[], int]:
    """Some steps of many tables of dice, with vectors and masks for all, and a random action that is allowed."""
    from tercet.rl.batch import DiceTables  # noqa: PLC0415

    many, random = DiceTables(count, seed=1), np.random.default_rng(1)

    def walk() -> int:
        for _ in range(5):
            many.observe()
            many.step(many.random(random))
        return 5 * count

    return walk


def contestants() -> dict[str, Callable[[], int]]:
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from open_spiel.python.games import kuhn_poker, tic_tac_toe  # noqa: F401, PLC0415

        import tercet.rl.spiel  # noqa: F401, PLC0415
        from tercet.rl import cubed_v0, set_v0  # noqa: PLC0415

        found = {
            "Tercet cards, PettingZoo AEC": walk_zoo(set_v0.env()),
            "Tercet dice, PettingZoo AEC": walk_zoo(cubed_v0.env()),
            "Tercet cards, 4096 tables": walk_cards(4096),
            "Tercet cards, 4096 tables, a SET each": walk_sets(4096),
            "Tercet dice, 1024 tables": walk_dice(1024),
            "Tercet cards, OpenSpiel": walk_spiel("python_tercet_set(max_cycles=40)"),
            "Tercet dice, OpenSpiel": walk_spiel("python_tercet_cubed"),
        }
        from pettingzoo.classic import connect_four_v3  # noqa: PLC0415

        found[THEIRS] = walk_zoo(connect_four_v3.env())
        for name in ("connect_four", "backgammon", "python_tic_tac_toe", "python_kuhn_poker"):
            found[f"OpenSpiel {name}"] = walk_spiel(name)
        return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learning", description=__doc__)
    parser.add_argument("--turns", type=int, default=5)
    given = parser.parse_args()
    walks = contestants()
    best = dict.fromkeys(walks, 0.0)
    for turn in range(1, given.turns + 1):
        for name, walk in walks.items():
            print(f"turn {turn} of {given.turns}: {name}", file=sys.stderr)
            steps, begin = 0, time.process_time()
            while time.process_time() - begin < TURN:
                steps += walk()
            best[name] = max(best[name], steps / (time.process_time() - begin))
    table = Printed("environment", "steps a second", f"ratio to {THEIRS}", "ratio to OpenSpiel backgammon")
    for name, rate in best.items():
        ratios = (f"{rate / best[other]:.2f}" for other in (THEIRS, "OpenSpiel backgammon"))
        table.add_row(name, f"{rate:,.0f}", *ratios)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
