"""V: variants of the card game."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import pytest

from tercet import Card, cards, find_sets, is_set, record, third
from tercet.cards import VARIANTS, Call, SeeNone, Show
from tercet.cards.variants import Chain, Ghost, Simplified, Ultra, variant_of
from tercet.games import OptionsError
from tests.core.scripted import NO_SET, SEED, card_game, cards_of, happened, refusal

Cards = tuple[Card, ...]

#: Two pairs with the same third card, 3RFD; and nothing else that makes pairs with it.
ULTRA = cards_of("1RFD 2RFD 3GHO 3PES")


def is_ultra(four: Cards) -> bool:
    """V3, to the letter."""
    a, b, c, d = four
    return any(third(*p) is third(*q) for p, q in (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))))


def pairings(six: Cards) -> list[tuple[Cards, Cards, Cards]]:
    """All fifteen ways to make three pairs of six cards."""
    first, *rest = six
    found: list[tuple[Cards, Cards, Cards]] = []
    for second in rest:
        others = [card for card in rest if card is not second]
        for fourth in others[1:]:
            last = tuple(card for card in others[1:] if card is not fourth)
            found.append(((first, second), (others[0], fourth), last))
    return found


def is_ghost(six: Cards) -> bool:
    """V4, to the letter: three different cards that are a SET."""
    return any(
        len({third(*pair) for pair in pairs}) == 3 and is_set(*(third(*pair) for pair in pairs))
        for pairs in pairings(six)
    )


def take(game: cards.Game, group: Cards, seat: int = 0) -> list[str]:
    game.do(Call(seat))
    return happened(game, Show(seat, group))


# V1


def test_v1_every_variant_has_a_name_and_is_offered() -> None:
    (offered,) = (option for option in cards.rules.options_schema() if option.name == "variant")
    assert offered.choices == tuple(VARIANTS)
    assert offered.default == "classic"
    assert all(name == variant.name for name, variant in VARIANTS.items())


@pytest.mark.parametrize("name", VARIANTS)
def test_v1_call_lock_out_agreement_and_points_stay_as_they_are(name: str) -> None:
    game = card_game(variant=name, players=3, rounds=1)
    variant = variant_of(game.options)
    wrong = next(c for c in combinations(game.state.table, variant.size) if not variant.is_group(c))
    assert refusal(game, Show(0, wrong)) == "call_first"
    game.do(Call(0))
    assert refusal(game, Call(1)) == "called_by_another"
    assert refusal(game, Show(0, wrong[1:])) == "wrong_number"
    assert refusal(game, Show(0, (*wrong[1:], wrong[1]))) == "same_card_twice"
    missing = game.state.deck[0]
    assert refusal(game, Show(0, (*wrong[1:], missing))) == "not_on_table"
    game.do(Show(0, wrong))
    assert refusal(game, Call(0)) == "locked_out"
    right = variant.groups(game.state.table, ())[0]
    take(game, right, seat=1)
    assert game.scores == (0, 1, 0)
    assert not game.state.locked
    before = len(game.state.table)
    for seat in range(3):
        game.do(SeeNone(seat))
    assert len(game.state.table) == before + 3


@pytest.mark.parametrize("name", VARIANTS)
def test_v1_a_table_has_its_number_of_cards_again_after_each_group(name: str) -> None:
    game = cards.Game(["Ann"], seed=SEED, options={"variant": name, "rounds": 1, "auto_deal": True})
    game.do(cards.Deal(0))
    variant, usual = variant_of(game.options), len(game.state.table)
    assert usual == variant.open_cards
    taken: list[Card] = []
    while not game.is_over:
        before, last = game.state.table, game.state.last
        group = variant.groups(before, last)[0]
        took = take(game, group) and game.log[-1]
        assert took
        taken += [card for card in group if card in before]
        after = game.state
        if after.phase == "play" and after.deck and len(before) == usual and not variant.changes_places:
            assert len(after.table) >= usual
            kept = [card for card in before if card not in group]
            assert all(after.table.index(card) == before.index(card) for card in kept)
    ended = next(entry.event for entry in reversed(game.log) if isinstance(entry.event, cards.RoundEnded))
    assert sorted([*taken, *ended.left]) == sorted(variant.pack)
    assert not variant.has_group(ended.left, ()) or variant.is_chained
    assert record.verify(record.of(game)) is None


def test_v1_a_table_with_a_few_gaps_too_many_closes_the_others() -> None:
    game = card_game(variant="ultra", players=1, rounds=1)
    game.do(SeeNone(0))
    assert len(game.state.table) == 15
    before = game.state.table
    group = variant_of(game.options).groups(before, ())[0]
    take(game, group)
    assert len(game.state.table) == 12
    assert set(before) - set(group) < set(game.state.table)
    assert len(set(game.state.table) - set(before)) == 1


# V2


def test_v2_the_first_set_is_free_and_later_ones_take_one_card_of_the_last() -> None:
    first = cards_of("1RFD 2RFD 3RFD")
    link = cards_of("1RHD 1RED")  # with 1RFD
    game = card_game((*first, *link, *cards_of("1GHO 2PHS 3GES 2GFO 1PES 3PHD 2GED")), variant="chain")
    assert not game.state.last
    take(game, first)
    assert game.state.last == first
    table = game.state.table
    shown = (first[0], *link)
    assert take(game, shown, seat=1)[0].startswith("2 takes 1RFD 1RHD 1RED, new ")
    assert game.state.last == shown
    assert game.scores == (1, 1)
    assert [card for card in table if card not in game.state.table] == list(link)
    assert len(game.state.table) == 12


def test_v2_none_two_or_three_cards_of_the_last_set_are_refused() -> None:
    first = cards_of("1RFD 2RFD 3RFD")
    second = cards_of("1GHO 2GHO 3GHO")
    game = card_game((*first, *second, *NO_SET[:6]), variant="chain")
    take(game, first)
    game.do(Call(0))
    assert refusal(game, Show(0, second)) == "one_of_last"
    assert refusal(game, Show(0, first)) == "one_of_last"
    assert refusal(game, Show(0, (*first[:2], second[0]))) == "one_of_last"
    assert game.state.call is not None
    assert not game.state.locked


def test_v2_there_is_no_link_among_39_cards_and_always_one_among_40() -> None:
    last = cards_of("1RFD 2RFD 3RFD")
    others = [card for card in Card.all() if card not in last]
    halves: list[set[Card]] = []
    left = set(others)
    while left:
        card = min(left)
        partners = {third(link, card) for link in last}
        half = {third(link, partner) for link in last for partner in partners}
        assert (len(half), len(partners)) == (3, 3)
        halves.append(half)
        left -= half | partners
    without = tuple(card for half in halves for card in half)
    chain = Chain()
    assert len(without) == 39
    assert not chain.has_group(without, last)
    assert all(chain.has_group((*without, card), last) for card in others if card not in without)
    assert (chain.always(last), chain.always(())) == (40, 21)


def test_v2_a_round_ends_when_the_deck_is_empty_and_no_link_is_left() -> None:
    game = cards.Game(["Ann"], seed=SEED, options={"variant": "chain", "rounds": 2, "auto_deal": True})
    game.do(cards.Deal(0))
    while game.state.round == 1:
        take(game, variant_of(game.options).groups(game.state.table, game.state.last)[0])
    ended = next(entry.event for entry in reversed(game.log) if isinstance(entry.event, cards.RoundEnded))
    took = [entry.event for entry in game.log if isinstance(entry.event, cards.Took)]
    assert not Chain().has_group(ended.left, took[-1].cards)
    assert all(len(set(one.cards) & set(next_.cards)) == 1 for one, next_ in pairwise(took))
    assert game.state.last == ()


# V3


def test_v3_two_pairs_with_the_same_third_card() -> None:
    game = card_game((*ULTRA, *cards_of("1GHD 2GES 1PHO 3RHS 2PFO 1GFS 2RHO 3PFD")), variant="ultra")
    assert Ultra().is_group(ULTRA)
    line = take(game, ULTRA)[0]
    assert line.startswith("1 takes 1RFD 2RFD 3GHO 3PES, new ")
    assert len(line.partition("new ")[2].split()) == 4
    assert game.scores == (1, 0)
    assert refusal(game, Show(0)) == "call_first"


def test_v3_what_is_wrong_is_said() -> None:
    wrong = Ultra().explain(cards_of("1RFD 2RFD 3GHO 3PED"))
    assert not wrong.is_group
    assert wrong.broken == ("shape",)
    assert str(wrong) == "Not an Ultra-SET: 1RFD 2RFD want 3RFD, 3GHO 3PED want 3RFS"
    assert str(Ultra().explain(ULTRA)) == "Ultra-SET: 1RFD 2RFD and 3GHO 3PES want 3RFD"


# V4


def test_v4_three_pairs_whose_third_cards_are_a_set() -> None:
    ghost = cards_of("1RFD 2RFD 3RFD 1GHO 2GHO 3GHO")
    game = card_game((*ghost, *NO_SET[:4]), variant="ghost")
    assert len(game.state.table) == 10
    line = take(game, ghost)[0]
    assert len(line.partition("new ")[2].split()) == 6
    assert game.scores == (1, 0)


def test_v4_what_is_wrong_is_said() -> None:
    wrong = Ghost().explain(cards_of("1RFD 2RFD 3RFD 1GHO 2GHO 3PHO"))
    assert wrong.broken == ("colour",)
    assert str(wrong) == "Not a Ghost-SET: 3 red, 2 green, 1 purple"
    right = Ghost().explain(cards_of("1RFD 2RFD 3RFD 1GHO 2GHO 3GHO"))
    assert str(right).startswith("Ghost-SET: 2 x 1, 2 x 2, 2 x 3; 3 red, 3 green; ")


@pytest.mark.slow
def test_v3_v4_groups_are_those_of_a_search_of_everything_on_500_tables() -> None:
    random, sets = Random(4), find_sets(Card.all())
    for number in range(500):
        table = tuple(random.sample(Card.all(), 4 + number % 7))
        last = random.choice(sets)
        free = tuple(card for card in table if card not in last)
        for variant, size, is_group in ((Ultra(), 4, is_ultra), (Ghost(), 6, is_ghost)):
            expected = [group for group in combinations(table, size) if is_group(group)]
            assert list(variant.groups(table, ())) == expected
            assert variant.has_group(table, ()) == bool(expected)
            assert all(variant.is_group(group) for group in expected)
        links = {frozenset((a, b, c)) for a in last for b, c in combinations(free, 2) if is_set(a, b, c)}
        assert {frozenset(group) for group in Chain().groups(free, last)} == links
        assert Chain().has_group(free, last) == bool(links)


# V5


def test_v5_the_cards_change_places_after_every_set() -> None:
    game = cards.Game(
        ["Ann", "Bo"], seed=SEED, options={"variant": "shuffle", "rounds": 1, "auto_deal": True}
    )
    game.do(cards.Deal(0))
    while not game.is_over:
        lines = take(game, find_sets(game.state.table)[0])
        if game.state.phase == "play":
            assert lines[1].startswith("new places: ")
    places = [e.event for e in game.log if isinstance(e.event, cards.Shuffled)]
    tooks = [e.event for e in game.log if isinstance(e.event, cards.Took)]
    assert len(places) >= len(tooks) - 1
    assert record.verify(record.of(game)) is None


def test_v5_every_card_may_come_to_every_place() -> None:
    seen: set[int] = set()
    for number in range(60):
        game = cards.Game(["Ann"], seed=f"{number:064x}", options={"variant": "shuffle", "auto_deal": True})
        game.do(cards.Deal(0))
        group = find_sets(game.state.table)[0]
        stays = next(card for card in game.state.table if card not in group)
        take(game, group)
        seen.add(game.state.table.index(stays))
    assert seen >= set(range(12))


# V6


def test_v6_junior_is_the_simplified_game_with_full_cards() -> None:
    junior, simplified = cards.Options(variant="junior"), cards.Options(only="full")
    assert variant_of(junior).pack == variant_of(simplified).pack
    assert len(variant_of(junior).pack) == 27
    assert isinstance(variant_of(junior), Simplified)
    assert len(card_game(variant="junior", table=9).state.table) == 9


@pytest.mark.parametrize("name", [name for name in VARIANTS if name != "classic"])
def test_v1_v6_the_simplified_game_is_a_variant_of_its_own(name: str) -> None:
    with pytest.raises(OptionsError, match="a variant of its own"):
        cards.Game(["Ann"], seed=SEED, options={"variant": name, "only": "red"})


@pytest.mark.parametrize("name", ["classic", "chain", "ultra", "ghost", "shuffle"])
def test_v1_a_table_of_9_is_for_the_simplified_game(name: str) -> None:
    with pytest.raises(OptionsError, match="simplified"):
        cards.Game(["Ann"], seed=SEED, options={"variant": name, "table": 9})


@pytest.mark.parametrize("bad", ["Ultra", "", "ultra ", 3, None, ["ultra"], "constellation"])
def test_v1_an_unknown_variant_is_refused(bad: object) -> None:
    with pytest.raises(OptionsError, match="options of set"):
        cards.Game(["Ann"], seed=SEED, options={"variant": bad})
