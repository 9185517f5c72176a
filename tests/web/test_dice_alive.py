"""The dice table comes alive: the turns of others are seen and explained, at once and again."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from playwright.sync_api import Page, expect

from tercet import codec, cubed
from tercet.cubed import Placement, Position
from tests.web.browsing import PHONE
from tests.web.conftest import Visit
from tests.web.luck import ben_to_move, luck_for, opened
from tests.web.players import DicePlayer, hurry, play_out
from tests.web.tables import begin, bot, dice_table, sign_in

#: Writes down when an outline appears on the board, and what glides above the page.
WATCH = """
window.outlined = []; window.glided = 0
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes) {
      if (node.dataset?.mark) outlined.push([node.dataset.mark, performance.now()])
      if (node.parentNode === document.body && node.style?.position === 'fixed') glided++
    }
}).observe(document, { childList: true, subtree: true })
"""


def against(visit: Visit, opponent: str = "greedy", **options: Any) -> DicePlayer:
    """Ada against a bot that takes its time."""
    quick = options.pop("quick_bots", False)
    visitor = visit(**options)
    visitor.context.add_init_script(WATCH)
    sign_in(visitor, "Ada")
    (player,) = dice_table([visitor], bot(opponent), quick_bots=quick)
    begin(player)
    return player


def turns(player: DicePlayer, seat: int) -> list[dict[str, Any]]:
    return [event for event in player.events if event["kind"] in ("laid", "opened") and event["seat"] == seat]


def play_until_the_bot_lays(player: DicePlayer, sets: int = 1) -> dict[str, Any]:
    """The bot's first turn from now on with so many points at least."""
    known = len(turns(player, 1))

    def laid() -> dict[str, Any] | None:
        return next((turn for turn in turns(player, 1)[known:] if turn["points"] >= 3 * sets), None)

    play_out(player, stop=lambda: laid() is not None)
    turn = laid()
    assert turn is not None
    return turn


def sets_and_bonus(state: cubed.State, turn: dict[str, Any]) -> tuple[list[str], int]:
    """What the turn that was laid last on this board is made up of: the squares of each SET, and the bonus."""
    placements = tuple(codec.from_data(placement, Placement) for placement in turn["placements"])
    if turn["kind"] == "opened":
        return ["-".join(str(placement.square) for placement in placements)], 0
    layout, laid = state.options.edition.layout, {placement.square for placement in placements}
    board = {
        str(layout.square(cell)): f"{'*' * die.wild}{die.face}"
        for cell, die in enumerate(state.board)
        if die is not None and layout.square(cell) not in laid
    }
    judged = Position(state.options.edition, board).judge(placements)
    assert isinstance(judged, cubed.Judgement)
    return ["-".join(map(str, found.squares)) for found in judged.sets], judged.bonus


def check_sum(text: str, name: str, turn: dict[str, Any], sets: list[str], bonus: int) -> None:
    """ "Greedy: 11 = 3 + 3 + 2, bonus 3"."""
    text = text.strip()
    if len(sets) + bool(bonus) == 1:
        assert re.fullmatch(rf"{name}(:| opens:) {turn['points']} points?", text), text
        return
    found = re.fullmatch(rf"{name}: (\d+) = (\d+(?: \+ \d+)*)(?:, bonus (\d+))?", text)
    assert found is not None, text
    points = [int(number) for number in found[2].split(" + ")]
    assert len(points) == len(sets), text
    assert int(found[3] or 0) == bonus, text
    assert int(found[1]) == turn["points"] == sum(points) + bonus, text


def headline(page: Page) -> Any:
    return page.locator(".message p").first


def marks(page: Page) -> list[str]:
    found: list[str] = page.locator("[data-mark]").evaluate_all(
        "marks => marks.map((one) => one.dataset.mark)"
    )
    return found


def marked(page: Page) -> set[str]:
    """The squares within outlines."""
    return {square for mark in marks(page) for square in mark.split("-")}


def can_lay(state: cubed.State) -> bool:
    return state.position(1).can_lay()


