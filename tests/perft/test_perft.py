"""The readable Python and the installed kernel count what the perft files say, and the files what brute force does."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from tercet import Card, find_sets, kernel
from tercet.cubed import Position
from tercet.cubed.turns import Lying, legal_turns
from tests.perft import FOLDER, cards, dice

Entry = dict[str, Any]
#: So many dice, and the score.
Laid = Iterable[tuple[int, int]]


def read(name: str) -> list[Entry]:
    entries: list[Entry] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return entries


def read_cards(text: str) -> list[Card]:
    return [Card(word) for word in text.split()]


def test_files_are_large_enough_and_not_too_large() -> None:
    assert len(read("cards.json")) >= 400
    assert len(read("dice.json")) >= 300
    assert len(read("replies.json")) >= 20
    assert sum(file.stat().st_size for file in FOLDER.glob("*.json")) < 300_000


def test_kernel_counts_the_groups_of_every_table() -> None:
    for entry in read("cards.json"):
        table, last = bytes(read_cards(entry["table"])), bytes(read_cards(entry["last"]))
        found = {
            "set": kernel.count_sets(table),
            "chain": kernel.count_chains(table, last),
            "ultra": kernel.count_ultras(table),
            "ghost": kernel.count_ghosts(table),
        }
        assert entry == {**entry, **found}


def test_readable_python_counts_the_sets_of_every_table() -> None:
    for entry in read("cards.json"):
        assert len(find_sets(read_cards(entry["table"]))) == entry["set"]


def count(turns: Laid) -> Entry:
    turns = list(turns)
    return {
        "turns": [sum(laid == dice for laid, _ in turns) for dice in (1, 2, 3)],
        "best": max((score for _, score in turns), default=0),
        "sum": sum(score for _, score in turns),
    }


def by_kernel(position: Position) -> Laid:
    """What `Position` says: by the kernel, where it is compiled."""
    assert position.can_lay() == bool(position.turns())
    return [(len(turn.placements), turn.score) for turn in position.turns()]


def by_readable(position: Position) -> Laid:
    lying = {position.layout.cell(square): die for square, die in position.board.items()}
    found = legal_turns(position.layout, lying, position.hand, position.wild)
    return [(len(turn), score) for turn, score in found]


@pytest.mark.parametrize("version", [by_kernel, by_readable])
def test_turns_of_every_position(version: Any) -> None:
    for entry in read("dice.json"):
        assert {**entry, **count(version(Position.from_plain(entry["position"])))} == entry


def reply_of(position: Position, hand: list[str]) -> Iterable[Position]:
    """The positions of another hand after every turn."""
    for turn in position.turns():
        laid: Mapping[Any, Lying] = {die.square: Lying(die.face, die.wild) for die in turn.placements}
        yield Position(position.layout, {**position.board, **laid}, hand, position.wild)


@pytest.mark.parametrize("version", [by_kernel, by_readable])
def test_turns_at_depth_two(version: Any) -> None:
    for entry in read("replies.json"):
        position = Position.from_plain(entry["position"])
        found = [laid for reply in reply_of(position, entry["reply"]) for laid in version(reply)]
        assert {**entry, **count(version(position)), "replies": count(found)} == entry


def test_best_turn_without_listing_them() -> None:
    for entry in read("dice.json"):
        assert Position.from_plain(entry["position"]).best().score == entry["best"]


@pytest.mark.slow
def test_files_are_what_brute_force_counts() -> None:
    """Some of each file again; `python -m tests.perft` writes all of it."""
    for number, entry in enumerate(read("cards.json")):
        if number % 20 == 0 and len(entry["table"].split()) <= 15:
            table, last = read_cards(entry["table"]), read_cards(entry["last"])
            assert cards.counted(table, last) == entry
    written = read("dice.json")
    first = [position.to_plain() for _, position in zip(range(12), dice.games(), strict=False)]
    assert [entry["position"] for entry in written[:12]] == first
    small = [(p, entry) for p, entry in zip(reversed([*dice.boards()]), reversed(written), strict=False)]
    for position, entry in small[-40:]:
        assert entry == {"position": position.to_plain(), **dice.counts(position.turns)}


def test_remarkable_tables_are_among_them() -> None:
    """The largest without a Ghost and without an Ultra."""
    ghostless, ultraless, *_ = read("cards.json")
    assert (len(ghostless["table"].split()), ghostless["ghost"]) == (12, 0)
    assert (len(ultraless["table"].split()), ultraless["ultra"]) == (9, 0)
