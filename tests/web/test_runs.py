"""Against the clock: the daily, sprints with a ghost, storms, races; without a connection, too."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, Route, expect

from tercet.codec import from_data
from tercet.cubed import State
from tercet.games.runs import HAND_MS, PACE_MS
from tercet.server.web import site
from tercet.sets import Card, find_sets
from tests.web.browsing import PHONE
from tests.web.conftest import Visit
from tests.web.line import Line
from tests.web.runs import answer_item, play_in_a_frame, press_sign, signs, start_run
from tests.web.tables import sign_in
from tests.web.test_offline import KEPT

#: On which side of an element the text before it lies.
BESIDE_IT = """(element) => {
    const before = document.createRange()
    before.selectNode(element.previousSibling)
    return before.getBoundingClientRect().left < element.getBoundingClientRect().left ? 'left' : 'right'
}"""


def begin(page: Page, path: str, label: str = "Play") -> None:
    page.goto(path)
    page.get_by_role("button", name=label, exact=True).click()
    page.get_by_role("button", name="Go!").click()
    page.get_by_role("timer").wait_for()


def solve_daily_set(page: Page, *, by: str = "mouse") -> None:
    """Find all six."""
    page.locator("[data-sign]").nth(11).wait_for()
    lying = signs(page)
    for number, three in enumerate(find_sets([Card(text) for text in lying]), 1):
        page.wait_for_timeout(PACE_MS + 100)  # faster on average does not count
        for card in map(str, three):
            if by == "mouse":
                press_sign(page, card)
            else:
                place = lying.index(card)
                page.keyboard.press(("qwer", "asdf", "zxcv")[place % 3][place // 3])
        if number < 6:
            expect(page.locator(".found li:not(.open)")).to_have_count(number)


def take_ten(page: Page, pace_ms: int) -> None:
    """Ten SETs of a sprint; faster than 500 ms each no hand is."""
    for number in range(1, 11):
        page.locator("[data-card]").nth(11).wait_for()
        lying = signs(page, "[data-card]")
        three = next(iter(find_sets([Card(text) for text in lying])))
        page.wait_for_timeout(pace_ms)
        for card in map(str, three):
            page.locator(f'[data-card="{card}"]').click()
        if number < 10:
            expect(page.locator(".done")).to_have_text(f"Solved: {number} of 10")


def stop_here(*pages: Page) -> None:
    for page in pages:
        page.get_by_role("button", name="Stop here").click()
        page.get_by_role("dialog").get_by_role("button", name="Stop here").click()


def milliseconds(timer: Locator) -> int:
    return int(timer.get_attribute("data-ms") or 0)


def test_a_daily_is_played_and_shared(visit: Visit) -> None:
    visitor = visit(permissions=["clipboard-read", "clipboard-write"])
    page = visitor.open("/")
    page.get_by_role("link", name="Daily Set").click()
    page.get_by_role("button", name="Solve it").first.click()
    page.get_by_role("button", name="Go!").click()
    solve_daily_set(page)
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Copied").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    assert "✔✔✔✔✔✔" in text
    assert text.endswith("/daily?kind=daily_set")
    assert re.search(r"\d:\d\d\.\d", text)
    assert not any(str(card) in text for card in Card.all()), "no spoilers"
    page.get_by_role("link", name="All days").click()
    page.get_by_role("button", name="Once more, not counted").wait_for()
    expect(page.locator("dd").first).to_have_text("1")
    expect(page.get_by_text("The next ones come in")).to_be_visible()
    page.get_by_role("button", name="Result").click()
    expect(page.locator("pre")).to_have_text(text)


def test_what_is_shared_is_copied_by_hand_where_no_page_may_copy(visit: Visit) -> None:
    visitor = visit(viewport=PHONE)
    page = start_run(visitor, "daily_set")
    solve_daily_set(page)
    shown = page.locator("pre").inner_text()
    page.evaluate("""() => {
        document.execCommand = () => false
        Object.defineProperty(navigator, 'clipboard', { value: undefined })
    }""")
    page.get_by_role("button", name="Share", exact=True).focus()
    page.keyboard.press("Enter")
    field = page.get_by_role("textbox", name="Tell others")
    expect(field).to_be_focused()
    expect(field).to_have_value(shown)
    expect(field).to_have_accessible_description(re.compile("The text is selected: copy it"))
    assert page.evaluate("getSelection().toString()") == shown
    assert field.evaluate("element => element.scrollHeight <= element.clientHeight")
    page.get_by_role("button", name="Share", exact=True).focus()
    page.keyboard.press("Enter")
    expect(field).to_be_focused()


def test_a_daily_that_is_given_up_is_asked_for_once_and_says_so(visit: Visit) -> None:
    page = start_run(visit(), "daily_set")
    page.locator("[data-sign]").nth(11).wait_for()
    lying = signs(page)
    for number, three in enumerate(find_sets([Card(text) for text in lying])[:2], 1):
        page.wait_for_timeout(HAND_MS)
        for card in map(str, three):
            press_sign(page, card)
        expect(page.locator(".found li:not(.open)")).to_have_count(number)
    page.get_by_role("button", name="Give up this run").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Today’s try will be over")
    dialog.get_by_role("button", name="Play on").click()
    expect(page.get_by_role("timer")).to_be_visible()
    page.get_by_role("button", name="Give up this run").click()
    dialog.get_by_role("button", name="Give up this run").click()
    expect(page.locator("h1")).to_have_text("2 of 6, not finished")
    expect(page.locator(".missed li")).to_have_count(4)
    expect(page.get_by_role("button", name="Share")).to_have_count(0)
    page.get_by_role("link", name="All days").click()
    expect(page.locator("article").first).to_contain_text("2 of 6, not finished")


def test_cards_lie_still_when_the_first_error_is_counted(visit: Visit) -> None:
    page = start_run(visit(viewport={"width": 360, "height": 740}), "daily_set")
    page.locator("[data-sign]").nth(11).wait_for()
    lying = signs(page)
    first, second, last = map(str, find_sets([Card(text) for text in lying])[0])
    before = page.locator("[data-sign]").first.bounding_box()
    for card in (first, second, next(card for card in lying if card not in (first, second, last))):
        press_sign(page, card)
    expect(page.get_by_title("1 error", exact=True)).to_be_visible()
    assert page.locator("[data-sign]").first.bounding_box() == before


def test_daily_cubed_says_how_the_game_stands_and_shows_the_turns(visit: Visit) -> None:
    visitor = visit()
    page = start_run(visitor, "daily_cubed")
    told = visitor.context.request.get(f"{visitor.home}/api/daily/daily_cubed/today").json()
    position = from_data(told["puzzle"]["position"], State)
    seat = position.turn or 0
    standing = page.locator(".standing")
    expect(standing).to_contain_text(
        f"You {position.scores[seat]}, your opponent {position.scores[1 - seat]}"
    )
    expect(standing).to_contain_text(f"{len(position.bag)} d")
    expect(standing.get_by_role("img")).to_have_count(len(position.hands[1 - seat]))
    hand = [str(die.face) for die in position.hands[seat]]
    for placement in position.position(seat).best().placements:
        page.keyboard.press(str(hand.index(str(placement.face)) + 1))
        page.locator(f'[data-square="{placement.square}"]').click()
    page.get_by_role("button", name="Lay for").click()
    expect(page.locator("h1")).to_have_text(re.compile(r"^Your turn wins \d+\.\d%, the best \d+\.\d%$"))
    expect(page.locator("tr", has_text="most points").first).to_be_visible()
    expect(page.get_by_text("error", exact=False)).to_have_count(0)
    row = page.locator("tbody tr").nth(1)
    expect(row.get_by_role("button", name=re.compile(r"^\w\d: \d, \w+, \w+; "))).to_have_count(1)
    expect(page.get_by_role("button", name=re.compile(r"\. you\b"))).to_have_count(1)
    row.get_by_role("button").click()
    expect(row).to_have_class(re.compile("shown"))
    page.evaluate("localStorage.setItem('tercet.settings', JSON.stringify({ language: 'he' }))")
    page.reload()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    error = page.locator("td .error").first
    expect(error).to_be_visible()
    assert error.evaluate(BESIDE_IT) == "left", "the chance, and then its error"


def test_daily_cubed_shows_a_weak_turn_of_ones_own_beside_the_best(visit: Visit) -> None:
    visitor = visit()
    page = start_run(visitor, "daily_cubed")
    told = visitor.context.request.get(f"{visitor.home}/api/daily/daily_cubed/today").json()
    position = from_data(told["puzzle"]["position"], State)
    seat = position.turn or 0
    hand = [str(die.face) for die in position.hands[seat]]
    weak = min(position.position(seat).turns(), key=lambda turn: turn.score)

    def leave_out(route: Route) -> None:
        """Whatever it is worth: it was not played out."""
        day = route.fetch().json()
        day["turns"] = [one for one in day["turns"] if one["turn"] != str(weak)]
        route.fulfill(json=day)

    page.route("**/api/daily/daily_cubed/*", leave_out)
    for placement in weak.placements:
        page.keyboard.press(str(hand.index(str(placement.face)) + 1))
        page.locator(f'[data-square="{placement.square}"]').click()
    page.get_by_role("button", name="Lay for").click()
    mine = page.locator("tr.yours")
    expect(mine).to_contain_text("you")
    expect(mine.locator(".number").nth(1)).to_have_text(str(weak.score))
    mine.get_by_role("button").click()
    expect(mine).to_have_class(re.compile("shown"))
    expect(page.get_by_text("Yours was too weak to be played out")).to_be_visible()


def test_a_daily_by_keys_alone_on_a_phone_in_hebrew(visit: Visit) -> None:
    visitor = visit(viewport=PHONE, locale="he")
    page = visitor.open("/daily")
    page.locator("article .button.strong").first.focus()
    page.keyboard.press("Enter")
    page.locator(".go").wait_for()
    page.keyboard.press("Enter")  # it has the focus
    solve_daily_set(page, by="keys")
    page.locator("pre").wait_for()
    assert page.evaluate("document.documentElement.dir") == "rtl"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_sprint_with_a_ghost_beaten(visit: Visit) -> None:
    page = start_run(visit(), "sprint_ten")
    expect(page.locator(".deck")).to_be_visible()
    expect(page.get_by_role("button", name="I see none")).to_have_count(0)  # cards come by themselves
    page.wait_for_timeout(4000)  # a slow one, to be beaten
    take_ten(page, 1000)
    page.locator(".compared", has_text="Your first run: now beat it.").wait_for()
    expect(page.locator("h1")).to_have_text(re.compile(r"\d:\d\d\.\d"))
    page.get_by_role("button", name="Again").click()
    page.locator(".ghost").wait_for(state="attached")
    take_ten(page, 600)
    page.locator(".compared", has_text="A new best!").wait_for()
    best = page.locator("h1").inner_text()
    page.get_by_role("link", name="Other runs").click()
    ten = page.locator("article", has_text="A short sprint")
    expect(ten).to_contain_text(f"Your best: {best}")
    ten.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Go!").wait_for()  # and not the last result


def test_a_board_says_what_is_played_and_leads_there(visit: Visit) -> None:
    visitor = visit(expect_trouble=True)
    page = visitor.open("/boards")
    page.get_by_label("Kind").select_option("sprint_ten")
    board = page.get_by_role("region", name="Ten SETs")
    expect(board).to_contain_text("Ten SETs")
    board.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Go!").click()
    page.get_by_role("timer").wait_for()
    page = visitor.open("/boards?kind=storm")
    page.get_by_role("region", name="Storm").get_by_role("button", name="Play").click()
    expect(page.get_by_role("alert").get_by_role("link", name="Go on")).to_be_visible()
    expect(page.get_by_text("Nobody yet.")).to_be_visible()


def test_the_periods_of_a_board_are_whole_on_a_phone_in_norwegian(visit: Visit) -> None:
    page = visit(viewport=PHONE, locale="nb").open("/boards")
    today = page.get_by_role("button", name=re.compile("^I.dag$"))
    today.wait_for()
    lines, room = today.evaluate("""(button) => {
        const text = document.createRange()
        text.selectNodeContents(button)
        const [words, whole] = [text.getBoundingClientRect(), button.getBoundingClientRect()]
        return [text.getClientRects().length, whole.width - words.width]
    }""")
    assert lines == 1
    assert room > 5


def test_a_run_that_goes_on_is_offered_where_another_is_refused(visit: Visit) -> None:
    visitor = visit(viewport=PHONE, expect_trouble=True)
    start_run(visitor, "sprint_ultra")
    page = visitor.open("/alone")
    expect(page.locator("article", has_text="Ultra").get_by_role("button")).to_have_text(
        "Go on: Ultra sprint"
    )
    today = visitor.open("/daily")
    today.get_by_role("button", name="Solve it").first.click()
    expect(today.get_by_role("alert").get_by_role("link", name="Go on: Ultra sprint")).to_be_visible()
    today.close()
    junior = page.locator("article", has_text="Junior")
    junior.get_by_role("button").click()
    expect(junior.get_by_role("alert")).to_contain_text("Ultra sprint is still running.")
    expect(junior.get_by_role("alert")).to_be_in_viewport()
    junior.get_by_role("link", name="Go on").click()
    page.get_by_role("timer").wait_for()
    page.get_by_role("button", name="Give up this run").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up this run").click()
    page.get_by_text("Ultra sprint: you gave up. It does not count.").wait_for()
    expect(junior.get_by_role("button")).to_have_text("Play: Junior sprint")


def test_the_clock_stays_right_over_a_reload_and_a_lost_connection(visit: Visit, line: Line) -> None:
    page = start_run(visit(home=line.home, expect_trouble=True), "sprint")
    timer = page.get_by_role("timer")
    page.wait_for_timeout(1000)
    begun = page.evaluate("Date.now()") - milliseconds(timer)

    def is_right() -> None:
        """Its clock runs as if nothing had been; it may be a moment behind on a page that is busy with coming back."""
        for _ in range(20):
            if abs(page.evaluate("Date.now()") - milliseconds(timer) - begun) < 1000:
                return
            page.wait_for_timeout(100)
        raise AssertionError("the clock went wrong")

    page.reload()
    timer.wait_for()
    is_right()
    line.cut()
    page.get_by_text("Connection lost").wait_for()
    line.mend()
    page.get_by_text("Connection lost").wait_for(state="hidden")
    is_right()


def test_a_run_that_is_loaded_without_a_network_comes_back_with_it(visit: Visit) -> None:
    visitor = visit(expect_trouble=True)
    page = start_run(visitor, "sprint")
    page.route("**/api/**", lambda route: route.abort())
    page.reload()
    page.get_by_role("button", name="Try again").wait_for()
    page.unroute_all()
    page.evaluate("dispatchEvent(new Event('online'))")
    page.get_by_role("timer").wait_for()
    # given up elsewhere, there are others
    page.evaluate("""async () => {
        const code = location.pathname.split('/').at(-1)
        const other = new WebSocket(`${location.origin.replace('http', 'ws')}/api/tables/${code}/socket`)
        other.onmessage = () => other.send('{"type":"manage","id":"x","command":{"do":"leave"}}')
    }""")
    page.get_by_text("This table is closed.").wait_for()
    page.get_by_role("link", name="Against the clock").last.click()
    page.get_by_role("heading", name="Against the clock").wait_for()


def test_a_storm_begins_where_the_keys_are_and_letters_choose_what_lies_there(visit: Visit) -> None:
    page = start_run(visit(viewport={"width": 1280, "height": 720}), "storm")
    page.wait_for_function("() => document.activeElement.closest('.desk')")
    expect(page).to_have_title("Storm · Tercet")
    log = page.locator("[role=log][aria-live]").first
    while not page.locator(".asks").inner_text().startswith("Find"):
        if page.locator(".asks").inner_text().startswith("Which"):
            expect(log).to_contain_text("Answers: 1: ")
        answer_item(page, right=True)
    page.wait_for_timeout(HAND_MS)
    page.keyboard.press("w")
    chosen = page.locator("[data-sign][aria-pressed=true]")
    expect(chosen).to_have_accessible_name(re.compile(r"\(row 1, column 2\)$"))
    expect(log.locator("p").last).to_have_text(re.compile(": chosen.$"))
    page.keyboard.press("o")
    expect(log.locator("p").last).to_have_text(re.compile(r"^Solved: \d+\. Errors: 0\. \d+ seconds left\.$"))


def test_a_storm_with_a_combo_and_errors_and_the_slow_ones_again(visit: Visit) -> None:
    page = start_run(visit(), "storm")
    for _ in range(5):
        answer_item(page, right=True)
    page.locator(".message", has_text="5 in a row: 3 seconds back!").wait_for()
    expect(page.locator(".message")).not_to_contain_text("seconds back!")  # it does not speak of the next one
    timer = page.get_by_role("timer")
    before = milliseconds(timer)
    answer_item(page, right=False)
    page.locator(".message", has_text="Wrong: it costs 10 seconds.").wait_for()
    assert milliseconds(timer) < before - 9000
    expect(page.locator(".lesson [role=img]")).to_have_count(3)  # what would have been right
    page.locator(".lesson").wait_for(state="hidden")
    stop_here(page)
    expect(page.locator("h1")).to_have_text("5 points")
    expect(page.locator("ol li.wrong")).to_have_count(1)
    page.get_by_role("button", name="The slow ones again").click()
    page.get_by_role("button", name="Go!").click()
    for _ in range(6):
        answer_item(page, right=True)
    expect(page.locator("h1")).to_have_text("6 points")


def test_a_race_of_three_browsers(visit: Visit) -> None:
    visitors = [visit(), visit(), visit()]
    for visitor, name in zip(visitors, ("Ada", "Ben", "Cleo"), strict=True):
        sign_in(visitor, name)
    host = visitors[0].open("/alone")
    host.locator("article", has_text="Up to ten people").get_by_role("button", name="Play").click()
    host.get_by_text("Table code").wait_for()
    pages = [host, *(visitor.open(host.url.removeprefix(visitor.home)) for visitor in visitors[1:])]
    for page in pages[1:]:
        page.get_by_role("button", name="I am ready").wait_for()
    expect(host.get_by_text("Cleo", exact=True)).to_be_visible()
    expect(host.get_by_role("button", name="Add a seat")).to_have_count(0)  # there are ten
    stranger = visit().open(host.url.removeprefix(visitors[0].home))
    expect(stranger.locator("form")).to_contain_text("Race · 7 open seats")
    host.get_by_role("button", name="Start now").click()
    for page in pages:
        expect(page.locator(".track li")).to_have_count(3)
    for _ in range(2):
        pages[1].locator(".asks").wait_for()
        pages[1].wait_for_timeout(PACE_MS + 100)  # faster on average does not count
        answer_item(pages[1], right=True)
    for page in pages:
        expect(page.locator(".track li").nth(1).locator(".score")).to_have_text("2")
    stop_here(*pages)
    ben = pages[1]
    expect(ben.get_by_text("With an account you would be at place")).to_be_visible()
    ben.get_by_role("link", name="Best runs").last.click()
    expect(ben.get_by_label("Kind")).to_have_value("race")
    expect(ben.locator("tr.you")).to_contain_text("2 points")
    # Until another board is there, what was on this one is not shown as on that.
    ben.route("**/api/boards/storm*", lambda _never: None)
    ben.get_by_label("Kind").select_option("storm")
    expect(ben.get_by_text("Three minutes")).to_be_visible()
    expect(ben.locator("tr.you")).to_have_count(0)
    ben.get_by_label("Kind").select_option("race")
    expect(ben.locator("tr.you")).to_have_count(1)
    ben.go_back()
    ben.get_by_role("button", name="Rematch").wait_for()
    # Whoever plays once more does not come to how it went, but to the next start; and from there to how that went.
    host.get_by_role("link", name="Best runs").last.click()
    host.get_by_role("region", name="Race").get_by_role("button", name="Play").click()
    host.get_by_text("Table code").wait_for()
    expect(host.get_by_role("heading", name="wins")).to_have_count(0)
    host.get_by_role("button", name="Start now").click()
    host.locator(".asks").wait_for()
    stop_here(*pages)
    host.get_by_role("button", name="Rematch").wait_for()


def test_private_bests_without_a_connection(visit: Visit, line: Line) -> None:
    visitor = visit(home=line.home, expect_trouble=True, service_workers="allow")
    page = visitor.open("/")
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.evaluate(KEPT, [f"/assets/{file.name}" for file in (site.FOLDER / "assets").glob("en-*.js")])
    line.cut()
    page.goto(line.home + "/daily")
    page.get_by_text("The daily puzzles need the server").wait_for()
    page.goto(line.home + "/alone/sprint_ten")
    page.get_by_role("button", name="Go!").click()
    for _ in range(10):
        lying = signs(page, "[data-card]")
        for card in map(str, next(iter(find_sets([Card(text) for text in lying])))):
            page.locator(f'[data-card="{card}"]').click()
        page.wait_for_function(
            "old => [...document.querySelectorAll('[data-card]')].map((one) => one.dataset.card).join() !== old",
            arg=",".join(lying),
        )
    page.get_by_text("A new private best!").wait_for()
    page.reload()
    page.get_by_text("Your best:").wait_for()
    page.goto(line.home + "/alone/storm")
    page.get_by_role("button", name="Go!").click()
    answer_item(page, right=True)
    expect(page.get_by_text("Solved: 1")).to_be_visible()


def test_the_daily_in_a_frame_of_another_page(visit: Visit, tmp_path: Path) -> None:
    play_in_a_frame(visit(), tmp_path)
