"""Bad input: each has its own refusal code or its own message, and nothing changes.

What the command line makes of it (exit code 2, one line) is tested in tests/cli.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tercet import (
    Card,
    Face,
    NotationError,
    TercetError,
    bots,
    cards,
    cubed,
    find_sets,
    games,
    has_set,
    is_set,
    record,
    records,
    scramble,
)
from tercet.cubed import Die, Edition, EditionError, Placement, Position, PositionError, Square, read_turn
from tercet.drawing import draw, draw_board
from tercet.fairness import SeedError, check_seed, seed_from
from tercet.games import Command, OptionsError
from tercet.geometry import grow_cap, is_cap, largest_cap
from tercet.sets import Feature, KindError, Symbol
from tests.core.random_games import random_card_game
from tests.core.scripted import (
    FILLER,
    NO_SET,
    SEED,
    card_game,
    cards_of,
    dice_game,
    lay,
    mid_game,
    refusal,
    scramble_game,
    show,
)
from tests.core.test_rules_c_setup import A_SET, GOOD

GAME = random_card_game(4)
TEXT = record.write(record.of(GAME))
JSON = record.write_json(record.of(GAME))
DICE_JSON = record.write_json(record.of(cubed.Game(["Ann", "Bo"], seed=SEED)))


def position(**change: object) -> Callable[[], object]:
    good = {"edition": "house", "board": {"d5": "1RO"}, "hand": ["2GS"]}
    return lambda: Position.from_plain({**good, **change})


def edition(**change: object) -> Callable[[], object]:
    return lambda: Edition.from_plain({**GOOD, **change})


def text(old: str, new: str) -> Callable[[], object]:
    assert old in TEXT
    return lambda: record.read(TEXT.replace(old, new, 1))


def json_header(**change: object) -> Callable[[], object]:
    first, _, rest = JSON.partition("\n")
    return lambda: record.read(json.dumps({**json.loads(first), **change}) + "\n" + rest)


def dice_header(**change: object) -> Callable[[], object]:
    first, _, rest = DICE_JSON.partition("\n")
    return lambda: record.read(json.dumps({**json.loads(first), **change}) + "\n" + rest)


def card_options(**options: object) -> Callable[[], object]:
    return lambda: cards.rules.read_options(options)


def dice_options(**options: object) -> Callable[[], object]:
    return lambda: cubed.rules.read_options(options)


def scramble_options(**options: object) -> Callable[[], object]:
    return lambda: scramble.rules.read_options(options)


def scramble_line(line: str) -> Callable[[], object]:
    return lambda: scramble.rules.read_event(line)


def table(*names: str, seed: str = SEED, secrets: tuple[str, ...] = ()) -> Callable[[], object]:
    return lambda: cards.Game(names, seed=seed, secrets=secrets)


def coin(features: Any) -> Callable[[], object]:
    """A class of one's own with such features."""
    return lambda: type("Coin", (Symbol,), {}, features=features)


#: What no type checker would let through.
ANY: dict[Any, Any] = {
    None: None, 5: 5, 1.5: 1.5, "list": ["2GHS"], "text": "1RFD 2GHD 3PED", "face": Face("1RO"), "card": Card(3), "game": GAME,
    "1RFD 2RFD 3RFD": ["1RFD", "2RFD", "3RFD"], "cubed": cubed.Options(), "pass": cubed.Pass(0), "bytes": TEXT.encode(),
}  # fmt: skip

