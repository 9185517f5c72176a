"""A real Chromium, and pages in it that watch their own console."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, ViewportSize

#: Debian's headless shell or Chromium; without one, the browser that `playwright install` brought.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE: ViewportSize = {"width": 390, "height": 844}
LANDSCAPE: ViewportSize = {"width": 844, "height": 390}
#: A desktop of 1440 by 900, magnified to 200 %.
ZOOMED: ViewportSize = {"width": 720, "height": 450}
#: Every browser's part of the luck is the same, as the server's is (`serving.SEED`).
SAME_SECRET = "crypto.getRandomValues = (bytes) => bytes.fill(7)"
#: What the console says of the tests themselves, and of a value that was read once more while its part of the page went.
HARMLESS = ("blocked by Playwright", "derived_inert")
DESKTOP: ViewportSize = {"width": 1440, "height": 900}


def launch(playwright: Playwright, *flags: str) -> Browser:
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    return playwright.chromium.launch(executable_path=program, args=[*FLAGS, *flags])


class Visitor:
    """Somebody with a browser of their own. ``troubles``: what the console complained about."""

    def __init__(self, context: BrowserContext, home: str) -> None:
        self.context = context
        self.home = home
        self.troubles: list[str] = []

    def open(self, path: str = "/") -> Page:
        page = self.blank()
        page.goto(self.home + path)
        return page

    def blank(self) -> Page:
        page = self.context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        return page

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type in ("error", "warning") and not any(words in said.text for words in HARMLESS):
            self.troubles.append(said.text)

    def settle(self, **settings: Any) -> None:
        """Set settings of the site before a page is opened."""
        self.context.add_init_script(
            f"localStorage.getItem('tercet.settings') ?? localStorage.setItem('tercet.settings', `{json.dumps(settings)}`)"
        )


@contextmanager
def visiting(
    browser: Browser, home: str, *, expect_trouble: bool = False, **options: Any
) -> Iterator[Visitor]:
    """A visitor with a fresh browser profile; at the end the console must have been silent.

    Nothing moves and nothing is kept for offline unless it is asked for: most of a test's time would go into that.
    """
    usual = {"viewport": DESKTOP, "locale": "en-GB", "color_scheme": "light"}
    options = usual | {"reduced_motion": "reduce", "service_workers": "block"} | options
    context = browser.new_context(**options)
    context.set_default_timeout(60_000)
    context.add_init_script(SAME_SECRET)
    visitor = Visitor(context, home)
    try:
        yield visitor
    finally:
        context.close()
    assert expect_trouble or not visitor.troubles, visitor.troubles
