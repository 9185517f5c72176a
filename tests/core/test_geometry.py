"""Lines, planes, caps and symmetry."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import WILD, Card, Face, find_sets, geometry, is_set, third
from tercet.sets import KindError

points = st.sets(st.integers(0, 80), min_size=1, max_size=7)


@pytest.mark.parametrize("features", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_the_largest_caps_are_found_by_search(features: int) -> None:
    cap = geometry.largest_cap(features)
    assert len(cap) == {1: 2, 2: 4, 3: 9, 4: 20}[features] == geometry.LARGEST[features]
    assert geometry.is_cap(cap, features)
    assert geometry.is_complete(cap, features)


@pytest.mark.parametrize("features", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_no_cap_is_larger_by_brute_force(features: int) -> None:
    """Another way: grow every cap point by point, in order."""
    every = 3**features
    best = 0
    stack: list[tuple[list[int], int]] = [([0], 1)]
    while stack:
        cap, start = stack.pop()
        best = max(best, len(cap))
        hit = {geometry.third_point(a, b) for a, b in combinations(cap, 2)}
        stack += [([*cap, point], point + 1) for point in range(start, every) if point not in hit]
    assert best == geometry.LARGEST[features]


@pytest.mark.parametrize("features", [1, 2, 3, 4])
def test_flats_are_counted_and_listed(features: int) -> None:
    for size in range(min(features, 3) + 1):
        found = list(geometry.flats(features, size))
        assert len(set(found)) == len(found) == geometry.count_flats(features, size)
        for flat in found[:: max(1, len(found) // 50)]:
            assert len(flat) == 3**size
            assert geometry.span(flat, features) == flat
            assert geometry.rank(flat, features) == size


def test_lines_are_the_sets() -> None:
    assert {tuple(sorted(map(int, found))) for found in find_sets(Card.all())} == set(geometry.lines(4))
    assert all(len(find_sets(map(Card, plane))) == 12 for plane in list(geometry.planes(4))[::97])


@given(st.integers(0, 80), st.integers(0, 80))
def test_third_points_are_thirds(a: int, b: int) -> None:
    assert geometry.third_point(a, b) == third(Card(a), Card(b))


@given(points)
def test_a_cap_is_what_has_no_set(codes: set[int]) -> None:
    cards = [Card(code) for code in codes]
    assert geometry.is_cap(cards) == (not find_sets(cards)) == geometry.is_cap(codes, 4)
    if geometry.is_cap(cards):
        free = geometry.free_points(cards)
        assert set(free) == {c for c in Card.all() if c not in codes and not any(is_set(a, b, c) for a, b in combinations(cards, 2))}  # fmt: skip
        whole = geometry.grow_cap(cards)
        assert set(cards) <= set(whole)
        assert geometry.is_complete(whole)


@pytest.mark.slow
@given(points, st.integers(0, 10**6))
def test_symmetries_keep_the_canonical_form(codes: set[int], seed: int) -> None:
    random = Random(seed)
    order = random.sample(range(4), 4)
    values = [random.sample(range(3), 3) for _ in range(4)]
    moved = {
        geometry.code(values[place][geometry.digits(code, 4)[place]] for place in order) for code in codes
    }
    few = sorted(codes)[:5]
    image = {geometry.code(values[place][geometry.digits(code, 4)[place]] for place in order) for code in few}
    assert geometry.canonical(few, 4) == geometry.canonical(image, 4)
    assert geometry.rank(moved, 4) == geometry.rank(codes, 4)


def test_orbits_count_all() -> None:
    """The kinds of three points are the SETs and the others: together all there are."""
    sizes = {
        geometry.canonical(three, 2): geometry.orbit_size(three, 2) for three in combinations(range(9), 3)
    }
    assert sorted(sizes.values()) == [12, 72]
    four = {geometry.canonical(four, 2): geometry.orbit_size(four, 2) for four in combinations(range(9), 4)}
    assert sum(four.values()) == 126
    assert geometry.orbit_size([5], 4) == 81
    assert geometry.orbit_size(geometry.largest_cap(2), 2) == 54


def test_seven_features() -> None:
    cap = geometry.grow_cap([0], 7, order=range(0, 2187, 5))
    assert geometry.is_cap(cap, 7)
    assert geometry.count_flats(7, 1) == 3**6 * (3**7 - 1) // 2


def test_codes_may_be_numbers_of_numpy() -> None:
    given: Any = np.array([0, 1, 5])
    assert geometry.span(given[:2], 2) == (0, 1, 2)
    assert {type(point) for point in geometry.span(given, 2)} == {int}
    assert geometry.is_cap(given, 2)
    assert geometry.orbit_size(given, 2) == geometry.orbit_size([0, 1, 5], 2)
    assert geometry.third_point(given[0], given[1]) == 2


def test_no_flats_are_smaller_than_a_point() -> None:
    assert list(geometry.flats(4, -1)) == []
    assert geometry.count_flats(4, -1) == 0


WRONG: list[tuple[Any, type[Exception], str]] = [
    (lambda: geometry.is_cap([1, 2]), KindError, "give features=4"),
    (lambda: geometry.is_cap([1, 81], 4), geometry.GeometryError, "81 is no point: codes go from 0 to 80"),
    (lambda: geometry.is_cap([Card(1), Face(1)]), KindError, "different kinds: Card, Face"),
    (lambda: geometry.is_cap([WILD]), geometry.GeometryError, "a wild is no point"),
    (lambda: geometry.largest_cap(5), geometry.GeometryError, "the search is for 1 to 4"),
    (lambda: geometry.free_points(Card.read("1RFD 2RFD 3RFD")), geometry.GeometryError, "they are no cap"),
    (lambda: geometry.count_flats(0, 1), geometry.GeometryError, "0 features: from 1 to 11"),
    (lambda: geometry.count_flats(4, "2"), KindError, "give the size of a flat: 0 for points"),  # type: ignore[arg-type]
    (lambda: geometry.flats(4, None), KindError, "give the size of a flat: 0 for points"),  # type: ignore[arg-type]
    (lambda: geometry.count_symmetries(10**30), geometry.GeometryError, "features: from 1 to 11"),
    (lambda: geometry.third_point(-1, 1), geometry.GeometryError, "-1 is no point: codes go from 0 on"),
    (lambda: geometry.digits("x", 4), KindError, "give a card, a face, or the code of a point, not 'x'"),  # type: ignore[arg-type]
    (lambda: geometry.digits(100, 2), geometry.GeometryError, "100 is no point: codes go from 0 to 8"),
    (lambda: geometry.span([True], 4), geometry.GeometryError, "True is no point: codes go from 0 to 80"),
    (lambda: geometry.span(Card.read("1RFD"), 3), geometry.GeometryError, "a card has 4 features, not 3"),
    (lambda: geometry.canonical(range(60), 4), geometry.GeometryError, "too many to be compared"),
]


@pytest.mark.parametrize(("ask", "error", "words"), WRONG, ids=[case[2] for case in WRONG])
def test_wrong_points_are_told(ask: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ask()
