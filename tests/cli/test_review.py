"""`tercet review`, as people run it."""

from __future__ import annotations

import json
import re
import sys
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import Mock

import pytest

from tercet import cards, cubed, kernel, record
from tercet.cli import review as cli
from tercet.fairness import seed_from
from tercet.study.review import read
from tests.bots.tables import card_game, dice_game, scramble_game
from tests.cli.command import Talk, answer, run, write


def game_text(number: int = 1, tags: dict[str, str] | None = None) -> str:
    return record.write(record.of(card_game(["regular", "casual"], number, rounds=1), tags))


@pytest.fixture
def file(tmp_path: Path) -> str:
    return write(tmp_path, "game.txt", game_text())


def test_a_game_is_told_in_lines_a_chart_and_tables(file: str) -> None:
    said = answer("review", file)
    assert re.match(r"Ann found \d+ SETs, [\d.]+ a minute of looking\. Speed [\d.]+ \(", said)
    race = [line for line in said.splitlines() if "▁" in line]
    assert [line.split()[0] for line in race] == ["Ann", "Bo"]
    assert [int(line.split()[-1]) for line in race] == list(card_game(["regular", "casual"], rounds=1).scores)
    for title in ("Players", "SETs taken or missed", "Pace: SETs a minute", "Kinds of SETs"):
        assert f"\n{title}" in said
    assert "…" not in said


def test_standard_input_and_both_forms_of_a_record(file: str) -> None:
    said = answer("review", file)
    assert answer("review", "-", stdin=game_text()) == said
    assert answer("review", "-", stdin=answer("record", "convert", file)) == said


def test_json_is_a_review_that_can_be_read_back(file: str) -> None:
    found = read(answer("review", file, "--json"))
    assert [player.name for player in found.players] == ["Ann", "Bo"]
    assert found.result == card_game(["regular", "casual"], rounds=1).scores


def test_several_games_are_one_table(tmp_path: Path) -> None:
    files = [write(tmp_path, f"{number}.txt", game_text(number)) for number in (1, 2, 3)]
    said = answer("review", *files).splitlines()
    assert said[0] == "set: 3 games"
    assert [line.split()[:2] for line in said[-2:]] == [["Ann", "3"], ["Bo", "3"]]
    told = json.loads(answer("review", *files, "--json"))
    assert [one["file"] for one in told["reviews"]] == files
    assert [row["games"] for row in told["by_player"]["set"]] == [3, 3]


def test_a_file_of_many_games_is_reviewed_as_many_files_are(tmp_path: Path) -> None:
    texts = [game_text(number, {"Bot1": "regular", "Bot2": "casual"}) for number in (1, 2)]
    file = write(tmp_path, "games.txt", "\n".join([texts[0], '[Tercet "2"]', texts[1]]))
    done = run("review", file, "--json")
    told = json.loads(done.stdout)
    assert [one["file"] for one in told["reviews"]] == [f"{file}, game 1", f"{file}, game 3"]
    assert [(row["bot"], row["games"]) for row in told["by_player"]["set"]] == [("regular", 2), ("casual", 2)]
    assert done.returncode == 2
    assert done.stderr.startswith(f"tercet: {file}, game 2: ")
    assert (
        "one game"
        in complaint(write(tmp_path, "2.txt", "\n".join(texts)), "--plot", str(tmp_path / "a.svg"))[1]
    )


def test_a_page_and_a_picture(file: str, tmp_path: Path) -> None:
    html, plot = tmp_path / "review.html", tmp_path / "race.svg"
    answer("review", file, "--html", str(html), "--plot", str(plot))
    text = html.read_text("utf-8")
    assert text.startswith("<!doctype html>")
    assert "Ann" in text
    assert "<polyline" in text
    assert "<svg" in plot.read_text("utf-8")
    files = [file, write(tmp_path, "2.txt", game_text(2))]
    answer("review", *files, "--html", str(html))
    assert "2 games reviewed" in html.read_text("utf-8")


