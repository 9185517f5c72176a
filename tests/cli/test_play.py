"""Whole games in the terminal: through a pipe, and through a terminal of their own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tercet import record
from tests.cli.command import Talk, answer, run

TERMINAL = pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])


def play_set(talk: Talk) -> None:
    """Take every SET that a hint shows, until the game is over."""
    news = talk.prompt()
    while "The seed was" not in news:
        hint = re.search(r"(?:One of \d+|The only SET): ([\d ]+)\.", talk.ask("hint"))
        news = talk.ask(hint[1] if hint else "none")


def play_cubed(talk: Talk) -> None:
    """Open and lay what a hint shows, throw all dice in the extra roll, until the game is over."""
    news = talk.prompt()
    while "The seed was" not in news:
        if "extra roll:" in news.splitlines()[-1]:
            news = talk.ask("all")
            continue
        hint = talk.ask("hint")
        if opening := re.search(r"Ann: ([\w ]+)\.", hint):
            news = talk.ask(opening[1])
        elif best := re.search(r"The most points now: (.*) = (\d+)\.", hint):
            for placement in best[1].split():
                worth = talk.ask(placement)
            assert f"{best[2]} points so far" in worth
            news = talk.ask("")
        else:
            news = talk.ask("none" if "say none" in hint else "pass")


@TERMINAL
def test_a_whole_game_of_set(terminal: bool, tmp_path: Path) -> None:
    file = str(tmp_path / "game.txt")
    args = [
        "play",
        "set",
        "--seat",
        "Ann",
        "--seat",
        "bot:casual",
        "--practice",
        "--fast",
        "--seed",
        "a game",
    ]
    with Talk(*args, "--option", "rounds=1", "--record", file, terminal=terminal) as talk:
        play_set(talk)
        assert talk.finish() == 0
        assert "Verified" in talk.text
        assert max(len(line) for line in talk.text.splitlines() if line.startswith(" ")) <= 80
    assert answer("verify", file) == "ok\n"
    assert re.search(r"SHA-256: (\w+)", talk.text)[1] == record.read(Path(file).read_text()).commitment  # type: ignore[index]


@TERMINAL
def test_a_whole_game_of_set_cubed(terminal: bool, tmp_path: Path) -> None:
    file = str(tmp_path / "game.jsonl")
    args = [
        "play",
        "cubed",
        "--seat",
        "Ann",
        "--seat",
        "bot:greedy",
        "--practice",
        "--fast",
        "--seed",
        "a game",
    ]
    with Talk(*args, "--record", file, terminal=terminal) as talk:
        play_cubed(talk)
        assert talk.finish() == 0
        assert "Verified" in talk.text
    assert answer("verify", file) == "ok\n"
    assert record.read(Path(file).read_text()).result is not None


def test_with_the_same_seed_and_lines_it_is_the_same_game(tmp_path: Path) -> None:
    lines = "none\nwait\n1 2 3\nwait\n" * 60
    games = []
    for number in range(2):
        file = tmp_path / f"{number}.txt"
        run("play", "set", "--fast", "--seed", "x", "--record", str(file), stdin=lines)
        games.append(file.read_text())
    assert games[0] == games[1]
    assert len(games[0].splitlines()) > 50


@pytest.mark.parametrize("game", ["set", "cubed"])
def test_bots_play_among_themselves(game: str, tmp_path: Path) -> None:
    file = str(tmp_path / "game.txt")
    shown = answer("play", game, "--seat", "bot:", "--seat", "bot:", "--fast", "--record", file)
    assert "The game is over" in shown
    assert answer("verify", file) == "ok\n"


def test_a_live_game_waits_for_the_clock() -> None:
    with Talk("play", "set", "--seat", "Ann", "--option", "show_seconds=3", "--seed", "x") as talk:
        talk.expect("Enter for Set!")
        talk.send("")
        talk.expect("Ann: Set!")
        talk.expect("Ann shows nothing", seconds=6)
        talk.send("quit")
        assert talk.finish() == 0


def test_quit_keeps_the_record_and_the_secret(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    answer("play", "set", "--seat", "Ann", "--record", str(file), stdin="none\nquit\n")
    kept = record.read(file.read_text())
    assert kept.seed is None
    assert (
        run("verify", str(file)).stdout == "header: the seed is not revealed, so nothing can be checked yet\n"
    )


def test_two_people_at_one_keyboard_begin_with_their_number() -> None:
    shown = answer(
        "play", "set", "--seat", "Ann", "--seat", "Bo", "--fast", "--seed", "x", "--practice",
        stdin="\n2\n1 1 2\n-\n2 none\n2\n1 none\n1 back\nhint\n9 9\nquit\n",
    )  # fmt: skip
    for expected in (
        "Begin with your number: 1 Ann, 2 Bo.",
        "Bo: Set!",
        "The same card twice",
        "Bo shows nothing.",
        "Bo sees no SET.",
        "You are locked out",
        "Ann sees no SET.",
    ):
        assert expected in shown


def test_a_turn_can_be_taken_back_before_it_is_confirmed() -> None:
    with Talk(
        "play", "cubed", "--seat", "Ann", "--seat", "Bo", "--practice", "--fast", "--seed", "c"
    ) as talk:
        talk.expect("none, or ")
        talk.send("hint")
        seat, dice = talk.expect(r"(Ann|Bo): ([\w ]+)\.").groups()
        talk.send(f"{1 if seat == 'Ann' else 2} {dice}")
        talk.expect("your turn.*: ")
        for wrong, said in (
            ("undo", "nothing to take back"),
            ("", "Lay a die"),
            ("1RO", "is not a placement"),
            ("1@z99", "not on the board"),
            ("1@e5", "lies on e5 already"),
            ("9@e4", "There is no die 9"),
            ("1>a1", "No wild lies on a1"),
            ("1@a1", "Not yet: The die on a1 is in no new SET"),
            ("", "The die on a1 is in no new SET"),
            ("2@a1", "Two dice on a1"),
            ("1@b1", "same die twice"),
            ("2>a2", "clear first"),
        ):
            talk.send(wrong)
            talk.expect(re.escape(said))
        talk.send("undo")
        talk.expect("your turn.*: ")
        talk.send("?")
        talk.expect("The extra roll")
        talk.send("hint")
        best = talk.expect(r"The most points now: (.*) = (\d+)\.")
        talk.send(best[1])
        talk.expect(f"{best[2]} points so far")
        talk.send("")
        talk.expect(f"lays .*: {best[2]} points")
        talk.send("quit")
        assert talk.finish() == 0


def test_hints_are_for_practice() -> None:
    assert "Hints are for practice" in answer("play", "set", "--seed", "x", stdin="hint\nquit\n")


def test_options_reach_the_table() -> None:
    shown = answer(
        "play", "set", "--seat", "Ann", "-o", "only=red", "-o", "table=9", "-o", "claim=instant", "-o", "auto_deal=true",
        stdin="\nquit\n",
    )  # fmt: skip
    assert "18 cards in the deck" in shown
    assert "At this table nobody calls" in shown
