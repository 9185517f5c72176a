"""The laws of SETs for three, four and five features, and how many there are."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import WILD, Card, Face, NotationError, explain, find_sets, has_set, is_set, third
from tercet.codec import from_json, to_json
from tercet.sets import COLOUR, FILL, NUMBER, SHAPE, Feature, Symbol

SIZE = Feature("size", ("small", "middle", "large"), "SML")


class BigCard(Symbol, features=(NUMBER, COLOUR, FILL, SHAPE, SIZE)):
    """A card with a fifth feature: 243 of them."""

    noun = "big card"


KINDS: list[type[Symbol]] = [Face, Card, BigCard]
pairs = st.sampled_from(KINDS).flatmap(lambda kind: st.tuples(*[st.sampled_from(kind.all())] * 2))
threes = st.sampled_from(KINDS).flatmap(lambda kind: st.tuples(*[st.sampled_from(kind.all())] * 3))
tables = st.sampled_from(KINDS).flatmap(lambda kind: st.lists(st.sampled_from(kind.all()), max_size=21))


@given(pairs)
def test_the_third_completes_and_is_the_only_one(two: tuple[Symbol, Symbol]) -> None:
    a, b = two
    c = third(a, b)
    assert is_set(a, b, c)
    assert third(b, a) is c
    assert third(a, c) is b
    assert third(b, c) is a
    assert [d for d in type(a).all() if is_set(a, b, d)] == [c]


@given(pairs)
def test_the_third_equals_both_only_if_they_are_equal(two: tuple[Symbol, Symbol]) -> None:
    a, b = two
    assert (third(a, b) in two) == (a is b)


@given(threes)
def test_digits_of_a_set_add_up_to_zero(three: tuple[Symbol, Symbol, Symbol]) -> None:
    sums = [sum(digits) % 3 for digits in zip(*(symbol.digits for symbol in three), strict=True)]
    assert is_set(*three) == (not any(sums))
    assert explain(*three).is_set == is_set(*three)


@given(tables)
def test_find_sets_finds_every_set_once_in_the_order_of_the_table(table: list[Symbol]) -> None:
    assert find_sets(table) == [three for three in combinations(table, 3) if is_set(*three)]
    assert has_set(table) == bool(find_sets(table))


@given(st.lists(st.sampled_from((*Face.all(), WILD)), max_size=7))
def test_find_sets_with_wilds(hand: list[Face]) -> None:
    assert find_sets(hand) == [three for three in combinations(hand, 3) if is_set(*three)]
    assert has_set(hand) == bool(find_sets(hand))


@given(
    st.sampled_from(KINDS).flatmap(
        lambda kind: st.sampled_from((*kind.all(), *([WILD] if kind is Face else [])))
    )
)
def test_every_way_there_and_back(symbol: Symbol) -> None:
    kind = type(symbol)
    assert kind(str(symbol)) is symbol
    assert kind(str(symbol).lower()) is symbol
    assert kind(int(symbol)) is symbol
    assert eval(repr(symbol), {kind.__name__: kind}) is symbol
    assert copy.deepcopy(symbol) is symbol
    assert from_json(to_json(symbol), kind) is symbol
    assert f"{symbol}" == str(symbol)
    if kind is not BigCard:
        assert pickle.loads(pickle.dumps(symbol)) is symbol


@pytest.mark.parametrize(
    ("kind", "count", "sets", "each"), [(Face, 27, 117, 13), (Card, 81, 1080, 40), (BigCard, 243, 9801, 121)]
)
def test_how_many_sets_there_are(kind: type[Symbol], count: int, sets: int, each: int) -> None:
    found = find_sets(kind.all())
    assert len(kind.all()) == count
    assert len(found) == sets
    assert set(Counter(symbol for three in found for symbol in three).values()) == {each}


def test_sets_by_differing_features() -> None:
    differing = Counter(
        sum(check.verdict == "different" for check in explain(*three).features)
        for three in find_sets(Card.all())
    )
    assert differing == {1: 108, 2: 324, 3: 432, 4: 216}


def set_free(kind: type[Symbol], most: int) -> list[int]:
    """How many choices of 0, 1, 2, ... symbols hold no SET."""
    counts = [0] * (most + 1)

    def extend(chosen: list[Symbol], start: int, closed: frozenset[Symbol]) -> None:
        counts[len(chosen)] += 1
        if len(chosen) < most:
            for code in range(start, len(kind.all())):
                symbol = kind.all()[code]
                if symbol not in closed:
                    extend([*chosen, symbol], code + 1, closed | {third(symbol, other) for other in chosen})

    extend([], 0, frozenset())
    return counts


def test_how_often_cards_hold_no_set() -> None:
    assert set_free(Card, 3) == [1, 81, 3240, 84240]


def test_how_often_faces_hold_no_set() -> None:
    assert set_free(Face, 5) == [1, 27, 351, 2808, 14742, 50544]


@pytest.mark.slow
def test_ten_faces_always_hold_a_set() -> None:
    assert set_free(Face, 10)[6:] == [107406, 126360, 63180, 2106, 0]


def test_different_kinds_make_no_set() -> None:
    with pytest.raises(NotationError, match="different kinds"):
        is_set(Card("1RFD"), Face("1RO"), Face("1RO"))
    with pytest.raises(NotationError, match="different kinds"):
        third(Card("1RFD"), Face("1RO"))


def test_with_a_wild_there_is_no_one_third() -> None:
    for two in ((WILD, Face("1RO")), (Face("1RO"), WILD), (WILD, WILD)):
        with pytest.raises(NotationError, match="any third"):
            third(*two)