def test_a_terminal_without_unicode_gets_digits(file: str) -> None:
    done = run("review", file, env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert re.search(r"^Ann  0[0-7]{59} \d+$", done.stdout, re.MULTILINE)


def test_the_bar_on_a_terminal_leaves_the_answer_alone(file: str) -> None:
    with Talk("review", file, terminal=True) as talk:
        talk.expect("Ann found")
        assert talk.finish() == 0


def test_the_bar_counts_the_lines_of_all_games(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []

    class Bar:
        def add_task(self, _: str, total: int) -> int:
            told.append(total)
            return 0

        def update(self, _: int, completed: int) -> None:
            told.append(completed)

    monkeypatch.setattr(cli, "make_bar", lambda *_, **__: nullcontext(Bar()))
    monkeypatch.setattr(sys, "stderr", Mock(isatty=lambda: True))
    with cli._bar([40, 60]) as watch:
        watch(0)(20, 40)
        watch(1)(1, 2)  # a game of which only the players are counted
    assert told == [100, 20, 70]


def complaint(*args: str, stdin: str = "") -> tuple[int, str]:
    """The exit code, and the one line of what is wrong; nothing else is said."""
    done = run("review", *args, stdin=stdin)
    assert done.stdout == ""
    assert done.stderr.startswith("tercet: ")
    assert done.stderr.count("\n") == 1
    return done.returncode, done.stderr.removeprefix("tercet: ").strip()


def test_an_unfinished_game(tmp_path: Path) -> None:
    game = cards.Game(["Ann", "Bo"], seed=seed_from("unfinished"))
    game.do(cards.Deal(0))
    file = write(tmp_path, "game.txt", record.write(record.of(game)))
    assert complaint(file) == (3, f"{file}: the game is not finished")
    assert complaint("-", stdin=record.write(record.of(game, broken_off=True))) == (
        3,
        "standard input: the game was broken off before its end",
    )


def test_a_truncated_record(tmp_path: Path) -> None:
    lines = game_text().splitlines()
    code, said = complaint(write(tmp_path, "game.txt", "\n".join(lines[:-5])))
    assert (code, "its end is missing" in said) == (2, True)
    unsealed = [line for line in lines[:-5] if not line.startswith("[Seal")]
    code, said = complaint(write(tmp_path, "game.txt", "\n".join(unsealed)))
    assert (code, "the end of the record is missing" in said) == (1, True)
    code, said = complaint(write(tmp_path, "game.txt", "\n".join(lines[:4])))
    assert (code, "is missing" in said) == (2, True)


def test_a_tampered_record(tmp_path: Path) -> None:
    text = game_text()
    call = re.search(r"^2\. 0:00:0(\d)", text, re.MULTILINE)
    assert call is not None
    early = text[: call.start(1)] + "0" + text[call.end(1) :]
    file = write(tmp_path, "game.txt", early)
    code, said = complaint(file)
    assert code == 1
    assert said.startswith(f"{file}: the record is not consistent: line 2: ")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "this is no record"),
        ("hello", "this is no record"),
        ('[Event "Chess"]\n\n1. e4 e5', "this is no record"),
        ("{}", "line 1 of the file: this is no record"),
        ('{"engine": "1", "players": []}', "this is a review, not a record"),
        ('{"terms": {}, "commitment": ""}', "this is what was promised before play, not a record"),
        ("[" * 100_000, "this is no record"),
        ("[1,2]", "this is no record"),
        ('[Tercet "2"]\n[Game "go"]', "no game is called 'go'; there are set, cubed"),
        ('{"tercet":"2","game":"go"}', "no game is called 'go'; there are set, cubed"),
        (game_text().replace('[Game "set"]', '[Game "chess"]'), "no game is called 'chess'"),
    ],
    ids=[
        "empty",
        "text",
        "chess",
        "json",
        "review",
        "promise",
        "deep",
        "list",
        "go",
        "go in JSON",
        "unknown game",
    ],
)
def test_a_foreign_record(text: str, why: str, tmp_path: Path) -> None:
    code, said = complaint(write(tmp_path, "game.txt", text))
    assert code == 2
    assert why in said


def test_a_game_that_has_no_review(tmp_path: Path) -> None:
    file = write(tmp_path, "game.txt", record.write(record.of(scramble_game(["quick", "quick"], rounds=1))))
    code, said = complaint(file)
    assert code == 2
    assert said.startswith(f"{file}: Scramble has no review; there is one for set")


