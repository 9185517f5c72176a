"""Simulated card games against the known numbers, and tables against `sets`."""

from __future__ import annotations

import json
import random
from array import array
from math import sqrt
from pathlib import Path

import pytest

from tercet import Card, find_sets
from tercet.kernel import (
    count_sets,
    count_sets_on_each,
    find_set_places,
    has_set,
    play_card_games,
    sample_tables,
)
from tercet.kernel.card_games import LAYOUT, LEFT, TABLES, TAKEN

NUMBERS = json.loads((Path(__file__).parent / "set_numbers.json").read_text())
GAMES = 200_000


def test_tables_agree_with_find_sets() -> None:
    rng = random.Random(4)
    for _ in range(2000):
        cards = [Card(code) for code in rng.sample(range(81), rng.randint(0, 21))]
        sets = find_sets(cards)
        table = bytes(cards)
        assert [tuple(cards[i] for i in places) for places in find_set_places(table)] == sets
        assert count_sets(table) == len(sets)
        assert has_set(table) == bool(sets)


def test_all_81_cards_hold_1080_sets() -> None:
    assert count_sets(bytes(range(81))) == 1080 == len(find_set_places(bytes(range(81))))


def test_many_tables_are_counted_one_by_one() -> None:
    rng = random.Random(5)
    tables = [bytes(rng.sample(range(81), 12)) for _ in range(50)]
    assert list(count_sets_on_each(b"".join(tables), 12)) == [count_sets(table) for table in tables]


@pytest.mark.parametrize("cards", [b"\x51", b"\x01\x01", b"\x01\x02\x02"])
def test_tables_of_no_cards_are_refused(cards: bytes) -> None:
    with pytest.raises(ValueError, match="different numbers"):
        count_sets(cards)
    with pytest.raises(ValueError, match="different numbers"):
        find_set_places(cards)


@pytest.mark.parametrize(
    ("cards", "size"), [(b"\x00" * 5, 3), (b"\x51\x00\x01", 3), (b"", 0), (b"\x00" * 82, 82)]
)
def test_batches_of_no_tables_are_refused(cards: bytes, size: int) -> None:
    with pytest.raises(ValueError, match="no tables"):
        count_sets_on_each(cards, size)


def agree(seen: int, of: int, known: float, known_of: int) -> None:
    """Two shares agree: within four standard errors, since with some sixty of them three would be too few for
    one seed in six."""
    error = sqrt(known * (1 - known) * (1 / of + 1 / known_of))
    assert abs(seen / of - known) <= 4 * error + 1 / of, (seen / of, known, error)


def odds(counts: array[int], size: int, least_deck: int) -> tuple[int, int]:
    """Tables of this size with a SET and without."""
    rows = [
        counts[TABLES + (size // 3 * 24 + deck) * 40 : TABLES + (size // 3 * 24 + deck) * 40 + 40]
        for deck in range(least_deck, 24)
    ]
    return sum(sum(row[1:]) for row in rows), sum(row[0] for row in rows)


@pytest.mark.parametrize(
    ("name", "first"), [("game_random_set_choice", False), ("game_first_set_choice", True)]
)
def test_k5_to_k7_games_have_the_known_numbers(name: str, first: bool) -> None:
    known = NUMBERS["monte_carlo"][name]
    counts = play_card_games(2, 0, GAMES, first)
    assert sum(counts[LEFT : LEFT + 24]) == GAMES
    for left in range(24):
        agree(counts[LEFT + left], GAMES, known["left"].get(str(left), 0.0), known["games"])
    agree(counts[LAYOUT + 12], GAMES, known["never_15"], known["games"])
    for most, share in known.get("max_layout", {}).items():
        agree(counts[LAYOUT + int(most)], GAMES, share, known["games"])
    taken = sum(n * counts[TAKEN + n] for n in range(28)) / GAMES
    assert abs(taken - known["mean_sets_taken"]) < 4 * 0.65 / sqrt(GAMES)
    for key, size, least in (("odds12_all", 12, 0), ("odds12_deck_gt0", 12, 1), ("odds15_all", 15, 0)):
        if key in known:
            some, none = odds(counts, size, least)
            share = 1 / (1 + known[key])
            agree(none, some + none, share, (some + none) * known["games"] // GAMES)


def test_k7_three_are_never_left() -> None:
    assert play_card_games(3, 0, 20_000)[LEFT + 3] == 0


def test_k9_simplified_games_end_with_every_card_accounted_for() -> None:
    deck = bytes(card for card in range(81) if card // 3 % 3 == 1)
    for deal in (9, 12):
        counts = play_card_games(1, 0, 5000, False, deck, deal)
        left = sum(n * counts[LEFT + n] for n in range(24))
        taken = sum(n * counts[TAKEN + n] for n in range(28))
        assert left + 3 * taken == 27 * 5000


@pytest.mark.parametrize("size", [12, 15])
def test_random_tables_have_the_known_numbers(size: int) -> None:
    known = NUMBERS["monte_carlo"][f"sets_in_{size}_random"]
    counts = sample_tables(4, 0, GAMES, size)
    for sets, share in enumerate(known):
        agree(counts[sets], GAMES, share, NUMBERS["monte_carlo"][f"N{size}"])
    for few in (3, 6, 9):
        none = sample_tables(5, 0, GAMES, few)[0]
        agree(none, GAMES, NUMBERS["exact"]["p_no_set_81"][str(few)], 10**12)


def test_splitting_a_batch_changes_nothing() -> None:
    whole = play_card_games(6, 0, 1000)
    parts = [play_card_games(6, first, 250) for first in (0, 250, 500, 750)]
    assert whole == array("q", map(sum, zip(*parts, strict=True)))
