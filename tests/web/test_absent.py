"""Nobody waits for the absent: who is left sees it and plays on, who comes back is told (T1 to T5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import PHONE, Visitor
from tests.web.conftest import Visit
from tests.web.players import CardPlayer, DicePlayer, Player, hurry, play_out
from tests.web.serving import serving
from tests.web.tables import SHORT, begin, bot, card_table, dice_table, sign_in, sit
from tests.web.test_seats import listen, wait_for_words, wait_until_kept

#: The browser asks for no less than this before it tells what happened meanwhile.
LONG_AGO = """() => {
  const left = JSON.parse(localStorage.getItem('tercet.left'))
  localStorage.setItem('tercet.left', JSON.stringify({ ...left, time: left.time - 60_000 }))
}"""


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that gives nobody much time."""
    folder = tmp_path_factory.mktemp("hasty")
    with serving(
        folder, away_seconds=1, stand_in_seconds=2, seat_grace_seconds=3, tables_per_person=3
    ) as address:
        yield address


@pytest.fixture
def come(visit: Visit, hasty: str) -> Callable[..., list[Visitor]]:
    """These people come, each with a browser of their own."""

    def come(*names: str, **options: Any) -> list[Visitor]:
        visitors = [visit(home=hasty, **options) for _ in names]
        for visitor, name in zip(visitors, names, strict=True):
            sign_in(visitor, name)
        return visitors

    return come


def code_of(page: Page) -> str:
    return page.url.rpartition("/")[2]


def leave_site(player: Player[Any]) -> str:
    """Go to another page of the site, which is away from the table, and let a while pass."""
    code = code_of(player.page)
    player.page.goto(player.page.url.partition("/t/")[0] + "/rules")
    player.page.evaluate(LONG_AGO)
    return code


def see(page: Page, words: str | re.Pattern[str]) -> None:
    expect(page.get_by_text(words).first).to_be_visible(timeout=20_000)


def test_t1_set_goes_on_without_who_is_away(come: Callable[..., list[Visitor]]) -> None:
    ada, ben, cleo = players = card_table(come("Ada", "Ben", "Cleo"))
    begin(*players)
    listen(ada.page)
    ada.see_none()
    see(ada.page, "Waiting for Ben and Cleo.")
    code = leave_site(cleo)
    wait_for_words(ada.page, "Cleo is away; going on without them.")
    see(ada.page, "Waiting for Ben.")
    ben.see_none()
    ada.until(lambda: len(ada.state.table) == 15)
    ada.until(lambda: ada.count("saw_none", seat=2) == 0)
    back = sit(CardPlayer, same_browser(cleo), code)
    wait_for_words(ada.page, "Cleo is back.")
    see(back.page, "While you were away nobody scored.")
    back.page.get_by_role("button", name="What happened", exact=True).first.click()
    see(back.page, "Cleo is away; going on without them.")


def same_browser(player: Player[Any]) -> Visitor:
    """Whoever that was, with the same browser."""
    home = player.page.url.partition("/rules")[0]
    return Visitor(player.page.context, home)


def test_t2_who_comes_back_is_told_who_scored(come: Callable[..., list[Visitor]]) -> None:
    ada, ben = players = card_table(come("Ada", "Ben", viewport=PHONE), **SHORT)
    begin(*players)
    code = leave_site(ben)
    play_out(ada, stop=lambda: sum(ada.state.scores) >= 2)
    back = sit(CardPlayer, same_browser(ben), code)
    see(back.page, "While you were away: Ada +2")
    back.page.get_by_role("button", name="Close").click()
    expect(back.page.locator(".absent p")).to_have_count(0)


@pytest.mark.long
def test_t2_t3_a_tap_on_the_seat_lets_a_bot_play_on_and_the_start_page_leads_back(
    come: Callable[..., list[Visitor]],
) -> None:
    ada, ben, cleo = players = card_table(come("Ada", "Ben", "Cleo"))
    begin(*players)
    listen(ada.page)
    leave_site(cleo)
    ada.page.get_by_role("button", name=re.compile("^Cleo.*away")).click()
    see(ada.page, re.compile(r"^A bot can play on for Cleo in \d s$"))
    ada.page.get_by_role("button", name="Let a bot play for Cleo").click()
    wait_for_words(ada.page, "Skilled plays on for Cleo.")
    see(ada.page, "for Cleo")
    # Ben, who is no host, has nothing to do about it: nobody waits for Cleo.
    expect(ben.page.get_by_text("A bot can play on")).to_have_count(0)
    home = same_browser(cleo).home
    cleo.page.goto(f"{home}/games")
    see(cleo.page, "A bot plays for you")
    cleo.page.goto(home)
    cleo.page.get_by_role("link", name=re.compile("Sit down again")).click()
    wait_for_words(ada.page, "Cleo is back.")
    lines = [line for line in ada.page.locator(".log li").all_inner_texts() if "Cleo" in line]
    assert lines[:3] == [
        "Cleo is back.",
        "Skilled plays on for Cleo.",
        "Cleo is away; going on without them.",
    ]


