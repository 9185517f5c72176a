"""Takes every main screen as different eyes see it: ``python -m tests.web.eyesight FOLDER [EYES...]``.

Forced colours, a page magnified to 400 %, text of twice the size, and Chromium's emulation of four kinds of colour vision.
Look at the pictures: what is selected, called, wrong or on turn must be seen in each, and nothing be cut or covered.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tercet.sets import WILD
from tests.web.browsing import DESKTOP, PHONE, Visitor, launch, visiting
from tests.web.players import CLICK, Player, hurry
from tests.web.runs import start_run
from tests.web.serving import serving
from tests.web.tables import KNOWN, SHORT, begin, bot, card_table, scramble_table, two_at_cards, two_at_dice

#: A screen of 1280 by 1024, magnified to 400 %.
MAGNIFIED: ViewportSize = {"width": 320, "height": 256}


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
    Eyes("text-200", text=32),
    Eyes("text-200-phone", {"viewport": PHONE}, text=32),
    *(
        Eyes(f"{kind}{'-wide' if palette == 'wide' else ''}", settings={"palette": palette}, deficiency=kind)
        for palette in ("ink", "wide")
        for kind in ("achromatopsia", "deuteranopia", "protanopia", "tritanopia")
    ),
)


class Screen(NamedTuple):
    """Where it is, and what is done there before one looks."""

    path: str
    #: It has been drawn once this is there.
    drawn: str = "h1"
    #: Clicked on, one after the other.
    picks: Sequence[str] = ()


def play(browser: Browser, home: str, stack: ExitStack) -> tuple[list[Any], dict[str, Screen]]:
    """Ada's cookies, and the screens that she comes to. Her games stand still: nobody else is at her tables who would move."""
    ada, ben = (stack.enter_context(visiting(browser, home)) for _ in range(2))
    cards, _ = two_at_cards(ada, ben, rounds=1, show_seconds=30)
    hurry(cards, stop=lambda: cards.count("took") == 3)
    dice, other = two_at_dice(ada, ben)
    hurry(dice, other, stop=lambda: dice.state.round == 3 and dice.state.turn == dice.seat)
    scramble = scramble_table(ada, bot("beginner"), practice=True, show_seconds=30)
    begin(scramble)
    hurry(scramble, stop=lambda: scramble.state.phase == "play")
    (race,) = card_table([ada], bot("beginner"), **SHORT)
    begin(race)
    hurry(race)
    board, other = two_at_dice(ada, ben)
    hurry(board, other)
    hand = dice.state.hands[dice.seat or 0]
    die = next((die for die in hand if die.face != WILD), hand[0])
    screens = {
        "start": Screen("/"),
        "cards": Screen(
            at(cards), "[data-card]", [f'[data-card="{card}"]' for card in cards.state.table[4:6]]
        ),
        "dice": Screen(at(dice), "[data-die]", [f'[data-die="{die.number}"]']),
        "scramble": Screen(
            at(scramble),
            "[data-die]",
            [f'[data-die="{die.number}"]' for die in scramble.state.lying[4:6]],
        ),
        "result-set": Screen(at(race), "figure"),
        "result-cubed": Screen(at(board), "figure"),
        "review-set": Screen(f"/games/{race.game}/review?seat=0", ".stop"),
        "review-cubed": Screen(f"/games/{board.game}/review?seat=0", ".stop"),
        "daily": Screen("/daily"),
        "lesson": Screen("/learn/set", "fieldset", [".answers button"]),
        "settings": Screen("/settings"),
        "keys": Screen("/keys"),
    }
    return ada.context.cookies(), screens


def at(player: Player[Any]) -> str:
    return "/t/" + player.page.url.partition("/t/")[2]


def look(page: Page, eyes: Eyes) -> None:
    """See a page with these eyes, from now on."""
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == eyes.text
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes.deficiency})


def pages(visitor: Visitor, screens: Mapping[str, Screen]) -> Iterator[tuple[str, Page]]:
    for name, (path, drawn, picks) in screens.items():
        page = visitor.open(path)
        page.locator(drawn).first.wait_for(timeout=180_000)
        page.evaluate(CLICK, list(picks))
        yield name, page
    # Somebody else's: whoever has seen one with other eyes has it going.
    visitor.context.clear_cookies()
    yield "storm", start_run(visitor, "storm")


def take(
    browser: Browser, home: str, ada: list[Any], screens: Mapping[str, Screen], eyes: Eyes, folder: Path
) -> None:
    with visiting(browser, home, **{"viewport": DESKTOP, **eyes.context}) as visitor:
        visitor.context.add_cookies(ada)
        visitor.context.add_init_script(KNOWN)
        visitor.settle(motion="less", soundAsked=True, **eyes.settings)
        for name, page in pages(visitor, screens):
            look(page, eyes)
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(300)
            page.screenshot(path=folder / f"{eyes.name}-{name}.png", full_page=True)
            page.close()


def main(folder: Path, *only: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        home = stack.enter_context(serving(Path(data), review_games=40))
        playwright = stack.enter_context(sync_playwright())
        browser = launch(playwright)
        ada, screens = play(browser, home, stack)
        for eyes in EYES:
            if not only or eyes.name in only:
                with launch(playwright, f"--blink-settings=defaultFontSize={eyes.text}") as seeing:
                    take(seeing, home, ada, screens, eyes, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