#: What is done, which error it is, and a part of its message.
MALFORMED: list[tuple[str, Callable[[], object], type[TercetError], str]] = [
    (
        "a card of nothing",
        lambda: Card(ANY[None]),
        NotationError,
        "None is not a card: give its text or its code (0 to 80)",
    ),
    ("a card of a face", lambda: Card(Face("1RD")), NotationError, "Face('1RD') is a face, not a card"),
    (
        "a card in hand",
        lambda: Position(hand=[ANY["card"]]),
        NotationError,
        "Card('1RHD') is a card, not a face: give a face or its text",
    ),
    (
        "three texts",
        lambda: is_set(*ANY["1RFD 2RFD 3RFD"]),
        NotationError,
        "'1RFD' is neither a card nor a face",
    ),
    (
        "a number on the board",
        lambda: cubed.Position(board={"d5": ANY[5]}),
        cubed.PositionError,
        "d5: 5 is not a face",
    ),
    (
        "no edition",
        lambda: cubed.Position(ANY[None]),
        cubed.EditionError,
        "edition: give an object, not null",
    ),
    (
        "wrong options",
        lambda: cards.Game(["Ann"], seed="0" * 64, options={"rounds": 0}),
        OptionsError,
        "options of set",
    ),
    (
        "wrong options in their own type",
        lambda: cards.Game(["Ann"], seed="0" * 64, options=cards.Options(rounds=-1)),
        OptionsError,
        "options of set: rounds is a whole number from 1 to 100 or None, not -1",
    ),
    (
        "a secret that is no text",
        lambda: cards.Game(["Ann"], seed="0" * 64, secrets=[ANY[None]]),
        SeedError,
        "a secret is 64 hexadecimal digits in lower case",
    ),
    (
        "a table that is no text",
        lambda: cards.Game(["Ann"], seed="0" * 64, table=ANY[5]),
        KindError,
        "give the name of the table as text, not 5",
    ),
    (
        "a table of two lines",
        lambda: cards.Game(["Ann"], seed="0" * 64, table="A\nB"),
        OptionsError,
        "a table's name has at most 40 printable characters",
    ),
    (
        "the game number 0 of a table",
        lambda: cards.Game(["Ann"], seed="0" * 64, number=0),
        OptionsError,
        "games are numbered from 1 to 1000000, not 0",
    ),
    (
        "options of the other game",
        lambda: cards.Game(["Ann"], seed="0" * 64, options=ANY["cubed"]),
        OptionsError,
        "options of set",
    ),
    (
        "a command of the other game",
        lambda: cards.Game(["Ann"], seed="0" * 64).do(ANY["pass"]),
        KindError,
        "Pass(seat=0) is no command of Set: give one, such as Deal(seat=0)",
    ),
    (
        "a misspelt option",
        card_options(round=1),
        OptionsError,
        "there is no option 'round'; did you mean 'rounds'?",
    ),
    (
        "a misspelt choice",
        card_options(variant="ulta"),
        OptionsError,
        "variant is 'classic', 'chain', 'ultra', 'ghost', 'shuffle' or 'junior', not 'ulta'",
    ),
    ("a card in a list", lambda: Card(ANY["list"]), NotationError, "['2GHS'] is not a card: give its text"),
    (
        "cards to read in a list",
        lambda: Card.read(ANY["list"]),
        KindError,
        "give a text, as in Card.read('1RFD ",
    ),
    (
        "SETs of a number",
        lambda: find_sets(ANY[5]),
        KindError,
        "give cards or faces in a list, as in Card.read(",
    ),
    ("SETs of nothing", lambda: has_set(ANY[None]), KindError, "give cards or faces in a list"),
    ("a picture of a number", lambda: draw(5), KindError, "give cards, faces or dice, in a list or as text"),
    ("records of a number", lambda: records.read_all(ANY[5]), KindError, "give the lines of a file"),
    ("records of a text", lambda: records.read_all(TEXT), KindError, "text.splitlines(), not '[Tercet"),
    ("a cap of a number", lambda: is_cap(ANY[5]), KindError, "give cards, faces or codes in a list, not 5"),
    ("SETs of a text", lambda: find_sets(ANY["text"]), KindError, "make cards of it, as in Card.read("),
    (
        "SETs of a mixture",
        lambda: find_sets([Card("1RFD"), ANY["face"]]),
        NotationError,
        "of different kinds",
    ),
    ("a SET in a mixture", lambda: has_set([Card("1RFD"), ANY["face"]]), NotationError, "of different kinds"),
    (
        "a name alone",
        lambda: cards.Game(ANY["text"], seed=SEED),
        KindError,
        "give the players' names in a list",
    ),
    ("numbers for names", lambda: cards.Game([ANY[5]], seed=SEED), KindError, "give names of players, not 5"),
    (
        "a number for a seed",
        lambda: cards.Game(["Ann"], seed=ANY[5]),
        SeedError,
        "64 hexadecimal digits in lower case: tercet.fairness.seed_from('any text') makes one",
    ),
    (
        "a word for a seed",
        table("Ann", seed="hello"),
        SeedError,
        "tercet.fairness.seed_from('any text') makes one",
    ),
    ("a seed of a number", lambda: seed_from(ANY[5]), KindError, "give a text to make a seed of, not 5"),
    (
        "a seat that is not there",
        lambda: card_game().view(5),
        KindError,
        "give a seat from 0 to 1, or None, not 5",
    ),
    ("a view by name", lambda: card_game().view(ANY["text"]), KindError, "give a seat from 0 to 1, or None"),
    (
        "half a millisecond",
        lambda: card_game().do(cards.Call(0), at=ANY[1.5]),
        KindError,
        "give whole milliseconds since the start of the game, not 1.5",
    ),
    ("a time that is true", lambda: card_game().do(cards.Call(0), at=True), KindError, "whole milliseconds"),
    (
        "a time in words",
        lambda: card_game().do(cards.Call(0), at=ANY["text"]),
        KindError,
        "whole milliseconds",
    ),
    ("time that passes in words", lambda: card_game().advance(ANY["text"]), KindError, "whole milliseconds"),
    (
        "a seat that is true",
        lambda: card_game().do(cards.Call(True)),
        KindError,
        "Call(seat=True) is no command: seat: give a whole number, not true or false",
    ),
    (
        "a board in a list",
        lambda: Position(board=ANY["list"]),
        KindError,
        "give the board as a dict, as in {'d5': '1RO'}",
    ),
    (
        "a hand that is a number",
        lambda: Position(hand=ANY[5]),
        KindError,
        "give the hand as text, as in '2GS 1RO', or faces in a list, not 5",
    ),
    (
        "a turn that is a number",
        lambda: read_turn(ANY[5]),
        KindError,
        "give a turn as text, as in 2GS@e5, not 5",
    ),
    (
        "a number to judge",
        lambda: Position().judge(ANY[5]),
        KindError,
        "give a turn, or its text, as in 2GS@e5, not 5",
    ),
    (
        "cards to judge",
        lambda: Position().judge(ANY["list"]),
        KindError,
        "give placements, or the text of them all",
    ),
    (
        "a turn of nonsense to judge",
        lambda: Position().judge("2RO@c5 foo"),
        NotationError,
        "'foo' is not a placement",
    ),
    ("a record of nothing", lambda: record.read(ANY[None]), KindError, "give the text of a record, not None"),
    (
        "a text to verify",
        lambda: record.verify(ANY["text"]),
        KindError,
        "give a record (record.of makes one of a game, record.read of a text), not '1RFD 2GHD 3PED'",
    ),
    (
        "a game to write",
        lambda: record.write(ANY["game"]),
        KindError,
        "give a record (record.of makes one of a game",
    ),
    ("no bots", lambda: bots.play(card_game(), []), bots.BotError, "no bots: give one for each seat"),
    (
        "numbers for bots",
        lambda: bots.play(card_game(), [ANY[5]]),
        KindError,
        "give bots, as bots.make makes them, not 5",
    ),
    (
        "bots of another game",
        lambda: bots.play(card_game(), [bots.make("cubed", "greedy", seat, Random(1)) for seat in (0, 1)]),
        bots.BotError,
        "<greedy at seat 0> plays cubed, and this is set",
    ),
    (
        "two bots on one seat",
        lambda: bots.play(card_game(), [bots.make("set", "quick", 0, Random(1))] * 2),
        bots.BotError,
        "there are bots for the seats 0, 0: give one for each from 0 to 1",
    ),
    (
        "a symbol of no kind",
        lambda: Symbol("x"),
        KindError,
        "Symbol has no features: make a class of your own",
    ),
    ("a code of no kind", lambda: Symbol(0), KindError, "Symbol has no features: make a class of your own"),
    ("symbols of no kind", lambda: Symbol.read("x y"), KindError, "Symbol has no features: make a class of"),
    (
        "a number for features",
        coin(ANY[5]),
        KindError,
        "give the features of Coin in a tuple, as in features=",
    ),
    ("a number for a feature", coin((ANY[5],)), KindError, "give features to Coin, such as NUMBER, not 5"),
    (
        "numbers for letters",
        coin((Feature("size", ("s", "m", "l"), ANY[5]),)),
        KindError,
        "give the letters of size as text, as in 'RGP', not 5",
    ),
    (
        "a number for values",
        coin((Feature("size", ANY[5], "SML"),)),
        KindError,
        "give the values of size in a tuple, as in ('red', 'green', 'purple'), not 5",
    ),
    ("a cap in one text", lambda: grow_cap(ANY["text"]), KindError, "make cards of it, as in Card.read("),
    (
        "records in bytes",
        lambda: list(records.read_all([ANY["bytes"]])),
        KindError,
        "give lines of text (a file is opened without 'b'), not b'[Tercet",
    ),
    (
        "a cap in words",
        lambda: largest_cap(ANY["text"]),
        KindError,
        "give a number of features, not '1RFD 2GHD 3PED'",
    ),
    ("a big picture", lambda: card_game().svg(size="big"), KindError, "give a size in pixels, not 'big'"),
    (
        "a picture of less than nothing",
        lambda: draw("1RFD", size=-4),
        TercetError,
        "size is a number of pixels above 0, not -4",
    ),
    (
        "a picture without end",
        lambda: draw("1RFD 2GHD", size=float("inf")),
        TercetError,
        "size is a number of pixels above 0, not inf",
    ),
    (
        "columns of less than nothing",
        lambda: draw("1RFD", columns=-1),
        TercetError,
        "columns is a whole number from 1 on, not -1",
    ),
    (
        "a picture in a PNG file",
        lambda: draw("1RFD").save("x.png"),
        TercetError,
        "'x.png': a picture is SVG, so let the name end in .svg",
    ),
    ("players in words", lambda: cards.rules.check_seats(ANY["text"]), KindError, "give a number of players"),
    ("an empty card", lambda: Card(""), NotationError, "'' is not a card"),
    ("a card without fill", lambda: Card("2GS"), NotationError, "'2GS' is not a card: write number 1 2 3"),
    ("a card with a 4", lambda: Card("4GHS"), NotationError, "'4GHS' is not a card"),
    ("a card with too much", lambda: Card("2GHSS"), NotationError, "'2GHSS' is not a card"),
    ("a card with a long s", lambda: Card("2GHſ"), NotationError, "is not a card"),
    ("a card of code 81", lambda: Card(81), NotationError, "81 is not the code of a card (0 to 80)"),
    ("a card of code -1", lambda: Card(-1), NotationError, "-1 is not the code of a card"),
    ("a wild card", lambda: Card("W"), NotationError, "'W' is not a card"),
    (
        "a card as a number in JSON",
        lambda: Card.from_plain(3),
        NotationError,
        "a card is written as text, not 3",
    ),
    ("a face with a fill", lambda: Face("2GHS"), NotationError, "'2GHS' is not a face"),
    ("a face of code 28", lambda: Face(28), NotationError, "28 is not the code of a face (0 to 27)"),
    ("a square without a row", lambda: Square("e"), NotationError, "'e' is not a square"),
    ("a square without a column", lambda: Square("5"), NotationError, "'5' is not a square"),
    ("row 0", lambda: Square("e0"), NotationError, "'e0' is not a square"),
    ("row 101", lambda: Square("e101"), NotationError, "e101 is on no board"),
    ("column zz", lambda: Square("zz1"), NotationError, "zz1 is on no board"),
    ("an Arabic row", lambda: Square("e٥"), NotationError, "is not a square"),
    (
        "a square as a number in JSON",
        lambda: Square.from_plain(5),
        NotationError,
        "a square is written as text",
    ),
    ("a die without number", lambda: Die.read("2GS"), NotationError, "'2GS' is not a die"),
    ("a die with a long number", lambda: Die.read("2GS#12345"), NotationError, "is not a die"),
    ("a placement without square", lambda: Placement.read("2GS"), NotationError, "'2GS' is not a placement"),
    ("a placement with two faces", lambda: Placement.read("2GS@2GS"), NotationError, "'2GS' is not a square"),
    ("a placement of nothing", lambda: Placement.read("@e5"), NotationError, "'@e5' is not a placement"),
    ("an empty turn", lambda: read_turn("  "), NotationError, "an empty text is not a turn"),
    (
        "a turn with a comma",
        lambda: read_turn("2GS@e5, 2GS@e6"),
        NotationError,
        "'2GS@e5,' is not a placement",
    ),
    ("a position that is no JSON", lambda: Position.read("{"), PositionError, "not JSON"),
    (
        "a position that is a list",
        lambda: Position.read("[]"),
        PositionError,
        "position: give an object, not a list",
    ),
    (
        "a position without a hand",
        lambda: Position.read('{"board": {}}'),
        PositionError,
        "position: 'hand' is missing",
    ),
    (
        "a position with more",
        position(bag=[]),
        PositionError,
        "there is no 'bag'; there are board, hand, edition, wild",
    ),
    ("an unknown edition", position(edition="xyz"), EditionError, "no edition is called 'xyz'"),
    ("a board of 2 rows", position(edition={"size": [2, 9]}), EditionError, "size 2x9: a board has 3 to 100"),
    ("a board without size", position(edition={"logo": []}), EditionError, "edition: 'size' is missing"),
    ("six dice in hand", position(hand=["2GS"] * 6), PositionError, "6 dice in hand: at most 5"),
    (
        "a lying wild without a face",
        position(board={"d5": "W"}),
        PositionError,
        "the wild on d5 must stand for a face",
    ),
    ("a die beside the board", position(board={"k5": "1RO"}), PositionError, "k5 is not on this board"),
    (
        "two dice on a square",
        position(board={"d5": "1RO", "D5": "1RO"}),
        PositionError,
        "d5 is occupied twice",
    ),
    (
        "an unknown rule for wilds",
        position(wild="ever"),
        PositionError,
        "wild: 'ever' is not known; did you mean 'never'?",
    ),
    ("wild that is neither", lambda: Position(wild="x"), PositionError, "wild is 'later' or 'never'"),  # type: ignore[arg-type]
    ("an edition that is no TOML", lambda: Edition.read("dice = ["), EditionError, "not a TOML file"),
    ("an edition without a name", lambda: Edition.read(""), EditionError, "name is missing"),
    ("a title on two lines", edition(title="My\nbox"), EditionError, "title: one line of"),
    ("a note that colours the terminal", edition(note="\x1b[31m"), EditionError, "note: at most"),
    (
        "a die with an odd face",
        edition(dice=["1RO 1GO 1PO 2RO 2GO 2XO"]),
        EditionError,
        "die 1: '2XO' is not a face",
    ),
    ("an edition that extends a number", edition(extends=5), EditionError, "extends: the name of an edition"),
    ("an edition in capitals", edition(name="Own"), EditionError, "name 'Own': lower-case letters"),
    ("an edition without size", edition(size=None), EditionError, "size is missing"),
    ("a size of three numbers", edition(size=[9, 9, 9]), EditionError, "of length 2"),
    ("a bonus of 0", edition(bonus={"a1": 0}), EditionError, "bonus on a1: 0 is not from 1 to 99"),
    (
        "a bonus off the board",
        edition(bonus={"k1": 1}),
        EditionError,
        "square k1 is not on a board of 9 rows",
    ),
    (
        "a bonus listed twice",
        edition(bonus={"a1": 1, "A1": 2}),
        EditionError,
        "the same square is listed twice",
    ),
    (
        "a die with a card's face",
        edition(dice=[FILLER.replace("1RD", "1RFD")] * 42),
        EditionError,
        "'1RFD' is not a face",
    ),
    (
        "an edition that extends nothing",
        lambda: Edition.from_plain({"extends": "x"}),
        EditionError,
        "no edition is called 'x'",
    ),
    ("an edition with an odd key", edition(colour="red"), EditionError, "there is no 'colour'"),
    (
        "another house edition",
        lambda: Edition.from_plain("house:0000000000"),
        EditionError,
        "is not the one with fingerprint",
    ),
    ("no record", lambda: record.read(""), record.RecordError, "this is no record"),
    (
        "a record with a broken tag",
        text('[Game "set"]', "[Game set]"),
        record.RecordError,
        "is not a tag: write it as",
    ),
    (
        "a record with a tag twice",
        text("[Game", '[Game "set"]\n[Game'),
        record.RecordError,
        "a second tag Game",
    ),
    (
        "a record of chess",
        text('[Game "set"]', '[Game "chess"]'),
        record.RecordError,
        "no game is called 'chess'",
    ),
    ("a record of version 3", text('"2"', '"3"'), record.RecordError, "version '3' of the format is unknown"),
    ("a record without seat 1", text("Seat1", "Seat9"), record.RecordError, "the seats are not numbered"),
    (
        "a record with odd options",
        text('[Options "', '[Options "['),
        record.RecordError,
        "Options: JSON is malformed",
    ),
    ("a result of words", text('[Result "', '[Result "x'), record.RecordError, "is neither * nor points"),
    ("a line without a time", text("1. 0:00", "1. x:00"), record.RecordError, "is not a move"),
    (
        "a line of nonsense",
        text(" deals round ", " steals round "),
        record.RecordError,
        "is not a line of the card game",
    ),
    ("a line of seat 0", text("1 deals", "0 deals"), record.RecordError, "is not a line of the card game"),
    (
        "line 2 before line 1",
        text("\n1. ", "\n2. "),
        record.RecordError,
        "move 2 stands where move 1 belongs",
    ),
    ("an odd seal", json_header(seal="12"), record.RecordError, "the seal is not one of a record of"),
    (
        "a remark that hides a tag",
        json_header(tags={"Game": "x"}),
        record.RecordError,
        "'Game' cannot be the name of a remark",
    ),
    (
        "a JSON record with odd seats",
        json_header(seats="Ann"),
        record.RecordError,
        "seats: give a list, not a text",
    ),
    (
        "a JSON record with a key twice",
        lambda: record.read(JSON.replace('"called_off":', '"called_off":7,"called_off":', 1)),
        record.RecordError,
        "the key 'called_off' stands there twice",
    ),
    (
        "a JSON event with a key twice",
        lambda: record.read(JSON.replace('"at":', '"at":7,"at":', 1)),
        record.RecordError,
        "line 2 of the file: the key 'at' stands there twice",
    ),
    (
        "a JSON event with an odd key",
        lambda: record.read(JSON.replace('"at":', '"note":"x","at":', 1)),
        record.RecordError,
        "something in this line that does not belong there",
    ),
    (
        "a JSON event with an odd key inside",
        lambda: record.read(JSON.replace('"kind":', '"note":"x","kind":', 1)),
        record.RecordError,
        "something in this line that does not belong there",
    ),
    (
        "too few secrets",
        json_header(secrets=[]),
        record.RecordError,
        "one commitment and one secret a seat",
    ),
    ("an odd secret", json_header(secrets=["x"] * len(GAME.seats)), record.RecordError, "a secret is 64"),
    ("an odd commitment", json_header(commitment="x"), record.RecordError, "a commitment is 64"),
    ("game number 0", json_header(number=0), record.RecordError, "games are numbered from 1"),
    (
        "a start called off -1 times",
        json_header(called_off=-1),
        record.RecordError,
        "called off 0 times or more",
    ),
    (
        "a table of two lines",
        json_header(table="a\nb"),
        record.RecordError,
        "at most 40 printable characters",
    ),
    (
        "an edition where there is none",
        json_header(edition={}),
        record.RecordError,
        "an edition that is only named stands in the record as well, and no other",
    ),
    (
        "a record without its edition",
        dice_header(edition=None),
        record.RecordError,
        "an edition that is only named stands in the record as well",
    ),
    (
        "a record with another edition",
        dice_header(edition={**cubed.Edition.named("house").whole(), "wild": "never"}),
        record.RecordError,
        "is not the edition that stands in the record",
    ),
    (
        "a record that names no edition",
        dice_header(options={}, edition=None),
        record.RecordError,
        "the options do not name the edition",
    ),
    ("a JSON record with an odd key", json_header(date="x"), record.RecordError, "there is no 'date'"),
    (
        "a time before the start",
        lambda: record.read(JSON.replace('"at":', '"at":-', 1)),
        record.RecordError,
        "no game has a time of",
    ),
    (
        "no rounds",
        card_options(rounds=0),
        OptionsError,
        "rounds is a whole number from 1 to 100 or None, not 0",
    ),
    (
        "an unknown option",
        card_options(speed=1),
        OptionsError,
        "there is no option 'speed'; there are variant, ",
    ),
    (
        "only blue",
        card_options(only="blue"),
        OptionsError,
        "'oval' or 'squiggle' or None, not 'blue'",
    ),
    ("a table of 10", card_options(table=10), OptionsError, "table is 9 or 12, not 10"),
    (
        "a table of 9 with all cards",
        lambda: card_game(table=9),
        OptionsError,
        "a table of 9 is for the simplified game",
    ),
    (
        "options that are a list",
        lambda: cards.rules.read_options([]),
        OptionsError,
        "options of set: give a dict, as in {'rounds': 1}, not []",
    ),
    (
        "a second for the extra roll",
        dice_options(extra_seconds=1),
        OptionsError,
        "extra_seconds is a whole number from ",
    ),
    ("an option with a bad edition", dice_options(edition={"name": "x"}), OptionsError, "size is missing"),
    (
        "no rounds of Scramble",
        scramble_options(rounds=0),
        OptionsError,
        "options of scramble: rounds is a whole number from 1 to 10, not 0",
    ),
    (
        "eleven rounds of Scramble",
        scramble_options(rounds=11),
        OptionsError,
        "rounds is a whole number from 1 to 10, not 11",
    ),
    (
        "rounds that are a word",
        scramble_options(rounds="all"),
        OptionsError,
        "rounds is a whole number from 1 to 10, not 'all'",
    ),
    (
        "as many rounds as players",
        scramble_options(rounds=None),
        OptionsError,
        "rounds is a whole number from 1 to 10, not None",
    ),
    (
        "an unknown claim",
        scramble_options(claim="shout"),
        OptionsError,
        "claim is 'call' or 'instant', not 'shout'",
    ),
    (
        "an end of 1",
        scramble_options(auto_end=1),
        OptionsError,
        "auto_end is True or False, not 1",
    ),
    (
        "two seconds to show",
        scramble_options(show_seconds=2),
        OptionsError,
        "show_seconds is a whole number from 3 to 30, not 2",
    ),
    (
        "31 seconds to show",
        scramble_options(show_seconds=31),
        OptionsError,
        "show_seconds is a whole number from 3 to 30, not 31",
    ),
    (
        "Scramble with a penalty",
        scramble_options(penalty="point"),
        OptionsError,
        "there is no option 'penalty'",
    ),
    (
        "Scramble in an unknown edition",
        scramble_options(edition="x"),
        OptionsError,
        "options of scramble: edition: no edition is called 'x'; there are dutch, house",
    ),
    (
        "a throw of cards",
        scramble_line("1 throws round 1: 1RFD 2RFD"),
        NotationError,
        "is not a line of Scramble",
    ),
    (
        "a throw of card faces",
        scramble_line("1 throws round 1: 1RFD#1"),
        NotationError,
        "'1RFD' is not a face",
    ),
    (
        "a throw of seat 9",
        scramble_line("9 throws round 1: 1RD#1"),
        NotationError,
        "'9 throws round 1: 1RD#1' is not",
    ),
    (
        "a wild that was named",
        scramble_line("1 takes *1RO#1 1RO#2 1RO#3"),
        NotationError,
        "'1 takes *1RO#1 1RO#2 1RO#3' is not",
    ),
    (
        "a loss of points",
        scramble_line("game over: -1"),
        NotationError,
        "'game over: -1' is not a line of Scramble",
    ),
    ("no players", table(), OptionsError, "1 to 8 players, not 0"),
    ("an empty name", table(""), OptionsError, "'' is not a name"),
    ("a name of two lines", table("Ann\nBo"), OptionsError, "is not a name"),
    ("a name too long", table("x" * 41), OptionsError, "1 to 40 printable characters"),
    ("the same name twice", table("Ann", "Ann"), OptionsError, "two players have the same name"),
    ("a short seed", table("Ann", seed="abc"), SeedError, "64 hexadecimal digits"),
    ("a seed in capitals", lambda: check_seed("A" * 64), SeedError, "in lower case"),
    (
        "secrets for nobody",
        table("Ann", secrets=("", "")),
        SeedError,
        "secrets for 2 seats, but the game has 1",
    ),
    ("a secret of words", table("Ann", secrets=("words",)), SeedError, "a secret is 64 hexadecimal digits"),
    (
        "an unknown game",
        lambda: games.find("go"),
        OptionsError,
        "no game is called 'go'; there are set, cubed",
    ),
]


