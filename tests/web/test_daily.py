"""The pages of the day: the same date everywhere, and a new day while they are open; whoever comes back without their storage."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from tercet.fairness import commit, terms_of
from tests.web.browsing import PHONE, Visitor
from tests.web.conftest import Visit
from tests.web.tables import sign_in

DAY = timedelta(days=1)
MINUTE_MS = 60_000


def told(page: Page, kind: str = "daily_set") -> dict[str, str]:
    found: dict[str, str] = page.request.get(f"{page.url.rsplit('/', 1)[0]}/api/daily/{kind}/today").json()
    return found


def written(day: str) -> str:
    """As a British reader writes it."""
    read = date.fromisoformat(day)
    return f"{read.day} {read:%b %Y}".replace("Sep ", "Sept ")


class Night:
    """The server tells of yesterday, whose end is near by the clock of the page, until midnight has come."""

    def __init__(self, visitor: Visitor) -> None:
        self.page = visitor.blank()
        self.page.clock.install()
        self.is_over = False
        self.today = datetime.now(UTC).date()
        self.yesterday = (self.today - DAY).isoformat()
        self.ends = int(self.page.evaluate("Date.now()")) + 10 * MINUTE_MS
        self.page.route("**/api/daily/*/today", self._tell)
        self.page.route(re.compile(r"/api/daily/[a-z_]+(\?.*)?$"), self._tell_month)

    def _tell(self, route: Route) -> None:
        answer = route.fetch().json()
        if not self.is_over:
            answer |= {"day": self.yesterday, "ends_time": self.ends}
        route.fulfill(json=answer)

    def _tell_month(self, route: Route) -> None:
        answer = route.fetch().json()
        if not self.is_over:
            answer |= {"today": self.yesterday, "month": self.yesterday[:7]}
        route.fulfill(json=answer)

    def come(self) -> None:
        self.is_over = True
        self.page.clock.fast_forward(11 * MINUTE_MS)


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Los_Angeles", "Etc/GMT+12"])
def test_a_day_has_the_same_date_everywhere(visit: Visit, zone: str) -> None:
    visitor = visit(timezone_id=zone)
    page = visitor.open("/daily")
    day = told(page)["day"]
    expect(page.locator("article").first).to_contain_text(written(day))
    expect(page.locator(".month [aria-current=date]")).to_have_attribute(
        "aria-label", re.compile(f"^{written(day)}:")
    )
    expect(page.locator(".month [aria-current=date] span")).to_have_text(str(int(day[8:])))
    page.goto(f"{visitor.home}/embed/daily")
    expect(page.locator(".top")).to_contain_text(written(day))


def test_a_page_of_days_that_is_left_open_turns_to_the_new_day(visit: Visit) -> None:
    visitor = visit()
    night = Night(visitor)
    page = night.page
    page.goto(f"{visitor.home}/daily")
    expect(page.locator("article").first).to_contain_text(written(night.yesterday))
    expect(page.get_by_text("The next ones come in 0 h 10 min")).to_be_visible()
    night.come()
    for article in page.locator("article").all():
        expect(article).to_contain_text(written(night.today.isoformat()))
    expect(page.locator(".month [aria-current=date] span")).to_have_text(str(night.today.day))
    expect(page.get_by_text("The next ones come in")).to_be_visible()


def test_the_frame_of_another_page_turns_to_the_new_day(visit: Visit) -> None:
    visitor = visit()
    night = Night(visitor)
    page = night.page
    page.goto(f"{visitor.home}/embed/daily")
    expect(page.locator(".top")).to_contain_text(written(night.yesterday))
    page.clock.set_fixed_time(datetime.now(UTC) + DAY)
    night.come()
    expect(page.locator(".top")).to_contain_text(written(night.today.isoformat()))


def test_who_lets_a_day_pass_before_beginning_is_told(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    answer = visitor.context.request.post(f"{visitor.home}/api/runs", data={"kind": "daily_set"})
    page = visitor.blank()
    page.clock.install()
    page.goto(f"{visitor.home}/t/{answer.json()['code']}")
    go = page.get_by_role("button", name="Go!")
    go.wait_for()
    over = page.get_by_text("The day of this puzzle is over, so it does not count.").first
    expect(over).not_to_be_attached()
    page.clock.fast_forward("24:00:00")
    expect(over).to_be_visible()
    expect(go).to_be_focused()
    page.get_by_role("link", name="Today’s puzzles").click()
    page.wait_for_url("**/daily?kind=daily_set")


def test_a_browser_that_forgot_its_storage_is_still_the_accounts(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    request = visitor.context.request
    name = f"ada{datetime.now(UTC):%H%M%S%f}"
    made = request.post(f"{visitor.home}/api/account", data={"name": name, "password": "a long password"})
    assert made.ok, made.text()
    called = request.get(f"{visitor.home}/api/session").json()["name"]
    fresh = visitor.context.new_page()
    fresh.add_init_script("localStorage.clear()")
    fresh.goto(f"{visitor.home}/daily")
    expect(fresh.get_by_role("banner").get_by_text(called)).to_be_visible()
    fresh.get_by_role("button", name="Solve it: Daily Set").click()
    fresh.get_by_role("button", name="Go!").wait_for()
    assert request.get(f"{visitor.home}/api/session").json()["name"] == called


def test_a_new_browser_asks_once_who_it_is(visit: Visit) -> None:
    visitor = visit()
    page = visitor.blank()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/session" in request.url else None)
    page.goto(f"{visitor.home}/daily")
    page.locator(".month").wait_for()
    assert len(asked) == 1
    page.goto(f"{visitor.home}/daily")
    page.locator(".month").wait_for()
    assert len(asked) == 1
    assert json.loads(page.evaluate("localStorage.getItem('tercet.person')")) == {"known": False}


def test_what_does_not_work_in_the_calendar_is_said_there(visit: Visit) -> None:
    visitor = visit(viewport=PHONE, expect_trouble=True)
    page = visitor.open("/daily")
    before = page.get_by_role("button", name="The month before")
    before.click()
    page.get_by_role("button", name="The month after").click()
    month = page.locator(".month")
    month.locator("[aria-current=date]").wait_for()
    visitor.context.set_offline(True)
    before.click()
    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(month.locator("[aria-current=date]")).to_be_visible()
    visitor.context.set_offline(False)
    before.click()
    expect(month.locator("[aria-current=date]")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert not any("offline" in trouble for trouble in visitor.troubles), visitor.troubles


def test_the_month_that_was_asked_for_last_is_shown(visit: Visit) -> None:
    """Also when the answers come in another order."""
    page = visit().open("/daily")
    page.locator(".month [aria-current=date]").wait_for()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile(r"/api/daily/daily_set\?month="), hold)
    with page.expect_request(re.compile("month=")):
        page.get_by_role("button", name="The month before").click()
    page.get_by_role("button", name="Daily Cubed", exact=True).click()
    cubed = page.locator(".month [aria-current=date]")
    with page.expect_response(re.compile("month=")):
        held[0].continue_()
    expect(cubed).to_be_visible()
    page.wait_for_function(
        "() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true))))"
    )
    expect(cubed).to_be_visible()


def test_the_other_tab_shows_how_the_day_went(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    first, second = visitor.open("/daily"), visitor.open("/daily")
    for page in (first, second):
        page.get_by_role("button", name="Solve it: Daily Set").click()
        page.get_by_role("button", name="Go!").wait_for()
    first.get_by_role("button", name="Go!").click()
    for page in (first, second):
        page.get_by_role("timer").wait_for()
    first.get_by_role("button", name="Give up this run").click()
    first.get_by_role("dialog").get_by_role("button", name="Give up this run").click()
    for page in (first, second):
        expect(page.locator("h1")).to_have_text("0 of 6, not finished")
    first.reload()
    expect(first.locator("h1")).to_have_text("0 of 6, not finished")


def test_the_check_of_a_day_says_no_more_than_it_has_looked_at(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    answer = visitor.context.request.post(f"{visitor.home}/api/runs", data={"kind": "daily_set"})
    page = visitor.open(f"/t/{answer.json()['code']}")
    page.get_by_role("button", name="Go!").click()
    page.get_by_role("button", name="Give up this run").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up this run").click()
    check = page.get_by_role("link", name="Check fairness")
    address = check.get_attribute("href") or ""
    check.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The seed is secret until the day of the puzzle is over.")
    game = address.split("?")[0].rpartition("/")[2]
    told = visitor.context.request.get(f"{visitor.home}/api/games/{game}/record?form=json").text()
    header, rest = told.split("\n", 1)
    seed = "ab" * 32
    opened = json.loads(header)
    terms = terms_of("puzzles", opened["options"])
    opened |= {"seed": seed, "commitment": commit(seed, terms)}
    page.route("**/api/games/*/record*", lambda route: route.fulfill(body=f"{json.dumps(opened)}\n{rest}"))
    page.goto(f"{visitor.home}{address}")
    expect(dialog).to_contain_text("The record is consistent, and the seed matches its fingerprint.")
    expect(dialog).not_to_contain_text("all 0")
