"""Every page, in every language, at every width, by day and by night, for everyone."""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from tests.web.browsing import DESKTOP, PHONE
from tests.web.catalogues import IN_TURN, LANGUAGES, catalogue
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

WIDTHS = (320, 768, 1440)
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
AXE = (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
MESSAGES: dict[str, dict[str, Any]] = {language: catalogue(language) for language in LANGUAGES}


def plain(language: str) -> set[str]:
    """The messages of a language that say the same whatever they are told."""
    return {text for text in MESSAGES[language].values() if isinstance(text, str) and "{" not in text}


def ready(page: Page) -> None:
    page.locator("h1").first.wait_for(state="attached")


def follow(page: Page, path: str) -> None:
    """As a link of the site leads there, without loading the site again."""
    page.evaluate(
        """path => {
            document.querySelector('main h1').dataset.left = ''
            const link = document.body.appendChild(document.createElement('a'))
            link.href = path
            link.click()
            link.remove()
        }""",
        path,
    )
    page.locator("main h1:not([data-left])").first.wait_for(state="attached")


def check_text(page: Page, language: str) -> None:
    """Nothing is missing, and nothing is left in English."""
    lines = {line.strip() for line in page.locator("body").inner_text().splitlines()}
    labels = page.locator("[aria-label]").evaluate_all("all => all.map((one) => one.ariaLabel)")
    shown = lines | set(labels)
    assert not [text for text in shown if "undefined" in text or "[object" in text]
    if language != "en":
        assert not shown & (plain("en") - plain(language))


def check_widths(page: Page) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for _ in range(50):  # a table is laid out anew after a moment
            wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
            if wide[0] <= wide[1]:
                break
            page.wait_for_timeout(100)
        assert wide[0] <= wide[1], f"{page.url} is {wide[0]} px wide at {width}"


def check_access(page: Page) -> None:
    """By day, and what night changes by night."""
    themes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for theme in themes:
        page.emulate_media(color_scheme=theme)
        page.locator(f"html[data-theme={theme}]").wait_for()
        page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))")
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE)
        what = {} if theme == "light" else {"runOnly": ["color-contrast"]}
        found = page.evaluate("what => axe.run(document, { resultTypes: ['violations'], ...what })", what)
        assert not [
            f"{page.url} {theme} {one['id']}: {node['html'][:160]}"
            for one in found["violations"]
            for node in one["nodes"][:3]
        ]


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
