"""Coming to a table by its link or its code, and being sent away from it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import DESKTOP, PHONE
from tests.web.conftest import Visit
from tests.web.players import CardPlayer
from tests.web.tables import PERSON, SHORT, begin, bot, make_table, sign_in, sit


def ready(page: Page) -> None:
    page.get_by_role("button", name="I am ready").wait_for()


@pytest.mark.parametrize("size", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.long)])
def test_a_link_takes_a_name_and_gives_a_seat(visit: Visit, size: dict[str, int]) -> None:
    host, guest = visit(), visit(viewport=size)
    sign_in(host, "Ada")
    code = make_table(host, game="set", seats=[PERSON] * 2, options=SHORT)
    ada = sit(CardPlayer, host, code)
    page = guest.blank()
    ben = CardPlayer(page)
    page.goto(f"{guest.home}/t/{code}")
    expect(page.get_by_text("1 open seat")).to_be_visible()
    page.get_by_label("Your name").fill("Ben")
    page.keyboard.press("Enter")
    ready(page)
    expect(page.get_by_role("heading", name="A table for Set")).to_be_focused()
    expect(ada.page.get_by_role("region", name="Seats")).to_contain_text("Ben")
    expect(ada.page.get_by_role("log")).to_contain_text("Ben sits down.")
    expect(page.get_by_text("You are watching.")).to_have_count(0)
    begin(ada, ben)
    assert (ada.seat, ben.seat) == (0, 1)


def test_whoever_is_known_has_a_seat_without_a_click(visit: Visit) -> None:
    host, guest = visit(), visit()
    sign_in(host, "Ada")
    sign_in(guest, "Ben")
    code = make_table(host, game="set", seats=[PERSON] * 2)
    ready(guest.open(f"/t/{code}"))


def test_a_taken_name_is_answered_with_another(visit: Visit) -> None:
    host, guest = visit(), visit()
    sign_in(host, "Ben")
    code = make_table(host, game="set", seats=[PERSON] * 2)
    page = guest.open(f"/t/{code}")
    page.get_by_label("Your name").fill("Ben")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("is called Ben already")
    name = page.get_by_label("Your name")
    expect(name).to_have_value("Ben 2")
    expect(name).to_be_focused()
    page.keyboard.press("Enter")
    ready(page)
    expect(page.get_by_role("region", name="Seats").locator("bdi")).to_have_text(["Ben", "Ben 2"])
    expect(page.get_by_text("Connection lost")).to_have_count(0)


def test_a_taken_name_of_an_account_is_answered_with_others(visit: Visit) -> None:
    first, second = visit(), visit(expect_trouble=True)
    for visitor in (first, second):
        page = visitor.open("/account")
        page.get_by_label("Account name").fill("Taken twice")
        page.locator("input[type=password]").fill("correct horse")
        page.get_by_role("button", name="Make an account").click()
        if visitor is first:
            page.get_by_text("You are logged in as Taken twice").first.wait_for()
    offers = page.get_by_role("button", name=re.compile(r"^Taken twice \d+$"))
    expect(offers).to_have_count(3)
    offers.first.click()
    page.get_by_role("button", name="Make an account").click()
    page.get_by_text(re.compile(r"You are logged in as Taken twice \d+")).first.wait_for()


def test_who_only_watches_says_so_and_is_told_so(visit: Visit) -> None:
    host, guest = visit(), visit()
    sign_in(host, "Ada")
    code = make_table(host, game="set", seats=[PERSON] * 2)
    page = guest.open(f"/t/{code}")
    # Who watches needs no name.
    page.get_by_role("button", name="Watch").click()
    expect(page.get_by_role("status").filter(has_text="You are watching.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("You are watching.")).to_be_visible()
    page.get_by_role("button", name="Sit down").click()
    ready(page)
    expect(page.get_by_text("You are watching.")).to_have_count(0)
    expect(page.get_by_text("Open seat")).to_have_count(0)


def test_who_watches_a_game_may_play_on_for_a_bot_and_sits_nowhere_else(visit: Visit) -> None:
    host, guest, other = visit(), visit(), visit()
    for visitor, name in zip((host, guest, other), ("Ada", "Eve", "Cy"), strict=True):
        sign_in(visitor, name)
    code = make_table(host, game="set", seats=[PERSON, bot("beginner")], options=SHORT)
    ada = sit(CardPlayer, host, code)
    # Before the game a bot's seat is nobody's to take.
    page = guest.open(f"/t/{code}")
    expect(page.get_by_text("You are watching.")).to_be_visible()
    for name in ("Sit here", "Sit down"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    begin(ada)
    page.get_by_role("button", name="Take over from a bot").click()
    expect(page.get_by_text("You are watching.")).to_have_count(0)
    late = other.open(f"/t/{code}")
    expect(late.get_by_text("You are watching.")).to_be_visible()
    late.get_by_role("button", name="People").click()
    for name in ("Sit here", "Take over from a bot"):
        expect(late.get_by_role("button", name=name)).to_have_count(0)


def test_a_code_in_the_address_is_read_as_it_was_heard(visit: Visit) -> None:
    host, guest = visit(), visit()
    sign_in(host, "Ada")
    sign_in(guest, "Ben")
    code = make_table(host, game="set", seats=[PERSON] * 2)
    for written in (code.lower(), f"{code[:3]}%20{code[3:].lower()}", f"{code[:2]}-{code[2:]}"):
        page = guest.open(f"/t/{written}")
        ready(page)
        expect(page).to_have_url(f"{guest.home}/t/{code}")


def test_sending_away_asks_and_can_be_undone(visit: Visit) -> None:
    host, guest = visit(), visit(expect_trouble=True)
    sign_in(host, "Ada")
    sign_in(guest, "Ben")
    code = make_table(host, game="set", seats=[PERSON] * 2)
    page = host.open(f"/t/{code}")
    away = guest.open(f"/t/{code}")
    ready(away)
    send = page.get_by_role("button", name="Send away")
    send.dblclick()
    sure = page.get_by_role("button", name="Really send away")
    expect(sure).to_be_visible()
    # Looking elsewhere is an answer too.
    page.keyboard.press("Tab")
    expect(sure).to_have_count(0)
    send.press("Enter")
    sure.press("Enter")
    away.get_by_role("heading", name="The host has sent you away").wait_for()
    away.get_by_role("button", name="Try again").click()
    away.get_by_role("heading", name="The host has sent you away").wait_for()
    page.reload()
    expect(page.get_by_text("You sent Ben away.")).to_be_visible()
    page.get_by_role("button", name="Let them come back").click()
    expect(page.get_by_text("You sent Ben away.")).to_have_count(0)
    away.get_by_role("button", name="Try again").click()
    ready(away)
    expect(page.get_by_role("region", name="Seats").locator("bdi")).to_have_text(["Ada", "Ben"])
