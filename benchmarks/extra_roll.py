"""The exact extra-roll decision for five dice, given the tables of the board."""

from __future__ import annotations

import random
from array import array

from benchmarks.dice_boards import mid_game
from benchmarks.measure import Aim, Result, compare, in_c, timed
from tercet.kernel import ExtraRoll, hand_tables
from tests.kernel.plain import load_plain_kernel
from tests.kernel.positions import DICE

TIMES = 1_000


def run(rounds: int) -> Result:
    rng = random.Random(1)
    position = mid_game(rng, 20, wilds=True)
    tables = hand_tables(*position[:5], position.never)
    faces = b"".join(DICE[die * 6 : die * 6 + 6] for die in rng.sample(range(42), 5))
    shown = bytes(rng.randrange(6) for _ in range(5))
    roll = ExtraRoll(tables)
    plain = load_plain_kernel()
    plain_roll = plain["extra_roll"].ExtraRoll(plain["hands"].hand_tables(*position[:5], position.never))

    def answer(rolls: list[tuple[int, array[int]]]) -> int:
        return sum(rolls[0][1])

    return compare(
        "extra roll of five dice",
        "decision",
        {
            "kernel": timed(lambda: [roll.expected(faces, shown) for _ in range(TIMES)], TIMES, answer),
            **in_c("extra_roll.c", TIMES, tables.best_of_three().tobytes() + faces + shown, TIMES),
            "plain": timed(lambda: [plain_roll.expected(faces, shown)], 1, answer),
        },
        [Aim("kernel", "C", 3.0, 1.2, at_most=True), Aim("plain", "kernel", 100, 100)],
        rounds,
    )
