"""`tercet verify`, `tercet replay` and `tercet record convert`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from tercet import bots, games, record
from tercet.fairness import seed_from
from tests.cli.command import Talk, answer, run, write


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """A finished game of each kind."""
    written = {}
    for name in games.names():
        game = games.find(name)(["Ann", "Bo"], seed=seed_from("a record"))
        bots.play(game, [bots.make(name, bots.usual(name), seat, Random(seat)) for seat in range(2)])
        written[name] = record.write(record.of(game))
    return written


@pytest.mark.parametrize("game", games.names())
def test_verify_says_ok(game: str, texts: dict[str, str], tmp_path: Path) -> None:
    assert answer("verify", write(tmp_path, "game.txt", texts[game])) == "ok\n"
    assert json.loads(answer("verify", "-", "--json", stdin=texts[game])) == {"ok": True}


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
    assert done.stdout.startswith(f"line {line.split('.')[0]}: ")
    told = json.loads(run("verify", changed, "--json").stdout)
    assert told["ok"] is False
    assert told["line"] == int(line.split(".")[0])


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
