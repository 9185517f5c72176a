"""Accounts: a guest keeps the games, comes back elsewhere, takes the data along, and can be forgotten."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import PHONE, Visitor
from tests.web.catalogues import IN_TURN
from tests.web.checks import check_access, check_text, check_widths
from tests.web.conftest import Visit
from tests.web.players import hurry
from tests.web.tables import SHORT, begin, bot, card_table, sign_in

PASSWORD = "correct horse"


def new_name() -> str:
    """All tests share one server, and an account's name is there once."""
    return f"Ada {uuid4().hex[:8]}"


def button(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True)


def fill(page: Page, name: str, password: str) -> None:
    page.get_by_label("Account name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)


def register(page: Page, name: str, password: str = PASSWORD) -> None:
    fill(page, name, password)
    button(page, "Make an account").click()


def log_in(page: Page, name: str, password: str = PASSWORD) -> None:
    if not page.get_by_role("heading", name="Log in").is_visible():
        button(page, "I have an account").click()
    fill(page, name, password)
    button(page, "Log in").click()


def have_account(visitor: Visitor) -> str:
    """Somebody with an account, made as the site makes it; its name."""
    name = new_name()
    sign_in(visitor, name)
    answer = visitor.context.request.post(
        f"{visitor.home}/api/account", data={"name": name, "password": PASSWORD}
    )
    assert answer.ok, answer.text()
    return name


def test_a_guests_games_are_there_in_another_browser(visit: Visit) -> None:
    ada, elsewhere = visit(expect_trouble=True), visit()
    sign_in(ada, "Ada")
    (player,) = card_table([ada], bot("beginner"), **SHORT)
    begin(player)
    hurry(player)
    (running,) = card_table([ada], bot("beginner"))
    begin(running)

    name = new_name()
    page = ada.open("/games")
    page.get_by_role("link", name="Make an account").click()
    page.get_by_text("You play here as a guest, Ada.").wait_for()
    register(page, name)
    page.get_by_text(f"You are logged in as {name}.").first.wait_for()
    expect(page.get_by_role("heading", name="Account")).to_be_focused()
    button(page, "Log out").click()
    page.get_by_text("You are logged out.").first.wait_for()
    page.goto(f"{ada.home}/games")
    page.get_by_text("No games yet.").wait_for()

    sign_in(elsewhere, "Somebody")
    (other,) = card_table([elsewhere], bot("beginner"))
    begin(other)
    page = elsewhere.open("/games")
    expect(page.locator("li .game")).to_have_count(1)
    page.goto(f"{elsewhere.home}/account?login")
    page.get_by_text("The games Somebody played here come with you.").wait_for()
    log_in(page, name.upper())
    page.get_by_text(f"You are logged in as {name}.").first.wait_for()
    page.get_by_role("link", name="My games").click()
    expect(page.locator("main li .game")).to_have_count(3)
    expect(page.locator(f"a[href='/games/{player.game}']")).to_be_visible()
    page.locator(f"a[href='/t/{running.page.url.rpartition('/')[2]}']").first.click()
    page.locator(".table").wait_for()
    page.get_by_role("button", name="SET!").wait_for()  # the seat is the same as before


def test_what_is_wrong_is_said_at_the_field(visit: Visit) -> None:
    taken = have_account(visit())
    page = visit(expect_trouble=True).open("/account")
    page.get_by_text("Nobody has played in this browser yet.").wait_for()
    name, password = page.get_by_label("Account name"), page.get_by_label("Password", exact=True)
    alert = page.get_by_role("alert")
    for written, secret, field, words in (
        (" ", PASSWORD, name, "Choose a readable name"),
        (taken, "", password, "too short"),
        (taken, "7letter", password, "too short"),
        (taken.upper(), PASSWORD, name, "Somebody has this name already"),
    ):
        register(page, written, secret)
        expect(alert).to_contain_text(words)
        expect(field).to_be_focused()
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_attribute("aria-describedby", re.compile(alert.get_attribute("id") or "none"))
    log_in(page, taken, "wrong horse")
    expect(alert).to_contain_text("No account has this name and password.")
    expect(password).to_be_focused()
    log_in(page, taken)
    page.get_by_text(f"You are logged in as {taken}.").first.wait_for()


def test_password_managers_and_eyes_are_helped(visit: Visit) -> None:
    page = visit().open("/account")
    name, password = page.get_by_label("Account name"), page.get_by_label("Password", exact=True)
    expect(name).to_have_attribute("autocomplete", "username")
    expect(password).to_have_attribute("autocomplete", "new-password")
    password.fill(PASSWORD)
    expect(password).to_have_attribute("type", "password")
    button(page, "Show the password").click()
    expect(password).to_have_attribute("type", "text")
    expect(password).to_have_value(PASSWORD)
    button(page, "I have an account").click()
    expect(name).to_be_focused()
    expect(password).to_have_attribute("autocomplete", "current-password")
    expect(password).to_have_value("")


def test_the_name_at_the_table_can_be_changed_by_keyboard(visit: Visit) -> None:
    visitor = visit()
    account = have_account(visitor)
    page = visitor.open("/settings")
    page.get_by_role("main").get_by_role("link", name="Account").focus()
    page.keyboard.press("Enter")
    field = page.get_by_label("Name at the table")
    expect(field).to_have_value(account)
    field.focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("Countess")
    page.keyboard.press("Enter")
    button(page, "Saved").wait_for()
    page.reload()
    expect(field).to_have_value("Countess")
    page.get_by_text(f"You are logged in as {account}.").wait_for()


def test_another_password(visit: Visit) -> None:
    visitor = visit(expect_trouble=True)
    name = have_account(visitor)
    page = visitor.open("/account")
    page.get_by_text("Change the password").first.click()
    old, new = page.get_by_label("Current password"), page.get_by_label("New password")
    old.fill("wrong horse")
    new.fill("battery staple")
    button(page, "Change the password").click()
    expect(page.get_by_role("alert")).to_contain_text("This is not your password.")
    expect(old).to_be_focused()
    old.fill(PASSWORD)
    button(page, "Change the password").click()
    page.get_by_text("Password changed.").first.wait_for()
    button(page, "Log out everywhere").click()
    page.get_by_text("You are logged out.").first.wait_for()
    log_in(page, name, "battery staple")
    page.get_by_text(f"You are logged in as {name}.").first.wait_for()


def test_ones_data_can_be_taken_along_and_deleted(visit: Visit) -> None:
    visitor = visit(expect_trouble=True)
    name = have_account(visitor)
    (player,) = card_table([visitor], bot("beginner"), **SHORT)
    begin(player)
    hurry(player)
    page = visitor.open("/account")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download my data").click()
    data = json.loads(Path(download.value.path()).read_text("utf-8"))
    assert data["me"]["account"] == name
    assert [game["id"] for game in data["games"]] == [player.game]

    button(page, "Delete my account…").click()
    page.get_by_text("for good. You leave all tables.").wait_for()
    button(page, "Keep everything").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    button(page, "Delete my account…").click()
    button(page, "Delete for good").click()
    page.get_by_text("Everything is deleted.").first.wait_for()
    log_in(page, name)
    expect(page.get_by_role("alert")).to_contain_text("No account has this name and password.")
    page.goto(f"{visitor.home}/games/{player.game}")
    expect(page.locator("main .name").first).to_have_text(re.compile(r"^\s*Player 1\s*$"))


def test_a_program_gets_a_token_until_it_is_revoked(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    page = visitor.open("/account")
    page.get_by_text("For programs").click()
    page.get_by_label("Name of the program").fill("my robot")
    button(page, "Make a token").click()
    secret = page.get_by_label("Copy the token now").input_value()
    button(page, "Copy").click()
    button(page, "Copied").wait_for()
    field = page.get_by_label("Name of the program")
    field.focus()
    page.keyboard.press("ControlOrMeta+v")
    expect(field).to_have_value(secret[:40])

    def asks_as_ada() -> bool:
        answer = visit().context.request.get(
            f"{visitor.home}/api/session", headers={"Authorization": f"Bearer {secret}"}
        )
        return bool(answer.ok and answer.json()["name"] == "Ada")

    assert asks_as_ada()
    page.reload()
    page.get_by_text("For programs").click()
    page.get_by_text("Last used").wait_for()
    expect(page.get_by_label("Copy the token now")).to_have_count(0)
    button(page, "Revoke my robot").click()
    expect(button(page, "Revoke my robot")).to_have_count(0)
    assert not asks_as_ada()


def unfold(page: Page) -> None:
    page.locator("summary").first.wait_for()
    page.locator("details").evaluate_all("all => all.forEach((one) => (one.open = true))")


def test_every_state_of_the_account_page_is_for_everyone(visit: Visit) -> None:
    visitor = visit(viewport=PHONE, expect_trouble=True)
    visitor.settle(motion="less")
    page = visitor.open("/account")
    register(page, new_name(), "short")
    page.get_by_role("alert").wait_for()
    check_access(page)
    register(page, new_name())
    page.get_by_text("You are logged in as").first.wait_for()
    unfold(page)
    page.get_by_label("Name of the program").fill("my robot")
    button(page, "Make a token").click()
    button(page, "Copy").wait_for()
    check_access(page)
    button(page, "Delete my account…").click()
    page.get_by_role("dialog").wait_for()
    check_access(page)


@pytest.mark.parametrize("language", IN_TURN)
def test_the_page_of_an_account_says_everything_and_fits(visit: Visit, language: str) -> None:
    visitor = visit()
    visitor.settle(language=language)
    have_account(visitor)
    page = visitor.open("/account")
    unfold(page)
    page.locator("details form").last.locator("input[type=text]").fill("x" * 40)
    page.locator("details form").last.get_by_role("button").click()
    page.locator(".secret").wait_for()
    check_text(page, language)
    check_widths(page)
    page.locator(".final").click()
    page.get_by_role("dialog").wait_for()
    check_text(page, language)
    check_widths(page)


def test_an_open_table_closes_when_somebody_logs_out_elsewhere(visit: Visit) -> None:
    visitor = visit(expect_trouble=True)
    have_account(visitor)
    (player,) = card_table([visitor], bot("beginner"))
    begin(player)
    page = visitor.open("/account")
    button(page, "Log out").click()
    page.get_by_text("You are logged out.").first.wait_for()
    player.page.get_by_role("heading", name="You are logged out. Log in to come back.").wait_for()


def test_an_open_table_goes_on_when_the_guest_makes_an_account(visit: Visit) -> None:
    visitor = visit(expect_trouble=True)
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor])
    begin(player)
    page = visitor.open("/account")
    with player.page.expect_websocket():  # the old session is over: it comes back with the new one
        register(page, new_name())
    page.get_by_text("You are logged in as").first.wait_for()
    player.press("SET!")
    player.page.get_by_role("button", name="Show it").wait_for()
