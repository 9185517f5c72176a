"""Takes the tables as different eyes see them: ``python -m tests.web.eyesight FOLDER``.

Forced colours, a page magnified to 400 %, text of twice the size, and Chromium's emulation of four kinds of colour vision.
Look at the pictures: what is selected, called, wrong or on turn must be seen in each.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tercet.sets import WILD
from tests.web.browsing import DESKTOP, Visitor, launch, visiting
from tests.web.players import hurry
from tests.web.serving import serving
from tests.web.tables import begin, bot, card_table, dice_table, scramble_table, sign_in

#: A screen of 1280 by 1024, magnified to 400 %.
MAGNIFIED: ViewportSize = {"width": 320, "height": 256}
PAGES = {"settings": "/settings", "keys": "/keys"}


#: What is hidden, cut off or covered even when it has been scrolled to.
UNREACHABLE = """() => [...document.querySelectorAll('main button, main a, main input')].flatMap((one) => {
  if (one.closest('.hidden, .unless-focused') || !one.getClientRects().length) return []
  one.scrollIntoView({ block: 'center', inline: 'center' })
  const { left, top, width, height } = one.getBoundingClientRect()
  const there = document.elementFromPoint(left + width / 2, top + height / 2)
  const seen = there && (one.contains(there) || there.contains(one))
  return seen && left >= -1 && left + width <= innerWidth + 1 ? [] : [one.outerHTML.slice(0, 120)]
})"""


def everything_is_within_reach(page: Page) -> None:
    for _ in range(100):  # until nothing flies any more
        if not page.evaluate(UNREACHABLE):
            return
        page.wait_for_timeout(100)
    missing = page.evaluate(UNREACHABLE)
    assert not missing, missing


class Eyes(NamedTuple):
    name: str
    context: Mapping[str, Any] = MappingProxyType({})
    settings: Mapping[str, Any] = MappingProxyType({})
    #: As the browser calls them.
    deficiency: str = "none"
    text: int = 16


EYES = (
    Eyes("forced", {"forced_colors": "active"}),
    Eyes("forced-dark", {"forced_colors": "active", "color_scheme": "dark"}),
    Eyes("zoom-400", {"viewport": MAGNIFIED}),
    Eyes("text-200", {}, text=32),
    Eyes("text-200-phone", {"viewport": {"width": 390, "height": 844}}, text=32),
    *(
        Eyes(f"{kind}{'-wide' if palette == 'wide' else ''}", {}, {"palette": palette}, kind)
        for palette in ("ink", "wide")
        for kind in ("achromatopsia", "deuteranopia", "protanopia", "tritanopia")
    ),
)


def look(page: Page, eyes: Eyes) -> None:
    """See a page with these eyes, from now on."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes.deficiency})


def scenes(visitor: Visitor) -> Iterator[tuple[str, Page]]:
    """The tables one after the other, each with something picked."""
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], bot("beginner"), bot("casual"), rounds=1, show_seconds=30)
    begin(player)
    hurry(player, stop=lambda: player.state.phase == "play")
    for card in player.state.table[4:6]:
        player.page.locator(f'[data-card="{card}"]').click()
    yield "cards", player.page
    (ada,) = dice_table([visitor], bot("random"))
    begin(ada)
    hurry(ada, stop=lambda: ada.state.round > 1 and ada.state.turn == ada.seat)
    ada.page.get_by_role("button", name="Pass").wait_for()
    dice = ada.state.hands[ada.seat or 0]
    ada.take(next((die for die in dice if die.face != WILD), dice[0]).number)
    yield "dice", ada.page
    cleo = scramble_table(visitor, bot("beginner"), show_seconds=30)
    begin(cleo)
    hurry(cleo, stop=lambda: cleo.state.phase == "play")
    for die in cleo.state.lying[4:6]:
        cleo.page.locator(f'[data-die="{die.number}"]').click()
    yield "scramble", cleo.page


def take(browser: Browser, home: str, folder: Path, eyes: Eyes) -> None:
    """Whoever sits at the table plays with ordinary eyes; then it is looked at."""
    with visiting(browser, home, **{"viewport": DESKTOP, **eyes.context}) as visitor:
        visitor.settle(motion="less", **eyes.settings)
        for name, page in scenes(visitor):
            look(page, eyes)
            page.wait_for_timeout(300)
            page.screenshot(path=folder / f"{eyes.name}-{name}.png", full_page=True)
            page.close()
        for name, path in PAGES.items():
            page = visitor.open(path)
            look(page, eyes)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=folder / f"{eyes.name}-{name}.png", full_page=True)
            page.close()


def main(folder: Path, *only: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as home, sync_playwright() as playwright:
        for eyes in EYES:
            if not only or eyes.name in only:
                browser = launch(playwright, f"--blink-settings=defaultFontSize={eyes.text}")
                take(browser, home, folder, eyes)
                browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
