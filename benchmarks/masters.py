"""`master` against the `master` of before, which is kept in `benchmarks/frozen/master`, at equal time.

Games by pairs: the same dice, seats changed. Their number is fixed beforehand, so the usual interval holds. Time is what the
processor spent on each bot, which other work on the machine does not change; give `--games` and `--former` so that both
need about the same, and see it printed.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from math import sqrt
from multiprocessing import Pool
from typing import Any, NamedTuple

from benchmarks.frozen.master.master import Master as Former
from tercet import bots
from tercet.confidence import Mean
from tercet.cubed import CubedCommand, State
from tercet.cubed.bots import Master
from tercet.study.arena import Match, play_group

SPENT: dict[str, float] = {"master": 0.0, "former": 0.0}


def timed(bot: type[Master | Former]) -> type[Any]:
    class Timed(bot):  # type: ignore[misc,valid-type]
        def choose(self, view: State, time_limit: float = 2.0) -> CubedCommand | None:
            begin = time.process_time()
            try:
                chosen: CubedCommand | None = super().choose(view, time_limit)
                return chosen
            finally:
                SPENT[bot.name] += time.process_time() - begin

    return Timed


class Pair(NamedTuple):
    """Two games: the part that `master` won, its mean margin, and the seconds of either bot."""

    won: float
    margin: float
    master: float
    former: float


def play_pair(match: Match, number: int) -> Pair:
    before = dict(SPENT)
    group = play_group(match, number)
    spent = {name: SPENT[name] - before[name] for name in SPENT}
    return Pair(group.win_rate(0), group.margin(0), **spent)


def register() -> None:
    bots.register(timed(Master))
    bots.register(timed(Former))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.masters", description=__doc__)
    parser.add_argument("--pairs", type=int, default=150)
    parser.add_argument("--games", type=int, default=300, help="that master plays out for a choice")
    parser.add_argument("--former", type=int, default=300, help="that the former one plays out")
    parser.add_argument("--seed", default="masters")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    register()
    match = Match("cubed", (f"master:{given.games}", f"former:{given.former}"), seed=given.seed)
    won, margin, master, former = Mean(), Mean(), 0.0, 0.0
    with Pool(given.processes, register) as pool:
        pairs = pool.imap(partial(play_pair, match), range(1, given.pairs + 1))
        for number, pair in enumerate(pairs, 1):
            won.add(pair.won)
            margin.add(pair.margin)
            master, former = master + pair.master, former + pair.former
            if number % 10 == 0 or number == given.pairs:
                half = 1.96 * won.deviation / sqrt(number)
                print(
                    f"{number} pairs: master wins {won.mean:.1%} ({won.mean - half:.1%} to {won.mean + half:.1%}), "
                    f"margin {margin.mean:+.2f} +- {1.96 * margin.standard_error:.2f} points; "
                    f"seconds: master {master:.1f}, former {former:.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
