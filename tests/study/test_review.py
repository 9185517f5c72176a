"""What a review is, whatever the game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from tercet import bots, cards, games, record
from tercet.fairness import seed_from
from tercet.games import catalogue
from tercet.record import Record
from tercet.study.review import (
    ReviewError,
    Unfinished,
    Untrue,
    read,
    review,
    review_type,
    reviewed_games,
    seated,
    write,
)
from tercet.study.review.page import Named, page
from tests.bots.tables import card_game


@pytest.fixture(scope="module")
def played() -> Record:
    return record.of(card_game(["regular", "casual"], rounds=1))


@pytest.fixture
def _toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A game without a review is known here."""
    monkeypatch.setenv(catalogue.PLUGINS, "tests.toy")
    catalogue._packages.cache_clear()
    yield
    catalogue._packages.cache_clear()
    bots.bot._known.pop("toy", None)


def test_an_unfinished_game_is_not_reviewed() -> None:
    game = cards.Game(["Ann", "Bo"], seed=seed_from("unfinished"))
    game.do(cards.Deal(0))
    with pytest.raises(Unfinished, match="not finished"):
        review(record.of(game))
    with pytest.raises(Unfinished, match="broken off"):
        review(record.of(game, broken_off=True))


def test_a_record_that_was_changed_is_not_reviewed(played: Record) -> None:
    entry = played.log[3]
    later = replace(played, log=(*played.log[:3], replace(entry, at=entry.at + 1), *played.log[4:]))
    with pytest.raises(Untrue, match="is not consistent: line 4") as caught:
        review(later)
    assert caught.value.problem.line == 4
    with pytest.raises(Untrue):
        review(replace(played, result=(99, 0)))


def test_a_refused_line_says_why_in_words(played: Record) -> None:
    taker = next(place for place, entry in enumerate(played.log) if isinstance(entry.event, cards.Took))
    took = played.log[taker]
    other = replace(took, event=replace(took.event, seat=1 - took.event.seat))
    with pytest.raises(Untrue, match=r"is refused: called_by_another: \w+ has called") as caught:
        review(replace(played, log=(*played.log[:taker], other, *played.log[taker + 1 :])))
    assert "{" not in str(caught.value)


@pytest.mark.parametrize("games", [0, -1, 1_000_001])
def test_games_are_played_out_or_not_at_all(played: Record, games: int) -> None:
    with pytest.raises(ReviewError, match=f"1 to 1000000 games .* not {games}"):
        review(played, games=games)


@pytest.mark.parametrize("given", ["game.txt", None])
def test_what_is_no_record_is_to_be_read_first(given: Any) -> None:
    with pytest.raises(TypeError, match=r"give a record \(record.read makes one of the text"):
        review(given)


def test_a_record_without_a_seal_is_reviewed(played: Record) -> None:
    assert review(replace(played, seal=None)) == review(played)


@pytest.mark.usefixtures("_toy")
def test_a_game_without_a_review_says_so() -> None:
    game = games.find("toy")(["Ann", "Bo"], seed=seed_from("toy"))
    bots.play(game, [bots.make("toy", "counter", seat, Random(seat)) for seat in range(2)])
    with pytest.raises(ReviewError, match="Count to Ten has no review; there is one for set"):
        review(record.of(game))
    assert "toy" not in reviewed_games()


@pytest.mark.parametrize("game", reviewed_games())
def test_every_review_names_its_game_and_its_engine(game: str) -> None:
    assert review_type(game).__struct_fields__[:4] == ("game", "engine", "players", "result")


@pytest.mark.parametrize("text", ["", "{", "{}", '{"game": "chess"}', '{"game": "set"}', "[1]", "[Tercet]"])
def test_what_is_no_review_is_told(text: str) -> None:
    with pytest.raises(ReviewError, match="this is no review"):
        read(text)


def test_a_page_says_which_game_it_was_and_shows_what_was_missed() -> None:
    tags = {"Date": "2026-11-17", "Bot2": "casual"}
    played = record.of(card_game(["regular", "casual"], rounds=1), tags)
    seen = review(played)
    html = page([Named("game.txt", seen, played)])
    assert f"Set, 2026-11-17: Ann won (Ann {seen.result[0]}, Bo {seen.result[1]})" in html
    assert "Bo (bot)" in html
    scenes = seen.scenes(played)
    assert scenes
    assert html.count('class="scene"') == len(scenes)


def test_a_record_without_a_seed_cannot_be_checked(played: Record) -> None:
    with pytest.raises(ReviewError, match="the seed is missing") as caught:
        review(replace(played, seed=None))
    assert not isinstance(caught.value, Untrue)


def test_a_review_says_what_it_is_in_a_line(played: Record) -> None:
    seen = review(played)
    assert repr(seen) == f"<review of set: Ann, Bo; {seen.result[0]} : {seen.result[1]}>"


def test_json_goes_both_ways(played: Record) -> None:
    seen = review(played)
    assert read(write(seen)) == seen


def test_who_sat_there_is_read_from_the_remarks(played: Record) -> None:
    tags = {"Bot2": "casual", "Before1": '["Cleo", "Dan"]', "Before2": "not a list"}
    ann, bo = seated(replace(played, tags=tags))
    assert (ann.name, ann.bot, ann.before, ann.counts) == ("Ann", None, ("Cleo", "Dan"), False)
    assert (bo.name, bo.bot, bo.before) == ("Bo", "casual", ("not a list",))


def test_a_page_needs_nothing_else_and_believes_no_name(played: Record) -> None:
    hostile = '<script>alert("1")</script>'
    seen = review(played)
    ann, bo = seen.players
    shown = Named("<game>", replace(seen, players=(replace(ann, name=hostile), bo)), played)
    html = page([shown])
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "&lt;game&gt;" in html
    assert not [
        outside for outside in ("http:", "https:", "src=", "href=", "url(", "@import") if outside in html
    ]
    assert "prefers-color-scheme: dark" in html


def test_a_notebook_shows_the_lines_and_the_tables(played: Record) -> None:
    seen = review(played)
    html = seen._repr_html_()
    assert html.count("<table>") == len(seen.sheets())
    assert html.count("<li>") == len(seen.summary())


def test_rows_are_flat_and_alike(played: Record) -> None:
    rows = review(played).rows()
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    assert {type(value) for row in rows for value in row.values()} <= {str, int, float, bool, type(None)}