@pytest.mark.parametrize(
    ("do", "error", "message"), [row[1:] for row in MALFORMED], ids=[row[0] for row in MALFORMED]
)
def test_malformed_input_has_its_own_message(
    do: Callable[[], object], error: type[TercetError], message: str
) -> None:
    with pytest.raises(error) as raised:
        do()
    assert type(raised.value) is error
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


LINE = {"d5": "1RO", "e5": "2RO", "f5": "3RO"}
A, B, C = cards_of("1RFD 2RFD 3RFD")
WITH_A_SET = (A, *NO_SET[:4], B, *NO_SET[4:9], C)


def called(**options: Any) -> cards.Game:
    game = card_game(WITH_A_SET, **options)
    game.do(cards.Call(0))
    return game


def opening_call() -> cubed.Game:
    game = dice_game(A_SET, A_SET)
    game.do(cubed.Call(0))
    return game


def scramble_called(**options: Any) -> scramble.Game:
    game = scramble_game("1RO 2RO 3RO 1GD", **options)
    game.do(scramble.Call(0))
    return game


def scramble_locked(**options: Any) -> scramble.Game:
    game = scramble_called(**options)
    game.do(scramble.Show(0))
    return game


def scramble_over() -> scramble.Game:
    game = scramble_game(players=1, rounds=1)
    game.do(scramble.SeeNone(0))
    return game


