"""Scramble in the browser."""

from __future__ import annotations

import random
import re
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tercet import scramble
from tercet.sets import WILD, is_set
from tests.web import strategy
from tests.web.browsing import LANDSCAPE, PHONE, ZOOMED
from tests.web.conftest import Visit
from tests.web.players import ScramblePlayer, play_out
from tests.web.tables import begin, bot, scramble_table

SMALL_PHONE: ViewportSize = {"width": 320, "height": 640}
#: One round; nobody is hurried.
SHORT: dict[str, Any] = {"rounds": 1, "show_seconds": 30}


def in_play(player: ScramblePlayer) -> Page:
    """The page, with dice on the table."""
    begin(player)
    play_out(player, stop=lambda: player.state.phase == "play")
    player.page.locator("[data-die]").first.wait_for()
    return player.page


def no_set(state: scramble.State) -> tuple[int, ...]:
    """Three dice that are no SET."""
    threes = combinations([die for die in state.lying if die.face != WILD], 3)
    return strategy.numbers(next(three for three in threes if not is_set(*(die.face for die in three))))


def test_one_click_leads_to_42_dice_that_fit_a_phone(visit: Visit) -> None:
    page = visit(viewport=PHONE).open("/")
    page.get_by_role("button", name="Play Scramble", exact=True).click()
    dice = page.locator("[data-die]")
    expect(dice).to_have_count(42)
    for size, side in ((PHONE, 52), (SMALL_PHONE, 44), (LANDSCAPE, 44), (ZOOMED, 44)):
        page.set_viewport_size(size)
        for thing in (page.get_by_role("button", name="SET!"), dice.first, dice.last):
            expect(thing).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.querySelector('[data-die]').offsetWidth") >= side
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert (
        page.evaluate(
            "Math.min(...[...document.querySelectorAll('button:not(.unless-focused)')].map((b) => b.offsetHeight))"
        )
        >= 44
    )


def test_a_whole_game_by_touch_on_a_phone_and_its_replay(visit: Visit) -> None:
    player = scramble_table(visit(viewport=PHONE, has_touch=True), bot("beginner"), **SHORT)
    begin(player)
    play_out(player)
    page = player.page
    page.get_by_role("heading", name="You win!").wait_for()
    page.get_by_role("link", name="Replay").tap()
    slider = page.locator("[type=range]").first
    expect(slider).to_have_value(re.compile(r"\d+"))
    first = next(place for place, event in enumerate(player.events, 1) if event["kind"] == "took")
    for _ in range(first - 1):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".lit")).to_have_count(3)
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-die]:not([data-die=''])")).to_have_count(39)
    page.keyboard.press("End")
    expect(slider).to_have_value(str(len(player.events)))
    page.get_by_role("button", name="Check fairness").tap()
    page.get_by_text("The record is consistent").wait_for()
    page.get_by_text("It is what was promised to this browser").wait_for()
    page.get_by_text("own secret is in it").wait_for()


@pytest.mark.long
def test_a_whole_game_by_keyboard_alone(visit: Visit) -> None:
    player = scramble_table(visit(), bot("beginner"), **SHORT)
    page, luck = player.page, random.Random(1)
    page.get_by_role("button", name="I am ready").focus()
    page.keyboard.press("Enter")
    player.until(lambda: player.is_playing)
    while player.is_playing:
        match strategy.play_scramble(player.state, player.seat or 0):
            case scramble.Throw():
                page.get_by_role("button", name="Throw").focus()
                page.keyboard.press("Enter")
                player.until(lambda: player.state.phase != "deal")
            case scramble.Call():
                page.wait_for_timeout(200)  # the page shows what was heard some frames later
                player.news(lambda: page.keyboard.press("KeyL"))
            case scramble.Show(dice=dice):
                page.get_by_role("button", name="Show it").wait_for()
                player.news(lambda dice=dice: pick_by_keys(page, dice, luck))  # type: ignore[misc]
            case _:
                page.wait_for_timeout(20)
    page.get_by_role("heading", name="You win!").wait_for()


def pick_by_keys(page: Page, dice: tuple[int, ...], luck: random.Random) -> None:
    """Go to each die with the arrow keys, in the order of reading, and pick it with Enter or Space."""
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    at = page.evaluate("document.activeElement.dataset.die")
    lying = page.locator("[data-die]:not([data-die=''])").evaluate_all(
        "all => all.map((one) => one.dataset.die)"
    )
    for die in map(str, dice):
        steps = lying.index(die) - lying.index(at)
        for _ in range(abs(steps)):
            page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
        page.keyboard.press(luck.choice(("Enter", "Space")))
        at = die