def test_a_bots_turn_is_seen_laid_outlined_set_by_set_and_summed_up(visit: Visit) -> None:
    player = against(visit, reduced_motion="no-preference")
    page = player.page
    play_until_the_bot_lays(player)
    turn = play_until_the_bot_lays(player, sets=2)
    sets, bonus = sets_and_bonus(player.state, turn)
    expect(headline(page)).to_contain_text("Greedy: ")
    expect(page.locator("[data-mark]")).to_have_count(len(sets))
    words = headline(page).inner_text()
    check_sum(words, "Greedy", turn, sets, bonus)
    assert sorted(marks(page)) == sorted(sets)
    colours = page.locator("[data-mark]").evaluate_all(
        "marks => marks.map((one) => getComputedStyle(one).borderColor)"
    )
    seat = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--seat-1')")
    assert len(set(colours)) == 1
    page.evaluate(
        "colour => document.body.append(Object.assign(document.createElement('i'), { id: 'seat', style: `color: ${colour}` }))",
        seat,
    )
    assert colours[0] == page.locator("#seat").evaluate("one => getComputedStyle(one).color")
    # Each in turn, and only after the dice came gliding.
    times = [time for squares, time in page.evaluate("outlined") if squares in sets][-len(sets) :]
    assert all(later - sooner >= 300 for sooner, later in pairwise(times))
    assert page.evaluate("glided") >= len(turn["placements"])
    # It stays until the next thing happens.
    page.wait_for_timeout(3000)
    expect(headline(page)).to_have_text(words)
    assert sorted(marks(page)) == sorted(sets)


def test_without_motion_the_outlines_appear_at_once_and_nothing_glides(visit: Visit) -> None:
    player = against(visit, reduced_motion="reduce")
    page = player.page
    turn = play_until_the_bot_lays(player, sets=2)
    sets, bonus = sets_and_bonus(player.state, turn)
    expect(headline(page)).to_contain_text("Greedy: ")
    assert sorted(marks(page)) == sorted(sets)
    check_sum(headline(page).inner_text(), "Greedy", turn, sets, bonus)
    assert page.evaluate("glided") == 0
    hurry(player, stop=lambda: player.state.phase == "extra_roll")
    assert (
        page.evaluate(
            "document.getAnimations().filter(({ effect }) => effect?.target?.matches('.die, [data-held-die]')).length"
        )
        == 0
    )


def test_whoever_touches_anything_is_where_the_table_is(visit: Visit) -> None:
    """The board may be a moment behind; nobody has to wait for it."""
    player = against(visit, reduced_motion="no-preference", quick_bots=True)
    play_until_the_bot_lays(player)
    player.until(lambda: player.state.turn == 0 or player.state.phase == "extra_roll")
    player.page.mouse.click(2, 2)
    expect(player.page.get_by_role("button", name=re.compile("^Pass|^Keep all|^Throw"))).to_be_visible()
    lying = sum(die is not None for die in player.state.board)
    assert player.page.locator(".board .die").count() == lying


def test_a_throw_a_refill_and_the_extra_roll_are_seen(visit: Visit) -> None:
    player = against(visit, reduced_motion="no-preference", quick_bots=True)
    page = player.page
    page.evaluate(
        """() => { window.tumbled = new Set(); const animate = Element.prototype.animate
        Element.prototype.animate = function (frames, options) {
            const die = this.dataset?.die ?? this.dataset?.heldDie
            if (die && options.duration > 700) tumbled.add(Number(die))
            return animate.call(this, frames, options) } }"""
    )
    hurry(player, stop=lambda: player.state.phase == "extra_roll")
    drawn = [die["number"] for event in player.events if event["kind"] == "drew" for die in event["dice"]][
        10:
    ]
    page.get_by_role("button", name=re.compile("^Keep all")).wait_for()
    assert drawn
    assert set(drawn) <= set(page.evaluate("[...tumbled]"))
    mine = player.state.hands[0][0].number
    page.evaluate("tumbled.clear()")
    player.take(mine)
    player.news(lambda: player.press(re.compile("^Throw")))
    player.until(lambda: player.state.phase == "turn")
    page.locator(".message").get_by_text("You threw 1 die again.").wait_for()
    player.until(lambda: mine in page.evaluate("[...tumbled]"))


