"""`tercet cubed`: the interface that programs use."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tercet.cubed import Position
from tests.cli.command import COMMAND, answer, run, write

LINE = {"board": {"d5": "1RO", "e5": "2RO", "f5": "3RO"}, "hand": ["1GO", "1PO"]}
EXAMPLE = {
    "edition": {"size": [7, 7]},
    "board": {
        "c2": "1GS", "b2": "3RD", "d2": "2PO", "b3": "2PS", "d3": "2RS", "c4": "3GS", "d4": "1GO",
        "b6": "1GD", "c6": "1RD", "d6": "1PD",
    },
    "hand": ["2GS", "2GD", "3GD"],
}  # fmt: skip


def test_turns_are_json_lines_each_once_with_sorted_placements() -> None:
    said = answer("cubed", "turns", "-", stdin=json.dumps(LINE))
    assert answer("cubed", "turns", "-", "--json", stdin=json.dumps(LINE)) == said
    lines = [json.loads(line) for line in said.splitlines()]
    assert {"turn": "1GO@d3 1PO@d4", "score": 3} in lines
    assert {tuple(line) for line in lines} == {("turn", "score")}
    assert len({line["turn"] for line in lines}) == len(lines)
    assert {line["turn"]: line["score"] for line in lines} == {
        str(turn): turn.score for turn in Position.from_plain(LINE).turns()
    }


def test_the_worked_example_scores_6_9_and_12(tmp_path: Path) -> None:
    file = write(tmp_path, "example.json", json.dumps(EXAMPLE, indent=2))
    scores = {
        told["turn"]: told["score"] for told in map(json.loads, answer("cubed", "turns", file).splitlines())
    }
    assert scores["2GS@c3"] == 6
    assert scores["2GS@c3 2GD@b4"] == 9
    assert scores["2GS@c3 2GD@b4 3GD@b5"] == 12


def test_an_edition_in_a_position_may_say_what_editions_say_and_a_byte_order_mark_is_no_harm() -> None:
    wild = {"board": {"a1": "1RO", "b1": "*2RO", "d1": "1RO"}, "hand": ["3RO"]}
    edition = {"name": "mine", "size": [3, 5], "wild": "never"}
    for more, best in ((wild, 6), ({**wild, "edition": edition}, 4)):
        said = answer("cubed", "best", "-", "--json", stdin="\ufeff" + json.dumps(more))
        assert json.loads(said) == {"turn": "3RO@c1", "score": best}


def test_best_is_the_first_of_the_turns(tmp_path: Path) -> None:
    file = write(tmp_path, "example.json", json.dumps(EXAMPLE))
    assert answer("cubed", "best", file) == "2GS@c3 2GD@b4 3GD@b5 = 12\n"
    assert json.loads(answer("cubed", "best", file, "--json")) == {
        "turn": "2GS@c3 2GD@b4 3GD@b5",
        "score": 12,
    }


def test_without_a_turn_the_best_is_a_pass() -> None:
    stuck = json.dumps({"board": {}, "hand": ["1RO"]})
    assert answer("cubed", "best", "-", stdin=stuck) == "- = 0\n"
    assert answer("cubed", "turns", "-", stdin=stuck) == ""
    assert json.loads(answer("cubed", "turns", "-", "--batch", stdin=stuck)) == {"turns": {}}


def test_batch_answers_each_position_with_one_line() -> None:
    lines = answer(
        "cubed", "turns", "--batch", "-", stdin=f"{json.dumps(LINE)}\n\n{json.dumps(EXAMPLE)}\n"
    ).splitlines()
    assert [set(json.loads(line)) for line in lines] == [{"turns"}, {"turns"}]
    assert json.loads(lines[0])["turns"]["1GO@d3 1PO@d4"] == 3


def test_several_positions_are_a_batch_even_when_nobody_says_so() -> None:
    both = f"{json.dumps(LINE)}\n{json.dumps(EXAMPLE)}\n"
    assert answer("cubed", "turns", "-", stdin=both) == answer("cubed", "turns", "-", "--batch", stdin=both)


def test_batch_takes_one_position_on_several_lines() -> None:
    assert json.loads(answer("cubed", "turns", "-", "--batch", stdin=json.dumps(LINE, indent=1)))["turns"]


def test_batch_answers_before_the_next_position_is_there() -> None:
    with subprocess.Popen(
        [*COMMAND, "cubed", "turns", "--batch", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(json.dumps(LINE) + "\n")
            process.stdin.flush()
            assert "turns" in json.loads(process.stdout.readline())
        process.stdin.close()
        assert process.wait(timeout=30) == 0


def test_batch_keeps_what_it_answered_before_a_bad_line() -> None:
    done = run("cubed", "turns", "--batch", "-", stdin=f"{json.dumps(LINE)}\nnonsense\n")
    assert (done.returncode, len(done.stdout.splitlines())) == (2, 1)
    assert done.stderr.startswith("tercet: standard input: line 2: ")


def test_a_reader_that_stops_reading_is_no_error() -> None:
    with subprocess.Popen(
        [*COMMAND, "cubed", "turns", "--batch", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write((json.dumps(LINE) + "\n").encode() * 50)
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 141
