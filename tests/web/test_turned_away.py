"""A server that does not take a page for its own, or does not know its name, says so, and what must be set."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Playwright, expect

from tests.web.browsing import PHONE, launch, visiting
from tests.web.catalogues import LANGUAGES, catalogue
from tests.web.conftest import Visit
from tests.web.serving import serving


def test_a_page_of_another_origin_says_what_must_be_set(visit: Visit, tmp_path: Path) -> None:
    """Cookies over HTTPS only, and a page that came without: in every language, as soon as somebody wants to play."""
    with serving(tmp_path, settings={"TERCET_SECURE": "true"}) as home:
        for language in LANGUAGES:
            visitor = visit(home=home, locale=language, viewport=PHONE, expect_trouble=True)
            page = visitor.open("/")
            page.locator("article button.strong").first.click()
            said = str(catalogue(language)["failed_other_origin"])
            said = said.format(origin=f"\u2066{home}\u2069", setting=f"\u2066TERCET_ORIGINS={home}\u2069")
            expect(page.get_by_role("alert")).to_have_text(said)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), language


def test_a_name_that_the_server_does_not_know_gets_a_page_that_says_so(
    playwright: Playwright, home: str
) -> None:
    port = urlsplit(home).port
    browser = launch(playwright, f"--host-resolver-rules=MAP club.example 127.0.0.1:{port}")
    with visiting(
        browser, "http://club.example", locale="nl", viewport=PHONE, expect_trouble=True
    ) as visitor:
        page = visitor.open("/t/ABCDEF")
        expect(page.get_by_role("main")).to_contain_text(
            "Deze server luistert niet naar de naam club.example"
        )
        expect(page.locator("code").last).to_have_text("TERCET_HOSTS=club.example")
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == "rgb(225, 228, 216)", "the style is let in"
    browser.close()
