"""All legal turns of the dice game, and the best one, mid-game, with no wild in hand."""

from __future__ import annotations

import random

from benchmarks.dice_boards import mid_game
from benchmarks.measure import Aim, Result, compare, timed
from tercet.cubed.edition import Layout
from tercet.cubed.turns import Lying, legal_turns
from tercet.kernel import best_turn, list_turns
from tercet.sets import Face

POSITIONS = 200
TIMES = 10
FEW = 10


def run(rounds: int) -> Result:
    rng = random.Random(1)
    positions = [mid_game(rng, rng.randint(12, 30)) for _ in range(POSITIONS)]
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
        for position in positions[:FEW]
    ]
    return compare(
        "dice turns, no wild in hand",
        "position",
        {
            "list": timed(
                lambda: [list_turns(*position) for _ in range(TIMES) for position in positions],
                POSITIONS * TIMES,
            ),
            "best": timed(
                lambda: [best_turn(*position) for _ in range(TIMES) for position in positions],
                POSITIONS * TIMES,
            ),
            "plain list": timed(
                lambda: [list(legal_turns(layout, board, hand, "later")) for board, hand in readable], FEW
            ),
            "list of the same": timed(lambda: [list_turns(*position) for position in positions[:FEW]], FEW),
        },
        [Aim("plain list", "list of the same", 100, 300), Aim("list", "best", 3, 10)],
        rounds,
    )
