"""The odds of Scramble: what is known exactly is what counting by hand gives, and what is simulated."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest

from tercet import WILD, Face, find_sets, has_set, is_set
from tercet.editions import Die, Edition
from tercet.scramble.odds import LINES, ScrambleOdds, count_sets, exact, play_round
from tercet.scramble.play import DICE
from tercet.scramble.sight import easy_set, sets_without_wild
from tests.core.brute_force import is_a_set
from tests.core.random_games import OWN

EDITIONS = [Edition.named("house"), OWN]


def thrown(edition: Edition, random: Random, count: int = DICE) -> list[Face]:
    return [random.choice(faces) for faces in random.sample(edition.dice, count)]


def by_hand(faces: list[Face]) -> tuple[int, int]:
    """The SETs without and with a wild, by the letter of S1."""
    threes = list(combinations(map(str, faces), 3))
    return (
        sum("W" not in three and is_a_set(*three) for three in threes),
        sum("W" in three for three in threes),
    )


@pytest.mark.parametrize("edition", EDITIONS, ids=["house", "own"])
def test_sets_are_counted_as_by_hand(edition: Edition) -> None:
    random = Random(42)
    for count in (0, 1, 2, 3, 4, 7, 12, 18, 30, 42) * 3:
        faces = thrown(edition, random, count)
        counted = Counter(faces)
        assert count_sets([counted[Face(code)] for code in range(28)]) == by_hand(faces)
        dice = [Die(number, face) for number, face in enumerate(faces, 1)]
        found = list(sets_without_wild(dice))
        assert len(set(found)) == len(found) == by_hand(faces)[0]
        assert all(is_set(*(die.face for die in three)) for three in found)
        assert len(find_sets(faces)) == sum(by_hand(faces))
        assert has_set(faces) == (sum(by_hand(faces)) > 0) == bool(easy_set(dice))


def test_there_are_117_lines() -> None:
    assert len(set(LINES)) == 117


@pytest.mark.parametrize("edition", EDITIONS, ids=["house", "own"])
def test_the_exact_means_are_those_of_every_three_dice(edition: Edition) -> None:
    plain = with_wild = Fraction(0)
    known = dict[tuple[tuple[Face, ...], ...], tuple[int, int]]()
    for three in combinations(edition.dice[:DICE], 3):
        if three not in known:
            shown = list(product(*three))
            wild = sum(WILD in faces for faces in shown)
            known[three] = (sum(is_set(*faces) for faces in shown) - wild, wild)
        plain += Fraction(known[three][0], 216)
        with_wild += Fraction(known[three][1], 216)
        if len(known) > 3000:
            known.clear()
    found = exact(edition)
    assert (found.plain, found.with_wild) == (plain, with_wild)
    assert sum(found.wilds) == 1
    mean = sum(number * chance for number, chance in enumerate(found.wilds))
    assert mean == Fraction(sum(faces.count(WILD) for faces in edition.dice[:DICE]), 6)


@pytest.mark.parametrize("edition", EDITIONS, ids=["house", "own"])
def test_the_simulated_numbers_are_near_the_exact_ones(edition: Edition) -> None:
    odds = ScrambleOdds(edition=edition)
    assert list(odds.simulate(600, 1, 2))[-1] == 600
    cells = [cell for section in odds.sections() for cell in section.cells]
    known = [cell for cell in cells if cell.known is not None]
    assert len(known) == 8
    assert all(cell.off is not None and cell.off < 3.5 for cell in known)
    for title in ("SETs among 42 thrown dice", "Wilds among them", "Dice left over"):
        shares = [
            cell.simulated
            for section in odds.sections()
            for cell in section.cells
            if section.title == title and not cell.what.startswith("mean")
        ]
        assert sum(shares) == pytest.approx(1)


def test_the_numbers_are_the_same_with_any_number_of_workers() -> None:
    one, three = ScrambleOdds(), ScrambleOdds()
    for odds, workers in ((one, 1), (three, 3)):
        list(odds.simulate(250, 7, workers))
    assert one.sections() == three.sections()


def test_a_simulated_round_ends_without_a_set() -> None:
    for number in range(50):
        left = play_round(EDITIONS[1], Random(number)).left
        assert left % 3 == 0
        assert left <= 18
