"""How much `master` loses at the end of a game, against a search of all that can come.

python -m tests.bots.endgames [--positions 200] [--dice 3] [--least 0] [--places 20000000]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from random import Random
from statistics import mean

from tercet import bots, cubed
from tercet.cubed import CubedCommand, State
from tercet.cubed.bots.endgame import Endgame, TooLong, points
from tercet.fairness import seed_from
from tests.bots.tables import SEATS, seated


def endgames(dice: int, least: int = 0) -> Iterator[State]:
    """Turns of games between experts: bag empty, so many dice in both hands together, one of each game."""
    for number in count(1):
        game = cubed.Game(SEATS[:2], seed=seed_from(f"endgame {number}"))
        bots.play(game, seated("cubed", ["expert", "expert"], number), float("inf"))
        state = cubed.rules.start(game.options, 2)
        here = []
        for entry in game.log:
            asked = cubed.rules.cause(entry.event) is not None  # else the rules went on by themselves
            few = not state.bag and least <= sum(map(len, state.hands)) <= dice
            if asked and few and state.phase == "turn" and state.turn is not None and state.hands[state.turn]:
                here.append(state)
            state = cubed.rules.evolve(state, entry.event, 0)
        if here:
            yield Random(number).choice(here)


def points_lost(state: State, command: CubedCommand, limit: int = 10**9) -> float:
    """How many points of margin this choice gives away; `TooLong` if that takes too many places to find out."""
    values = dict(Endgame(state, points, limit).choices())
    best = min(values.values()) if state.turn else max(values.values())
    return abs(best - values[command])  # type: ignore[index]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bots.endgames", description=__doc__)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--dice", type=int, default=3, help="at most so many in both hands together")
    parser.add_argument("--least", type=int, default=0, help="at least so many")
    parser.add_argument(
        "--places", type=int, default=20_000_000, help="to look at before a position is left out"
    )
    given = parser.parse_args()
    lost: defaultdict[str, list[float]] = defaultdict(list)
    left_out = 0
    for state in endgames(given.dice, given.least):
        assert state.turn is not None
        command = bots.make("cubed", "master", state.turn, Random(1)).choose(state)
        assert command is not None
        try:
            lost_here = points_lost(state, command, given.places)
        except TooLong:
            left_out += 1
            continue
        lost[" and ".join(sorted(str(len(hand)) for hand in state.hands))].append(lost_here)
        if sum(map(len, lost.values())) == given.positions:
            break
    for hands, points_of in sorted(lost.items()):
        print(f"{hands} dice: {len(points_of)} positions, {mean(points_of):.3f} points lost on average")
    every = [points for points_of in lost.values() for points in points_of]
    print(f"all: {len(every)} positions, {mean(every):.3f} points lost on average, {left_out} left out")


if __name__ == "__main__":
    main()
