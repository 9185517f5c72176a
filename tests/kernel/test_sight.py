"""`cubed.sight` answers the same, in the same order, whether it asks the kernel or the readable version."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tercet.cubed import Position, sight
from tests.perft import FOLDER

POSITIONS = [
    entry["position"] for entry in json.loads((FOLDER / "dice.json").read_text(encoding="utf-8"))[::3]
]


def answers(plain: dict[str, Any]) -> tuple[Any, ...]:
    position = Position.from_plain(plain)
    cells = {position.layout.cell(square): die for square, die in position.board.items()}
    seen = sight.Sight.of_dice(position.layout, position.wild, cells.items())
    hand = position.hand
    turns, texts = seen.turns(hand), list(seen.texts(hand).items())
    return turns, texts, seen.best(hand), seen.best_score(hand), seen.can_lay(hand), position.turns()


def test_boards_too_large_for_the_kernel_are_seen_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    by_kernel = [answers(position) for position in POSITIONS]
    monkeypatch.setattr(sight, "KERNEL_SIDE", 2)
    assert [answers(position) for position in POSITIONS] == by_kernel


def test_a_board_of_27_columns() -> None:
    board = {"a1": "1RO", "b1": "2RO", "aa1": "1RO", "aa3": "3RO"}
    position = Position({"size": [3, 27], "bonus": {"c1": 2}}, board, ["3RO", "2RO"])
    assert list(position.scores().items()) == [
        ("3RO@c1 2RO@aa2", 8),
        ("3RO@c1", 5),
        ("2RO@aa2", 3),
        ("3RO@y1 2RO@z1", 3),
        ("2RO@y1 3RO@z1", 3),
        ("3RO@a2 2RO@a3", 3),
        ("2RO@a2 3RO@a3", 3),
    ]
    assert str(position.best()) == "3RO@c1 2RO@aa2"
    assert position.can_lay()
