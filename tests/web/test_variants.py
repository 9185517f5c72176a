"""The card variants in the browser: whole games with a bot, on a phone and by keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tercet.cards.variants import VARIANTS
from tests.web.browsing import PHONE
from tests.web.conftest import Visit
from tests.web.players import CardPlayer, CardTypist, hurry, play_out
from tests.web.tables import begin, bot, card_table, sign_in, table_of

ALONE = {"rounds": 1, "auto_deal": True, "show_seconds": 30}


def seat_at(visit: Visit, **options: object) -> CardPlayer:
    visitor = visit(viewport=PHONE)
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], bot("beginner"), **(ALONE | options))
    begin(player)
    player.until(lambda: player.state.phase == "play" or bool(player.act()))
    return player


def fits(page: Page) -> bool:
    """Every card and button is on the screen, and nothing has to be scrolled."""
    for thing in page.locator("[data-card], .actions button").all():
        expect(thing).to_be_in_viewport(ratio=1)
    fitting: bool = page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    return fitting


#: The one with the most cards in a group each time, the others in `make long`.
EACH = [
    name if name == "ghost" else pytest.param(name, marks=pytest.mark.long)
    for name in VARIANTS
    if name != "classic"
]


@pytest.mark.parametrize("variant", EACH)
def test_v1_a_whole_game_on_a_phone(visit: Visit, variant: str) -> None:
    player = seat_at(visit, variant=variant)
    page = player.page
    play_out(player, stop=lambda: player.count("took") >= 2)
    assert fits(page)
    hurry(player)
    page.get_by_role("link", name="Replay").click()
    page.get_by_role("button", name="Check fairness").click()
    page.get_by_text("The record is consistent").wait_for()
    page.get_by_text("It is what was promised to this browser").wait_for()
    page.get_by_text("own secret is in it").wait_for()


@pytest.mark.parametrize("variant", EACH)
def test_v1_a_whole_game_by_keyboard_alone(visit: Visit, variant: str) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    (player,) = table_of(
        CardTypist, "set", [visitor], (bot("beginner"),), options=ALONE | {"variant": variant}
    )
    begin(player)
    play_out(player)
    player.page.get_by_role("heading", name="You win!").wait_for()


def test_v2_one_card_of_the_last_set_and_two_from_the_table(visit: Visit) -> None:
    player = seat_at(visit, variant="chain", claim="instant", penalty="point")
    page = player.page
    player.until(lambda: bool(player.state.last), seconds=60)
    last = page.get_by_role("group", name="The last SET").get_by_role("button")
    expect(last).to_have_count(3)
    page.keyboard.press("Digit1")
    expect(last.nth(0)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Digit2")
    expect(last.nth(0)).to_have_attribute("aria-pressed", "false")
    expect(last.nth(1)).to_have_attribute("aria-pressed", "true")


def test_what_is_wrong_is_said_for_each_variant(visit: Visit) -> None:
    # In Ghost "colour: 3 × red, 1 × green, 2 × purple", but "number: 1, 2, 2, 3, 3, 3".
    reasons = (("ultra", 4, "no two pairs have the same third card"), ("ghost", 6, r": \d( × \w+)?, \d"))
    for variant, size, words in reasons:
        player = seat_at(visit, variant=variant, claim="instant", penalty="point")
        page = player.page
        missed = player.count("missed", seat=player.seat)
        for place in range(size):
            page.locator("[data-card]").nth(place).click()
        player.until(lambda missed=missed, player=player: player.count("missed", seat=player.seat) > missed)  # type: ignore[misc]
        expect(page.locator(".message")).to_contain_text(re.compile(words))


def test_the_variant_is_chosen_and_told(visit: Visit) -> None:
    page = visit().open("/new?all")
    page.get_by_role("button", name="Scramble").click()
    page.get_by_role("button", name="Set", exact=True).click()
    page.get_by_label("People").select_option("1")
    page.get_by_label("Your name").fill("Ada")
    table = page.get_by_label("Cards on the table")
    expect(table).to_have_count(0)
    page.get_by_label("Variant").select_option("junior")
    table.select_option("9")
    expect(page.get_by_role("combobox", name="Cards", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Make this table").click()
    page.locator(".options").get_by_text("Junior: only the 27 full cards").wait_for()
    page.get_by_text("9 cards on the table").wait_for()


def test_a_phone_tells_the_variant_that_is_chosen_in_full(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740}).open("/new?game=set&all")
    variant = page.get_by_label("Variant")
    variant.select_option("ultra")
    whole = variant.locator("xpath=following-sibling::*[1]")
    expect(whole).to_have_text("Ultra: four cards, two pairs with the same third")
    expect(whole).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 740})
    expect(whole).to_be_hidden()  # the field has room for it
