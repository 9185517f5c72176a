"""Scramble in a terminal: what a line means, and what is told."""

from __future__ import annotations

import pytest

from tercet import scramble
from tercet.games import Refusal
from tercet.scramble import Call, SeeNone, Show, TakeBack, Throw
from tercet.scramble.terminal import ScrambleDesk
from tercet.terminal.desk import Say
from tercet.terminal.screen import Screen
from tests.core.scripted import NAMES, scramble_game

LYING = "1RO 2RO 3RO W 1RO 1GD"


def desk(*people: int) -> ScrambleDesk:
    return ScrambleDesk(NAMES[:2], people or (0,), Screen())


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("", [Call(0)]),
        ("none", [SeeNone(0)]),
        ("b", [TakeBack(0)]),
        ("1 2 3", [Call(0), Show(0, (1, 2, 3))]),
        ("3,2, 1", [Call(0), Show(0, (3, 2, 1))]),
        ("1ro 1RO w", [Call(0), Show(0, (1, 5, 4))]),
        ("nothing", [Call(0), Show(0)]),
    ],
)
def test_what_a_line_means(line: str, commands: list[scramble.ScrambleCommand]) -> None:
    assert desk().answer(scramble_game(LYING).state, line) == commands


def test_without_a_call_where_none_is_needed() -> None:
    assert desk().answer(scramble_game(LYING, claim="instant").state, "1 2 3") == [Show(0, (1, 2, 3))]


def test_the_thrower_throws_and_the_caller_shows() -> None:
    assert desk().answer(scramble_game(thrown=False).state, "") == [Throw(0)]
    assert desk(1).answer(scramble_game(thrown=False).state, "") == []
    game = scramble_game(LYING)
    game.do(Call(0))
    assert desk().answer(game.state, "1 2 4") == [Show(0, (1, 2, 4))]
    assert desk(0, 1).answer(scramble_game(LYING).state, "2 none") == [SeeNone(1)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 2", "Three dice, by their places"),
        ("1 2 7", "No die lies on place 7."),
        ("1 2 0", "No die lies on place 0."),
        ("1 2 " + "9" * 5000, "No die lies on place 999999999."),
        ("1RO 1RO 1RO", "No other die on the table shows 1RO."),
        ("3PS 1RO 1RO", "No die on the table shows 3PS."),
    ],
)
def test_what_is_wrong_with_a_line(line: str, said: str) -> None:
    with pytest.raises(Say, match=said):
        desk().answer(scramble_game(LYING).state, line)


def test_the_table_keeps_its_places(capsys: pytest.CaptureFixture[str]) -> None:
    game = scramble_game(LYING + " 2GD 3GD")
    game.do(Call(0))
    game.do(Show(0, (1, 2, 3)))
    desk().draw(game.state)
    assert capsys.readouterr().out.splitlines()[:2] == [
        " " * 27 + "  4 W      5 1RO    6 1GD",
        "  7 2GD    8 3GD",
    ]


def test_a_hint_names_places() -> None:
    assert desk().hint(scramble_game(LYING).state) == "A SET: 1 2 3."
    assert desk().hint(scramble_game("1RO 1RO 2GS").state) == "There is no SET: say none."


def test_every_refusal_has_its_sentence() -> None:
    table = desk()
    for code in scramble.rules.refusals:
        details = {"die": 3, "seat": 1, "needed": 3, "count": 2, "by_ms": 5}
        assert table.refuse(Refusal(code, **details)).endswith(".")


def test_every_event_is_told() -> None:
    table, game = desk(), scramble_game(LYING + " 2PS", rounds=1)
    game.do(Call(0))
    game.do(Show(0, (1, 2, 6)))
    game.do(SeeNone(0))
    game.do(scramble.TakeBack(0))
    game.do(Call(1))
    game.do(Show(1))
    game.do(Call(1))
    game.do(Show(1, (1, 2, 4)))
    game.do(SeeNone(0))
    game.do(SeeNone(1))
    assert [table.narrate(game.state, entry.event) for entry in game.log] == [
        "Ann throws round 1.",
        "Ann: Set!",
        "Ann shows 1RO 2RO 1GD. Not a SET: two 1s, one 2; two red, one green; two ovals, one diamond.",
        "Ann sees no SET.",
        "Ann looks again.",
        "Bo: Set!",
        "Bo shows nothing.",
        "Bo: Set!",
        "Bo takes 1RO 2RO W.",
        "Ann sees no SET.",
        "Bo sees no SET.",
        "The round is over. Left on the table: 3RO 1RO 1GD 2PS.",
        "The game is over: Bo wins with 1 point.",
    ]
