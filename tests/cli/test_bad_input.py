"""Whatever is wrong with what the command is given: exit code 2 and one line that says what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import run, write

BOARD = '"board": {"d5": "1RO"}'
HAND = '"hand": ["1GO"]'
#: What the files of the table below hold.
FILES = {
    "empty": b"",
    "binary": b"\xff\xfe\x00\x80",
    "words": b"hello there\n",
    "list": b"[1, 2]\n",
    "deep": b"[" * 100_000,
    "no_board": f"{{{HAND}}}".encode(),
    "no_hand": f"{{{BOARD}}}".encode(),
    "extra_key": f'{{{BOARD}, {HAND}, "colour": 1}}'.encode(),
    "bad_square": b'{"board": {"5d": "1RO"}, "hand": []}',
    "off_board": b'{"board": {"z9": "1RO"}, "hand": []}',
    "bad_face": b'{"board": {"d5": "4RO"}, "hand": []}',
    "bare_wild": b'{"board": {"d5": "W"}, "hand": []}',
    "six_dice": json.dumps({"board": {}, "hand": ["1RO"] * 6}).encode(),
    "bad_hand": f'{{{BOARD}, "hand": "1GO"}}'.encode(),
    "bad_wild": f'{{{BOARD}, {HAND}, "wild": "sometimes"}}'.encode(),
    "no_edition": f'{{{BOARD}, {HAND}, "edition": "none such"}}'.encode(),
    "tiny_board": f'{{{BOARD}, {HAND}, "edition": {{"size": [2, 9]}}}}'.encode(),
    "bad_bonus": f'{{{BOARD}, {HAND}, "edition": {{"size": [9, 9], "bonus": {{"b2": -1}}}}}}'.encode(),
    "second_line": f"{{{BOARD}, {HAND}}}\n{{{BOARD}}}\n".encode(),
    "no_size.toml": b'name = "mine"\n',
    "few_dice.toml": b'name = "mine"\nextends = "house"\ndice = ["1RD 1RO 2GO 2PD 3GS 3PS"]\n',
    "bad_key.toml": b'name = "mine"\nextends = "house"\ncolour = 3\n',
    "not.toml": b"name = \n",
    "tags": b'[Tercet "1"]\n[Game "set"]\n',
    "no_game": b'[Tercet "1"]\n[Game "chess"]\n[Seat1 "A"]\n[Options "{}"]\n[Commitment ""]\n[Result "*"]\n',
    "bad_move": b'[Tercet "1"]\n[Game "set"]\n[Seat1 "A"]\n[Options "{}"]\n[Commitment ""]\n[Result "*"]\n\n1. soon 1 calls\n',
    "lost_move": b'[Tercet "1"]\n[Game "cubed"]\n[Seat1 "A"]\n[Seat2 "B"]\n[Options "{}"]\n[Commitment ""]\n[Result "*"]\n\n1. 0:00:00.000 1 replaces 1RO#1>a1=1RO#99\n',
    "json_record": b'{"tercet": "1"}\n',
    "deep_record": b'{"a":' * 100_000,
    "kept": b"a record that must not be lost",
}

#: Arguments; @name stands for a file above.
BAD = """
nonsense
--nonsense
sets
sets 4RFD
sets 1RFD 1RO
sets 1RO 1RFD
sets 1RFD 1RFD 2RFD
sets 1RFDX
sets *2GS
sets --colour 1RFD
sets -
explain
explain 1RFD 2RFD
explain 1RFD 2RFD 3RFD 1GFD
explain 1RFD 2RFD 1RFD
explain 1RFD 2RFD 3RO
cubed
cubed nonsense
cubed turns
cubed turns @missing
cubed turns .
cubed turns @empty
cubed turns @binary
cubed turns @words
cubed turns @list
cubed turns @deep
cubed turns @no_board
cubed turns @no_hand
cubed turns @extra_key
cubed turns @bad_square
cubed turns @off_board
cubed turns @bad_face
cubed turns @bare_wild
cubed turns @six_dice
cubed turns @bad_hand
cubed turns @bad_wild
cubed turns @no_edition
cubed turns @tiny_board
cubed turns @bad_bonus
cubed turns @second_line
cubed turns @words --batch
cubed turns @no_board @no_hand
cubed best @empty
cubed best @six_dice
set
set groups
set groups 1RFD 1RO
set groups --variant turbo 1RFD 2RFD
set groups --variant ultra --last 1RFD,2RFD,3RFD 1GFD
set groups --variant chain --last 1RFD 1GFD
set explain 1RFD 2RFD
set explain --variant ghost 1RFD 2RFD 3RFD
edition
edition check
edition check @missing
edition check @binary
edition check @not.toml
edition check @no_size.toml
edition check @few_dice.toml
edition check @bad_key.toml
edition show nonsense
edition show @missing.toml
verify
verify @missing
verify @empty
verify @binary
verify @words
verify @tags
verify @no_game
verify @bad_move
verify @json_record
verify @deep
verify @deep_record
review
review @missing
review @empty
review @binary
review @tags
review @json_record
review @deep_record
review @no_game
review @words @words
review @words --games many
review @words --plot @missing/race.svg
replay @empty
replay @lost_move
replay @tags --at 1
replay - --step
games @missing
games @words
games @tags --to csv
games @tags --game chess
record convert @words
record convert @tags --to pdf
play chess
play set --seat Ann --seat Ann
play set --seat bot:nobody
play cubed --seat Ann
play cubed --seat A --seat B --seat C --seat D --seat E
play set --option
play set --option rounds
play set --option rounds=many
play set --option rounds=0
play set --option colour=red
play set --option edition=house
play set --option variant=turbo
play set --option variant=ultra --option only=red
play set --option auto_deal=perhaps
play set --option table=9
play set --option rounds=1 --option rounds=2
play cubed --option edition=none
play cubed --option edition=@few_dice.toml
play set --think never
play set --secret a --secret b --secret c
play set --record @kept
play set --record @missing/game.txt
arena greedy champion
arena greedy greedy --game set
arena casual casual --edition dutch --game set
arena greedy greedy --edition @few_dice.toml
arena greedy greedy --option colour=red
odds chess
odds cubed --players 5
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bad")
    for name, content in FILES.items():
        write(folder, name, content)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("line", BAD.strip().split("\n"))
def test_one_line_and_exit_code_2(line: str, folder: Path) -> None:
    done = run(*line.replace("@", f"{folder}/").split())
    assert done.returncode == 2
    assert done.stderr.startswith("tercet: ")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("\n")
    assert (folder / "kept").read_bytes() == FILES["kept"]


def test_an_argument_that_is_no_text() -> None:
    done = run("sets", "\udcff\udcfe")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
