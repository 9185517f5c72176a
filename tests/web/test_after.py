"""When a game is over: its result, and its replay."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tercet.sets import Card
from tests.web.browsing import DESKTOP, LANDSCAPE, PHONE, Visitor
from tests.web.checks import check_access, check_text, check_widths
from tests.web.conftest import Visit
from tests.web.players import CLICK, CardPlayer, CardTypist, Player, called_first, hurry, no_set, play_out
from tests.web.tables import (
    PERSON,
    SHORT,
    begin,
    bot,
    card_table,
    dice_table,
    make_table,
    scramble_table,
    sign_in,
    sit,
    table_of,
    two_at_dice,
)


def result(page: Page) -> None:
    """The result with everything that is worked out from the events."""
    page.locator(".result figure").wait_for()


def figures(page: Page) -> list[list[str]]:
    """The table of results, row by row."""
    rows: list[list[str]] = page.locator(".result .paper > .numbers tr").evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim()))"
    )
    return rows


def marks(page: Page) -> list[list[str]]:
    """The chart as a table."""
    page.get_by_role("button", name="As a table").click()
    rows: list[list[str]] = page.locator("figure tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim()))"
    )
    return rows


def points_of(player: Player[Any]) -> list[int]:
    scores: list[int] = list(player.state.scores)
    return scores


def play_cards(visitor: Visitor, *others: dict[str, str]) -> CardPlayer:
    sign_in(visitor, "Ada")
    (ada,) = card_table([visitor], *others, **SHORT)
    begin(ada)
    return ada


def test_a_race_is_told_by_its_chart_and_its_searches(visit: Visit) -> None:
    ada = play_cards(visit(), bot("beginner"))
    play_out(ada, stop=lambda: ada.count("took", seat=ada.seat) == 1)
    called_first(ada)
    ada.page.get_by_role("button", name="Show it").wait_for()
    ada.page.evaluate(
        "cards => cards.forEach((card) => document.querySelector(`[data-card='${card}']`).click())",
        no_set(ada),
    )
    ada.until(lambda: ada.count("missed", seat=ada.seat) == 1)
    hurry(ada)
    page = ada.page
    result(page)
    head, *rows = figures(page)
    assert head == ["Player", "Points", "SETs a minute", "Wrong calls"]
    assert {row[0]: row[1] for row in rows} == dict(
        zip(("Ada", "Beginner"), map(str, points_of(ada)), strict=True)
    )
    assert next(row[3] for row in rows if row[0] == "Ada") == "1"
    expect(page.locator(".result .line")).to_have_count(2)
    misses = ada.count("missed")  # a beginner may miss, too
    expect(page.locator(".result .ring")).to_have_count(misses)
    told = marks(page)
    assert len(told) == ada.count("took") + misses
    assert [row[2] for row in told if row[1].startswith("Ada takes")][-1] == str(points_of(ada)[0])
    for name in ("Your quickest SET", "Longest search"):
        fact = page.locator(".fact", has=page.get_by_role("heading", name=name))
        expect(fact.locator("[role=img]")).to_have_count(3)
        expect(fact.locator(".time")).to_have_text(re.compile(r"^[\d.]+\ss$"))
    # One thing to do next, and inviting comes last.
    expect(page.locator(".button.strong")).to_have_text(["Rematch"])
    assert page.locator("main section").last.get_attribute("aria-label") == "Invite"


def test_the_winner_is_told_the_moment_the_game_ends_and_the_focus_is_there(visit: Visit) -> None:
    ada = play_cards(visit(reduced_motion="no-preference"), bot("beginner"))
    hurry(ada)
    heading = ada.page.get_by_role("heading", name="You win!")
    expect(heading).to_be_focused()
    expect(ada.page.locator(".winners.celebrate")).to_have_count(1)
    expect(ada.page.locator("[aria-live]").first).to_contain_text("You win!")
    ada.page.reload()
    heading.wait_for()
    expect(ada.page.locator(".winners.celebrate")).to_have_count(0)


def test_without_motion_nothing_flies(visit: Visit) -> None:
    visitor = visit(reduced_motion="reduce")
    ada = play_cards(visitor, bot("beginner"))
    hurry(ada)
    result(ada.page)
    expect(ada.page.locator(".celebrate")).to_have_count(0)


def test_alone_the_time_comes_first(visit: Visit) -> None:
    ada = play_cards(visit())
    hurry(ada)
    result(ada.page)
    expect(ada.page.locator("h1")).to_have_text(re.compile(r"^Done in \d+:\d\d$"))
    expect(ada.page.locator(".result .head")).to_contain_text(f"{ada.count('took')} SETs · no wrong call")


def test_scramble_alone_and_with_a_bot(visit: Visit) -> None:
    for others in ((), (bot("beginner"),)):
        visitor = visit(viewport=PHONE, has_touch=True)
        player = scramble_table(visitor, *others, rounds=1, show_seconds=30)
        begin(player)
        hurry(player)
        page = player.page
        result(page)
        expect(page.locator("h1")).to_have_text(re.compile("^You win!" if others else r"^Done in \d+:\d\d$"))
        assert len(marks(page)) == player.count("took")
        expect(page.locator(".fact").first.locator("[role=img]")).to_have_count(3)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_game_of_dice_is_told_by_its_board_and_its_turns(visit: Visit) -> None:
    ada, ben = two_at_dice(visit(), visit(viewport=PHONE))
    hurry(ada, ben)
    turns = [event for event in ada.events if event["kind"] in ("opened", "laid", "passed")]
    lying = sum(die is not None for die in ada.state.board)
    for page in (ada.page, ben.page):
        result(page)
        expect(page.locator(".final .die")).to_have_count(lying)
        head, *rows = figures(page)
        assert head == ["Player", "Points", "Best turn", "Bonus points", "Wild points"]
        assert {row[0]: row[1] for row in rows} == dict(
            zip(("Ada", "Ben"), map(str, points_of(ada)), strict=True)
        )
        best = max(event.get("points", 0) for event in turns)
        expect(page.locator(".best")).to_contain_text(f"{best} points")
        for letters in ("200%", ""):
            page.evaluate("size => document.documentElement.style.fontSize = size", letters)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), letters
            assert page.locator(".numbers").evaluate_all(
                "all => all.every((one) => one.scrollWidth <= one.clientWidth)"
            ), letters
        outlined = page.locator(".best .points").all_inner_texts()
        assert outlined
        assert len(marks(page)) == len(turns)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Seats made the points by turns: nothing is left out.
    sums = [sum(event.get("points", 0) for event in turns if event["seat"] == seat) for seat in (0, 1)]
    assert sums == points_of(ada)


def test_who_comes_later_and_who_only_watched_read_the_same(visit: Visit) -> None:
    visitors = [visit(), visit()]
    ada = play_cards(visitors[0], bot("beginner"))
    play_out(ada, stop=lambda: ada.count("took") == 1)
    sign_in(visitors[1], "Eve")
    eve = sit(CardPlayer, visitors[1], ada.page.url.rpartition("/")[2])
    expect(eve.page.get_by_text("You are watching.")).to_be_visible()
    hurry(ada)
    result(ada.page)
    known = figures(ada.page)
    result(eve.page)
    assert figures(eve.page) == known
    expect(eve.page.get_by_role("heading", name="Ada wins!")).to_be_visible()
    expect(eve.page.get_by_role("heading", name="Quickest SET", exact=True)).to_be_visible()
    for page in (ada.page, eve.page):
        page.reload()
        result(page)
        assert figures(page) == known
    expect(ada.page.get_by_role("heading", name="You win!")).to_be_visible()
    expect(ada.page.get_by_role("heading", name="Your quickest SET")).to_be_visible()


def test_a_line_of_the_chart_is_touched_and_leads_into_the_replay(visit: Visit) -> None:
    ada = play_cards(visit(), bot("beginner"))
    hurry(ada)
    page = ada.page
    result(page)
    place, first = next(
        (place, event) for place, event in enumerate(ada.events, 1) if event["kind"] == "took"
    )
    spot = page.locator(".result svg .line").first.evaluate(
        """line => {
             const box = line.ownerSVGElement.getBoundingClientRect()
             const [, x, y] = /H([\\d.]+)V([\\d.]+)/.exec(line.getAttribute('d'))
             return [box.left + Number(x), box.top + Number(y)]
           }"""
    )
    page.mouse.move(*spot)
    expect(page.locator(".story [role=img]")).to_have_count(3)
    page.locator(".story a").click()
    expect(page).to_have_url(re.compile(rf"/games/{ada.game}\?at={place}$"))
    expect(page.locator("[data-card].lit")).to_have_count(3)
    lit = page.locator("[data-card].lit").evaluate_all("all => all.map((one) => one.dataset.card)")
    assert set(lit) == set(first["cards"])


def open_replay(visitor: Visitor, game: str, search: str = "") -> Page:
    page = visitor.open(f"/games/{game}{search}")
    page.locator("[type=range]").wait_for()
    return page


def moves(page: Page) -> Any:
    return page.get_by_role("list", name="What happened").get_by_role("button")


@pytest.mark.parametrize("size", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.long)])
def test_a_replay_begins_where_there_is_something_to_see_and_lists_the_moves(
    visit: Visit, size: dict[str, int]
) -> None:
    visitor = visit(viewport=size)
    ada = play_cards(visitor, bot("beginner"))
    hurry(ada)
    page = open_replay(visitor, ada.game)
    expect(page.locator("[data-card]")).to_have_count(12)
    expect(page.locator("[type=range]")).to_be_in_viewport()
    expect(page.locator(".words")).to_contain_text("deals round 1")
    taken = [(place, event) for place, event in enumerate(ada.events, 1) if event["kind"] == "took"]
    lines = moves(page).filter(has_text="takes")
    expect(lines).to_have_count(len(taken))
    expect(lines.first.locator("[role=img]")).to_have_count(3)
    expect(lines.first).to_contain_text("+1")
    place, event = taken[2]
    lines.nth(2).click()
    expect(page.locator("[type=range]")).to_have_value(str(place))
    expect(lines.nth(2)).to_have_attribute("aria-current", "step")
    lit = page.locator("[data-card].lit")
    assert set(lit.evaluate_all("all => all.map((one) => one.dataset.card)")) == set(event["cards"])
    colour = lit.first.evaluate("one => getComputedStyle(one).getPropertyValue('--glow').trim()")
    seat = page.evaluate(
        "seat => getComputedStyle(document.documentElement).getPropertyValue(`--seat-${seat}`).trim()",
        event["seat"],
    )
    assert colour == seat
    expect(page.locator(".words")).to_contain_text("takes")
    if size == PHONE:
        page.set_viewport_size(LANDSCAPE)
        page.evaluate("scrollTo(0, 0)")
        for part in (
            page.locator("[type=range]"),
            page.get_by_role("button", name="Play"),
            page.locator("[data-card]").last,
        ):
            expect(part).to_be_in_viewport(ratio=1)


def test_every_step_of_a_replay_has_words(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    (ada,) = dice_table([visitor], bot("greedy"))
    begin(ada)
    hurry(ada)
    page = open_replay(visitor, ada.game)
    opened = next(place for place, event in enumerate(ada.events, 1) if event["kind"] == "opened")
    expect(page.locator("[type=range]")).to_have_value(str(opened))
    expect(page.locator(".board .die")).to_have_count(3)
    expect(page.locator(".board .points")).to_have_text([str(ada.events[opened - 1]["points"])])
    page.keyboard.press("Home")
    slider = page.locator("[type=range]")
    for step in range(1, 30):
        expect(slider).to_have_value(str(step))
        expect(page.locator(".words > span:not(.hidden)").last).to_have_text(re.compile(r"\w+:? \w+"))
        page.keyboard.press("ArrowRight")
    laid = next(
        event for event in ada.events if event["kind"] == "laid" and event["points"] > 3
    )  # several SETs, or a bonus: the sum is written out
    expect(moves(page).filter(has_text=f"{laid['points']} = ").first).to_be_visible()


def test_a_replay_runs_at_a_speed_that_can_be_followed(visit: Visit) -> None:
    visitor = visit()
    ada = play_cards(visitor, bot("beginner"))
    hurry(ada)
    page = visitor.blank()
    page.clock.install()
    page.goto(f"{visitor.home}/games/{ada.game}?at=3")
    slider = page.locator("[type=range]")
    slider.wait_for()
    assert ada.events[2]["kind"] == "took"
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.get_by_role("button", name="Play", exact=True).click()
    page.clock.run_for(1900)
    expect(slider).to_have_value("3")
    page.clock.run_for(1200)
    expect(slider).not_to_have_value("3")
    page.get_by_role("button", name="Pause").click()
    known = slider.input_value()
    page.clock.run_for(10_000)
    expect(slider).to_have_value(known)


def test_fairness_is_a_badge_beside_the_replay(visit: Visit) -> None:
    visitor = visit()
    ada = play_cards(visitor)
    hurry(ada)
    page = open_replay(visitor, ada.game)
    badge = page.get_by_role("button", name="Check fairness")
    expect(badge).to_have_text("Fair")
    badge.click()
    expect(page.get_by_role("dialog").locator("li.proved")).to_have_count(3)
    page.keyboard.press("Escape")
    page = open_replay(visitor, ada.game, "?check")
    page.get_by_role("dialog").get_by_text("The record is consistent").wait_for()


class Wordless(CardTypist):
    """Plays without knowing the language."""

    def deal(self) -> None:
        self.page.locator(".pause button").click()

    def show(self, shown: tuple[Card, ...]) -> None:
        self.page.evaluate(CLICK, [f'[data-card="{card}"]' for card in shown])


@pytest.mark.parametrize("language", ["he", pytest.param("is", marks=pytest.mark.long)])
def test_result_and_replay_say_everything_and_fit(visit: Visit, language: str) -> None:
    visitor = visit(viewport={"width": 320, "height": 640})
    visitor.settle(language=language, motion="less")
    sign_in(visitor, "Ada")
    (ada,) = table_of(Wordless, "set", [visitor], (bot("beginner"),), options=SHORT)
    ada.page.locator(".button.strong").first.click()
    ada.until(lambda: ada.is_playing)
    hurry(ada)
    page = ada.page
    result(page)
    check_text(page, language)
    check_widths(page)
    page = open_replay(visitor, ada.game)
    check_text(page, language)
    check_widths(page)
    assert page.locator("h1").evaluate(
        "one => one.offsetHeight < 2 * parseFloat(getComputedStyle(one).fontSize)"
    )
    before = page.locator("[type=range]").input_value()
    # To go on is to go in the direction of reading.
    page.keyboard.press("ArrowLeft" if language == "he" else "ArrowRight")
    expect(page.locator("[type=range]")).to_have_value(str(int(before) + 1))


def test_results_and_replays_are_for_everyone(visit: Visit) -> None:
    visitor = visit(viewport=PHONE)
    visitor.settle(motion="less")
    sign_in(visitor, "Ada")
    (player,) = dice_table([visitor], bot("random"))
    begin(player)
    hurry(player)
    replay = open_replay(visitor, player.game)
    result(player.page)
    player.page.get_by_role("button", name="As a table").click()
    for size in (PHONE, DESKTOP):
        for page in (player.page, replay):
            page.set_viewport_size(size)
            check_access(page)
    replay.get_by_role("button", name="Check fairness").click()
    replay.get_by_role("dialog").locator("li").first.wait_for()
    check_access(replay)


def test_in_forced_colours_lines_and_rings_are_seen(visit: Visit) -> None:
    visitor = visit(forced_colors="active")
    ada = play_cards(visitor, bot("beginner"))
    hurry(ada)
    result(ada.page)
    lines = ada.page.locator(".result .line")
    dashes = lines.evaluate_all("all => all.map((one) => getComputedStyle(one).strokeDasharray)")
    assert len(set(dashes)) == 2
    strokes = set(lines.evaluate_all("all => all.map((one) => getComputedStyle(one).stroke)"))
    ink = ada.page.evaluate(
        """() => {
             const probe = document.body.appendChild(document.createElement('span'))
             probe.style.color = 'CanvasText'
             return getComputedStyle(probe).color
           }"""
    )
    assert strokes == {ink}


def test_a_rematch_is_one_press(visit: Visit) -> None:
    ada = play_cards(visit(), bot("beginner"))
    hurry(ada)
    result(ada.page)
    before = ada.game
    ada.press("Rematch")
    ada.until(lambda: ada.game != before and ada.is_playing)


def test_the_result_stays_readable_without_the_record(visit: Visit) -> None:
    visitor = visit(expect_trouble=True)
    ada = play_cards(visitor, bot("beginner"))
    hurry(ada)
    result(ada.page)
    ada.page.route("**/record?form=json", lambda route: route.abort())
    ada.page.reload()
    ada.page.get_by_role("heading", name="You win!").wait_for()
    assert figures(ada.page)[0] == ["Player", "Points"]
    expect(ada.page.get_by_role("button", name="Rematch")).to_be_enabled()


def test_eight_at_a_table_have_eight_lines(visit: Visit) -> None:
    visitor = visit(viewport=PHONE)
    sign_in(visitor, "Ada")
    code = make_table(visitor, game="set", seats=[PERSON, *[bot("beginner")] * 7], options=SHORT)
    ada = sit(CardPlayer, visitor, code)
    begin(ada)
    hurry(ada)
    result(ada.page)
    expect(ada.page.locator(".result .line")).to_have_count(8)
    tokens = ada.page.locator(".result .room > .token").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().top).sort((a, b) => a - b)"
    )
    assert all(b - a >= 14 for a, b in pairwise(tokens))
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_table_that_was_taken_over_says_so(visit: Visit) -> None:
    visitors = [visit(), visit()]
    for visitor, name in zip(visitors, ("Ada", "Ben"), strict=True):
        sign_in(visitor, name)
    ada, ben = table_of(CardPlayer, "set", visitors, (), options=SHORT)
    begin(ada, ben)
    ben.press("People")
    ben.page.get_by_role("button", name="Give up my seat").press("Enter")
    ben.page.get_by_role("button", name="Really give it up").press("Enter")
    hurry(ada)
    result(ada.page)
    expect(ada.page.locator(".result table").last).to_contain_text("Previously: Ben")
