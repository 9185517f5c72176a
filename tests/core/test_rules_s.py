"""S: what a SET is."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from tercet import WILD, Card, Face, explain, find_sets, is_set, third
from tercet.sets import Symbol


def faces(text: str) -> tuple[Face, Face, Face]:
    a, b, c = (Face(word) for word in text.split())
    return a, b, c


def cards(text: str) -> tuple[Card, Card, Card]:
    a, b, c = (Card(word) for word in text.split())
    return a, b, c


def by_the_definition(three: tuple[Symbol, ...]) -> bool:
    """Every feature the same on all three or different on all three."""
    return all(len({symbol.values[feature.name] for symbol in three}) != 2 for feature in three[0].features)


def test_s1_each_feature_is_all_same_or_all_different() -> None:
    some = Card.all()[::4]
    assert sum(is_set(*three) for three in combinations(some, 3)) > 0
    for three in combinations(some, 3):
        assert is_set(*three) == by_the_definition(three)


def test_s1_a_set_is_exactly_three() -> None:
    assert find_sets([Card("1RFD"), Card("2RFD")]) == []
    assert all(len(found) == 3 for found in find_sets(Card.all()[:12]))


def test_s2_the_81_cards() -> None:
    names = {
        f"{number}{colour}{fill}{shape}"
        for number in "123"
        for colour in "RGP"
        for fill in "FHE"
        for shape in "DOS"
    }
    assert {str(card) for card in Card.all()} == names
    assert len(Card.all()) == 81
    assert [(f.name, f.values) for f in Card.features] == [
        ("number", ("1", "2", "3")),
        ("colour", ("red", "green", "purple")),
        ("fill", ("full", "hatched", "empty")),
        ("shape", ("diamond", "oval", "squiggle")),
    ]
    assert Card("3PHO").values == {"number": "3", "colour": "purple", "fill": "hatched", "shape": "oval"}


def test_s3_the_27_faces_and_the_wild() -> None:
    assert len(Face.all()) == 27
    assert {str(face) for face in Face.all()} == {n + c + s for n in "123" for c in "RGP" for s in "DOS"}
    assert [f.name for f in Face.features] == ["number", "colour", "shape"]
    assert WILD not in Face.all()
    assert WILD.is_wild
    assert not any(face.is_wild for face in Face.all())


def test_s3_a_wild_makes_a_set_with_any_two() -> None:
    assert all(is_set(WILD, a, b) for a in Face.all() for b in Face.all())
    assert is_set(WILD, WILD, WILD)


def test_s4_the_check_says_which_feature_broke_and_how() -> None:
    told = explain(*faces("1RO 2GO 3PS"))
    assert not told.is_set
    assert [check.feature for check in told.features] == ["number", "colour", "shape"]
    assert [check.verdict for check in told.features] == ["different", "different", "two_alike"]
    (broken,) = told.broken
    assert (broken.pair, broken.odd, broken.odd_one) == ("oval", "squiggle", 2)
    assert str(told) == "Not a SET: two ovals, one squiggle"


@pytest.mark.parametrize(("three", "odd_one"), [("1RO 1RO 2RO", 2), ("1RO 2RO 1RO", 1), ("2RO 1RO 1RO", 0)])
def test_s4_the_odd_one_is_found_in_every_place(three: str, odd_one: int) -> None:
    (broken,) = explain(*faces(three)).broken
    assert (broken.feature, broken.pair, broken.odd, broken.odd_one) == ("number", "1", "2", odd_one)


def test_s4_four_questions_with_cards_and_every_broken_one_is_named() -> None:
    told = explain(*cards("1RFD 1GFD 2GFO"))
    assert [check.feature for check in told.features] == ["number", "colour", "fill", "shape"]
    assert [check.feature for check in told.broken] == ["number", "colour", "shape"]
    assert str(told) == "Not a SET: two 1s, one 2; two green, one red; two diamonds, one oval"


def test_s4_the_check_agrees_with_is_set() -> None:
    for three in combinations(Face.all(), 3):
        told = explain(*three)
        assert told.is_set == is_set(*three) == (not told.broken)
    assert str(explain(*faces("1RO 2RO 3RO"))) == "SET: number different, colour same, shape same"


def test_s4_a_wild_leaves_every_question_free() -> None:
    told = explain(Face("1RO"), WILD, Face("2GS"))
    assert told.is_set
    assert [(check.verdict, check.values) for check in told.features] == [
        ("free", ("1", "2")),
        ("free", ("red", "green")),
        ("free", ("oval", "squiggle")),
    ]


@pytest.mark.parametrize("kind", [Card, Face])
def test_s5_exactly_one_third_completes_any_two(kind: type[Card | Face]) -> None:
    for a, b in combinations(kind.all(), 2):
        completing = [c for c in kind.all() if is_set(a, b, c)]
        assert completing == [third(a, b)]
        assert third(a, b) not in (a, b)


def test_s5_order_never_matters() -> None:
    for three in [cards("1RFD 2GHD 3PED"), cards("1RFD 2GHD 3PEO")]:
        assert len({is_set(*order) for order in permutations(three)}) == 1


def test_s6_three_identical_dice_are_a_set() -> None:
    assert all(is_set(face, face, face) for face in Face.all())
    assert all(third(face, face) is face for face in Face.all())
    assert find_sets([Face("2GS")] * 3) == [(Face("2GS"),) * 3]


SETS = ["1RO 2RO 3RO", "2GS 2GS 2GS", "2RS 2GS 2PS", "1RD 2RO 3RS", "1RD 2GO 3PS"]
NOT_SETS = [("1RO 2RO 3RS", "shape"), ("1RO 2RO 3PO", "colour"), ("3RO 3GO 2PO", "number")]


@pytest.mark.parametrize("three", SETS)
def test_s7_these_are_sets(three: str) -> None:
    assert is_set(*faces(three))
    assert find_sets(faces(three)) == [faces(three)]


@pytest.mark.parametrize(("three", "feature"), NOT_SETS)
def test_s7_these_are_not(three: str, feature: str) -> None:
    assert not is_set(*faces(three))
    assert find_sets(faces(three)) == []
    assert [check.feature for check in explain(*faces(three)).broken] == [feature]


def test_s8_names_are_only_names() -> None:
    """The Russian box: other words and letters for the same cards, so the same SETs."""
    from tercet.sets import COLOUR, NUMBER, Feature

    fill = Feature("заливка", ("empty", "full", "speckled"), "EFS")
    shape = Feature("форма", ("rectangle", "oval", "wave"), "ROW")

    class RussianCard(Symbol, features=(NUMBER, COLOUR, fill, shape)):
        noun = "card"

    assert [str(card) for card in RussianCard.all()[:4]] == ["1RER", "1REO", "1REW", "1RFR"]
    for ours, theirs in zip(
        combinations(Card.all()[:30], 3), combinations(RussianCard.all()[:30], 3), strict=True
    ):
        assert is_set(*ours) == is_set(*theirs)
    assert explain(RussianCard("1RER"), RussianCard("2RER"), RussianCard("3REW")).broken[0].odd == "wave"
