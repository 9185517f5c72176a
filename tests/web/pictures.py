"""Takes every main screen of the site in every dress, for the README and the documentation.

python -m tests.web.pictures [FOLDER]   (docs/images, if none is named)
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tercet import cubed, puzzles
from tercet.client import Client
from tests.server.runs.playing import playing, solve
from tests.web import strategy
from tests.web.browsing import DESKTOP, PHONE, Visitor, launch, visiting
from tests.web.players import CLICK, play_out
from tests.web.runs import answer_item, start_run
from tests.web.serving import ROOT, serving
from tests.web.tables import (
    PERSON,
    begin,
    bot,
    card_table,
    dice_table,
    make_table,
    scramble_table,
    sign_in,
)

PAGES = {
    "start": "/",
    "new-table": "/new?all",
    "learn": "/learn",
    "learn-set": "/learn/set",
    "learn-cubed": "/learn/cubed",
    "learn-scramble": "/learn/scramble",
    "drill": "/learn/all",
    "drill-turn": "/learn/best-turn",
    "rules": "/rules/cubed",
    "daily": "/daily",
    "alone": "/alone",
    "boards": "/boards?kind=storm",
    "bots": "/bots",
    "settings": "/settings",
    "keys": "/keys",
    "account": "/account",
}


WIDE: ViewportSize = {"width": 2560, "height": 1440}


class Dress(NamedTuple):
    """How a visitor sees the site; its name ends the names of the pictures."""

    name: str
    size: ViewportSize
    theme: str = "light"
    language: str = "en"


DRESSES = (
    Dress("", DESKTOP),
    Dress("-night", DESKTOP, "dark"),
    Dress("-phone", PHONE),
    Dress("-phone-night", PHONE, "dark"),
    Dress("-hebrew", DESKTOP, language="he"),
    Dress("-phone-hebrew", PHONE, "dark", "he"),
    Dress("-wide", WIDE),
)


def scenes(visitors: list[Visitor]) -> Iterator[tuple[str, Page]]:
    """The screens one after the other, each ready to be taken."""
    for name, path in PAGES.items():
        yield name, visitors[0].open(path)
    code = make_table(visitors[0], game="cubed", seats=[PERSON, PERSON, bot("steady")])
    yield "lobby", visitors[0].open(f"/t/{code}")
    yield from card_scenes(visitors[0])
    yield from dice_scenes(visitors)
    yield "scramble", scramble_scene(visitors[0])
    yield "my-games", visitors[0].open("/games")
    yield from run_scenes(visitors[0])


def card_scenes(visitor: Visitor) -> Iterator[tuple[str, Page]]:
    (player,) = card_table([visitor], bot("beginner"), rounds=1, show_seconds=30, auto_deal=True)
    begin(player)
    play_out(player, stop=lambda: player.count("took") >= 4)
    player.page.evaluate("document.querySelectorAll('[data-card]')[4].click()")
    yield "cards", player.page
    player.page.keyboard.press("Escape")
    play_out(player)
    player.page.get_by_role("heading", name="win").wait_for()
    yield "result", player.page
    page = visitor.open(f"/games/{player.game}")
    page.locator("[type=range]").first.fill("20")
    yield "replay", page
    yield "review-set", review_scene(visitor, player.game)


def dice_scenes(visitors: list[Visitor]) -> Iterator[tuple[str, Page]]:
    """The fourth round: a turn laid, not yet confirmed; and the review of the whole game."""
    players = dice_table(visitors)
    ada = players[0]
    begin(*players)
    play_out(*players, stop=lambda: ada.state.round == 4 and ada.state.turn == ada.seat)
    match strategy.play_dice(ada.state, ada.seat or 0):
        case cubed.Lay(placements=placements):
            ada.lay(placements)
    yield "dice", ada.page
    ada.page.keyboard.press("Escape")
    play_out(*players)
    yield "review-cubed", review_scene(visitors[0], ada.game)


def review_scene(visitor: Visitor, game: str | None) -> Page:
    page = visitor.open(f"/games/{game}/review?seat=0")
    page.locator(".stop").wait_for(timeout=180_000)
    return page


def run_scenes(visitor: Visitor) -> Iterator[tuple[str, Page]]:
    """A storm, how it went, and the day's cards."""
    page = start_run(visitor, "storm")
    for right in (True, True, True, False, True):
        answer_item(page, right=right)
    yield "storm", page
    page.get_by_role("button", name="Stop here").click()
    page.get_by_role("dialog").get_by_role("button", name="Stop here").click()
    page.get_by_role("button", name="The slow ones again").wait_for()
    yield "storm-result", page
    page = start_run(visitor, "daily_set")
    page.locator("[data-sign]").nth(11).wait_for()
    yield "daily-set", page


def scramble_scene(visitor: Visitor) -> Page:
    """Some dice are gone, two are picked."""
    player = scramble_table(visitor, bot("beginner"), show_seconds=30)
    begin(player)
    play_out(player, stop=lambda: player.count("took") >= 3)
    player.page.evaluate(CLICK, [f'[data-die="{die.number}"]' for die in player.state.lying[9:11]])
    return player.page


def take(browser: Browser, home: str, dress: Dress, folder: Path) -> None:
    settings = {"language": "en", "motion": "less", "theme": dress.theme, "soundAsked": True}
    with ExitStack() as stack:
        visitors = [
            stack.enter_context(visiting(browser, home, viewport=dress.size, has_touch=True))
            for _ in range(2)
        ]
        for visitor, name in zip(visitors, ("Ada", "Ben"), strict=True):
            visitor.settle(**settings)
            sign_in(visitor, name)
        for name, page in scenes(visitors):
            if dress.language != "en":
                speak(page, settings | {"language": dress.language})
            # Nothing is on its way any more: what is loaded, then what moves.
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(400)
            # The cloth of the table would make a PNG ten times as large.
            page.screenshot(path=folder / f"{name}{dress.name}.jpg", type="jpeg", quality=72)
            if dress.language != "en":
                speak(page, settings)


def speak(page: Page, settings: dict[str, Any]) -> None:
    page.evaluate("settings => localStorage.setItem('tercet.settings', settings)", json.dumps(settings))
    page.reload()


async def fill_boards(home: str) -> None:
    """Some people with accounts have played a storm."""

    async def play(name: str, count: int) -> None:
        client = Client(home)
        await client.sign_in(name)
        await client.request("POST", "/api/account", {"name": name, "password": "a long password"})
        async with playing(client, "storm") as table:
            await solve(table, count)
            await table.play(puzzles.Stop(table.seat or 0))

    names = ("Cleo", "Dora", "Emil", "Finn", "Greta")
    await asyncio.gather(*(play(name, 9 - place) for place, name in enumerate(names)))


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0]) if arguments else ROOT / "docs" / "images"
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data), review_games=40) as home,
    ):
        asyncio.run(fill_boards(home))
        with sync_playwright() as playwright:
            browser = launch(playwright)
            for dress in DRESSES:
                take(browser, home, dress, folder)
            browser.close()
    print(f"The pictures are in {folder}")


if __name__ == "__main__":
    main(sys.argv[1:])
