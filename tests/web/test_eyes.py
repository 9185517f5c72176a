"""By eye: forced colours, magnified pages, large letters, the letters of the language, slow hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.web.browsing import PHONE, Visitor, launch, visiting
from tests.web.conftest import Visit
from tests.web.eyesight import MAGNIFIED, everything_is_within_reach
from tests.web.players import CardPlayer, play_out
from tests.web.tables import begin, bot, card_table, on_turn_at_dice, scramble_table, sign_in

LONG: dict[str, Any] = {"rounds": 1, "show_seconds": 30}


def outline(page: Page, what: str) -> dict[str, str]:
    found: dict[str, str] = page.locator(what).first.evaluate(
        """one => {
          const { outlineStyle, outlineWidth, outlineColor, borderTopStyle, borderTopWidth } = getComputedStyle(one)
          return { outlineStyle, outlineWidth, outlineColor, borderTopStyle, borderTopWidth }
        }"""
    )
    return found


def cards(visitor: Visitor) -> CardPlayer:
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], bot("beginner"), **LONG)
    begin(player)
    play_out(player, stop=lambda: player.state.phase == "play")
    player.page.locator("[data-card]").first.wait_for()
    return player


def tables(visitor: Visitor) -> Iterator[Page]:
    """Each kind of table with somebody on turn."""
    yield cards(visitor).page
    yield on_turn_at_dice(visitor).page
    cleo = scramble_table(visitor, bot("beginner"), **LONG)
    begin(cleo)
    play_out(cleo, stop=lambda: cleo.state.phase == "play")
    cleo.page.locator("[data-die]").first.wait_for()
    yield cleo.page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_forced_colours_cards_selection_board_and_the_active_player_are_seen(
    visit: Visit, scheme: str
) -> None:
    visitor = visit(forced_colors="active", color_scheme=scheme)
    page = cards(visitor).page
    page.locator("[data-card]").first.click()
    plain, chosen = outline(page, "[data-card]:not(.selected) .face"), outline(page, ".selected .face")
    assert (plain["outlineStyle"], chosen["outlineStyle"]) == ("solid", "solid")
    assert float(chosen["outlineWidth"][:-2]) >= 4 > float(plain["outlineWidth"][:-2]) >= 1
    assert chosen["outlineColor"] != plain["outlineColor"]
    # What is printed keeps its colours, on paper.
    paper = page.locator(".face").first.evaluate("one => getComputedStyle(one).backgroundColor")
    assert paper in ("rgb(253, 252, 247)", "rgb(236, 231, 217)")

    ada = on_turn_at_dice(visitor)
    assert outline(ada.page, "[data-square]")["borderTopStyle"] == "solid"
    assert outline(ada.page, "li[aria-current=true]")["outlineStyle"] == "solid"
    assert outline(ada.page, "li[aria-current=false]")["outlineStyle"] == "none"
    ada.page.locator("[data-die]").first.click()
    assert outline(ada.page, "[data-die].chosen")["outlineStyle"] == "solid"


def test_magnified_to_400_percent_everything_can_be_reached(visit: Visit) -> None:
    for page in tables(visit(viewport=MAGNIFIED)):
        everything_is_within_reach(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture(scope="module")
def large_letters(playwright: Playwright) -> Iterator[Browser]:
    """A browser whose letters are of twice the usual size."""
    browser = launch(playwright, "--blink-settings=defaultFontSize=32")
    yield browser
    browser.close()


@pytest.mark.parametrize("size", [PHONE, {"width": 1440, "height": 900}])
def test_with_letters_of_twice_the_size_everything_can_be_reached(
    large_letters: Browser, home: str, size: Any
) -> None:
    with visiting(large_letters, home, viewport=size) as visitor:
        for page in tables(visitor):
            assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
            everything_is_within_reach(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("language", "card", "letters"), [("he", "2GHS", "2יפש"), ("ru", "1RFD", "1КЗР")])
def test_letters_on_cards_are_those_of_the_language_and_can_be_typed(
    visit: Visit, language: str, card: str, letters: str
) -> None:
    visitor = visit()
    visitor.settle(language=language, marks=True, keys=True)
    page = visitor.open("/settings")
    expect(page.locator(".sample text")).to_have_count(6)
    marks = page.locator(".sample text").all_text_contents()
    assert not any(letter in "".join(marks) for letter in "RGPFHEDOS")
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], **LONG)
    player.page.locator(".page .button.strong").first.click()
    player.until(lambda: player.is_playing)
    player.page.locator("[data-card], .pause button").first.wait_for()
    if player.page.locator(".pause button").count():
        player.page.locator(".pause button").click()
    first = player.page.locator("[data-card]").first
    text = first.locator("text").text_content()
    player.page.locator("#typed").fill(text or "")
    player.page.keyboard.press("Enter")
    expect(first).to_have_attribute("aria-pressed", "true")
    shown = player.page.locator(f'[data-card="{card}"] text')
    if shown.count():
        expect(shown).to_have_text(letters)


def test_letters_and_numbers_of_the_board_are_never_hidden(visit: Visit) -> None:
    ada = on_turn_at_dice(visit())
    ada.take(ada.state.hands[ada.seat or 0][0].number)
    ada.put("c1")
    if ada.page.get_by_role("dialog").count():
        ada.page.keyboard.press("Escape")
    names = ada.page.locator("[data-square]").evaluate_all(
        "all => all.map((one) => getComputedStyle(one, '::before').content).filter((text) => text !== 'none')"
    )
    assert names == ['"a1"', *(f'"{letter}"' for letter in "bcdefghi"), *(f'"{row}"' for row in range(2, 10))]
    above = ada.page.locator('[data-square="c1"]').evaluate(
        "one => Number(getComputedStyle(one, '::before').zIndex)"
    )
    assert above >= 1


def test_slow_hands_have_time_in_a_game_of_one_click(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/settings")
    page.get_by_label("Time to show a SET").select_option("20 seconds")
    page = visitor.blank()
    player = CardPlayer(page)
    page.goto(visitor.home)
    page.get_by_role("button", name="Play Set", exact=True).click()
    page.locator("[data-card]").first.wait_for()
    assert player.state.options.show_seconds == 20


def test_what_is_disabled_is_read_and_does_nothing(visit: Visit) -> None:
    visitor = visit()
    player = cards(visitor)
    page = player.page
    page.get_by_role("button", name="SET!", exact=True).click()
    player.until(lambda: player.state.call is not None)
    none = page.get_by_role("button", name="I see none")
    expect(none).to_be_disabled()
    assert none.evaluate("one => getComputedStyle(one).opacity") == "1"
    none.click(force=True)
    assert player.count("saw_none") == 0