def extra_roll() -> cubed.Game:
    game = mid_game(LINE, "1RO", "1GD")
    game.do(cubed.Pass(0))
    game.do(cubed.Pass(1))
    return game


#: Where, what is tried, and the code of the refusal.
REFUSED: list[tuple[Callable[[], cards.Game | cubed.Game | scramble.Game], Command, str]] = [
    (card_game, cards.Call(2), "no_such_seat"),
    (card_game, cards.Call(-1), "no_such_seat"),
    (lambda: card_game(dealt=False), cards.Call(0), "not_dealt"),
    (lambda: card_game(dealt=False), cards.Deal(1), "not_the_dealer"),
    (card_game, cards.Deal(0), "already_dealt"),
    (card_game, cards.Show(0, (A, B, C)), "call_first"),
    (card_game, cards.TakeBack(0), "nothing_to_take_back"),
    (called, cards.Call(1), "called_by_another"),
    (called, cards.SeeNone(0), "show_first"),
    (called, cards.Show(0, (A, B)), "wrong_number"),
    (called, cards.Show(0, (A, A, B)), "same_card_twice"),
    (called, cards.Show(0, cards_of("1RFD 2RFD 3PED")), "not_on_table"),
    (lambda: card_game(claim="instant"), cards.Call(0), "no_call_needed"),
    (lambda: card_game(WITH_A_SET, honest_none=True), cards.SeeNone(0), "there_is_a_set"),
    (lambda: GAME, cards.Deal(0), "game_over"),
    (lambda: dice_game(A_SET, A_SET, begun=False), cubed.Call(0), "wrong_phase"),
    (lambda: dice_game(A_SET, A_SET), cubed.Call(4), "no_such_seat"),
    (lambda: dice_game(A_SET, A_SET), cubed.Pass(0), "wrong_phase"),
    (lambda: dice_game(A_SET, A_SET), show(0, "1RO@d5 2RO@e5 3RO@f5"), "call_first"),
    (opening_call, cubed.SeeNone(1), "called_by_another"),
    (opening_call, show(0, "1RO@a1 2RO@b1 3RO@c1"), "not_on_logo"),
    (opening_call, show(0, "1PD@d5 2RO@e5 3RO@f5"), "not_in_hand"),
    (opening_call, show(0, "1RO#1@d5 1RO#1@e5 3RO@f5"), "same_die_twice"),
    (lambda: mid_game(LINE, "1RO", "1GD"), cubed.Begin(0), "wrong_phase"),
    (lambda: mid_game(LINE, "1RO", "1GD"), cubed.Choose(0), "wrong_phase"),
    (lambda: mid_game(LINE, "1RO", "1GD"), lay(1, "1GD@g5"), "not_your_turn"),
    (lambda: mid_game(LINE, "1RO", "1GD"), cubed.Lay(0, ()), "nothing_laid"),
    (lambda: mid_game(LINE, "2PS", "1GD"), lay(0, "1RO@g5"), "not_in_hand"),
    (lambda: mid_game(LINE, "1RO", "1GD"), lay(0, "*1RO@g5"), "not_in_hand"),
    (lambda: mid_game(LINE, "W", "1GD"), lay(0, "1RO@g5"), "not_in_hand"),
    (lambda: mid_game(LINE, "W", "1GD"), lay(0, "W@g5"), "wild_not_named"),
    (lambda: mid_game(LINE, "W", "1GD"), lay(0, "*W@g5"), "wild_not_named"),
    (lambda: mid_game(LINE, "1RO", "1GD"), lay(0, "1RO#5@g5"), "not_in_hand"),
    (lambda: mid_game(LINE, "1RO", "1GD"), lay(0, "1RO#9999@g5"), "not_in_hand"),
    (lambda: mid_game(LINE, "1RO", "1GD"), lay(0, "1RO@zz"[:-2] + "z99"), "off_board"),
    (lambda: mid_game(LINE, "1RO", "1GD"), lay(0, "1RO@d5"), "occupied"),
    (lambda: mid_game(LINE, "1RO", "1GD"), lay(0, "1RO@g5 1RO@g5"), "same_square_twice"),
    (lambda: mid_game(LINE, "1RO", "1GD"), lay(0, "1RO@a1"), "makes_no_set"),
    (lambda: mid_game(LINE, "1RO", "1GD"), lay(0, "1RO@g5 1RO@c5 1RO@b5 1RO@a5"), "too_many_dice"),
    (lambda: mid_game({**LINE, "g5": "2RO", "d6": "1GO"}, "1PO 1RO", "1GD"), lay(0, "1PO#1@d7 1PO#1@d4"), "same_die_twice"),
    (lambda: mid_game({**LINE, "a1": "*1RO"}, "2PS", "1RO"), cubed.Replace(0, 1, Square("a1")), "not_the_named_face"),
    (lambda: mid_game({**LINE, "a1": "*1RO"}, "2PS", "1RO"), cubed.Replace(0, 2, Square("a1")), "not_in_hand"),
    (lambda: mid_game(LINE, "1RO", "1GD"), cubed.Replace(0, 1, Square("d5")), "no_wild_there"),
    (lambda: mid_game(LINE, "1RO", "1GD"), cubed.Replace(0, 1, Square("z9")), "off_board"),
    (extra_roll, cubed.Choose(0, (2,)), "not_in_hand"),
    (extra_roll, cubed.Choose(0, (1, 1)), "same_die_twice"),
    (extra_roll, lay(0, "1RO@g5"), "wrong_phase"),
    (scramble_game, scramble.Call(2), "no_such_seat"),
    (scramble_game, scramble.Show(-1, (1, 2, 3)), "no_such_seat"),
    (scramble_game, scramble.Throw(0), "already_thrown"),
    (scramble_game, scramble.Show(0, (1, 2, 3)), "call_first"),
    (scramble_game, scramble.Show(0), "call_first"),
    (scramble_game, scramble.TakeBack(0), "nothing_to_take_back"),
    (lambda: scramble_game(thrown=False), scramble.Throw(1), "not_the_thrower"),
    (lambda: scramble_game(thrown=False), scramble.SeeNone(0), "not_thrown"),
    (lambda: scramble_game(thrown=False), scramble.TakeBack(0), "not_thrown"),
    (lambda: scramble_game(claim="instant"), scramble.Call(0), "no_call_needed"),
    (lambda: scramble_game(claim="instant"), scramble.Show(0), "wrong_number"),
    (scramble_called, scramble.Throw(0), "already_thrown"),
    (scramble_called, scramble.Call(0), "show_first"),
    (scramble_called, scramble.SeeNone(0), "show_first"),
    (scramble_called, scramble.SeeNone(1), "called_by_another"),
    (scramble_called, scramble.Show(0, (1, 2)), "wrong_number"),
    (scramble_called, scramble.Show(0, (1, 2, 3, 4)), "wrong_number"),
    (scramble_called, scramble.Show(0, (1, 2, 2)), "same_die_twice"),
    (scramble_called, scramble.Show(0, (1, 2, 5)), "not_on_table"),
    (scramble_called, scramble.Show(0, (1, 2, 43)), "not_on_table"),
    (scramble_called, scramble.Show(0, (1, 2, -1)), "not_on_table"),
    (scramble_called, scramble.Show(0, (1, 2, 10**30)), "not_on_table"),
    (scramble_locked, scramble.Call(0), "locked_out"),
    (scramble_over, scramble.Throw(0), "game_over"),
    (scramble_over, scramble.Show(0, (1, 2, 3)), "game_over"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "command", "code"), REFUSED)
