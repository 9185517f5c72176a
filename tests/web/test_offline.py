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


def words(language: str) -> list[str]:
    """Where the messages of a language are."""
    return [f"/assets/{file.name}" for file in (site.FOLDER / "assets").glob(f"{language}-*.js")]


def test_lessons_and_drills_work_offline(visit: Visit, line: Line) -> None:
    visitor = visit(home=line.home, expect_trouble=True, service_workers="allow")
    page = visitor.open("/")
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.evaluate(KEPT, words("en"))
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


def test_a_language_that_is_not_here_is_not_taken(visit: Visit, line: Line) -> None:
    visitor = visit(home=line.home, expect_trouble=True, service_workers="allow")
    page = visitor.open("/settings")
    page.evaluate("navigator.serviceWorker.ready")
    page.get_by_label("Language").select_option("fi")
    page.evaluate(KEPT, words("en") + words("fi"))
    line.cut()
    page.get_by_label("Kieli").select_option("ru")
    page.get_by_text("Palvelimeen ei saada yhteyttä").wait_for()
    expect(page.get_by_label("Kieli")).to_have_value("fi")
    page.reload()
    page.get_by_label("Kieli").select_option("en")
    page.get_by_role("heading", name="Settings", level=1).wait_for()
    assert not page.get_by_role("alert").count()


def test_a_new_version_keeps_the_languages_of_the_old_one(visit: Visit) -> None:
    page = visit(service_workers="allow").open("/icon.svg")
    page.evaluate(
        "caches.open('tercet / old').then((store) => store.put('/assets/he-old.js', new Response('')))"
    )
    page.goto(urljoin(page.url, "/"))
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function("async () => !(await caches.has('tercet / old'))")
    kept = page.evaluate(
        "(paths) => Promise.all(paths.map((path) => caches.match(path).then(Boolean)))", words("he")
    )
    assert kept
    assert all(kept)


def test_the_site_can_be_installed(visit: Visit) -> None:
    page = visit().open("/")
    address = page.locator("link[rel=manifest]").get_attribute("href") or ""
    manifest = page.request.get(urljoin(page.url, address)).json()
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        assert page.request.get(urljoin(page.url, icon["src"])).ok
