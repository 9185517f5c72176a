"""The compiled kernel and the same files as plain Python give identical results.

`TERCET_INPUTS=100000 pytest tests/kernel/test_same_results.py` is the full check (some hours of plain Python).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType

import pytest

import tercet.kernel
from tests.kernel.positions import DICE, end_game, house, random_position

Kernel = dict[str, ModuleType]
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


def test_tables(kernel: Kernel, plain: Kernel, inputs: Inputs) -> None:
    rng = random.Random(1)
    for size in (3, 9, 12, 15, 21):
        tables = b"".join(bytes(rng.sample(range(81), size)) for _ in range(inputs(100_000) // 5))
        ours = kernel["tables"].count_sets_on_each(tables, size)
        assert ours == plain["tables"].count_sets_on_each(tables, size)
    for _ in range(500):
        table = bytes(rng.sample(range(81), rng.randint(0, 21)))
        assert kernel["tables"].find_set_places(table) == plain["tables"].find_set_places(table)


@pytest.mark.parametrize("first_choice", [False, True])
def test_card_games(kernel: Kernel, plain: Kernel, inputs: Inputs, first_choice: bool) -> None:
    games = inputs(600)
    ours = kernel["card_games"].play_card_games(7, 3, games, first_choice)
    assert ours == plain["card_games"].play_card_games(7, 3, games, first_choice)


def test_random_tables(kernel: Kernel, plain: Kernel, inputs: Inputs) -> None:
    ours = kernel["card_games"].sample_tables(2**63 + 5, 0, inputs(3000), 12)
    assert ours == plain["card_games"].sample_tables(2**63 + 5, 0, inputs(3000), 12)


def test_turns(kernel: Kernel, plain: Kernel, inputs: Inputs) -> None:
    rng = random.Random(2)
    for _ in range(inputs(300)):
        position = random_position(rng, wilds=(0, 1))
        assert kernel["turns"].list_turns(*position) == plain["turns"].list_turns(*position), position
        assert kernel["turns"].best_turn(*position) == plain["turns"].best_turn(*position), position
        assert kernel["turns"].any_turn(*position) == plain["turns"].any_turn(*position), position


def test_hands_and_extra_roll(kernel: Kernel, plain: Kernel, inputs: Inputs) -> None:
    rng = random.Random(3)
    for _ in range(inputs(25)):
        rows, cols, board, stars, bonus, hand, never = random_position(rng)
        ours = kernel["hands"].hand_tables(rows, cols, board, stars, bonus, never)
        theirs = plain["hands"].hand_tables(rows, cols, board, stars, bonus, never)
        assert ours.tables() == theirs.tables()
        dice = rng.sample(range(42), rng.randint(1, 5))
        faces = b"".join(DICE[die * 6 : die * 6 + 6] for die in dice)
        shown = bytes(rng.randrange(6) for _ in dice)
        roll, plain_roll = kernel["extra_roll"].ExtraRoll(ours), plain["extra_roll"].ExtraRoll(theirs)
        assert roll.expected(faces, shown) == plain_roll.expected(faces, shown)
        weights = [1 / 28] * 28
        assert roll.expected_blind(hand[:3], 2, weights) == plain_roll.expected_blind(hand[:3], 2, weights)


@pytest.mark.parametrize("players", [b"gg", b"rr", b"grg", b"gggr"])
@pytest.mark.parametrize("never", [False, True])
def test_dice_games(kernel: Kernel, plain: Kernel, inputs: Inputs, players: bytes, never: bool) -> None:
    games = inputs(2)
    ours = kernel["dice_games"].DiceGames(**house(never, players))
    theirs = plain["dice_games"].DiceGames(**house(never, players))
    assert ours.games(5, 0, games) == theirs.games(5, 0, games)
    assert ours.counted() == theirs.counted()


def test_rollouts(kernel: Kernel, plain: Kernel, inputs: Inputs) -> None:
    rng = random.Random(4)
    for _ in range(inputs(3)):
        position = end_game(rng, 2)
        both = [part["dice_games"].DiceGames(**house()) for part in (kernel, plain)]
        for games in both:
            games.set_position(**position)
        assert both[0].rollouts(1, 0, 2) == both[1].rollouts(1, 0, 2)
        assert both[0].counted() == both[1].counted()
