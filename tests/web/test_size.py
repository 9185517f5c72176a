"""What a first visit costs: measured in the browser, as it comes over the wire."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.web.catalogues import LANGUAGES
from tests.web.conftest import Visit

LIMIT = 60_000
SCRIPTS = """performance.getEntriesByType('resource')
    .filter(({ name }) => /[.]js$/.test(name) && !name.endsWith('/offline.js'))
    .map(({ name, encodedBodySize }) => [name, encodedBodySize])"""


def scripts(page: Page) -> dict[str, int]:
    return dict(page.evaluate(SCRIPTS))


def part(name: str) -> str:
    """What the name of a file says is in it."""
    return name.rpartition("/")[2].partition("-")[0]


@pytest.mark.parametrize("name", ["Daily", "Alone", "Boards"])
def test_who_comes_by_a_link_loads_that_page_alone(visit: Visit, name: str) -> None:
    """A link to the puzzle of the day is a first visit, too."""
    visitor = visit(service_workers="allow")
    page = visitor.blank()
    page.goto(f"{visitor.home}/{name.lower()}", wait_until="networkidle")
    page.locator("h1").wait_for()
    page.evaluate("navigator.serviceWorker.ready")  # what is kept for later is not loaded by the page
    loaded = scripts(page)
    assert 0 < sum(loaded.values()) <= LIMIT
    others = {"Daily", "Alone", "Boards", "table", "race", "cards", "dice", "people", "sitting"}
    assert others & set(map(part, loaded)) == {name}
    print(f"JavaScript for {name}: {sum(loaded.values())} B")


@pytest.mark.parametrize("game", ["Set", "Set Cubed", "Scramble"])
def test_scripts_are_small_and_one_language_is_loaded(visit: Visit, game: str) -> None:
    visitor = visit()
    asked: list[str] = []
    page = visitor.blank()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(visitor.home + "/", wait_until="networkidle")
    start = scripts(page)
    assert 0 < sum(start.values()) <= LIMIT
    page.get_by_role("button", name=f"Play {game}", exact=True).click()
    page.locator(".table").wait_for()
    table = {name: size for name, size in scripts(page).items() if name not in start}
    assert 0 < sum(table.values()) <= LIMIT
    words = list(map(part, start | table))
    assert {language for language in LANGUAGES if language in words} == {"en"}
    assert words.count("en") == 2, "those of the site, and those of the game"
    assert all(address.startswith(visitor.home) for address in asked)
    print(
        f"JavaScript for {game}: start page {sum(start.values())} B, table page {sum(table.values())} B more"
    )