def test_without_a_call_three_dice_are_taken_at_once(visit: Visit) -> None:
    player = scramble_table(
        visit(viewport=PHONE, has_touch=True), bot("beginner"), claim="instant", auto_end=False, rounds=1
    )
    expect(player.page.get_by_text("Take at once, without a call")).to_be_visible()
    expect(player.page.get_by_text("The round ends only when all agree")).to_be_visible()
    page = in_play(player)
    page.get_by_text("Tap its three dice").wait_for()
    expect(page.get_by_role("button", name="SET!")).to_have_count(0)
    player.act()
    page.get_by_text("Yours! One more SET.").first.wait_for()
    assert player.count("took", seat=player.seat) == 1


def test_a_wrong_set_is_explained_and_locks_out(visit: Visit) -> None:
    player = scramble_table(visit(viewport=PHONE, has_touch=True), bot("beginner"), **SHORT)
    page = in_play(player)
    player.tap("SET!")
    player.until(lambda: player.state.call is not None)
    page.locator(".clock").wait_for()
    shown = no_set(player.state)
    player.show(shown)
    page.get_by_text(re.compile(r"Not a SET: two .*, one .*\. Locked out until")).first.wait_for()
    expect(page.locator(".wrong")).to_have_count(3)
    expect(page.get_by_role("button", name="Locked out", exact=True)).to_be_disabled()


def test_somebody_alone_sees_none_and_throws_the_next_round(visit: Visit) -> None:
    player = scramble_table(visit(viewport=SMALL_PHONE, has_touch=True), rounds=2, show_seconds=30)
    page = in_play(player)
    play_out(player, stop=lambda: player.count("took") == 2)
    expect(page.get_by_text("36 dice left")).to_be_visible()
    expect(page.get_by_role("button", name="empty place")).to_have_count(6)
    player.tap("I see none")
    row = page.get_by_role("row", name="Ada")
    expect(row).to_have_text(re.compile(r"Ada\s*\+2\s*2"))
    expect(page.get_by_text("Round 2 of 2").first).to_be_visible()
    player.tap("Throw")
    expect(page.locator("[data-die]:not([data-die=''])")).to_have_count(42)
    player.tap("I see none")
    page.get_by_role("heading", name=re.compile("Done in")).wait_for()


def test_hints_light_one_die_more_each_time(visit: Visit) -> None:
    player = scramble_table(visit(viewport=PHONE, has_touch=True), practice=True, **SHORT)
    page = in_play(player)
    for count in (1, 2, 3):
        player.tap("Hint")
        expect(page.locator(".lit")).to_have_count(count)
    lit = page.locator(".lit").evaluate_all("all => all.map((one) => Number(one.dataset.die))")
    faces = [die.face for die in player.state.lying if die.number in lit]
    assert is_set(*faces)


def test_the_lesson_leads_to_a_first_game(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True).open("/learn/scramble")
    tap_dice(page, "1, red, diamond", "1, green, diamond", "3, green, squiggle")
    page.get_by_text("Not a SET: two with one symbol, one with three").first.wait_for()
    tap_dice(page, "1, red, diamond", "1, green, diamond", "1, purple, diamond")
    page.get_by_text("That is a SET, too").first.wait_for()
    tap_dice(page, "2, red, oval", "2, red, oval", "2, red, oval")
    page.get_by_text("A SET, and a point.").first.wait_for()
    tap_dice(page, "1, red, diamond", "1, green, diamond", "1, purple, diamond")
    page.get_by_text("same number, same shape, three colours").first.wait_for()
    tap_dice(page, "wild")
    page.get_by_text("Call first.").first.wait_for()
    page.get_by_role("button", name="SET!").tap()
    tap_dice(page, "wild", "3, green, squiggle", "2, purple, squiggle")
    page.get_by_text("The star is wild").first.wait_for()
    page.get_by_role("button", name="Play a first game").tap()
    expect(page.locator("[data-die]")).to_have_count(42)


def tap_dice(page: Page, *faces: str) -> None:
    """Tap dice by what they show, each once."""
    for place, face in enumerate(faces):
        dice = page.get_by_role("toolbar").get_by_role("button", name=re.compile(f"^{face}"))
        dice.nth(faces[:place].count(face)).tap()
