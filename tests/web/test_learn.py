"""Lessons, drills and settings in the browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tercet.sets import Card, find_sets
from tests.web.conftest import Visit


def cards_of(page: Page) -> list[Card]:
    return [
        Card(text)
        for text in page.locator("[data-card]").evaluate_all("all => all.map((one) => one.dataset.card)")
    ]


def test_the_first_turn_of_set_cubed_scores_6_9_12(visit: Visit) -> None:
    page = visit().open("/learn/cubed")
    for face, square, points in (
        ("2, green, squiggle", "c2", "6 points"),
        ("2, green, diamond", "b3", "9 points"),
        ("3, green, diamond", "b4", "12 points"),
    ):
        page.get_by_role("toolbar", name="Your dice").get_by_role("button", name=face).click()
        page.locator(f'[data-square="{square}"]').click()
        page.get_by_text(re.compile(points)).first.wait_for()


def test_all_sets_of_a_drill_are_found(visit: Visit) -> None:
    page = visit().open("/learn/all")
    page.locator("[data-card]").first.wait_for()
    sets = find_sets(cards_of(page))
    for found in sets:
        for card in found:
            page.locator(f'[data-card="{card}"]').click()
    page.get_by_text(f"{len(sets)} of {len(sets)} right").wait_for()


def test_a_language_is_detected_switched_and_kept(visit: Visit) -> None:
    page = visit(locale="nn-NO").open("/settings")
    expect(page.locator("html")).to_have_attribute("lang", "nb")
    page.get_by_label("Språk").select_option("he")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("הגדרות")
