"""Count the SETs among 12 cards, table after table."""

from __future__ import annotations

import random

from benchmarks.measure import Aim, Result, compare, in_c, timed
from tercet import Card, find_sets
from tercet.kernel import count_sets_on_each

TABLES = 200_000
FEW = 2_000


def run(rounds: int) -> Result:
    rng = random.Random(1)
    tables = b"".join(bytes(rng.sample(range(81), 12)) for _ in range(TABLES))
    cards = [[Card(code) for code in tables[at : at + 12]] for at in range(0, 12 * FEW, 12)]
    return compare(
        "count SETs in 12 cards",
        "table",
        {
            "kernel": timed(lambda: count_sets_on_each(tables, 12), TABLES, sum),
            **in_c("count_sets.c", TABLES, tables),
            "plain": timed(lambda: [len(find_sets(table)) for table in cards], FEW),
        },
        [Aim("kernel", "C", 1.3, 1.0, at_most=True), Aim("plain", "kernel", 100, 100)],
        4 * rounds,
    )
