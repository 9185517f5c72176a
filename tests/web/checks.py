"""What holds for every page: it says everything, fits, and is for everyone."""

from __future__ import annotations

from typing import Any, Literal

from playwright.sync_api import Page

from tests.web.catalogues import LANGUAGES, catalogue
from tests.web.serving import ROOT

WIDTHS = (320, 768, 1440)
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
