"""The card table in the browser."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from playwright.sync_api import expect

from tercet.sets import Card, find_sets, is_set
from tests.web.browsing import LANDSCAPE, PHONE, ZOOMED
from tests.web.conftest import Visit
from tests.web.line import Line
from tests.web.players import CardPlayer, CardTypist, hurry, play_out
from tests.web.tables import SHORT, begin, bot, card_table, sign_in, sit, table_of, two_at_cards


def test_one_click_leads_to_a_running_game_that_fits_a_phone(visit: Visit) -> None:
    page = visit(viewport=PHONE).open("/")
    page.get_by_role("button", name="Play Set", exact=True).click()
    page.locator("[data-card]").first.wait_for()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for size in (PHONE, LANDSCAPE, ZOOMED):
        page.set_viewport_size(size)
        for thing in (page.get_by_role("button", name="SET!"), page.locator("[data-card]").last):
            expect(thing).to_be_in_viewport(ratio=1)
    page.set_viewport_size(PHONE)
    assert page.evaluate(
        "Math.min(...[...document.querySelectorAll('button:not(.unless-focused)')].map((b) => b.offsetHeight)) >= 44"
    )


def test_a_guest_makes_a_table_and_plays_a_whole_game_against_a_bot(visit: Visit) -> None:
    page = visit().open("/new?all")
    player = CardPlayer(page)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("People").select_option("1")
    page.get_by_role("combobox", name="Bots", exact=True).select_option("1")
    page.get_by_label("Strength of the bots").select_option("beginner")
    page.get_by_label("Rounds").select_option("1")
    page.get_by_role("combobox", name="Cards", exact=True).select_option("red")
    page.get_by_label("Three more cards are dealt automatically").check()
    page.get_by_label("to show").fill("30")
    page.get_by_role("button", name="Make this table").click()
    begin(player)
    play_out(player)
    page.get_by_role("heading", name="You win!").wait_for()
    page.get_by_role("link", name="Replay").click()
    slider = page.locator("[type=range]").first
    expect(slider).to_have_value(re.compile(r"\d+"))
    page.keyboard.press("End")
    expect(slider).to_have_value(str(len(player.events)))
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(str(len(player.events) - 1))
    page.get_by_role("button", name="Check fairness").click()
    page.get_by_text("The record is consistent").wait_for()
    page.get_by_text("It is what was promised to this browser").wait_for()
    page.get_by_text("own secret is in it").wait_for()


@pytest.mark.long
def test_a_whole_game_by_keyboard_alone(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    (player,) = table_of(CardTypist, "set", [visitor], (bot("beginner"),), options=SHORT)
    begin(player)
    play_out(player)
    player.page.get_by_role("heading", name="You win!").wait_for()


def test_arrow_keys_move_between_the_cards(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], bot("beginner"), **SHORT)
    begin(player)
    play_out(player, stop=lambda: player.state.phase == "play")
    page, table = player.page, player.state.table
    page.locator(f'[data-card="{table[0]}"]').focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.card") == str(table[3])
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.card") == str(table[4])
    page.keyboard.press("Enter")
    expect(page.locator(f'[data-card="{table[4]}"]')).to_have_attribute("aria-pressed", "true")


def test_two_browsers_race_for_the_same_set(visit: Visit) -> None:
    ada, ben = players = two_at_cards(visit(), visit(), **SHORT)
    for player in players:
        player.page.get_by_role("button", name="SET!").wait_for()
    for player in players:
        player.page.evaluate("setTimeout(() => document.querySelector('.call').click(), 150)")
    ada.until(lambda: ada.state.call is not None and ben.state.call is not None)
    call = ada.state.call
    assert call is not None
    assert ada.count("called") == 1
    first, second = (ada, ben) if call.seat == ada.seat else (ben, ada)
    second.page.get_by_text(re.compile("was .* ms earlier|calls SET!|has called")).first.wait_for()
    first.page.get_by_role("button", name="Show it").wait_for()
    first.show(find_sets(first.state.table)[0])
    first.page.get_by_text("Yours! One more SET.").first.wait_for()
    second.page.get_by_text(re.compile("takes a SET")).first.wait_for()


def test_a_wrong_call_says_which_feature_is_wrong(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], bot("beginner"), **SHORT)
    begin(player)
    play_out(player, stop=lambda: player.state.phase == "play")
    player.press("SET!")
    player.until(lambda: player.state.call is not None)
    player.page.get_by_role("button", name="Show it: 0 of 3").wait_for()
    player.show(next(three for three in combinations(player.state.table, 3) if not is_set(*three)))
    player.page.get_by_text(re.compile(r"Not a SET: two .*, one .*\. Locked out until")).first.wait_for()
    expect(player.page.get_by_role("button", name="Locked out", exact=True)).to_be_disabled()


def test_the_game_goes_on_after_a_reload_and_a_lost_network(visit: Visit, line: Line) -> None:
    ada_came, ben_came = visit(home=line.home, expect_trouble=True), visit()
    sign_in(ada_came, "Ada")
    sign_in(ben_came, "Ben")
    ada, ben = players = card_table([ada_came, ben_came], **SHORT)
    begin(*players)
    play_out(*players, stop=lambda: ada.count("took") == 1)
    table = {str(card) for card in ada.state.table}
    ada.page.reload()
    ada.page.locator("[data-card]").first.wait_for()
    shown = ada.page.locator("[data-card]").evaluate_all("cards => cards.map((card) => card.dataset.card)")
    assert set(shown) == table
    line.cut()
    ada.page.get_by_text("Connection lost").wait_for()
    play_out(ben, stop=lambda: ben.count("took") == 3)
    line.mend()
    expect(ada.page.get_by_text("Connection lost")).to_have_count(0)
    ada.until(lambda: ada.count("took") >= 3)
    hurry(*players)
    ada.page.get_by_role("button", name="Rematch").wait_for()


def test_a_newcomer_and_bots_have_their_names_at_the_table_and_in_the_replay(visit: Visit) -> None:
    visitors = [visit(), visit()]
    for visitor, name in zip(visitors, ("Ada", "Ben"), strict=True):
        sign_in(visitor, name)
    (ada,) = card_table(visitors[:1], bot("beginner"), bot("casual"), **SHORT)
    begin(ada)
    play_out(ada, stop=lambda: ada.state.phase == "play")
    seats = ada.page.locator("li .name bdi")
    expect(seats).to_have_text(["Ada", "Beginner", "Casual"])
    ben = sit(CardPlayer, visitors[1], ada.page.url.rpartition("/")[2])
    ben.press("Take over from a bot")
    expect(seats).to_have_text(["Ada", "Ben", "Casual"])
    hurry(ada)
    ada.page.get_by_role("button", name="Rematch").wait_for()
    ranking = ada.page.locator(".result th[scope=row] bdi")
    expect(ranking).to_have_count(3)
    assert set(ranking.all_inner_texts()) == {"Ada", "Ben", "Casual"}

    norwegian = visit()
    norwegian.settle(language="nb")
    page = norwegian.open(f"/games/{ada.game}")
    expect(page.locator("li .name bdi")).to_have_text(["Ada", "Nybegynner", "Amatør"])
    page.keyboard.press("End")
    expect(page.locator("li .name bdi")).to_have_text(["Ada", "Ben", "Amatør"])
    expect(page.locator("li .won").last.locator("svg")).to_have_count(1)  # the bot's mark


def test_somebody_watches(visit: Visit) -> None:
    visitors = [visit(), visit()]
    for visitor, name in zip(visitors, ("Ada", "Eve"), strict=True):
        sign_in(visitor, name)
    (ada,) = card_table(visitors[:1], bot("beginner"), **SHORT)
    begin(ada)
    play_out(ada, stop=lambda: ada.state.phase == "play")
    eve = sit(CardPlayer, visitors[1], ada.page.url.rpartition("/")[2])
    eve.page.locator("[data-card]").first.wait_for()
    expect(eve.page.get_by_role("button", name="SET!")).to_have_count(0)
    play_out(ada, stop=lambda: ada.count("took", seat=ada.seat) > 0)
    eve.page.get_by_text("Ada takes").first.wait_for()
    ada.page.get_by_role("button", name="People").click()
    ada.page.get_by_text("Watching: Eve").wait_for()


def test_a_hint_in_practice(visit: Visit) -> None:
    page = visit().open("/new?all")
    player = CardPlayer(page)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("People").select_option("1")
    page.get_by_label("Practice").check()
    page.get_by_role("button", name="Make this table").click()
    begin(player)
    play_out(player, stop=lambda: player.state.phase == "play")
    lit = page.locator(".card.lit")
    for _ in range(3):
        page.get_by_role("button", name="Hint", exact=True).click()
    expect(lit).to_have_count(3)
    expect(lit.first).to_have_accessible_name(re.compile("Hint$"))
    shown = lit.evaluate_all("cards => cards.map((card) => card.dataset.card)")
    assert is_set(*map(Card, shown))
