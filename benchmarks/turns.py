"""All legal turns of the dice game, and the best one, mid-game."""

from __future__ import annotations

import random

from benchmarks.dice_boards import mid_game
from benchmarks.measure import Aim, Result, compare, timed
from tercet.cubed.turns import Lying, legal_turns
from tercet.editions.edition import Layout
from tercet.kernel import best_turn, list_turns
from tercet.sets import Face

POSITIONS = 200
FEW = 20


def run_list(rounds: int) -> Result:
    """With no wild in hand, against the readable version."""
    rng = random.Random(1)
    positions = [mid_game(rng, rng.randint(12, 30), wilds=False) for _ in range(FEW)]
    layout = Layout(9, 9, (), {})
    readable = [
        (
            {
                cell: Lying(Face(face), bool(star))
                for cell, (face, star) in enumerate(zip(position.board, position.stars, strict=True))
                if face != 255
            },
            [Face(face) for face in position.hand],
        )
        for position in positions
    ]
    return compare(
        "all dice turns, no wild in hand",
        "position",
        {
            "kernel": timed(
                lambda: [list_turns(*position) for _ in range(50) for position in positions], FEW * 50
            ),
            "plain": timed(
                lambda: [list(legal_turns(layout, board, hand, "later")) for board, hand in readable], FEW
            ),
        },
        [Aim("plain", "kernel", 100, 300)],
        rounds,
    )


def run_best(rounds: int) -> Result:
    """With hands as they come: one in six has a wild."""
    rng = random.Random(2)
    positions = [mid_game(rng, rng.randint(12, 30), wilds=True) for _ in range(POSITIONS)]

    def best_by_listing() -> list[int]:
        return [
            max(list_turns(*position), key=lambda turn: turn >> 48, default=0) >> 48 for position in positions
        ]

    return compare(
        "best dice turn",
        "position",
        {
            "best": timed(
                lambda: [best_turn(*position) >> 48 for position in positions],
                POSITIONS,
                lambda scores: scores,
            ),
            "list": timed(lambda: [list_turns(*position) for position in positions], POSITIONS),
            "highest listed": timed(best_by_listing, POSITIONS, lambda scores: scores),
        },
        [Aim("list", "best", 3, 10)],
        4 * rounds,
    )
