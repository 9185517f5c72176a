"""What players do that nobody asked them to: clicking twice, small screens, long names, old links."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Visit
from tests.web.players import called_first, hurry, no_set
from tests.web.tables import (
    SHORT,
    begin,
    bot,
    card_table,
    dice_table,
    make_table,
    sign_in,
    two_at_dice,
)

SMALL = {"width": 320, "height": 568}
LONG = "Maximiliana Wolfeschlegelsteinhausenberg"
HEBREW = "אברהם בן־גוריון"


def places(page: Page, what: str) -> list[dict[str, float]]:
    found: list[dict[str, float]] = page.locator(what).evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    return found


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollHeight <= innerHeight"))


def test_a_second_click_on_a_button_of_the_card_table_changes_nothing(visit: Visit) -> None:
    visitors = [visit(), visit()]
    for visitor, name in zip(visitors, ("Ada", "Ben"), strict=True):
        sign_in(visitor, name)
    ada, ben = card_table(visitors, **SHORT)
    ben.press("I am ready")
    ada.page.get_by_role("button", name="I am ready").dblclick()
    ada.until(lambda: ada.is_playing)
    if ada.state.phase == "deal":
        dealer = ada if ada.state.dealer == ada.seat else ben
        dealer.page.get_by_role("button", name="Deal").dblclick()
        ada.until(lambda: ada.state.phase == "play")
    ada.page.get_by_role("button", name="I see none").dblclick()
    expect(ada.page.get_by_role("button", name="Look again")).to_be_visible()
    expect(ada.page.get_by_text("Waiting for Ben.", exact=True)).to_be_visible()
    assert ada.count("took_back") == 0
    ben.page.get_by_role("button", name="SET!").dblclick()
    ben.until(lambda: ben.state.call is not None)
    expect(ben.page.locator(".message")).to_contain_text("You called: show the three cards!")


def test_undoing_twice_does_not_pass(visit: Visit) -> None:
    ada, ben = two_at_dice(visit(), visit())
    hurry(ada, ben, stop=lambda: ada.state.phase == "turn" and ada.state.turn == ada.seat)
    ada.take(ada.state.hands[ada.seat or 0][0].number)
    empty = next(cell for cell, die in enumerate(ada.state.board) if die is None)
    ada.put(str(ada.state.options.edition.layout.square(empty)))
    if ada.page.get_by_role("dialog").count():
        ada.page.locator("[data-face]").first.click()
    ada.page.get_by_role("button", name="Undo").dblclick()
    expect(ada.page.get_by_role("button", name="Pass")).to_be_visible()
    assert ada.count("passed", seat=ada.seat) == 0


@pytest.mark.parametrize("language", ["en", "ru"])
def test_on_a_small_screen_an_explanation_moves_no_card(visit: Visit, language: str) -> None:
    visitor = visit(viewport=SMALL)
    visitor.settle(language=language, motion="less")
    sign_in(visitor, LONG)
    others = [bot("beginner")] * 3
    (ada,) = card_table([visitor], *others, rounds=1, show_seconds=30)
    ada.page.locator(".page .row .button.strong").first.click()
    ada.until(lambda: ada.is_playing)
    if ada.state.phase == "deal" and ada.state.dealer == ada.seat:
        ada.page.locator(".pause button").click()
    ada.page.locator("[data-card]").first.wait_for()
    before = places(ada.page, "[data-card]")
    called_first(ada)
    ada.page.evaluate(
        "cards => cards.forEach((card) => document.querySelector(`[data-card='${card}']`).click())",
        no_set(ada),
    )
    ada.until(lambda: ada.count("missed", seat=ada.seat) == 1)
    ada.page.locator(".message.bad").wait_for()
    if ada.count("took") == 0:
        assert places(ada.page, "[data-card]") == before
    assert fits(ada.page)


@pytest.mark.parametrize("size", [SMALL, {"width": 720, "height": 450}])
def test_four_at_the_dice_table_need_no_scrolling(visit: Visit, size: dict[str, int]) -> None:
    visitor = visit(viewport=size)
    sign_in(visitor, LONG)
    (ada,) = dice_table([visitor], *[bot("greedy")] * 3)
    begin(ada)
    board = ada.page.locator(".board")
    board.wait_for()
    before = board.bounding_box()
    hurry(ada, stop=lambda: ada.state.round == 2 and ada.state.turn == ada.seat)
    assert fits(ada.page)
    assert board.bounding_box() == before


def test_stepping_through_a_replay_reads_the_record_once(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    (ada,) = card_table([visitor], **SHORT)
    begin(ada)
    hurry(ada)
    page = visitor.blank()
    read: list[str] = []
    page.on(
        "request",
        lambda request: (
            read.append(request.url) if "/record" in request.url and "/api/" in request.url else None
        ),
    )
    page.goto(f"{visitor.home}/games/{ada.game}")
    page.locator("[type=range]").wait_for()
    expect(page.locator("[type=range]")).to_have_value("1")
    page.get_by_role("button", name="One step on").click()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{visitor.home}/games/{ada.game}?at=9")
    expect(page.locator("[type=range]")).to_have_value("9")
    assert len(read) == 1


def test_an_invitation_says_whose_table_it_is_and_a_wrong_one_asks_for_no_name(visit: Visit) -> None:
    host, guest, lost = visit(), visit(), visit(expect_trouble=True)
    sign_in(host, HEBREW)
    code = make_table(host, game="set", seats=[{"kind": "person"}] * 2)
    page = guest.open(f"/t/{code}")
    expect(page.get_by_text(HEBREW)).to_be_visible()
    page.get_by_label("Your name").fill("Ada")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="I am ready").wait_for()
    for wrong in ("NOSUCH", "NO-SUCH", "NOSUCHTABLEATALL"):
        page = lost.open(f"/t/{wrong}")
        expect(page.get_by_role("heading", name="No table has this code.")).to_be_visible()
        expect(page.get_by_label("Your name")).to_have_count(0)


def test_a_code_may_be_written_as_it_was_heard(visit: Visit) -> None:
    host, guest = visit(), visit()
    sign_in(host, "Ada")
    code = make_table(host, game="set", seats=[{"kind": "person"}] * 2)
    for written in (
        f" {code[:3].lower()} {code[3:]} ",
        f"{code[:3]}-{code[3:]}",
        f"{guest.home}/t/{code}/?x=1",
    ):
        page = guest.open("/")
        page.get_by_label("Table code or link").fill(written)
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_text("Ada")).to_be_visible()


def test_going_back_from_a_table_asks_for_no_other(visit: Visit) -> None:
    page = visit().open("/new")
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Make this table").click()
    page.get_by_role("button", name="I am ready").wait_for()
    page.go_back()
    page.get_by_role("heading", name="Make a table").wait_for()
    assert len(sockets) == 1, sockets


def test_a_refused_line_stays_and_a_muted_chat_stays_muted(visit: Visit) -> None:
    visitors = [visit(), visit()]
    for visitor, name in zip(visitors, ("Ada", HEBREW), strict=True):
        sign_in(visitor, name)
    ada, ben = card_table(visitors, **SHORT)
    ben.press("Chat")
    ben.press("Mute everybody")
    ben.page.keyboard.press("Escape")
    ben.press("Chat")
    expect(ben.page.get_by_label("Mute everybody")).to_have_attribute("aria-pressed", "true")
    ada.press("People")
    ada.page.get_by_label("Chat allowed").uncheck()
    expect(ben.page.locator("header [aria-label=Chat]")).to_have_count(0)
    ben.page.locator("#say").fill("Well")
    ben.page.keyboard.press("Enter")
    expect(ben.page.get_by_text("Chat is switched off here.")).to_be_visible()
    expect(ben.page.locator("#say")).to_have_value("Well")


def test_giving_up_a_seat_is_asked_twice_and_a_double_click_is_no_answer(visit: Visit) -> None:
    ada, ben = two_at_dice(visit(), visit())
    ben.press("People")
    ben.page.get_by_role("button", name="Give up my seat").dblclick()
    sure = ben.page.get_by_role("button", name="Really give it up")
    expect(sure).to_be_visible()
    expect(ada.page.locator(".seats")).to_contain_text("Ben")
    # A click counts as a second one for as long as the system says.
    ben.page.keyboard.press("Escape")
    ben.press("People")
    ben.page.get_by_role("button", name="Give up my seat").press("Enter")
    sure.press("Enter")
    expect(ada.page.locator(".seats")).to_contain_text("for Ben")  # a bot plays on