def test_commands_that_are_refused_change_nothing(
    make: Callable[[], cards.Game | cubed.Game | scramble.Game], command: Command, code: str
) -> None:
    assert refusal(make(), command) == code


def _any(thing: Any) -> Any:
    """Whatever it is, as far as types know."""
    return thing


#: Things of the wrong kind, given to functions of the library, and what is said.
WRONG_KIND: list[tuple[Callable[[], object], str]] = [
    (
        lambda: records.row(_any(5)),
        "give a record (record.of makes one of a game, record.read of a text), not 5",
    ),
    (lambda: bots.make("set", "quick", _any("0"), Random(1)), "give a seat, from 0, not '0'"),
    (lambda: bots.make("set", "quick", 0, _any(1)), "give the source of its luck, as in Random(1), not 1"),
    (lambda: is_cap(_any("1RFD")), "'1RFD' is a text: make cards of it, as in Card.read('1RFD 2GHD 3PED')"),
    (lambda: draw("1RFD 2GHD", marked=_any(5)), "give what is marked in a list, or as text, not 5"),
    (lambda: draw("1RFD 2GHD", title=_any(5)), "give a title as text, not 5"),
    (
        lambda: draw_board(Edition.named("house").layout, _any({"e5": "2GS"})),
        "e5 has '2GS': give a face and whether it is a wild, as in (Face('2GS'), False)",
    ),
    (lambda: draw_board(_any(5)), "give the layout of a board, as Edition.named('house').layout is, not 5"),
    (lambda: games.find(_any(5)), "give the name of a game, such as 'set', not 5"),
    (lambda: bots.names(_any([])), "give the name of a game, such as 'set', not []"),
    (lambda: bots.find("cubed", _any(5)), "give the name of a bot, such as 'greedy', not 5"),
    (lambda: bots.register(_any(5)), "give a class, as in @bots.register above class Thrifty(Greedy), not 5"),
    (
        lambda: bots.register(type("Mine", (), {"name": "mine"})),
        "Mine has no game: say it in the class, as in game = '…'",
    ),
    (
        lambda: bots.register(type("Mine", (), {"name": "mine", "game": "set", "about": "is mine"})),
        "Mine has no method choose: it says what the bot does",
    ),
    (
        lambda: bots.play(GAME, _any(bots.make("set", "quick", 0, Random(1)))),
        "give a bot for each seat in a list, as bots.make makes them, not <quick at seat 0>",
    ),
    (lambda: Edition.named(_any([])), "give the name of an edition, such as 'house', not []"),
    (lambda: Edition.read(_any(None)), "give the text of a TOML file, not None"),
    (lambda: Position.read(_any(None)), "give a position as JSON, not None"),
    (lambda: Square(_any([])), "give a square as text, as in 'e5', not []"),
    (lambda: Placement.read(_any(None)), "give a placement as text, as in 2GS@e5, not None"),
    (lambda: Die.read_all(_any(None)), "give dice as text, as in '2GS#17 W#40', not None"),
    (lambda: Die.read(_any(5)), "give a die as text, as in 2GS#17, not 5"),
    (
        lambda: cards.Game(["Ann", "Bo"], seed=SEED, secrets=_any(None)),
        "give the secrets in a list, one a seat, not None",
    ),
]