def test_t1_t3_set_cubed_goes_on_and_a_bot_takes_the_turn(come: Callable[..., list[Visitor]]) -> None:
    """Ben, who hosts, is gone: Ada need not wait for him in the extra roll, and lets a bot take his turn."""
    ben, ada = players = dice_table(come("Ben", "Ada"))
    begin(*players)
    hurry(*players, stop=lambda: ada.state.phase == "extra_roll")
    listen(ada.page)
    code = leave_site(ben)
    if ada.seat not in ada.state.answered:
        ada.page.get_by_role("button", name=re.compile("^Keep")).click()
    # What is thrown then is the next thing that the message says; the log keeps it.
    see(ada.page, "Ben is away; going on without them.")
    wait_until_kept(ada.page, "spoken", "Ben is away; going on without them.")
    ada.until(lambda: ada.state.phase == "turn")
    hurry(ada, stop=lambda: ada.state.turn == ben.seat)
    see(ada.page, "Waiting for Ben (away).")
    ada.page.get_by_role("button", name="Let a bot play for Ben").click()
    wait_for_words(ada.page, "Steady plays on for Ben.")
    ada.until(lambda: ada.state.turn != ben.seat, 60)
    back = sit(DicePlayer, same_browser(ben), code)
    see(back.page, "Steady now plays in your place.")
    back.page.get_by_role("button", name="Sit down again").click()
    wait_for_words(ada.page, "Ben is back.")
    expect(back.page.get_by_role("button", name="Sit down again")).to_have_count(0)
    back.until(lambda: back.seat == 0)


def test_t4_a_game_against_bots_is_paused_and_goes_on(come: Callable[..., list[Visitor]]) -> None:
    (ada,) = card_table(come("Ada", viewport=PHONE), bot("beginner"))
    begin(ada)
    expect(ada.page.locator("[data-card]").first).to_be_visible()
    ada.press("Pause")
    see(ada.page, "The clock and the bots stand still.")
    expect(ada.page.locator("[data-card]")).to_have_count(0)
    events = len(ada.events)
    ada.page.reload()
    see(ada.page, "The clock and the bots stand still.")
    expect(ada.page.get_by_role("button", name="Go on")).to_be_focused()
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("[data-card]").first).to_be_visible()
    assert len(ada.events) == events
    ada.until(lambda: ada.is_playing)
    ada.news(ada.see_none)


def test_t4_nothing_runs_on_for_nobody(come: Callable[..., list[Visitor]]) -> None:
    (ada,) = card_table(come("Ada"), bot("champion"))
    begin(ada)
    code = leave_site(ada)
    other = come("Olga")[0].open(f"/t/{code}")
    see(other, "Nobody was here, so the game stood still.")
    expect(other.get_by_role("button", name="Go on")).to_have_count(0)
    back = sit(CardPlayer, same_browser(ada), code)
    back.press("Go on")
    expect(back.page.locator("[data-card]").first).to_be_visible()
    expect(other.locator("[data-card]").first).to_be_visible()


def test_nobody_pauses_where_others_play(come: Callable[..., list[Visitor]]) -> None:
    players = card_table(come("Ada", "Ben"), bot("beginner"))
    ada = players[0]
    begin(*players)
    expect(ada.page.get_by_role("button", name="I see none")).to_be_visible()
    expect(ada.page.get_by_role("button", name="Pause")).to_have_count(0)


def test_one_closes_a_game_in_my_games_and_is_told_of_the_limit_where_one_clicks(
    come: Callable[..., list[Visitor]],
) -> None:
    (visitor,) = come("Ada")
    for waits in (False, False, True):
        (ada,) = card_table([visitor], bot("beginner"))
        if not waits:
            begin(ada)
        ada.page.close()
    page = visitor.open()
    page.get_by_role("button", name="Play Set", exact=True).click()
    failure = page.get_by_role("alert")
    expect(failure).to_contain_text("You have too many open tables.")
    box, button = (
        failure.bounding_box(),
        page.get_by_role("button", name="Play Set", exact=True).bounding_box(),
    )
    assert box
    assert button
    assert 0 <= box["y"] - button["y"] - button["height"] < 60, "beside what was clicked"
    visitor.troubles.clear()  # the browser notes the answer 400
    failure.get_by_role("link", name="My games").click()
    waiting = page.get_by_role("list", name="Tables waiting for players").get_by_role("listitem")
    expect(waiting).to_have_count(1)
    waiting.get_by_role("button", name="Close the table").click()
    waiting.get_by_role("button", name="Really close it").click()
    expect(waiting).to_have_count(0)
    row = page.get_by_role("listitem").filter(has_text="running").first
    row.get_by_role("button", name="Close the table").click()
    row.get_by_role("button", name="Really close it").click()
    expect(page.get_by_text("broken off")).to_be_visible()
    expect(page.get_by_role("button", name="Close the table")).to_have_count(1)
    page.get_by_role("listitem").filter(has_text="broken off").get_by_role("link").click()
    page.get_by_role("button", name=re.compile("fair", re.IGNORECASE)).first.click()
    see(page, re.compile("The game was broken off."))
