"""Score tables and the extra roll against listing turns and trying every throw."""

from __future__ import annotations

import random
from itertools import combinations, combinations_with_replacement, product
from math import isclose

import pytest

from tercet.kernel import ExtraRoll, hand_tables, list_turns, unpack
from tests.kernel.positions import DICE, random_position


def test_tables_hold_the_best_score_of_each_one_two_or_three_dice() -> None:
    rng = random.Random(1)
    for _ in range(400):
        position = random_position(rng)
        best: dict[tuple[int, ...], int] = {}
        for turn in list_turns(*position):
            score, placements = unpack(turn)
            laid = tuple(sorted(27 if wild else face for _, face, wild in placements))
            best[laid] = max(score, best.get(laid, -1))
        tables = hand_tables(*position[:5], position.never)
        v1, v2, v3 = tables.tables()
        for laid in {tuple(sorted(dice)) for size in (1, 2, 3) for dice in combinations(position.hand, size)}:
            f, g, h = (*laid, 0, 0)[:3]
            if len(laid) == 1:
                value = v1[f]
            elif len(laid) == 2:
                value = v2[g * (g + 1) // 2 + f]
            else:
                value = v3[h * (h + 1) * (h + 2) // 6 + g * (g + 1) // 2 + f]
            assert value == best.get(laid, -1), (position, laid)
        assert tables.best(position.hand) == max(best.values(), default=0)


def test_tables_are_of_every_multiset() -> None:
    position = random_position(random.Random(2))
    v1, v2, v3 = hand_tables(*position[:5], position.never).tables()
    for size, table in ((1, v1), (2, v2), (3, v3)):
        assert len(table) == len(list(combinations_with_replacement(range(28), size)))


@pytest.mark.parametrize("dice", [1, 2, 3, 4, 5])
def test_c14_extra_roll_is_the_mean_over_all_throws(dice: int) -> None:
    rng = random.Random(dice)
    position = random_position(rng, lying=(12, 30))
    tables = hand_tables(*position[:5], position.never)
    numbers = rng.sample(range(42), dice)
    sides = [DICE[n * 6 : n * 6 + 6] for n in numbers]
    shown = bytes(rng.randrange(6) for _ in numbers)
    best, expected = ExtraRoll(tables).expected(b"".join(sides), shown)
    assert len(expected) == 2**dice
    assert best == min(range(2**dice), key=lambda subset: (-expected[subset], subset.bit_count(), subset))
    for subset in range(2**dice) if dice < 5 else (0, 1, 6, 21, 30, 31):
        hands = product(
            *(side if subset >> i & 1 else side[shown[i]].to_bytes() for i, side in enumerate(sides))
        )
        scores = [tables.best(bytes(hand)) for hand in hands]
        assert isclose(sum(scores) / len(scores), expected[subset] / 7776)


def test_bad_input_is_refused() -> None:
    position = random_position(random.Random(3))
    tables = hand_tables(*position[:5], position.never)
    roll = ExtraRoll(tables)
    with pytest.raises(ValueError, match=r"hand|six for each"):
        tables.best(b"\x1c")
    for faces, shown in ((b"", b""), (DICE[:36], bytes(6)), (DICE[:5], bytes(1)), (DICE[:6], b"\x06")):
        with pytest.raises(ValueError, match=r"hand|six for each"):
            roll.expected(faces, shown)
