"""Whole games in the terminal: through a pipe, and through a terminal of their own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tercet import cards, games, record
from tests.cli.command import Talk, answer, run

TERMINAL = pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])


def play_set(talk: Talk) -> None:
    """Take every SET that a hint shows, until the game is over."""
    news = talk.prompt()
    while "The seed was" not in news:
        news = talk.ask("hint")
        if "The seed was" in news:  # somebody else was faster, and that was the end
            return
        hint = re.search(r"(?:One of \d+|The only [\w-]+): ([\da-c ]+)\.", news)
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
    assert answer("verify", file).startswith("ok\n")
    assert re.search(r"commitment: (\w+)", talk.text)[1] == record.read(Path(file).read_text()).commitment  # type: ignore[index]


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
    assert answer("verify", file).startswith("ok\n")
    assert record.read(Path(file).read_text()).result is not None


def test_with_the_same_seed_and_lines_it_is_the_same_game(tmp_path: Path) -> None:
    lines = "none\nwait\n1 2 3\nwait\n" * 60
    played = []
    for number in range(2):
        file = tmp_path / f"{number}.txt"
        run("play", "set", "--fast", "--seed", "x", "--record", str(file), stdin=lines)
        played.append(file.read_text())
    assert played[0] == played[1]
    assert len(played[0].splitlines()) > 50


@pytest.mark.parametrize("game", games.names())
def test_bots_play_among_themselves(game: str, tmp_path: Path) -> None:
    file = str(tmp_path / "game.txt")
    shown = answer("play", game, "--seat", "bot:", "--seat", "bot:", "--fast", "--record", file)
    assert "The game is over" in shown
    assert answer("verify", file).startswith("ok\n")
    assert set(record.read(Path(file).read_text()).tags) == {"Bot1", "Bot2"}


def test_a_live_game_waits_for_the_clock() -> None:
    with Talk("play", "set", "--seat", "Ann", "--option", "show_seconds=3", "--seed", "x") as talk:
        talk.expect("Enter for Set!")
        talk.send("")
        talk.expect("Ann: Set!")
        talk.expect("Ann shows nothing", seconds=6)
        talk.send("quit")
        assert talk.finish() == 0


def test_f2_quitting_breaks_the_game_off_and_reveals_its_seed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    shown = answer("play", "set", "--seat", "Ann", "--record", str(file), stdin="none\nquit\n")
    kept = record.read(file.read_text())
    assert kept.seed is not None
    assert f"The seed was {kept.seed}" in shown
    assert kept.result is None
    done = run("verify", str(file))
    assert done.returncode == 3
    assert done.stdout.endswith("The game was broken off: this is a record as far as it went.\n")


def test_f4_the_terminal_keeps_what_was_promised(tmp_path: Path) -> None:
    file, promise = tmp_path / "game.jsonl", tmp_path / "game.promise.json"
    args = ["play", "scramble", "--seat", "bot:", "--seat", "Ann", "--fast", "-o", "rounds=1"]
    with Talk(*args, "--record", str(file)) as talk:
        talk.prompt()
        before = promise.read_text()
        assert json.loads(before)["seat"] == 1
        talk.send("quit")
        assert talk.finish() == 0
    assert promise.read_text() == before
    said = run("verify", str(file), "--promise", str(promise)).stdout.splitlines()
    assert [line.partition(":")[0] for line in said[:3]] == ["yes"] * 3
    other = tmp_path / "other.txt"
    run(
        "play",
        "scramble",
        "--seat",
        "bot:",
        "--seat",
        "Ann",
        "--record",
        str(other),
        "-o",
        "rounds=1",
        stdin="quit\n",
    )
    done = run("verify", str(other), "--promise", str(promise))
    assert done.returncode == 1
    assert [line.partition(":")[0] for line in done.stdout.splitlines()[:3]] == ["yes", "NO", "NO"]
    assert "something in it already" in run("play", "set", "--record", str(tmp_path / "game.txt")).stderr


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
            ("1@e5", "a die on e5 already"),
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


def test_a_command_line_option_is_what_its_schema_says() -> None:
    for wrong, said in (
        ("rounds=many", "option rounds: a number, not 'many'"),
        ("rounds=0", "option rounds: 1 at least, not 0"),
        ("show_seconds=99", "option show_seconds: 30 at most, not 99"),
        ("auto_deal=perhaps", "option auto_deal: true or false"),
        ("variant=turbo", f"option variant: one of {', '.join(cards.VARIANTS)}"),
    ):
        assert said in run("play", "set", "--option", wrong).stderr


VARIANTS = [name for name in cards.VARIANTS if name != "classic"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_game_of_every_variant(variant: str, tmp_path: Path) -> None:
    file = str(tmp_path / "game.txt")
    args = ["--seat", "Ann", "--seat", "bot:casual", "--practice", "--fast", "--seed", "a game"]
    options = ["--option", "rounds=1", "--option", f"variant={variant}", "--record", file]
    with Talk("play", "set", *args, *options) as talk:
        play_set(talk)
        assert talk.finish() == 0
        assert "Verified" in talk.text
        assert max(len(line) for line in talk.text.splitlines() if line.startswith(" ")) <= 80
    assert answer("verify", file).startswith("ok\n")
    shown = answer("replay", file)
    assert "Ann takes" in shown
    assert ("Taken last:" in shown) == (variant == "chain")
    assert ("The cards change places." in shown) == (variant == "shuffle")


def test_what_is_wrong_with_the_cards_of_a_variant_is_explained() -> None:
    ultra = talk_alone("ultra", "1 2 3\n1 2 3 4\n")
    assert "Four cards, by their places as in 1 5 9 10, or by their texts" in ultra
    assert re.search(r"Not an Ultra-SET: \w+ \w+ want \w+, \w+ \w+ want \w+\.", ultra)
    ghost = talk_alone("ghost", "1 2 3 4 5 6\n")
    assert re.search(r"Not a Ghost-SET: .*\d \w+", ghost)


def test_in_chain_the_cards_taken_last_have_letters() -> None:
    with Talk("play", "set", "--seat", "Ann", "--fast", "--seed", "x", "--option", "variant=chain") as talk:
        talk.prompt()
        first = re.search(r"(?:One of \d+|The only [\w-]+): ([\da-c ]+)\.", talk.ask("hint"))
        assert first is not None
        table = talk.ask(first[1])
        taken = re.search(r"Ann takes (\w+) (\w+) (\w+)\.", table)
        assert taken is not None
        assert re.search(rf"Taken last:\n +a {taken[1]} +b {taken[2]} +c {taken[3]}\n", table)
        assert "one card of the SET taken last" in talk.ask("1 2 3")
        assert "Ann shows nothing." in talk.ask("-")
        assert "as in b 5 9" in talk.ask("a 1")
        assert "one card of the SET taken last" in talk.ask("a b 1")
        talk.ask("-")
        link = re.search(r": ([abc] [\d ]+)\.", talk.ask("hint"))
        assert link is not None
        letter, *places = link[1].split()
        assert f"Ann takes {taken[1 + 'abc'.index(letter)]} " in talk.ask(f"{letter} {' '.join(places)}")
        talk.send("quit")
        assert talk.finish() == 0


def talk_alone(variant: str, lines: str) -> str:
    args = ("--seat", "Ann", "--fast", "--seed", "x", "--option", f"variant={variant}")
    return answer("play", "set", *args, stdin=f"{lines}quit\n")