@pytest.mark.parametrize(("call", "told"), WRONG_KIND)
def test_what_is_of_the_wrong_kind_is_told(call: Callable[[], object], told: str) -> None:
    with pytest.raises(KindError) as raised:
        call()
    assert str(raised.value) == told


@pytest.mark.parametrize(("row", "col"), [(-1, 0), (0, 100), (1, -1), (0.5, 0), (None, 0)])
def test_no_square_is_beyond_all_boards(row: Any, col: Any) -> None:
    with pytest.raises(NotationError, match="are on no board: whole numbers from 0 to 99"):
        Square.at(row, col)


def test_what_is_marked_may_be_a_text() -> None:
    assert draw("1RFD 2GHD 3PED", marked="2GHD") == draw("1RFD 2GHD 3PED", marked=[Card("2GHD")])


def test_positions_with_the_same_on_the_board_and_in_the_hand_are_equal() -> None:
    one = Position(board=LINE, hand="1GO 1PO")
    again = pickle.loads(pickle.dumps(one))
    assert one == again == Position.from_plain(one.to_plain())
    assert hash(one) == hash(again)
    assert one != Position(board=LINE, hand="1GO")
    assert one != Position("dutch", board=LINE, hand="1GO 1PO")
    assert one != "1GO 1PO"


