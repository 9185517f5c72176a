"""Runs in the browser, for tests."""

from __future__ import annotations

import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import combinations
from pathlib import Path
from threading import Thread

from playwright.sync_api import Page, expect

from tercet.games.runs import HAND_MS
from tercet.sets import Card, Face, find_sets, is_set, third
from tests.web.browsing import Visitor
from tests.web.tables import sign_in

#: What is asked, and of which signs; picking some changes neither.
ITEM = """() => [...document.querySelectorAll('.desk .asks, .desk .few [data-shown], .desk [data-sign]')]
    .map((one) => one.dataset.shown ?? one.dataset.sign ?? one.textContent).join()"""


def start_run(visitor: Visitor, kind: str) -> Page:
    """A run of this kind that has begun."""
    sign_in(visitor, "Ada")
    answer = visitor.context.request.post(f"{visitor.home}/api/runs", data={"kind": kind})
    assert answer.ok, answer.text()
    page = visitor.open(f"/t/{answer.json()['code']}")
    page.get_by_role("button", name="Go!").click()
    page.get_by_role("timer").wait_for()
    return page


def signs(page: Page, of: str = "[data-sign]") -> list[str]:
    attribute = "card" if "card" in of else "sign"
    found: list[str] = page.locator(of).evaluate_all(f"all => all.map((one) => one.dataset.{attribute})")
    return found


def press_sign(page: Page, sign: str) -> None:
    page.locator(f'[data-sign="{sign}"]').click()


def answer_item(page: Page, *, right: bool) -> str:
    """Answer what is asked; what was asked."""
    before = page.evaluate(ITEM)
    page.wait_for_timeout(HAND_MS)
    asked = page.locator(".asks").inner_text()
    if asked.startswith("Is it"):
        shown = page.locator(".few [data-shown]").evaluate_all("all => all.map((one) => one.dataset.shown)")
        kind = Card if len(shown[0]) == 4 else Face
        truth = is_set(*(kind(text) for text in shown))
        page.locator(".yes").get_by_text("Yes" if truth == right else "No", exact=True).click()
    elif asked.startswith("Which"):
        shown = page.locator(".few [data-shown]").evaluate_all("all => all.map((one) => one.dataset.shown)")
        kind = Card if len(shown[0]) == 4 else Face
        missing = str(third(kind(shown[0]), kind(shown[1])))
        press_sign(page, missing if right else next(one for one in signs(page) if one != missing))
    else:
        lying = signs(page)
        kind = Card if len(lying[0]) == 4 else Face
        three = [str(one) for one in find_sets([kind(text) for text in lying])[0]]
        if not right:
            three = [*three[:2], next(one for one in lying if one not in three)]
        for one in three:
            press_sign(page, one)
    page.wait_for_function(f"before => ({ITEM})() !== before", arg=before)
    return asked


def play_in_a_frame(visitor: Visitor, folder: Path) -> None:
    """The daily on a page of somebody else, of another origin; an error costs ten seconds there, too."""
    (folder / "index.html").write_text(
        f'<!doctype html><link rel="icon" href="data:,"><iframe src="{visitor.home}/embed/daily" width="700" height="600"></iframe>'
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=folder)) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        page = visitor.blank()
        page.goto(f"http://127.0.0.1:{other.server_port}/")
        frame = page.frame_locator("iframe")
        frame.get_by_role("button", name="Go!").click()
        expect(frame.locator("[data-sign]")).to_have_count(12)
        lying = frame.locator("[data-sign]").evaluate_all("all => all.map((one) => one.dataset.sign)")
        wrong = next(three for three in combinations(lying, 3) if not is_set(*map(Card, three)))
        for card in wrong:
            frame.locator(f'[data-sign="{card}"]').click()
        expect(frame.get_by_role("timer")).to_have_text(re.compile(r"^0:1\d"))
        other.shutdown()
