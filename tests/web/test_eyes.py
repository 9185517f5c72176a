"""By eye: forced colours, magnified pages, large letters, the letters of the language, slow hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.web.browsing import DESKTOP, PHONE, Visitor, launch, visiting
from tests.web.conftest import Visit
from tests.web.eyesight import MAGNIFIED, everything_is_within_reach
from tests.web.players import CardPlayer, play_out
from tests.web.tables import begin, bot, card_table, dice_table, on_turn_at_dice, scramble_table, sign_in

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
    assert outline(page, ".pile")["borderTopStyle"] == "solid"
    page.get_by_role("button", name="SET!", exact=True).click()
    page.locator(".clock").wait_for()
    assert outline(page, ".clock")["borderTopStyle"] == "solid"
    assert page.locator(".clock > span").evaluate(
        "one => getComputedStyle(one).backgroundColor !== getComputedStyle(document.body).backgroundColor"
    )
    # What is printed keeps its colours, on paper.
    paper = page.locator(".face").first.evaluate("one => getComputedStyle(one).backgroundColor")
    assert paper in ("rgb(253, 252, 247)", "rgb(236, 231, 217)")

    ada = on_turn_at_dice(visitor)
    assert outline(ada.page, "[data-square]")["borderTopStyle"] == "solid"
    page.goto(visitor.home)
    assert outline(page, ".paper")["borderTopStyle"] == "solid"
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


@pytest.mark.parametrize("size", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.long)])
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


def test_pages_and_the_header_fit_a_phone_with_letters_of_twice_the_size(
    large_letters: Browser, home: str
) -> None:
    with visiting(large_letters, home, viewport=PHONE) as visitor:
        sign_in(visitor, "Ada")
        (ada,) = dice_table([visitor], *[bot("greedy")] * 3)
        begin(ada)
        page = visitor.open()
        page.locator(".go").wait_for()
        assert not page.locator("header *, .top *").evaluate_all(
            "all => all.filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML)"
        )
        title = page.get_by_role("link", name="Set Cubed").locator("strong")
        assert title.evaluate("one => one.offsetHeight") < 2.1 * 32, (
            "the name of the game is not set letter by letter"
        )
        for path in ("/", "/bots", "/games", "/nowhere", "/account", "/learn"):
            page.goto(home + path)
            page.locator("h1").wait_for()
            page.wait_for_load_state("networkidle")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
            assert page.locator("header").evaluate("one => one.offsetHeight") < 2 * 32 * 2


#: How far what stands beside a square is from its middle, and where its bonus is.
BESIDE = """all => all.map((one) => {
  const { width, height } = one.getBoundingClientRect()
  const [above, left] = [getComputedStyle(one, '::before'), getComputedStyle(one, '::after')]
  return [above.content === 'none' || parseFloat(above.bottom) >= height, left.content === 'none' || parseFloat(left.right) >= width]
})"""
OFF_MIDDLE = """all => all.flatMap((one) => {
  const [inner, outer] = [one.getBoundingClientRect(), one.closest('[data-square]').getBoundingClientRect()]
  const off = [inner.x + inner.width / 2 - outer.x - outer.width / 2, inner.y + inner.height / 2 - outer.y - outer.height / 2]
  return off.map(Math.abs)
})"""


def test_letters_and_numbers_stand_beside_the_board_and_cover_nothing(visit: Visit) -> None:
    ada = on_turn_at_dice(visit())
    ada.take(ada.state.hands[ada.seat or 0][0].number)
    ada.put("c1")
    if ada.page.get_by_role("dialog").count():
        ada.page.keyboard.press("Escape")
    squares = ada.page.locator("[data-square]")
    for side, expected in (("before", "abcdefghi"), ("after", "123456789")):
        names = squares.evaluate_all(
            f"all => all.map((one) => getComputedStyle(one, '::{side}').content).filter((text) => text !== 'none')"
        )
        assert names == [f'"{name}"' for name in expected]
    for width in (390, 320):
        ada.page.set_viewport_size({"width": width, "height": 640})
        assert all(all(beside) for beside in squares.evaluate_all(BESIDE))
        assert max(ada.page.locator(".worth").evaluate_all(OFF_MIDDLE)) < 1.5


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