def test_a_line_of_the_log_shows_its_turn_again(visit: Visit) -> None:
    player = against(visit, quick_bots=True)
    page = player.page
    play_out(player, stop=lambda: bool(turns(player, 1)) and player.state.turn == 0)
    page.get_by_role("button", name="Pass").wait_for()
    shown = turns(player, 1)[0]
    line = page.locator("aside button.line").filter(has_text=re.compile("^Greedy")).last
    line.click()
    expect(page.locator("[data-mark]").first).to_be_visible()
    player.until(lambda: {p["square"] for p in shown["placements"]} <= marked(page))
    # On a phone the log is a sheet, which makes way.
    page.set_viewport_size(PHONE)
    page.get_by_role("button", name="What happened").click()
    page.get_by_role("dialog").locator("button.line").last.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    opening = next(event for event in player.events if event["kind"] == "opened")
    player.until(lambda: marks(page) == ["-".join(p["square"] for p in opening["placements"])])
    # Choosing a die is the next thing that happens.
    player.take(player.state.hands[0][0].number)
    expect(page.locator("[data-mark]")).to_have_count(0)


def test_the_last_turn_is_seen_before_the_result_and_again_in_the_replay(visit: Visit) -> None:
    player = against(visit, quick_bots=True)
    page = player.page
    page.evaluate(
        """() => { window.screens = []
        new MutationObserver(() => {
            const now = [document.querySelector('.board') ? 'board' : '', document.querySelectorAll('[data-mark]').length > 0,
                /win/.test(document.querySelector('h1')?.textContent ?? ''), /To the result/.test(document.body.textContent)].join()
            if (screens.at(-1) !== now) screens.push(now)
        }).observe(document, { childList: true, subtree: true, attributes: true }) }"""
    )
    play_out(player, seconds=300)
    page.get_by_role("heading", name=re.compile("win")).wait_for(timeout=20_000)
    seen = page.evaluate("screens")
    last_turn = [event["kind"] for event in player.events if event["kind"] in ("laid", "passed")][-1]
    is_outlined = "true" if last_turn == "laid" else "false"
    assert f"board,{is_outlined},false,true" in seen, "the last turn, outlined, before there is a result"
    laid = [place for place, event in enumerate(player.events, 1) if event["kind"] == "laid"][-1]
    page.goto(page.url.split("/t/")[0] + f"/games/{player.game}?at={laid}")
    page.locator(".board").wait_for()
    last = turns(player, player.events[laid - 1]["seat"])[-1]
    assert {placement["square"] for placement in last["placements"]} <= marked(page)
    page.get_by_text(re.compile(rf"{last['points']} (points?|=)")).first.wait_for()


def test_who_comes_back_sees_the_last_round_again(visit: Visit) -> None:
    moving = visit(reduced_motion="no-preference")
    ada, ben = ben_to_move(luck_for(lambda game: opened(game, can_lay)), moving, visit())
    home, table = ada.page.url.split("/t/")
    ada.page.goto(home)
    ben.act()
    ada.page.evaluate(
        """() => { const known = JSON.parse(localStorage.getItem('tercet.dice'))
        for (const game of Object.values(known)) game.time -= 3600_000
        localStorage.setItem('tercet.dice', JSON.stringify(known)) }"""
    )
    ada.page.goto(f"{home}/t/{table}")
    ada.page.get_by_text("This has happened since your last turn.").first.wait_for()
    turn = turns(ben, 1)[-1]
    squares = {placement["square"] for placement in turn["placements"]}
    ada.until(lambda: squares <= marked(ada.page))
    expect(ada.page.get_by_role("main").get_by_text("This has happened since your last turn.")).to_have_count(
        0
    )
    # It is said before what has happened, once, and without what one would have to do there.
    said = [text.strip() for text in ada.page.locator("[role=log][aria-live=polite] p").all_text_contents()]
    (first,) = (place for place, text in enumerate(said) if text.startswith("This has happened"))
    assert said[first] == "This has happened since your last turn."
    assert not any(text.startswith("Ben") for text in said[:first]), said
    assert any(text.startswith("Ben") for text in said[first:]), said
