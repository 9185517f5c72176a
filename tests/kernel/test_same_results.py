"""The compiled kernel and the same files as plain Python give identical results.

`python -m tests.kernel.equality --inputs 100000` is the full check, half an hour of plain Python.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

import tercet.kernel
from tests.kernel.equality import CHECKS, Kernel

Inputs = Callable[[int], int]


def test_ci_has_the_compiled_kernel(kernel: Kernel) -> None:
    if os.environ.get("CI") == "true":
        assert tercet.kernel.COMPILED
    if tercet.kernel.COMPILED:
        assert not [name for name, part in kernel.items() if str(part.__file__).endswith(".py")]


def test_runs_without_cython() -> None:
    program = (
        "import sys; sys.modules['cython'] = None; sys.modules['Cython'] = None\n"
        "from tercet.kernel import count_sets, play_card_games, best_turn\n"
        "print(count_sets(bytes(range(12))), sum(play_card_games(1, 0, 3)[:24]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "13 3\n"


@pytest.mark.parametrize("name", CHECKS)
def test_compiled_and_plain_give_identical_results(
    kernel: Kernel, plain: Kernel, inputs: Inputs, name: str
) -> None:
    few = {"DiceGames.games": 60, "ExtraRoll.expected": 500, "DiceGames.rollouts": 300, "Endgame": 4}
    count = inputs(few.get(name, 1500))
    assert CHECKS[name][1](kernel, plain, count) >= count
