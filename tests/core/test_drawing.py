"""Everything draws itself, with the shapes of the site."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tercet import WILD, Card, Face, cards, cubed, scramble
from tercet.cubed import Die, Edition, Position, Square
from tercet.drawing import caption, draw, draw_board
from tercet.drawing.shapes import COLOURS, OUTLINES, PAPER
from tercet.drawing.typescript import typescript
from tercet.fairness import seed_from
from tercet.sets import COLOUR, NUMBER, Feature, KindError, Symbol
from tests.core.random_games import random_card_game, random_dice_game, random_scramble_game

ROOT = Path(__file__).parents[2]


class Coin(Symbol, features=(NUMBER, COLOUR)):
    noun = "coin"


class Odd(Symbol, features=(NUMBER, Feature("smell", ("sweet", "sour", "none"), "SBN"))):
    noun = "thing"


def started(kind: Any) -> Any:
    game = kind(["Ann <b>", "Bo"], seed=seed_from("drawn"))
    game.do(game.rules.opening(game.state))
    return game


THINGS: list[Any] = [
    Card("2GHS"),
    Face("3PO"),
    WILD,
    Die(3, Face("1RD")),
    Coin("2G"),
    Odd("3S"),
    Edition.named("house").layout,
    Position("house", {"a1": "1RO", "b1": "*2RO"}, ["3RO", "W"]),
    Position(board={"d5": "1RO", "e5": "2RO"}, hand=["3RO"]).best(),
    *(started(kind).state for kind in (cards.Game, cubed.Game, scramble.Game)),
    cards.rules.start(cards.Options(), 2),
    cubed.rules.start(cubed.Options(), 2),
]


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: type(thing).__module__ + type(thing).__name__)
def test_everything_draws_itself(thing: Any) -> None:
    whole = ET.fromstring(thing._repr_svg_())
    assert whole.tag.endswith("svg")
    assert float(whole.attrib["width"]) > 0
    assert str(thing)
    assert draw(thing) == thing.svg()


@pytest.mark.parametrize("make", [random_card_game, random_dice_game, random_scramble_game])
def test_games_tell_and_draw_themselves(make: Any) -> None:
    game = make(5)
    text, page = str(game), game._repr_html_()
    assert all(name in text for name in game.seats)
    assert "win" in text.splitlines()[0]
    ET.fromstring(f"<div>{page}</div>")
    assert "&lt;b&gt;" in started(type(game))._repr_html_()


def test_a_picture_has_as_many_shapes_as_the_cards() -> None:
    picture = draw("1RFD 2GHO 3PES", labels=True, marked=[Card("2GHO")])
    for shape, count in (("diamond", 1), ("oval", 2), ("squiggle", 3)):
        assert picture.count(OUTLINES[shape]) == count
    assert "<title>1 red full diamond, 2 green hatched ovals, 3 purple empty squiggles</title>" in picture
    assert picture.count("#e8b23f") == 1
    assert caption(Face("2GS")) == "2 green squiggles"
    assert draw("1RO W *2GS#17").count("<rect") == 3


def test_a_turn_is_laid_on_its_position() -> None:
    position = Position(board={"d5": "1RO", "e5": "2RO"}, hand=["3RO", "W"])
    laid = position.svg(turn="3RO@f5")
    assert laid.count("#e8b23f") == 1
    assert "f5: 3 red oval" in laid
    assert laid == position.svg(turn=cubed.read_turn("3RO@f5"))


def test_a_board_takes_squares_as_text() -> None:
    layout, lies = Edition.named("house").layout, (Face("2GS"), False)
    told = draw_board(layout, {"E5": lies}, marked="e5")
    assert told == draw_board(layout, {Square("e5"): lies}, marked=[Square("e5")])
    assert told.count("#e8b23f") == 1


def test_size_and_file(tmp_path: Path) -> None:
    Card("2GHS").svg(size=200).save(tmp_path / "card.svg")
    assert 'height="220"' in (tmp_path / "card.svg").read_text("utf-8")


def test_what_cannot_be_drawn_is_told() -> None:
    with pytest.raises(KindError, match="5 cannot be drawn: give cards, faces or dice"):
        draw([5])


def test_the_site_draws_the_same() -> None:
    """One source: the site's file is written from ours, and the colours are those of its theme."""
    assert (ROOT / "web/src/drawing/shapes.ts").read_text("utf-8") == typescript(), "run make protocol"
    tokens = (ROOT / "web/src/theme/tokens.css").read_text("utf-8")
    day = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", tokens.partition("data-theme")[0]))
    assert {name: day[name] for name in COLOURS} == COLOURS
    assert day["card"] == PAPER
    for name in ("Card", "Die", "Shape"):
        source = (ROOT / f"web/src/drawing/{name}.svelte").read_text("utf-8")
        assert "from './shapes'" in source or "from './rows'" in source
        assert not re.search(r' d="M', source), f"{name}.svelte draws a path of its own"
