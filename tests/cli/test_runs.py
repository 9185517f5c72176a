"""`tercet sprint`, `tercet daily`, `tercet puzzles make`, and `tercet verify` of a day."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tercet import cards, find_sets
from tercet.cli.runs import daily_command
from tercet.cli.text import InputError
from tercet.codec import from_json, to_json
from tercet.fairness import seed_from
from tercet.games.runs import find_run
from tercet.puzzles.days import Puzzle, check
from tests.cli.command import run


def lines_for(kind: str, seed: str) -> str:
    """The places of SETs that a player types who sees them all."""
    game = cards.Game(["Player"], seed=seed_from(seed), options=dict(find_run(kind).options))
    game.do(cards.Deal(0))
    lines = []
    while not game.is_over:
        found = find_sets(game.state.table)[0]
        lines.append(" ".join(str(game.state.table.index(card) + 1) for card in found))
        game.do(cards.Show(0, found))
    return "\n".join(lines) + "\n"


def test_a_sprint_at_the_keyboard_says_the_time() -> None:
    done = run("sprint", "sprint_ten", "--fast", "--seed", "x", stdin=lines_for("sprint_ten", "x"))
    assert done.returncode == 0
    assert done.stdout.startswith("Ten SETs. An error adds 5 seconds.")
    assert "seconds, 10 points." in done.stdout


def test_a_sprint_says_the_time_that_counts_and_why() -> None:
    lines = lines_for("sprint_ten", "x")
    wrong = "1 2 3\n" if not lines.startswith("1 2 3") else "1 2 4\n"
    done = run("sprint", "sprint_ten", "--fast", "--seed", "x", stdin=wrong + lines)
    found = re.search(r"([\d.]+) seconds \(([\d.]+) \+ 5 for 1 error\), 10 points", done.stdout)
    assert found, done.stdout
    assert round(float(found[1]) - float(found[2]), 1) == 5.0
    assert f"10 in {found[1]}." in done.stdout, "the last split is the time that counts"


def test_a_sprint_that_is_left_is_no_time() -> None:
    done = run("sprint", "--fast", stdin="1 2 3\n")
    assert done.returncode == 0
    assert "no time is kept" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sprint", "nonsense"], "no run is called 'nonsense'"),
        (["sprint", "daily_set"], "tercet daily"),
        (["daily", "storm"], "is not a daily puzzle: tercet sprint storm"),
        (["daily", "set"], "set is not a daily puzzle; there are daily_set and daily_cubed"),
        (["daily", "--server", "http://localhost:1"], "cannot reach http://localhost:1: "),
        (["puzzles", "make", "/nowhere/x.jsonl", "--from", "soon"], "is not a day"),
        (
            ["puzzles", "make", "/nowhere/x.jsonl", "--from", "9999-12-31", "--days", "2"],
            "there are no 2 days",
        ),
        (["daily", "--day", "yesterday"], "'yesterday' is not a day: write it as in 2026-11-18"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_line(words: list[str], said: str) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_daily_says_where_it_is_to_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever just types `tercet daily` has perhaps no server at all."""
    monkeypatch.delenv("TERCET_SERVER", raising=False)
    monkeypatch.setattr("tercet.cli.runs.SERVER", "http://localhost:1")
    with pytest.raises(
        InputError, match=r"cannot reach http://localhost:1: .*; .* --server URL, .* tercet serve"
    ):
        daily_command()


def test_puzzles_are_made_ahead_with_their_commitments(tmp_path: Path) -> None:
    file = tmp_path / "week.jsonl"
    done = run("puzzles", "make", str(file), "--days", "7", "--from", "2026-11-16")
    assert done.returncode == 0
    made = [from_json(line, Puzzle) for line in file.read_text("utf-8").splitlines()]
    assert [puzzle.level for puzzle in made] == [1, 1, 2, 2, 3, 3, 4]
    assert [line.split()[-1] for line in done.stdout.splitlines()] == [puzzle.commitment for puzzle in made]
    assert not any(puzzle.seed in done.stdout for puzzle in made)
    assert file.stat().st_mode & 0o077 == 0, "the seeds are for nobody else"
    assert run("puzzles", "make", str(file)).returncode == 2, "what is there is not overwritten"


def test_a_day_that_is_over_is_verified(tmp_path: Path) -> None:
    opened = Puzzle(kind="daily_set", day="2026-11-16", seed=seed_from("a day")).open_day
    assert check(opened) is None
    file = tmp_path / "day.json"
    file.write_bytes(to_json(opened))
    done = run("verify", str(file))
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "ok")
    file.write_text(json.dumps({**json.loads(to_json(opened)), "day": "2026-11-17"}), "utf-8")
    done = run("verify", str(file), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["ok"] is False


def test_a_day_that_is_not_over_has_a_secret(tmp_path: Path) -> None:
    file = tmp_path / "day.json"
    told: dict[str, object] = {
        "kind": "daily_set",
        "day": "2026-11-17",
        "commitment": "40d1",
        "seed": None,
        "puzzle": {},
    }
    file.write_text(json.dumps(told), "utf-8")
    done = run("verify", str(file))
    assert done.returncode == 3
    assert "the seed of 2026-11-17 is secret until the day is over; its commitment is 40d1" in done.stdout
