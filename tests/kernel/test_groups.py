"""RULES V2-V4: the groups of the card variants, by the kernel and by definition."""

from __future__ import annotations

import random
from itertools import combinations
from math import comb

import pytest

from tests.kernel.equality import Kernel
from tests.perft import groups as defined

GHOSTS_WITH_CARD_0 = 296_816


def random_table(rng: random.Random, most: int) -> tuple[bytes, bytes]:
    """Different cards, and a SET of others that was taken before."""
    a, b = rng.sample(range(81), 2)
    last = bytes((a, b, defined.THIRD[a, b]))
    return bytes(rng.sample([card for card in range(81) if card not in last], rng.randint(0, most))), last


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("which", ["kernel", "plain"])
def test_v2_v3_v4_groups_are_those_of_the_definitions(
    which: str, seed: int, request: pytest.FixtureRequest
) -> None:
    """A hundred tables each, and so five hundred."""
    groups = request.getfixturevalue(which)["groups"]
    rng = random.Random(seed)
    for _ in range(100):
        table, last = random_table(rng, 13)
        for listed, counted, found, expected in (
            (
                groups.list_chains(table, last),
                groups.count_chains(table, last),
                groups.has_chain(table, last),
                defined.chains(table, last),
            ),
            (
                groups.list_ultras(table),
                groups.count_ultras(table),
                groups.has_ultra(table),
                defined.ultras(table),
            ),
            (
                groups.list_ghosts(table),
                groups.count_ghosts(table),
                groups.has_ghost(table),
                defined.ghosts(table),
            ),
        ):
            assert listed == expected, table
            assert counted == len(expected)
            assert found == bool(expected)


def test_all_cards_on_one_table(kernel: Kernel) -> None:
    """Every card is the third of 40 pairs, is in 296,816 Ghosts, and with two others of one SET in 39 Chains."""
    groups, all_cards = kernel["groups"], bytes(range(81))
    assert groups.count_ultras(all_cards) == len(groups.list_ultras(all_cards)) == 81 * comb(40, 2)
    assert groups.count_ghosts(all_cards) == GHOSTS_WITH_CARD_0 * 81 // 6
    others = bytes(card for card in range(81) if card not in (0, 1, 2))
    assert groups.count_chains(others, bytes((0, 1, 2))) == 3 * 39


@pytest.mark.slow
def test_v4_a_ghost_is_six_cards_that_sum_to_zero() -> None:
    """One of the six may be card 0: adding a card to each of the six changes neither side.

    That six cards which do not sum to zero are no Ghost needs no search: neither do the thirds of their pairs.
    """
    minus_sum = [[defined.THIRD.get((a, b), a) for b in range(81)] for a in range(81)]
    plus = [[minus_sum[0][minus_sum[a][b]] for b in range(81)] for a in range(81)]
    found = 0
    for a, b, c, d in combinations(range(1, 81), 4):
        e = minus_sum[plus[a][b]][plus[c][d]]
        if e > d:
            assert defined.is_ghost((0, a, b, c, d, e))
            found += 1
    assert found == GHOSTS_WITH_CARD_0


def test_counts_on_each_of_many_tables(kernel: Kernel, plain: Kernel) -> None:
    rng = random.Random(3)
    for size in (1, 5, 6, 12, 20):
        tables = [bytes(rng.sample(range(81), size)) for _ in range(30)]
        for part in (kernel["groups"], plain["groups"]):
            together = b"".join(tables)
            assert list(part.count_ultras_on_each(together, size)) == [*map(part.count_ultras, tables)]
            assert list(part.count_ghosts_on_each(together, size)) == [*map(part.count_ghosts, tables)]


@pytest.mark.parametrize("table", [bytes((1, 1)), bytes((3, 81)), bytes((3, 255, 4))])
def test_what_is_no_table_is_refused(kernel: Kernel, table: bytes) -> None:
    groups = kernel["groups"]
    for function in (groups.count_ultras, groups.list_ultras, groups.count_ghosts, groups.list_ghosts):
        with pytest.raises(ValueError, match="different numbers from 0 to 80"):
            function(table)
    with pytest.raises(ValueError, match="different numbers"):
        groups.list_chains(table, bytes((0, 40, 80)))


@pytest.mark.parametrize("last", [b"", bytes((0, 1)), bytes((0, 1, 3)), bytes((0, 1, 2, 9))])
def test_the_last_set_must_be_one(kernel: Kernel, last: bytes) -> None:
    with pytest.raises(ValueError, match="three cards that are a SET"):
        kernel["groups"].list_chains(bytes((4, 5)), last)


def test_the_last_set_lies_beside_the_table(kernel: Kernel) -> None:
    with pytest.raises(ValueError, match="different numbers"):
        kernel["groups"].count_chains(bytes((2, 5)), bytes((0, 1, 2)))


@pytest.mark.parametrize("size", [0, 5, 82, -1])
def test_tables_that_do_not_come_out_even_are_refused(kernel: Kernel, size: int) -> None:
    for function in (kernel["groups"].count_ultras_on_each, kernel["groups"].count_ghosts_on_each):
        with pytest.raises(ValueError, match=f"tables of {size} cards"):
            function(bytes(range(12)), size)
        with pytest.raises(ValueError, match="from 0 to 80"):
            function(bytes((1, 2, 81)), 3)
