"""Full search of endgames: the kernel's, and the one in Python that it took the place of."""

from __future__ import annotations

from itertools import islice

from benchmarks.frozen.master import endgame as before
from benchmarks.measure import Aim, Result, compare, timed
from tercet.bots.bot import Deadline
from tercet.cubed.bots.endgame import Endgame, points
from tests.bots.endgames import endgames

#: With one die in each hand; with three in all the search in Python takes up to half a minute.
POSITIONS = 6


def run(rounds: int) -> Result:
    states = list(islice((state for state in endgames(2) if all(state.hands)), POSITIONS))

    def search_before() -> list[float]:
        found = []
        for state in states:
            search = before.Endgame(state, Deadline(600), limit=10**9)
            found.append(search.value(search.start) + state.scores[0] - state.scores[1])
        return found

    def rounded(values: list[float]) -> list[float]:
        return [round(value, 9) for value in values]

    return compare(
        "endgames of two dice",
        "search",
        {
            "kernel": timed(
                lambda: [Endgame(state, points).value() for state in states], len(states), rounded
            ),
            "python": timed(search_before, len(states), rounded),
        },
        [Aim("python", "kernel", 100, 1000)],
        min(rounds, 2),
    )
