"""What is known about the card game: counted exactly, or by simulations much larger than ours.

The number of SET-free tables agrees with every published count that we found. The simulated ones name their size, so
that they can be compared within their standard error.
"""

from __future__ import annotations

from math import comb

#: In how many ways n of the 81 cards hold no SET, by n.
SET_FREE_81 = (
    1,
    81,
    3240,
    84240,
    1579500,
    22441536,
    247615056,
    2144076480,
    14587567020,
    77541824880,
    318294370368,
    991227481920,
    2284535476080,
    3764369026080,
    4217827554720,
    2970003246912,
    1141342138404,
    176310866160,
    6482268000,
    13646880,
    682344,
    0,
)
#: The same for the 27 cards of the simplified game.
SET_FREE_27 = (1, 27, 351, 2808, 14742, 50544, 107406, 126360, 63180, 2106, 0)


def no_set(size: int, cards: int = 81) -> float:
    """The exact chance that so many random cards hold no SET.

    >>> round(1 / no_set(12)), round(1 / no_set(15))
    (31, 2742)
    """
    free = {81: SET_FREE_81, 27: SET_FREE_27}[cards]
    return free[size] / comb(cards, size) if size < len(free) else 0.0


def mean_sets(size: int, cards: int = 81) -> float:
    """The exact mean number of SETs among so many random cards.

    >>> round(mean_sets(12), 3)
    2.785
    """
    return comb(size, 3) / (cards - 2)


#: How many of that many simulated tables of 12 and of 15 random cards hold 0, 1, 2, ... SETs.
TABLES_SIMULATED = 100_000_000
SETS_IN_12 = (
    0.03226821,
    0.1451965,
    0.26095315,
    0.27265019,
    0.18018981,
    0.07991028,
    0.0233219,
    0.00467234,
    0.00068716,
    0.00011754,
    2.929e-05,
    2.15e-06,
    1.14e-06,
    3e-07,
    4e-08,
)
SETS_IN_15 = (
    0.00036451,
    0.00512326,
    0.02615342,
    0.07561636,
    0.14572683,
    0.2016231,
    0.20870105,
    0.16492609,
    0.10069,
    0.0474877,
    0.01717754,
    0.00484902,
    0.00119725,
    0.00027276,
    6.692e-05,
    1.636e-05,
    5.79e-06,
    1.52e-06,
    3.9e-07,
    1.1e-07,
    2e-08,
)


class Known:
    """Simulated games with one policy of choosing a SET: how many, and what came out."""

    def __init__(
        self, games: int, left: dict[int, float], never_15: float, taken: float, odds: dict[str, float]
    ) -> None:
        self.games, self.left, self.never_15, self.taken, self.odds = games, left, never_15, taken, odds


#: By the policy. ``odds`` are SET to no SET on the tables of a game: of 12 cards while there is a deck, of 15 always.
GAMES = {
    "random": Known(
        10_000_000,
        {0: 0.0122627, 6: 0.4681266, 9: 0.4451898, 12: 0.0736646, 15: 0.0007557, 18: 6e-07},
        0.314237,
        24.429737,
        {"12": 14.086, "15": 87.954},
    ),
    "first": Known(
        3_000_000,
        {0: 0.0148843, 6: 0.485232, 9: 0.4297857, 12: 0.0693753, 15: 0.000722, 18: 7e-07},
        0.330171,
        24.459064,
        {"12": 14.973, "15": 89.257},
    ),
}
