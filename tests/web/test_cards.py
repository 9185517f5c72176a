"""The card table in the browser."""

from __future__ import annotations

from tests.web.conftest import Visit
from tests.web.players import CardPlayer


def test_a_guest_plays_a_whole_game_against_a_bot(visit: Visit) -> None:
    page = visit().open("/")
    player = CardPlayer(page)
    page.get_by_role("button", name="Play Set", exact=True).click()
    player.until(lambda: player.is_playing)
    while player.is_playing:
        if not player.act():
            player.until(lambda: not player.is_playing or strategy_wakes(player), 60)
    page.get_by_role("heading", name="You win!").wait_for()


def strategy_wakes(player: CardPlayer) -> bool:
    from tests.web.strategy import play_cards

    return play_cards(player.state, player.seat or 0) is not None
