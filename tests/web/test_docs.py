"""The documentation, read from the disk: it asks nobody else for anything, its search works, and it looks like the site."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import DESKTOP, PHONE, visiting
from tests.web.serving import ROOT

#: What a browser fetches by itself; links may lead anywhere.
FETCHED = re.compile(
    r"<(?:script|img|iframe|source|video|audio|link|object|embed)\b[^>]*?(?:src|href|data)=\"?([^\" >]+)"
)
TOKENS = (ROOT / "web" / "src" / "theme" / "tokens.css").read_text("utf-8")
#: Pages with long names, wide tables, long lines of code and pictures.
WIDE = ("index", "hosting", "protocol", "api", "play/dice")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as `make docs` builds it."""
    if find_spec("mkdocs") is None:
        pytest.skip("what builds the documentation is not installed: make docs installs it")
    folder = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_no_page_fetches_anything_from_elsewhere(built: Path) -> None:
    pages = sorted(built.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        for address in FETCHED.findall(page.read_text("utf-8")):
            assert not re.match(r"(?:[a-z]+:)?//", address) or 'rel="canonical"' in address, (page, address)
    for sheet in built.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import )[\"']?(?:https?:)?//", sheet.read_text("utf-8")), sheet


def test_the_search_works_from_the_disk(browser: Browser, built: Path) -> None:
    asked: list[str] = []
    with visiting(browser, built.as_uri()) as visitor:
        page = visitor.blank()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{built.as_uri()}/play/cards.html", wait_until="domcontentloaded")
        search = page.get_by_role("textbox", name="Search")
        search.click()
        page.keyboard.type("qqqqqq")
        expect(page.get_by_text("No matching documents")).to_be_visible()
        search.fill("")
        page.keyboard.type("backups")
        found = page.locator(".md-search-result__link", has_text="Backups").first
        found.click()
        expect(page).to_have_url(re.compile(r"/hosting\.html.*#backups$"))
        expect(page.get_by_role("heading", name="Backups")).to_be_in_viewport()
    assert any("search" in address for address in asked)
    assert all(address.startswith(("file:", "data:", "blob:")) for address in asked), asked


def test_it_fits(browser: Browser, built: Path) -> None:
    with visiting(browser, built.as_uri()) as visitor:
        page = visitor.blank()
        for name in WIDE:
            page.goto(f"{built.as_uri()}/{name}.html", wait_until="domcontentloaded")
            page.locator("h1").wait_for()
            for size in (PHONE, DESKTOP):
                page.set_viewport_size(size)
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, size)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_looks_like_the_site(browser: Browser, built: Path, scheme: Literal["light", "dark"]) -> None:
    with visiting(browser, built.as_uri(), color_scheme=scheme) as visitor:
        page = visitor.blank()
        page.goto(f"{built.as_uri()}/index.html", wait_until="domcontentloaded")
        page.locator("h1").wait_for()
        for thing, token in ((".md-content__inner", "paper"), ("body", "table")):
            assert colour(page, thing, "backgroundColor") == written(token, scheme), thing
        assert colour(page, ".md-typeset h1", "color") == written("ink", scheme)
        assert "system-ui" in str(page.evaluate("getComputedStyle(document.body).fontFamily"))


def colour(page: Page, thing: str, kind: str) -> str:
    return str(page.locator(thing).first.evaluate(f"(thing) => getComputedStyle(thing).{kind}"))


def written(token: str, scheme: str) -> str:
    """A colour of the site, as browsers write it."""
    part = TOKENS.partition(":root[data-theme='dark']")[2 if scheme == "dark" else 0]
    found = re.search(rf"--{token}: #([0-9a-f]{{6}});", part)
    assert found is not None
    return "rgb({}, {}, {})".format(*bytes.fromhex(found[1]))
