"""The groups of the card variants on 12 cards, beside the SETs: count them, and find them all."""

from __future__ import annotations

import random

from benchmarks.measure import Aim, Result, compare, timed
from tercet import kernel

TABLES = 100_000
FEW = 5_000
#: How much longer than a search for SETs the issue lets these take, and what to aim at.
MUST, AIM = 20, 10


def _tables() -> list[bytes]:
    rng = random.Random(1)
    return [bytes(rng.sample(range(81), 12)) for _ in range(TABLES)]


def run_count(rounds: int) -> Result:
    tables = b"".join(_tables())
    return compare(
        "count groups in 12 cards",
        "table",
        {
            "SETs": timed(lambda: kernel.count_sets_on_each(tables, 12), TABLES),
            "Ultras": timed(lambda: kernel.count_ultras_on_each(tables, 12), TABLES),
            "Ghosts": timed(lambda: kernel.count_ghosts_on_each(tables, 12), TABLES),
        },
        [Aim(who, "SETs", MUST, AIM, at_most=True) for who in ("Ultras", "Ghosts")],
        2 * rounds,
    )


def run_find(rounds: int) -> Result:
    tables = _tables()[:FEW]
    last = bytes((0, 40, 80))
    others = [bytes(card for card in table if card not in last) for table in tables]
    return compare(
        "find all groups in 12 cards",
        "table",
        {
            "SETs": timed(lambda: [kernel.find_set_places(table) for table in tables], FEW),
            "Chains": timed(lambda: [kernel.list_chains(table, last) for table in others], FEW),
            "Ultras": timed(lambda: [kernel.list_ultras(table) for table in tables], FEW),
            "Ghosts": timed(lambda: [kernel.list_ghosts(table) for table in tables], FEW),
        },
        [Aim(who, "SETs", MUST, AIM, at_most=True) for who in ("Chains", "Ultras", "Ghosts")],
        2 * rounds,
    )
