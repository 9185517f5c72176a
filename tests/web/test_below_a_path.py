"""Below a path of a name that has other things, too: nothing of the site may ask for or lead to anything outside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tercet.server.web import site
from tests.web.browsing import Visitor
from tests.web.checks import follow, ready
from tests.web.conftest import Visit
from tests.web.line import Line
from tests.web.players import hurry
from tests.web.runs import play_in_a_frame
from tests.web.serving import serving
from tests.web.tables import PERSON, SHORT, begin, bot, card_table, make_table, sign_in
from tests.web.test_offline import KEPT
from tests.web.test_pages import PATHS

PATH = "/tercet"


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("below")
    with serving(
        folder, settings={"TERCET_PATH": PATH + "/", "TERCET_ACCESS_LOG": str(folder / "access.log")}
    ) as home:
        assert urlsplit(home).path == PATH
        yield home


def listen(visitor: Visitor) -> tuple[Page, list[str]]:
    """A page, and the addresses that it asks for."""
    page = visitor.blank()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url.replace("ws://", "http://")))
    return page, asked


def links(page: Page) -> set[str]:
    return set(page.locator("a[href]").evaluate_all("all => all.map((link) => link.getAttribute('href'))"))


def test_every_page_asks_for_and_leads_to_what_is_below_the_path(visit: Visit, below: str) -> None:
    visitor = visit(home=below)
    page, asked = listen(visitor)
    page.goto(below + "?from=elsewhere")
    assert page.url == below + "/?from=elsewhere"
    page.goto(below + "/keys")
    ready(page)
    for path in PATHS:
        follow(page, PATH + path)
        assert all(link.startswith((f"{PATH}/", "#")) for link in links(page)), (path, links(page))
    assert asked
    assert all(address.startswith(f"{below}/") or address == below + "?from=elsewhere" for address in asked)
    page.goto(below + "/rules/set")
    page.get_by_role("link", name="Learn", exact=True).first.click()
    expect(page).to_have_url(below + "/learn")
    page.go_back()
    expect(page).to_have_url(below + "/rules/set")
    page.goto(below.removesuffix(PATH) + "/")
    ready(page)


def test_a_game_from_the_first_click_to_its_replay(visit: Visit, below: str) -> None:
    visitor = visit(home=below)
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], bot("beginner"), **SHORT)
    cookies = [(cookie["name"], cookie["path"]) for cookie in visitor.context.cookies()]
    assert cookies == [("tercet", f"{PATH}/")]
    begin(player)
    hurry(player)
    page = player.page
    assert page.url.startswith(f"{below}/t/")
    page.get_by_role("link", name="Replay", exact=True).click()
    expect(page).to_have_url(f"{below}/games/{player.game}")
    page.get_by_role("button", name="One step on").wait_for()
    with page.expect_download() as download:
        page.locator("a[download]").first.click()
    assert download.value.url == f"{below}/api/games/{player.game}/record"
    page.goto(f"{below}/games")
    page.locator("li .game a").first.click()
    expect(page).to_have_url(f"{below}/games/{player.game}")


def test_an_invitation_leads_below_the_path(visit: Visit, below: str) -> None:
    visitor = visit(home=below)
    sign_in(visitor, "Ada")
    code = make_table(visitor, game="set", seats=[PERSON, PERSON])
    page = visitor.blank()
    page.add_init_script("navigator.share = async ({ url }) => { window.shared = url }")
    page.goto(below + "/")
    page.get_by_label("Table code or link").fill(f"{below}/t/{code}")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{below}/t/{code}")
    page.get_by_role("button", name="Share the link").click()
    assert page.evaluate("window.shared") == f"{below}/t/{code}"


def test_lessons_work_offline_and_other_programs_keep_their_stores(visit: Visit, below: str) -> None:
    line = Line(below)
    home = line.home + PATH
    visitor = visit(home=home, expect_trouble=True, service_workers="allow")
    page = visitor.blank()
    page.goto(f"{line.home}{PATH}/icon.svg")
    page.evaluate("caches.open('of another program')")
    page.goto(home + "/")
    assert page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)") == home + "/"
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    words = [f"{PATH}/assets/{file.name}" for file in (site.FOLDER / "assets").glob("en-*.js")]
    page.evaluate(KEPT, words)
    assert "of another program" in page.evaluate("caches.keys()")
    line.cut()
    page.goto(home + "/learn/all")
    expect(page.locator("[data-card]")).to_have_count(12)
    line.close()


def test_the_daily_in_a_frame_and_the_page_of_the_api(visit: Visit, below: str, tmp_path: Path) -> None:
    visitor = visit(home=below)
    play_in_a_frame(visitor, tmp_path)
    page = visitor.open("/api/docs")
    page.get_by_role("link", name="OpenAPI").click()
    assert page.url == f"{below}/api/schema/openapi.json"
    schema = visitor.context.request.get(page.url).json()
    assert schema["servers"] == [{"url": PATH}]


def test_a_proxy_may_take_the_path_away(visit: Visit, below: str) -> None:
    ask = visit(home=below).context.request
    root = below.removesuffix(PATH)
    for path in ("/", "/t/ABCDEF", "/offline.js", "/api/games", "/health", "/metrics"):
        assert ask.get(root + path).text()[:40] == ask.get(below + path).text()[:40], path
