"""Every page, in every language, at every width, by day and by night, for everyone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import DESKTOP, PHONE
from tests.web.catalogues import IN_TURN, LANGUAGES
from tests.web.checks import check_access, check_text, check_widths, follow, ready
from tests.web.conftest import Visit
from tests.web.players import hurry
from tests.web.serving import ROOT
from tests.web.tables import (
    PERSON,
    SHORT,
    begin,
    bot,
    card_table,
    dice_table,
    make_table,
    scramble_table,
    sign_in,
)

PATHS = (
    "/",
    "/new?all",
    "/games",
    "/learn",
    "/learn/set",
    "/learn/cubed",
    "/learn/scramble",
    "/learn/third",
    "/learn/judge",
    "/learn/all",
    "/learn/third-die",
    "/learn/best-turn",
    "/learn/wilds",
    "/learn/extra-roll",
    "/learn/mine",
    "/rules/set",
    "/rules/cubed",
    "/rules/scramble",
    "/daily",
    "/alone",
    "/alone/sprint",
    "/alone/storm",
    "/boards",
    "/bots",
    "/settings",
    "/keys",
    "/account",
    "/nowhere",
    "/account?login",
)


def test_no_page_is_forgotten_here() -> None:
    source = ROOT / "web" / "src"
    app = (source / "App.svelte").read_text("utf-8")
    listings = "".join(path.read_text("utf-8") for path in source.glob("games/*/listing.ts"))
    pages = re.findall(r"\[/\^\\/([\w-]+)\$/", app)
    drills = re.findall(r"name: '([\w-]+)', title: \(\) => m\.drill_", listings)
    assert pages
    assert drills
    checked = [path.partition("?")[0] for path in PATHS]
    missing = [page for page in pages if not any(f"{path}/".startswith(f"/{page}/") for path in checked)]
    missing += [drill for drill in drills if f"/learn/{drill}" not in checked]
    assert not missing, f"not in PATHS: {' '.join(missing)}"


@pytest.mark.parametrize(
    ("path", "title"), [("/daily/", "Today’s puzzles"), ("/learn/set/", "What a SET is")]
)
def test_a_slash_at_the_end_of_an_address_means_nothing(visit: Visit, path: str, title: str) -> None:
    page = visit().open(path)
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()


@pytest.mark.parametrize("language", ["en", *IN_TURN[1:]])
def test_every_page_says_everything_and_fits(visit: Visit, language: str) -> None:
    visitor = visit()
    visitor.settle(language=language)
    sign_in(visitor, "Ada")
    code = make_table(visitor, game="cubed", seats=[PERSON, PERSON, bot("greedy")])
    page = visitor.open("/keys")
    ready(page)
    for path in (*PATHS, f"/t/{code}"):
        if language == "en":  # each page brings the words that it needs
            page.goto(visitor.home + path)
            ready(page)
        else:
            follow(page, path)
        assert page.evaluate("document.documentElement.lang") == language
        assert page.evaluate("document.documentElement.dir") == LANGUAGES[language].get("direction", "ltr")
        check_text(page, language)
        check_widths(page)


def test_every_page_is_for_everyone(visit: Visit) -> None:
    visitor = visit(viewport=PHONE)
    visitor.settle(motion="less")
    sign_in(visitor, "Ada")
    page = visitor.open("/keys")
    ready(page)
    for path in PATHS:
        follow(page, path)
        check_access(page)


def test_every_state_of_a_table_is_for_everyone(visit: Visit) -> None:
    visitors = [visit(viewport=PHONE), visit(viewport=DESKTOP)]
    for visitor, name in zip(visitors, ("Ada", "Ben"), strict=True):
        visitor.settle(motion="less")
        sign_in(visitor, name)
    (ada,) = card_table(visitors[:1], bot("beginner"), **SHORT)
    ada.page.get_by_role("button", name="I am ready").wait_for()
    check_access(ada.page)
    begin(ada)
    hurry(ada, stop=lambda: ada.count("took") == 1)
    ada.press("Show keys")
    ada.page.locator("[data-card]").nth(2).click()
    check_access(ada.page)
    for sheet in ("What happened", "People"):
        ada.press(sheet)
        check_access(ada.page)
        ada.press("Close")
    ada.page.keyboard.press("Escape")
    hurry(ada)
    ada.page.get_by_role("heading", name="You win!").wait_for()
    check_access(ada.page)
    ada.page.get_by_role("link", name="Replay").click()
    ada.page.locator("[type=range]").first.wait_for()
    check_access(ada.page)

    players = dice_table(visitors)
    begin(*players)
    check_access(players[0].page)
    players[0].press("Chat")
    check_access(players[0].page)
    players[0].press("Close")
    hurry(*players, stop=lambda: any(player.state.turn == player.seat for player in players))
    for player in players:
        check_access(player.page)


def test_every_state_of_scramble_is_for_everyone(visit: Visit) -> None:
    visitor = visit(viewport=PHONE, has_touch=True)
    visitor.settle(motion="less")
    player = scramble_table(visitor, rounds=2, practice=True, show_seconds=30)
    begin(player)
    hurry(player, stop=lambda: player.count("took") == 1)
    player.page.locator("[data-die]").nth(20).tap()
    player.tap("Hint")
    player.page.locator(".lit").first.wait_for()
    check_access(player.page)
    player.tap("I see none")
    player.page.get_by_role("button", name="Throw").wait_for()
    check_access(player.page)


def press(page: Page) -> None:
    """Press what is to be done next, whatever the language."""
    page.locator(".button.strong").first.click()


@pytest.mark.parametrize("language", IN_TURN)
def test_tables_in_play_say_everything_and_fit(visit: Visit, language: str) -> None:
    visitor = visit(viewport={"width": 320, "height": 640})
    visitor.settle(language=language, motion="less")
    sign_in(visitor, "Ada")
    (ada,) = card_table([visitor], bot("beginner"), **SHORT)
    press(ada.page)
    ada.until(lambda: ada.is_playing)
    ada.page.locator(".pause, .card").first.wait_for()
    if ada.page.locator(".pause .button").count():
        press(ada.page)
    ada.page.locator(".card").first.wait_for()
    (ben,) = dice_table([visitor], bot("greedy"))
    press(ben.page)
    ben.page.locator(".board").wait_for()
    cleo = scramble_table(visitor, bot("beginner"), show_seconds=30)
    press(cleo.page)
    cleo.page.locator("[data-die]").first.wait_for()
    for page in (ada.page, ben.page, cleo.page):
        check_text(page, language)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        check_widths(page)
