"""One server and one browser for all tests of the site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.web.browsing import Visitor, launch, visiting
from tests.web.line import Line
from tests.web.serving import serving

Visit = Callable[..., Visitor]

#: On a busy machine a page takes its time.
expect.set_options(timeout=60_000)


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = launch(playwright)
    yield browser
    browser.close()


@pytest.fixture
def visit(browser: Browser, home: str) -> Iterator[Visit]:
    """Lets somebody come to the site; whoever came leaves at the end, with a silent console."""
    with ExitStack() as stack:

        def visit(**options: Any) -> Visitor:
            return stack.enter_context(visiting(browser, options.pop("home", home), **options))

        yield visit


@pytest.fixture
def line(home: str) -> Iterator[Line]:
    """A line to the server that can be cut."""
    line = Line(home)
    yield line
    line.close()
