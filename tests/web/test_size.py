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
    words = [name.rpartition("/")[2].partition("-")[0] for name in start | table]
    assert {language for language in LANGUAGES if language in words} == {"en"}
    assert words.count("en") == 2, "those of the site, and those of the game"
    assert all(address.startswith(visitor.home) for address in asked)
    print(
        f"JavaScript for {game}: start page {sum(start.values())} B, table page {sum(table.values())} B more"
    )
