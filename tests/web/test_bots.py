"""Bots of others: an account is made a bot's on the site, its program is challenged from the site, and plays with its mark."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

from playwright.sync_api import expect

from tests.web.browsing import PHONE
from tests.web.checks import check_access, check_widths
from tests.web.conftest import Visit
from tests.web.tables import sign_in
from tests.web.test_account import button, have_account

ROOT = Path(__file__).parents[2]
#: It never sees a SET, so that whoever tests has time.
SILENT = "import sys\nfor line in sys.stdin: pass"


@contextmanager
def bridging(home: str, token: str) -> Iterator[None]:
    command = [sys.executable, "-m", "tercet", "bridge", "--server", home, "--game", "set", "--"]
    process = subprocess.Popen(
        [*command, sys.executable, "-c", SILENT], env={**os.environ, "TERCET_TOKEN": token}, cwd=ROOT
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def by_token(token: str, method: str, address: str, body: object = None) -> Any:
    """What the program of a bot asks of the server."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with build_opener(ProxyHandler({})).open(Request(address, data, headers, method=method)) as answer:
        return json.loads(answer.read())


def test_the_bots_of_the_house_are_always_there_to_play(visit: Visit) -> None:
    page = visit(viewport=PHONE).open("/bots")
    expect(page.get_by_role("heading", name="Bots", exact=True)).to_be_visible()
    for name, strength in (("Champion", 5), ("Greedy", 2)):
        row = page.get_by_role("listitem").filter(has_text=name)
        expect(row.get_by_role("img", name=f"Strength {strength} of 5")).to_be_visible()
    expect(page.get_by_text("Takes the most points now.")).to_be_visible()
    expect(page.get_by_text("No bot is here right now.")).to_be_visible()
    page.get_by_role("button", name="Play Set Cubed: Steady").click()
    page.locator(".board").wait_for()
    expect(page.locator(".seats")).to_contain_text("Steady")


def test_a_bot_is_challenged_from_the_site(visit: Visit) -> None:
    owner = visit(viewport=PHONE)
    name = have_account(owner)
    page = owner.open("/account")
    page.get_by_text("For programs").click()
    page.get_by_label("Name of the program").fill("my bot")
    page.get_by_label("Look at your games").uncheck()
    page.get_by_label("How long").select_option("30 days")
    button(page, "Make a token").click()
    token = page.get_by_label("Copy the token now").input_value()
    expect(page.get_by_role("listitem").filter(has_text="my bot")).to_contain_text("Play · Challenge")
    page.get_by_text("An account for a bot").click()
    button(page, "Make it a bot’s account").click()
    page.wait_for_timeout(600)  # a second click at once would be a slip
    button(page, "Really, for good?").click()
    expect(page.get_by_text("This is a bot’s account").last).to_be_visible()
    check_widths(page)
    check_access(page)

    ada = visit()
    sign_in(ada, "Ada")
    page = ada.open("/bots")
    with bridging(ada.home, token):
        row = page.get_by_role("listitem").filter(has_text=name)
        expect(row).to_contain_text("BOT")
        check_access(page)
        row.get_by_role("button").click()
        page.wait_for_url("**/t/*")
        seat = page.locator("li").filter(has_text=name).first
        expect(seat.get_by_title("Played by a program")).to_be_visible()
        page.locator(".table-top, [data-card], .card").first.wait_for()
    page.close()

    challenged = visit(viewport=PHONE)
    account = have_account(challenged)
    page = challenged.open("/rules")
    address = f"{challenged.home}/api/challenges"
    made = by_token(token, "POST", address, {"to": account, "game": "set"})
    notice = page.get_by_role("link", name=f"{name} challenges you to Set.")
    expect(notice).to_be_visible()
    check_widths(page)
    check_access(page)
    by_token(token, "DELETE", f"{address}/{made['id']}")
    expect(notice).to_be_hidden()
    by_token(token, "POST", address, {"to": account, "game": "set"})
    notice.click()
    expect(button(page, "Accept")).to_be_visible()