def test_there_are_more_than_sixty_of_them() -> None:
    assert len(MALFORMED) >= 60
    assert len({(error, message) for _, _, error, message in MALFORMED}) > 60


def test_a_refusal_says_why_in_words() -> None:
    with pytest.raises(games.Refused) as raised:
        card_game().do(cards.Show(0, (A, B, C)))
    assert str(raised.value) == "call_first: Call first, then show."
    assert (raised.value.refusal.data, raised.value.words) == (
        {"code": "call_first"},
        "Call first, then show.",
    )
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.refusal) == (str(raised.value), raised.value.refusal)
    with pytest.raises(games.Refused, match=r"^not_your_turn: It is Ann's turn\.$"):
        mid_game(LINE, "1RO", "1GD").do(lay(1, "1GD@g5"))


def test_a_turn_is_judged_by_its_text_as_by_its_placements() -> None:
    position = Position(board=LINE, hand="1GO 1PO")
    best = position.best()
    assert position.hand == (Face("1GO"), Face("1PO"))
    assert position.judge(str(best)) == position.judge(best) == position.judge(best.placements)
    assert position.score(str(best)) == position.score(list(best.placements)) == best.score


def test_dice_of_a_table_stand_apart() -> None:
    lines = str(scramble.Game(["Ann"], seed=SEED).state), str(scramble_game().state)
    assert all(len(word.partition("#")[2]) <= 2 for word in lines[1].split())
    assert len(lines[1].split()) == 42
