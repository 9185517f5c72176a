"""`tercet verify`, `tercet replay` and `tercet record convert`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from tercet import bots, games, record
from tercet.codec import to_json
from tercet.fairness import Promise, seed_from
from tests.cli.command import Talk, answer, run, write


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """A finished game of each kind."""
    written = {}
    for name in games.names():
        game = games.find(name)(
            ["Ann", "Bo"],
            seed=seed_from("a record"),
            secrets=[seed_from("Ann's"), seed_from("Bo's")],
            table="K7QXRM",
        )
        bots.play(game, [bots.make(name, bots.usual(name), seat, Random(seat)) for seat in range(2)])
        written[name] = record.write(record.of(game))
    return written


@pytest.mark.parametrize("game", games.names())
def test_verify_says_ok(game: str, texts: dict[str, str], tmp_path: Path) -> None:
    said = answer("verify", write(tmp_path, "game.txt", texts[game])).split("\n")
    assert said[:2] == ["ok", "yes: is consistent"]
    assert [line.partition(":")[0] for line in said[2:4]] == ["open", "open"]
    told = json.loads(answer("verify", "-", "--json", stdin=texts[game]))
    assert (told["ok"], told["state"], told["itself"]["verdict"]) == (True, "finished", "proved")
    assert told["promised"]["verdict"] == told["secret"]["verdict"] == "open"


def kept_promise(text: str, tmp_path: Path, **change: Any) -> str:
    """The file of whoever sat on the second seat."""
    kept = record.read(text)
    promise = Promise(
        terms=kept.terms,
        commitment=kept.commitment,
        commitments=kept.commitments,
        seat=1,
        secret=kept.secrets[1],
    )
    return write(tmp_path, "promise.json", to_json(replace(promise, **change)).decode())


@pytest.mark.parametrize("game", games.names())
def test_f4_verify_says_in_three_steps_what_is_proved(
    game: str, texts: dict[str, str], tmp_path: Path
) -> None:
    file = write(tmp_path, "game.txt", texts[game])
    said = answer("verify", file, "--promise", kept_promise(texts[game], tmp_path))
    assert [line.partition(":")[0] for line in said.splitlines()] == ["ok", "yes", "yes", "yes"]
    changes: list[tuple[dict[str, Any], list[str]]] = [
        ({"commitment": seed_from("another")}, ["yes", "NO", "yes"]),
        ({"secret": seed_from("another")}, ["yes", "yes", "NO"]),
        ({"called_off": 3}, ["yes", "NO", "yes"]),
        ({"seat": None, "secret": ""}, ["yes", "yes", "open"]),
    ]
    for change, verdicts in changes:
        done = run("verify", file, "--promise", kept_promise(texts[game], tmp_path, **change))
        assert [line.partition(":")[0] for line in done.stdout.splitlines()][-3:] == verdicts
        assert done.returncode == (1 if "NO" in verdicts else 0)
    no_promise = write(tmp_path, "promise.json", "{}")
    assert run("verify", file, "--promise", no_promise).returncode == 2


@pytest.mark.parametrize("game", games.names())
def test_a_record_without_a_seal_or_an_end_is_called_that(
    game: str, texts: dict[str, str], tmp_path: Path
) -> None:
    whole = record.read(texts[game])
    short = [entry for entry in whole.log if entry.at < whole.log[-1].at]
    for changed, what in [
        (replace(whole, seal=None), "has no seal"),
        (replace(whole, seal=None, seed=None, result=None, log=tuple(short)), "is not finished"),
    ]:
        done = run("verify", write(tmp_path, "game.txt", record.write(changed)))
        assert done.returncode == 3
        assert what in done.stdout
        assert "ok" not in done.stdout.split()


@pytest.mark.parametrize("game", games.names())
def test_verify_says_what_and_where(game: str, texts: dict[str, str], tmp_path: Path) -> None:
    lines = texts[game].split("\n")
    number, line = next(
        (number, line) for number, line in enumerate(lines) if re.match(r"\d+\. .* [123][RGP]", line)
    )
    lines[number] = _other_symbol(line)
    changed = write(tmp_path, "game.txt", "\n".join(lines))
    done = run("verify", changed)
    assert done.returncode == 1
    assert done.stdout.startswith(f"NO: is consistent: line {line.split('.')[0]}: ")
    told = json.loads(run("verify", changed, "--json").stdout)
    assert told["ok"] is False
    assert told["itself"]["line"] == int(line.split(".")[0])


def _other_symbol(line: str) -> str:
    """The line with another last card or die."""
    head, _, last = line.rpartition(" ")
    return f"{head} {'2' if last[0] != '2' else '3'}{last[1:]}"


@pytest.mark.parametrize("game", games.names())
def test_convert_goes_there_and_back(game: str, texts: dict[str, str], tmp_path: Path) -> None:
    as_json = answer("record", "convert", write(tmp_path, "game.txt", texts[game]))
    assert json.loads(as_json.splitlines()[0])["game"] == game
    assert answer("record", "convert", "-", stdin=as_json) == texts[game]
    assert answer("record", "convert", "-", "--to", "json", stdin=as_json) == as_json


@pytest.mark.parametrize("game", games.names())
def test_replay_shows_every_move_in_80_columns(game: str, texts: dict[str, str], tmp_path: Path) -> None:
    file = write(tmp_path, "game.txt", texts[game])
    shown = answer("replay", file)
    moves = len(record.read(texts[game]).log)
    assert f"\n{moves}. " in shown
    drawn = [line for line in shown.splitlines() if not line[:1].isdigit()]
    assert max(map(len, drawn)) <= 80
    at = answer("replay", file, "--at", "3")
    assert "\n3. " in at
    assert "\n4. " not in at


@pytest.mark.parametrize("game", games.names())
def test_replay_as_json_has_the_states(game: str, texts: dict[str, str]) -> None:
    lines = [json.loads(line) for line in answer("replay", "-", "--json", stdin=texts[game]).splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert lines[-1]["state"]["phase"] == "over"


def test_replay_steps_by_key(texts: dict[str, str], tmp_path: Path) -> None:
    with Talk("replay", write(tmp_path, "game.txt", texts["cubed"]), "--step", terminal=True) as talk:
        talk.expect("1. .*\n(?s:.*)q to end: ")
        talk.send("")
        talk.expect(r"2\. .*\n(?s:.*)q to end: ")
        talk.send("q")
        assert talk.finish() == 0
