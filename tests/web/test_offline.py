"""Without a network: lessons and drills go on, tables say what is wrong."""

from __future__ import annotations

from urllib.parse import urljoin

from playwright.sync_api import expect

from tercet.server.web import site
from tests.web.conftest import Visit
from tests.web.line import Line

#: Resolves when the service worker has kept all these.
KEPT = """async (paths) => {
    const store = await caches.open((await caches.keys()).find((name) => name.startsWith('tercet ')))
    while (!(await Promise.all(paths.map((path) => store.match(path)))).every(Boolean))
        await new Promise((go) => setTimeout(go, 50))
}"""


def test_lessons_and_drills_work_offline(visit: Visit, line: Line) -> None:
    visitor = visit(home=line.home, expect_trouble=True, service_workers="allow")
    page = visitor.open("/")
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    words = [f"/assets/{file.name}" for file in (site.FOLDER / "assets").glob("en-*.js")]
    page.evaluate(KEPT, words)
    line.cut()
    pages = {
        "/learn": "Learn",
        "/learn/set": "What a SET is",
        "/learn/mine": "From your own games",
        "/learn/all": "Find all",
    }
    for path, title in pages.items():
        page.goto(line.home + path)
        page.get_by_role("heading", name=title, level=1).wait_for()
    expect(page.locator("[data-card]")).to_have_count(12)
    page.goto(line.home + "/")
    page.get_by_role("button", name="Play Set", exact=True).click()
    page.get_by_text("The server cannot be reached").wait_for()


def test_the_site_can_be_installed(visit: Visit) -> None:
    page = visit().open("/")
    address = page.locator("link[rel=manifest]").get_attribute("href") or ""
    manifest = page.request.get(urljoin(page.url, address)).json()
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        assert page.request.get(urljoin(page.url, icon["src"])).ok
