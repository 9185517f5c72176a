"""Every parser, with anything at all and with the right thing damaged: only its documented error is raised."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tercet import Card, Face, TercetError, cards, cubed, record, scramble
from tercet.codec import from_json
from tercet.cubed import Die, Edition, Placement, Position, Square, read_turn
from tercet.fairness import check_seed, seed_from
from tests.core.random_games import random_card_game, random_dice_game, random_scramble_game

pytestmark = pytest.mark.slow

RECORDS = [
    write(record.of(game))
    for game in (random_card_game(1), random_dice_game(2), random_dice_game(3), random_scramble_game(4))
    for write in (record.write, record.write_json)
]
LINES = sorted(
    {line.split(" ", 2)[2] for text in RECORDS[::2] for line in text.split("\n") if line[:1].isdigit()}
)
HOUSE = Edition.named("house")
OWN_FILE: dict[str, Any] = {
    "name": "own",
    "size": [9, 9],
    "logo": ["d5", "e5", "f5"],
    "bonus": {"a1": 2},
    "dice": [" ".join(map(str, die)) for die in HOUSE.dice],
}
TOML = (
    "\n".join(f"{key} = {json.dumps(value)}" for key, value in OWN_FILE.items() if key != "bonus")
    + "\n[bonus]\na1 = 2\n"
)
POSITION = {
    "edition": {"size": [5, 5], "bonus": {"a1": 2}},
    "board": {"b2": "1RO", "c2": "*2RO"},
    "hand": ["3RO", "W"],
}
COMMANDS = [
    '{"do": "show", "seat": 0, "cards": ["1RFD", "2RFD", "3RFD"]}',
    '{"do": "lay", "seat": 1, "placements": [{"square": "e5", "face": "2GS", "wild": false, "die": 3}]}',
    '{"do": "choose", "seat": 1, "dice": [1, 2]}',
    '{"do": "show", "seat": 1, "dice": [1, 2, 3]}',
]

#: Characters that parsers trip over: separators, digits that are not ASCII, halves of characters, NUL.
ODD = "".join(map(chr, (0, 9, 13, 0x85, 0x661, 0x17F, 0x131, 0x2028, 0xD800, 0xDFFF, 0xFEFF, 0x1F3B2)))
#: What breaks numbers and nesting.
BLOWS = [
    "9" * 5000,
    "-1",
    "1e999",
    "NaN",
    "[" * 3000,
    '{"a":' * 3000,
    "null",
    '"',
    "\\ud800",
    "0" * 70,
    "#",
    "@",
    "*",
    "W",
]
anything = st.text(max_size=60) | st.text(alphabet='123RGPFHEDOSWabcde#@* -.:[]{}"\n' + ODD, max_size=60)


#: Where, and with what; drawn in the same way whatever the text is.
PLACES = st.integers(0, 1 << 20)
DOUBLED = "doubled"
PUT = st.sampled_from(["", DOUBLED, *BLOWS]) | st.text(alphabet='019RGPW#@*a{}[]"' + ODD, max_size=4)


@st.composite
def damaged(draw: st.DrawFn, texts: list[str]) -> str:
    """One of these texts with something cut out, doubled or put in, once or twice."""
    result = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 2))):
        start = draw(PLACES) % (len(result) + 1)
        end = min(len(result), start + draw(st.integers(0, 12)))
        put = draw(PUT)
        result = result[:start] + (result[start:end] * 2 if put == DOUBLED else put) + result[end:]
    return result


Parser = Callable[[str], object]
#: The parser, and good texts for it.
PARSERS: dict[str, tuple[Parser, list[str]]] = {
    "Card": (Card, ["2GHS"]),
    "Face": (Face, ["2GS", "W"]),
    "Square": (Square, ["e5", "aa10"]),
    "Die": (Die.read, ["2GS#17", "*2GS#3"]),
    "Placement": (Placement.read, ["2GS@e5", "*2GS#17@e5"]),
    "turn": (read_turn, ["2GS@e5 *2GS#17@e6", "-"]),
    "seed": (check_seed, ["0a" * 32]),
    "Edition": (Edition.read, [TOML]),
    "Edition name": (Edition.from_plain, ["house", f"house:{HOUSE.fingerprint}"]),
    "Position": (Position.read, [json.dumps(POSITION)]),
    "record": (record.read, RECORDS),
    "card event": (cards.rules.read_event, LINES),
    "dice event": (cubed.rules.read_event, LINES),
    "scramble event": (scramble.rules.read_event, LINES),
}
every_parser = pytest.mark.parametrize(("parse", "good"), PARSERS.values(), ids=PARSERS)


def only_its_own_error(parse: Parser, text: str) -> None:
    said = "fine"
    try:
        parse(text)
    except TercetError as error:
        said = str(error)
    assert 0 < len(said) < 500
    assert "\n" not in said


@every_parser
@given(data=st.data())
def test_anything_at_all(parse: Parser, good: list[str], data: st.DataObject) -> None:
    only_its_own_error(parse, data.draw(anything))


@every_parser
@given(data=st.data())
def test_the_right_thing_damaged(parse: Parser, good: list[str], data: st.DataObject) -> None:
    only_its_own_error(parse, data.draw(damaged(good)))


@every_parser
def test_the_right_thing_is_read(parse: Parser, good: list[str]) -> None:
    for text in good if good is not LINES else good[:0]:
        parse(text)


@every_parser
@pytest.mark.parametrize("blow", [*BLOWS, *ODD, "x" * 100_000, "[" * 100_000, '{"a":' * 100_000])
def test_blows(parse: Parser, good: list[str], blow: str) -> None:
    for text in (
        blow,
        good[0] + blow,
        blow + good[0],
        good[0].replace("1", blow, 1),
        good[0].replace('"', f'"{blow}', 1),
    ):
        only_its_own_error(parse, text)


# Data that was parsed already

plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["e5", "2GS", "W", "house"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def patched(good: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Good data with one value replaced by any other."""
    return st.tuples(st.sampled_from([*good, "other"]), plain).map(
        lambda change: {**good, change[0]: change[1]}
    )


