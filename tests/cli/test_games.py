"""Many games in one file: `arena --records`, `tercet games`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow.parquet
import pytest

from tercet import record, records
from tercet.record import RecordError
from tests.cli.command import answer, run, write


def said(*args: str, stdin: str = "") -> str:
    """What the command prints when all is well."""
    done = run(*args, stdin=stdin)
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
    assert all((one.tags["Bot1"], one.tags["Bot2"]) == one.seats for one in found)


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
    done = run("games", write(tmp_path, "bad.txt", "[Tercet ".join(games)), "--count")
    assert done.returncode == 2
    wrong = 1 + "[Tercet ".join(games).partition(" starts")[0].count("\n")
    assert re.search(rf": game 3, which begins in line \d+: line {wrong} of the file: ", done.stderr)
    assert "is not a line of the dice game" in done.stderr
    lines = said("games", played, "--to", "json").splitlines()
    wrong = 2 + [number for number, line in enumerate(lines) if records.begins(line)][7]
    lines[wrong - 1] = "{}"
    done = run("games", write(tmp_path, "bad.jsonl", "\n".join(lines)), "--count")
    assert f": game 8, which begins in line {wrong - 1}: line {wrong} of the file: " in done.stderr
    assert run("games", write(tmp_path, "none.txt", "hello\n"), "--count").returncode == 2
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


def test_the_arena_writes_over_no_records(tmp_path: Path) -> None:
    kept = write(tmp_path, "games.txt", "hours of games")
    done = run("arena", "quick", "casual", "--game", "set", "--games", "2", "--records", kept)
    told = "there is something in it already; keep the record in another file"
    assert (done.returncode, done.stderr) == (2, f"tercet: {kept}: {told}\n")
    assert Path(kept).read_text() == "hours of games"


def test_games_are_written_over_no_file_not_even_their_own(played: str, tmp_path: Path) -> None:
    before = Path(played).read_text()
    other = write(tmp_path, "notes.txt", "hours of notes")
    told = "there is something in it already; keep the record in another file"
    for file in (played, other):
        done = run("games", played, "-O", file)
        assert (done.returncode, done.stderr) == (2, f"tercet: {file}: {told}\n")
    assert (Path(played).read_text(), Path(other).read_text()) == (before, "hours of notes")
    assert run("games", played, "-O", "/dev/stdout", env={}).stdout == said("games", played)


ONE_OF_MANY = "tercet games FILE --skip 4 --limit 1"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["replay"], f"{ONE_OF_MANY} takes out the fifth, to be kept in another file"),
        (["record", "convert"], "tercet games FILE --to json, or --to text, writes them all"),
    ],
    ids=["replay", "convert"],
)
def test_commands_for_one_game_say_what_is_for_many(command: list[str], told: str, played: str) -> None:
    done = run(*command, played)
    assert (done.returncode, done.stderr) == (2, f"tercet: {played}: there are several games in it: {told}\n")


def test_every_game_of_a_file_is_verified(played: str, tmp_path: Path) -> None:
    games = [json.loads(line) for line in said("verify", played, "--json").splitlines()]
    many = len(games)
    assert many > 1
    assert all(game["ok"] for game in games)
    assert said("verify", played) == f"ok\n{many} of {many} games are finished and agree with themselves\n"
    text = Path(played).read_text()
    at = text.rindex("[Seed ") + 7
    forged = write(tmp_path, "forged.txt", text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :])
    done = run("verify", forged)
    assert done.returncode == 1
    assert done.stdout.startswith(f"game {many}: ")
    assert done.stdout.endswith(f"\nNO\n{many - 1} of {many} games are finished and agree with themselves\n")
    done = run("verify", played, "--promise", forged)
    assert (done.returncode, "a promise is for one" in done.stderr) == (2, True)


def test_one_game_is_taken_out_of_many(played: str, tmp_path: Path) -> None:
    second = str(tmp_path / "second.txt")
    said("games", played, "--skip", "1", "--limit", "1", "-O", second)
    assert (
        said("games", played, "--to", "rows").splitlines()[1] == said("games", second, "--to", "rows").strip()
    )


@pytest.mark.parametrize("group", ["cubed", "edition", "puzzles", "record", "set"])
def test_a_group_of_commands_alone_says_what_is_missing(group: str) -> None:
    done = run(group)
    assert (done.returncode, done.stderr) == (2, f"tercet: Missing command. (see tercet {group} --help)\n")


def test_a_bot_that_nobody_knows_is_named() -> None:
    done = run("arena", "thrifty", "greedy")
    assert done.returncode == 2
    told = "tercet: no bot is called thrifty; one of your own is loaded by --load FILE, and there are for set beginner,"
    assert done.stderr.startswith(told)
    assert "; for cubed random, greedy, steady, expert, master; " in done.stderr
