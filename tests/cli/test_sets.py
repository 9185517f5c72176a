"""`tercet sets` and `tercet explain`."""

from __future__ import annotations

import json

from tests.cli.command import Talk, answer, run


def test_sets_lists_each_set_once() -> None:
    assert answer("sets", "1RFD", "1GES", "2GHD", "3PED") == "1RFD 2GHD 3PED\n"


def test_sets_as_json() -> None:
    assert json.loads(answer("sets", "1RFD", "1GES", "2GHD", "3PED", "--json")) == {
        "sets": [["1RFD", "2GHD", "3PED"]]
    }


def test_sets_says_when_there_is_none() -> None:
    assert answer("sets", "1RFD", "1GES") == "No SET among 2 cards.\n"
    assert json.loads(answer("sets", "1RFD", "--json")) == {"sets": []}


def test_sets_reads_standard_input_and_either_case() -> None:
    assert answer("sets", "-", stdin="1rfd 1ges,\n2ghd\n3ped\n") == "1RFD 2GHD 3PED\n"


def test_sets_takes_faces_of_dice_three_alike_and_wilds() -> None:
    assert answer("sets", "1RO", "1RO", "1RO") == "1RO 1RO 1RO\n"
    assert answer("sets", "1RO", "W", "2GS") == "1RO W   2GS\n"


def test_explain_names_what_breaks_it() -> None:
    lines = answer("explain", "1RFO", "2RFO", "3RFS").splitlines()
    assert lines[1] == "Not a SET: two ovals, one squiggle"
    assert lines[-1].split() == ["shape", "two", "ovals,", "one", "squiggle"]


def test_explain_as_json() -> None:
    told = json.loads(answer("explain", "1RO", "2RO", "2RO", "--json"))
    assert told["is_set"] is False
    assert told["features"][0] == {
        "feature": "number", "verdict": "two_alike", "values": ["1", "2", "2"], "pair": "2", "odd": "1", "odd_one": 0,
    }  # fmt: skip


def test_explain_says_yes_to_three_equal_dice_and_to_wilds() -> None:
    assert answer("explain", "1RO", "1RO", "1RO").splitlines()[1] == "SET"
    assert answer("explain", "1RO", "W", "2GS").splitlines()[1] == "SET"


def test_a_terminal_shows_symbols_in_colour() -> None:
    with Talk("sets", "1RFD", "2GHO", "3PES", terminal=True) as talk:
        assert talk.finish() == 0
        assert "◆   1RFD  ◍◍  2GHO  □□□ 3PES" in talk.text
        assert b"\x1b[" in talk.raw


def test_no_color_means_plain_text() -> None:
    assert "\x1b" not in run("sets", "1RFD", "2GHO", "3PES", env={"NO_COLOR": "1", "FORCE_COLOR": ""}).stdout


def test_groups_of_the_variants() -> None:
    table = ("1RFD", "3RFD", "1GES", "2PHO", "2GFS", "2PFO")
    assert answer("set", "groups", "--variant", "ultra", *table) == "1RFD 3RFD 2GFS 2PFO\n"
    assert answer("set", "groups", *table) == "3RFD 1GES 2PHO\n"
    assert answer("set", "groups", "--variant", "ghost", *table[:5]) == "None among 5 cards.\n"
    chain = ("set", "groups", "--variant", "chain", "--last", "1RFD 2RFD 3RFD", "1GFD", "1PFD", "--json")
    assert json.loads(answer(*chain)) == {"groups": [["1RFD", "1GFD", "1PFD"]]}


def test_why_cards_are_no_group_of_a_variant() -> None:
    ghost = ("1RFD", "2RFD", "3RFD", "1GHO", "2GHO", "3RHO")
    assert answer("set", "explain", "--variant", "ghost", *ghost) == "Not a Ghost-SET: 4 red, 2 green\n"
    told = json.loads(answer("set", "explain", "--variant", "ultra", *ghost[:4], "--json"))
    assert told["broken"]