@pytest.mark.skipif(not kernel.COMPILED, reason="needs the compiled kernel to be quick")
def test_records_of_the_dice_game_get_answers_as_clear(tmp_path: Path) -> None:
    text = record.write(record.of(dice_game(["greedy", "greedy"])))
    small = {
        "extends": "house",
        "name": "small",
        "size": [7, 9],
        "logo": ["d4", "e4", "f4"],
        "bonus": {"a1": 5},
    }
    begun = cubed.Game(["Ann", "Bo"], seed=seed_from("unfinished"))
    begun.do(cubed.Begin(0))
    sealless = [line for line in text.splitlines() if not line.startswith("[Seal")]
    texts = {
        "unfinished": record.write(record.of(begun)),
        "broken off": record.write(record.of(begun, broken_off=True)),
        "truncated": "\n".join(text.splitlines()[:-5]),
        "unsealed": "\n".join(sealless[:-5]),
        "tampered": re.sub(r"(lays .*) = \d+", r"\1 = 99", text, count=1),
        "foreign": text.replace('[Game "cubed"]', '[Game "set"]'),
        "own edition": record.write(record.of(dice_game(["greedy", "greedy"], edition=small))),
        "four": record.write(record.of(dice_game(["greedy"] * 4))),
        "taken over": record.write(
            record.of(dice_game(["greedy"] * 2), {"Before1": '["Cleo"]', "Bot1": "greedy"})
        ),
    }
    files = [write(tmp_path, f"{name}.txt", one) for name, one in texts.items()]
    done = run("review", *files, "--games", "1", "--json")
    assert done.returncode == 3
    complaints = [line.removeprefix(f"tercet: {tmp_path}/") for line in done.stderr.splitlines()]
    assert [re.sub(r"\d+", "N", line) for line in complaints[:4]] == [
        "truncated.txt: header: the record has N lines and was sealed with N: its end is missing",
        "foreign.txt: line N of the file: 'N begins' is not a line of the card game",
        "unfinished.txt: the game is not finished",
        "broken off.txt: the game was broken off before its end",
    ]
    untrue = [line.partition(": line ")[0] for line in complaints[4:]]
    assert untrue == [f"{name}.txt: the record is not consistent" for name in ("unsealed", "tampered")]
    rows = json.loads(done.stdout)["by_player"]["cubed"]
    assert {(row["player"], row["bot"]): row["games"] for row in rows} == {
        ("Ann", None): 2,
        ("Bo", None): 3,
        ("Cy", None): 1,
        ("Di", None): 1,
    }, "the seat that a bot took over counts for nobody"


def test_files_that_are_not_there_or_twice(file: str, tmp_path: Path) -> None:
    assert complaint(str(tmp_path / "none.txt"))[0] == 2
    assert complaint(file, file) == (2, "the same file is given twice")
    assert complaint(str(tmp_path))[0] == 2


def test_what_cannot_be_written_is_said_first(file: str, tmp_path: Path) -> None:
    assert "there is no folder" in complaint(file, "--html", str(tmp_path / "none" / "a.html"))[1]
    assert "ends in .png or .svg" in complaint(file, "--plot", str(tmp_path / "a.txt"))[1]
    other = write(tmp_path, "2.txt", game_text(2))
    for name in ("a.svg", "a.txt"):
        assert "one game" in complaint(file, other, "--plot", str(tmp_path / name))[1]
    assert complaint(file, "--games", "0")[0] == 2


def test_one_bad_file_among_many_spoils_nothing(file: str, tmp_path: Path) -> None:
    bad = write(tmp_path, "bad.txt", "hello")
    done = run("review", bad, file)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "set: 1 game\n" in done.stdout
    assert run("review", bad, file, "--json").returncode == 2


def test_a_seat_that_changed_hands_counts_for_nobody(tmp_path: Path) -> None:
    tags = {"Before1": '["Cleo"]', "Bot2": "casual"}
    file = write(tmp_path, "game.txt", game_text(tags=tags))
    assert "Ann took this seat over from Cleo: it counts for nobody." in answer("review", file)
    told = json.loads(answer("review", file, write(tmp_path, "2.txt", game_text(2)), "--json"))
    assert [(row["player"], row["bot"], row["games"]) for row in told["by_player"]["set"]] == [
        ("Ann", None, 1),
        ("Bo", "casual", 1),
        ("Bo", None, 1),
    ]