@settings(max_examples=200)
@given(plain | patched(OWN_FILE))
def test_edition_from_plain(data: object) -> None:
    with contextlib.suppress(TercetError):
        Edition.from_plain(data)


@settings(max_examples=200)
@given(plain | patched(POSITION))
@example({**POSITION, "edition": {"size": [10**30, 3]}})
@example({**POSITION, "edition": {"size": [9, 9], "bonus": {"a1": 10**40}}})
@example({**POSITION, "edition": {"size": [5, 5], "logo": ["a1", "b2"]}})
@example({**POSITION, "edition": {**OWN_FILE, "wild": 3}})
@example({**POSITION, "edition": {"extends": "house"}})
def test_position_from_plain(data: object) -> None:
    with contextlib.suppress(TercetError):
        Position.from_plain(data).turns()


@pytest.mark.parametrize(
    "rules", [cards.rules, cubed.rules, scramble.rules], ids=["set", "cubed", "scramble"]
)
@settings(max_examples=200)
@given(data=st.data())
def test_read_options(rules: Any, data: st.DataObject) -> None:
    good = {"rounds": 2, "show_seconds": 5, "only": "red", "edition": OWN_FILE, "turn_seconds": 60}
    known = {key: value for key, value in good.items() if key in rules.options_type.__struct_fields__}
    with contextlib.suppress(TercetError):
        rules.read_options(data.draw(plain | patched(known)))


@pytest.mark.parametrize(
    "rules", [cards.rules, cubed.rules, scramble.rules], ids=["set", "cubed", "scramble"]
)
@settings(max_examples=300)
@given(text=anything | damaged(COMMANDS))
@example(text="[" * 100_000)
@example(text='{"do": "show", "seat": 0, "x": ' + "[" * 100_000)
def test_commands_from_json(rules: Any, text: str) -> None:
    with contextlib.suppress(msgspec.DecodeError, TercetError):
        from_json(text, rules.commands)


@given(st.text(alphabet=st.characters(), max_size=20) | st.just("\ud800"))
def test_any_text_makes_a_seed(text: str) -> None:
    assert check_seed(seed_from(text))
