"""Many games in one file: `arena --records`, `tercet games`."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet
import pytest

from tercet import record, records
from tercet.record import RecordError
from tests.cli.command import answer, call, write


def said(*args: str, stdin: str = "") -> str:
    """What the command prints when all is well."""
    done = call(*args, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The records of an arena: some games of the dice, then some of the cards."""
    folder = tmp_path_factory.mktemp("arena")
    said(
        "arena",
        "greedy",
        "random",
        "--games",
        "6",
        "--to-the-end",
        "--workers",
        "1",
        "--records",
        str(folder / "dice"),
    )
    said("arena", "beginner", "casual", "--game", "set", "-o", "rounds=1", "--games", "4", "--to-the-end", "--workers", "1", "--records", str(folder / "cards"))  # fmt: skip
    return write(folder, "both.txt", (folder / "dice").read_text() + (folder / "cards").read_text())


def test_the_arena_writes_records_that_agree_with_themselves(played: str) -> None:
    with open(played, encoding="utf-8") as lines:
        found = list(records.read_all(lines))
    assert [one.game for one in found] == ["cubed"] * 6 + ["set"] * 4
    assert all(record.verify(one) is None for one in found)
    assert {frozenset(one.seats) for one in found} == {
        frozenset({"greedy", "random"}),
        frozenset({"beginner", "casual"}),
    }
    assert found[0].seats == found[1].seats[::-1]


def test_games_are_chosen_and_counted(played: str) -> None:
    assert answer("games", played, "--count") == "10\n"
    assert said("games", played, "--game", "set", "--count") == "4\n"
    assert said("games", played, "--player", "greedy", "--player", "random", "--verified", "--count") == "6\n"
    assert said("games", played, "--player", "nobody", "--count") == "0\n"
    won = [
        int(said("games", played, "--game", "cubed", "--winner", name, "--count"))
        for name in ("greedy", "random")
    ]
    assert sum(won) >= 6
    assert said("games", played, "--limit", "3", "--count") == "3\n"


def test_every_form_comes_back(played: str, tmp_path: Path) -> None:
    text = said("games", played)
    lines = said("games", "-", "--to", "json", stdin=text)
    assert said("games", "-", stdin=lines) == text
    rows = [json.loads(line) for line in said("games", played, "--to", "rows").splitlines()]
    table = tmp_path / "games.parquet"
    said("games", played, "--to", "parquet", "--output", str(table))
    assert pyarrow.parquet.read_table(table).to_pylist() == rows
    assert len(rows) == 10
    assert rows[0]["moves"][0] == "1 begins"
    assert rows[0]["winners"] == [
        seat for seat, score in enumerate(rows[0]["result"]) if score == max(rows[0]["result"])
    ]


def test_what_is_wrong_is_found_in_the_file(played: str, tmp_path: Path) -> None:
    games = Path(played).read_text().split("[Tercet ")
    games[3] = games[3].replace(" begins", " starts")
    done = call("games", write(tmp_path, "bad.txt", "[Tercet ".join(games)), "--count")
    assert done.returncode == 2
    assert "game 3, which begins in line" in done.stderr
    assert "is not a line of the dice game" in done.stderr
    assert call("games", write(tmp_path, "none.txt", "hello\n"), "--count").returncode == 2
    assert said("games", write(tmp_path, "empty.txt", "\n\n"), "--count") == "0\n"


def test_reading_is_streamed(played: str) -> None:
    """A game comes out before the next one was read."""
    taken = []

    def lines() -> object:
        with open(played, encoding="utf-8") as file:
            for line in file:
                taken.append(line)
                yield line

    next(records.read_all(lines()))  # type: ignore[arg-type]
    assert len(taken) < Path(played).read_text("utf-8").count("\n") / 5


def test_a_game_without_end_is_refused() -> None:
    with pytest.raises(RecordError, match="has more than 200000 lines"):
        list(records.read_all(['[Tercet "2"]', *["1. 0:00:00.000 1 begins"] * 200_001]))
