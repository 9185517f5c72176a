"""What a review is, whatever the game."""

from __future__ import annotations

import pytest

from tercet import cards, record
from tercet.fairness import seed_from
from tercet.study.review import ReviewError, Unfinished, read, review, reviewed_games


def test_an_unfinished_game_is_not_reviewed() -> None:
    game = cards.Game(["Ann", "Bo"], seed=seed_from("unfinished"))
    game.do(cards.Deal(0))
    if "set" not in reviewed_games():
        pytest.skip("no review yet")
    with pytest.raises(Unfinished, match="not finished"):
        review(record.of(game))
    with pytest.raises(Unfinished, match="broken off"):
        review(record.of(game, broken_off=True))


@pytest.mark.parametrize(
    "text", ["", "{", "{}", '{"game": "chess"}', '{"game": "scramble"}', "[1]", "[Tercet]"]
)
def test_what_is_no_review_is_told(text: str) -> None:
    with pytest.raises(ReviewError, match="this is no review"):
        read(text)
