"""Makes the pictures of the site for the README and the documentation: ``python -m tests.web.pictures``."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.browsing import DESKTOP, PHONE, Visitor, launch, visiting
from tests.web.players import play_out
from tests.web.serving import ROOT, serving
from tests.web.tables import PERSON, SHORT, begin, bot, card_table, dice_table, make_table, sign_in, take_seats

STILL = {"language": "en", "motion": "less"}
PLACES = {
    "start": "/",
    "new-table": "/new",
    "learn": "/learn",
    "learn-set": "/learn/set",
    "learn-cubed": "/learn/cubed",
    "drill": "/learn/all",
    "rules": "/rules/cubed",
    "settings": "/settings",
    "my-games": "/games",
}


class Studio:
    """Takes pictures of every main screen as one kind of visitor sees them."""

    def __init__(self, browser: Browser, home: str, folder: Path) -> None:
        self.browser, self.home, self.folder = browser, home, folder

    def take(self, name: str, page: Page) -> None:
        page.wait_for_timeout(400)
        page.screenshot(path=self.folder / f"{name}.png")

    def all(self, suffix: str, *, wanted: set[str], **options: object) -> None:
        settings = STILL | {key: options.pop(key) for key in ("theme", "language") if key in options}
        with ExitStack() as stack:
            visitors = []
            for name in ("Ada", "Ben"):
                visitor = stack.enter_context(visiting(self.browser, self.home, expect_trouble=True, **options))
                visitor.settle(**settings)
                sign_in(visitor, name)
                visitors.append(visitor)
            for name, page in self.scenes(visitors, wanted):
                if name in wanted:
                    self.take(name + suffix, page)

    def scenes(self, visitors: list[Visitor], wanted: set[str]) -> Iterator[tuple[str, Page]]:
        for name, path in PLACES.items():
            if name in wanted:
                yield name, visitors[0].open(path)
        if wanted & {"cards", "result", "replay"}:
            (player,) = card_table(visitors[:1], bot("beginner"), rounds=1, show_seconds=30, auto_deal=True)
            begin(player)
            play_out(player, stop=lambda: player.count("took") >= 4)
            player.page.evaluate("document.querySelectorAll('[data-card]')[4].click()")
            yield "cards", player.page
            if wanted & {"result", "replay"}:
                play_out(player)
                player.page.locator("h1").first.wait_for()
                yield "result", player.page
                page = visitors[0].open(f"/games/{player.game}")
                page.locator("[type=range]").first.fill("20")
                yield "replay", page
        if wanted & {"lobby"}:
            code = make_table(visitors[0], game="cubed", seats=[PERSON, PERSON, bot("steady")])
            page = visitors[0].open(f"/t/{code}")
            page.locator("svg").first.wait_for()
            yield "lobby", page
        if wanted & {"dice"}:
            players = dice_table(visitors)
            take_seats(players[1].page)
            begin(*players)
            ada = players[0]
            play_out(*players, stop=lambda: ada.state.round == 4 and ada.state.turn == ada.seat)
            from tercet import cubed  # noqa: PLC0415
            from tests.web import strategy  # noqa: PLC0415

            match strategy.play_dice(ada.state, 0):
                case cubed.Lay(placements=placements):
                    ada.lay(placements)
            yield "dice", ada.page


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as home, sync_playwright() as playwright:
        browser = launch(playwright)
        studio = Studio(browser, home, folder)
        everything = {*PLACES, "cards", "result", "replay", "lobby", "dice"}
        studio.all("", wanted=everything, viewport=DESKTOP)
        studio.all("-phone", wanted=everything, viewport=PHONE)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images")
