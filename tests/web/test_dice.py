"""The dice table in the browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tercet import cubed
from tercet.sets import WILD
from tests.web import strategy
from tests.web.browsing import PHONE
from tests.web.conftest import Visit
from tests.web.line import Line
from tests.web.players import DicePlayer, play_out
from tests.web.tables import begin, bot, dice_table, sign_in, two_at_dice


def test_a_whole_game_with_a_reload_and_a_lost_network(visit: Visit, line: Line) -> None:
    ada_came, ben_came = visit(home=line.home, expect_trouble=True), visit(viewport=PHONE)
    sign_in(ada_came, "Ada")
    sign_in(ben_came, "Ben")
    ada, ben = players = dice_table([ada_came, ben_came])
    begin(*players)
    play_out(*players, stop=lambda: ada.state.round == 3)
    assert ben.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    lying = sum(die is not None for die in ada.state.board)
    ada.page.reload()
    expect(ada.page.locator(".board .die")).to_have_count(lying)
    play_out(*players, stop=lambda: ada.state.round == 4)
    line.cut()
    ada.page.get_by_text("Connection lost").wait_for()
    play_out(ben, stop=lambda: strategy.play_dice(ben.state, ben.seat or 0) is None)
    line.mend()
    expect(ada.page.get_by_text("Connection lost")).to_have_count(0)
    play_out(*players, seconds=240)
    assert ada.count("opened") == 1
    assert ada.count("replaced") >= 1
    assert any(
        placement["wild"]
        for event in ada.events
        if event["kind"] == "laid"
        for placement in event["placements"]
    )
    assert ada.count("threw") > 0
    assert ada.count("ended") == 1
    ada.page.get_by_role("heading", name=re.compile("win")).wait_for()
    ada.page.get_by_role("link", name="Replay").click()
    ada.page.locator(".board").wait_for()
    ada.page.keyboard.press("End")
    expect(ada.page.locator(".board .die")).to_have_count(sum(die is not None for die in ada.state.board))
    ada.page.get_by_role("button", name="Check fairness").click()
    ada.page.get_by_text("The record is consistent").wait_for()
    ada.page.get_by_text("It is what was promised to this browser").wait_for()
    ada.page.get_by_text("own secret is in it").wait_for()


@pytest.mark.long
def test_a_whole_game_by_keyboard_alone_against_a_bot(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    (player,) = dice_table([visitor], bot("greedy"))
    page = player.page
    page.get_by_role("button", name="I am ready").focus()
    page.keyboard.press("Enter")
    player.until(lambda: player.is_playing)
    while player.is_playing:
        if not by_keys(player):
            page.wait_for_timeout(20)
    page.get_by_role("heading", name=re.compile("win")).wait_for()


def by_keys(player: DicePlayer) -> bool:
    """Act by keys alone; whether there was something to do."""
    page, state, seat = player.page, player.state, player.seat or 0
    order = [die.number for die in state.hands[seat]]

    def press(name: str | re.Pattern[str]) -> None:
        page.get_by_role("button", name=name).focus()
        player.news(lambda: page.keyboard.press("Enter"))

    def take(die: int | None) -> None:
        page.keyboard.press(f"Digit{order.index(die or 0) + 1}")

    def take_all(placements: tuple[cubed.Placement, ...]) -> None:
        for placement in placements:
            take(placement.die)

    match strategy.play_dice(state, seat):
        case cubed.Call():
            page.get_by_role("button", name="SET!").wait_for()
            player.news(lambda: page.keyboard.press("KeyL"))
        case cubed.Show(placements=placements):
            page.get_by_role("button", name="Show it").wait_for()
            player.news(lambda: take_all(placements))
        case cubed.SeeNone():
            press("I see none")
        case cubed.Replace(die=die, square=square):
            page.get_by_role("button", name="Pass").wait_for()
            take(die)
            walk_to(player, str(square))
            press("Replace the wild")
        case cubed.Lay(placements=placements):
            page.get_by_role("button", name="Pass").wait_for()
            faces = {die.number: die.face for die in state.hands[seat]}
            for placement in sorted(placements, key=lambda placement: placement.wild):
                take(placement.die)
                walk_to(player, str(placement.square))
                if faces[placement.die or 0] == WILD:
                    player.name_wild(str(placement.face))
            press(re.compile("^Lay for"))
        case cubed.Pass():
            press("Pass")
        case cubed.Choose():
            press(re.compile("^Throw|^Keep"))
        case None:
            return False
    return True


def walk_to(player: DicePlayer, square: str) -> None:
    """Go to a square with the arrow keys and press it."""
    page = player.page
    here: str = page.evaluate("document.activeElement.dataset.square")
    across = ord(square[0]) - ord(here[0])
    down = int(square[1:]) - int(here[1:])
    for _ in range(abs(across)):
        page.keyboard.press("ArrowRight" if across > 0 else "ArrowLeft")
    for _ in range(abs(down)):
        page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
    assert page.evaluate("document.activeElement.dataset.square") == square
    page.keyboard.press("Enter")


def test_dice_are_dragged_taken_back_and_explained(visit: Visit) -> None:
    ada, ben = players = two_at_dice(visit(), visit())
    play_out(*players, stop=lambda: any(player.state.turn == player.seat for player in players))
    player = ada if ada.state.turn == ada.seat else ben
    page = player.page
    page.get_by_role("button", name="Pass").wait_for()
    plain = next(die for die in player.state.hands[player.seat or 0] if die.face != WILD)
    page.locator(f'[data-die="{plain.number}"]').drag_to(page.locator('[data-square="a1"]'))
    page.get_by_text("The die on a1 is not in a SET yet.").first.wait_for()
    expect(page.get_by_role("button", name="Lay", exact=True)).to_be_disabled()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator('[data-square="a1"] .die')).to_have_count(0)
