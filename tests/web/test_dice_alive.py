"""The dice table comes alive: turns are seen and explained, nothing is lost, and every message is right."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from typing import Any

from playwright.sync_api import Page, expect

from tercet import codec, cubed
from tercet.cubed import Placement, Position, Square
from tercet.sets import WILD, Face, is_set
from tests.web import strategy
from tests.web.browsing import PHONE
from tests.web.conftest import Visit
from tests.web.luck import ben_to_move, luck_for, opened, two_with_luck
from tests.web.players import DicePlayer, play_out
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


def test_a_bots_turn_is_seen_laid_outlined_set_by_set_and_summed_up(visit: Visit) -> None:
    player = against(visit, reduced_motion="no-preference")
    page = player.page
    play_until_the_bot_lays(player)
    turn = play_until_the_bot_lays(player, sets=2)
    sets, bonus = sets_and_bonus(player.state, turn)
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
    play_out(player, stop=lambda: player.state.phase == "extra_roll")
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
    play_out(player, stop=lambda: player.state.phase == "extra_roll")
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
    page.get_by_text("Ada throws 1 die again.").first.wait_for()
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


# --- the own turn ---


def can_lay(state: cubed.State) -> bool:
    return state.position(1).can_lay()


def is_stuck(state: cubed.State) -> bool:
    return not can_lay(state)


def singles(state: cubed.State, die: cubed.Die) -> list[Square]:
    """Where this die of Ben's may be laid alone; a wild as any face."""
    position = state.position(1)
    faces = Face.all() if die.face is WILD else [die.face]
    layout = state.options.edition.layout
    free = [layout.square(cell) for cell, lying in enumerate(state.board) if lying is None]
    return [
        square
        for square in free
        if any(
            isinstance(position.score((Placement(square, face, die.face is WILD),)), int) for face in faces
        )
    ]


def pairs(state: cubed.State, die: cubed.Die) -> dict[Square, set[Square]]:
    """Where this plain die of Ben's may be laid with another plain one."""
    found: dict[Square, set[Square]] = {}
    for turn in state.position(1).turns():
        if len(turn.placements) == 2 and not any(placement.wild for placement in turn.placements):
            for one, other in (turn.placements, turn.placements[::-1]):
                if one.face is die.face and not singles(state, die):
                    found.setdefault(one.square, set()).add(other.square)
    return found


def plain(state: cubed.State) -> bool:
    faces = [die.face for die in state.hands[1]]
    return WILD not in faces and len(set(faces)) == 5


def fits_only_in_pairs(state: cubed.State) -> bool:
    return plain(state) and any(pairs(state, die) for die in state.hands[1])


def squares_of(page: Page, kind: str) -> set[str]:
    return set(page.locator(f".square.{kind}").evaluate_all("all => all.map((one) => one.dataset.square)"))


def test_nothing_can_be_laid_is_said(visit: Visit) -> None:
    ada, ben = ben_to_move(luck_for(lambda game: opened(game, is_stuck)), visit(), visit())
    ben.page.get_by_text("Nothing can be laid. Pass.").first.wait_for()
    ben.news(lambda: ben.press("Pass"))
    ada.page.get_by_text("Ben passes: nothing can be laid.").first.wait_for()


def test_a_die_that_only_fits_with_a_second_one_is_led_to_both(visit: Visit) -> None:
    _, ben = ben_to_move(luck_for(lambda game: opened(game, fits_only_in_pairs)), visit(), visit())
    page, state = ben.page, ben.state
    die = next(die for die in state.hands[1] if pairs(state, die))
    places = pairs(state, die)
    ben.take(die.number)
    page.get_by_text("It fits only with a second die: choose a marked square.").first.wait_for()
    assert squares_of(page, "pairing") == set(map(str, places))
    first = next(iter(places))
    ben.put(str(first))
    expect(headline(page)).to_have_text(re.compile(r"^\s*Now the second die"))
    assert squares_of(page, "pairing") == set(map(str, places[first]))
    assert page.get_by_role("button", name="Lay", exact=True).is_disabled()
    turn = next(
        turn
        for turn in state.position(1).turns()
        if len(turn.placements) == 2
        and any(p.square == first and p.face is die.face for p in turn.placements)
    )
    second = next(placement for placement in turn.placements if placement.square != first)
    ben.take(next(one.number for one in state.hands[1] if one.face is second.face))
    assert str(second.square) in squares_of(page, "inviting")
    ben.put(str(second.square))
    ben.news(lambda: ben.press(re.compile("^Lay for")))
    assert ben.count("laid", seat=1) == 1


def has_one_wild(state: cubed.State) -> bool:
    return sum(die.face is WILD for die in state.hands[1]) == 1


def test_a_wild_chosen_first_is_offered_only_faces_that_can_lead_to_a_set(visit: Visit) -> None:
    _, ben = ben_to_move(luck_for(lambda game: opened(game, has_one_wild)), visit(), visit())
    page, state = ben.page, ben.state
    position, layout = state.position(1), state.options.edition.layout
    wild = next(die for die in state.hands[1] if die.face is WILD)
    others = [die.face for die in state.hands[1] if die.face is not WILD]
    # Above the first die of the opening SET: no SET at once, but one with a second die above or below.
    column, row = str(layout.logo[0])[0], int(str(layout.logo[0])[1:])
    square = Square(f"{column}{row - 1}")
    second = [Square(f"{column}{row - 2}"), Square(f"{column}{row + 1}")]
    leading = {
        str(face)
        for face in Face.all()
        for other in others
        for place in second
        if isinstance(position.score((Placement(square, face, True), Placement(place, other))), int)
    }
    ben.take(wild.number)
    ben.put(str(square))
    offered = (
        page.get_by_role("dialog")
        .locator("[data-face]")
        .evaluate_all("all => all.map((one) => one.dataset.face)")
    )
    assert set(offered) == leading
    page.keyboard.press("Escape")
    # Far from every die no face leads anywhere: that is said, and nothing is asked.
    ben.take(wild.number)
    ben.take(wild.number)
    ben.put("a1")
    expect(headline(page)).to_have_text("On a1 no face of the wild leads to a SET.")
    expect(page.get_by_role("dialog")).to_have_count(0)


def has_own_set(state: cubed.State) -> bool:
    return any(is_set(*three) for three in combinations([die.face for die in state.hands[1]], 3)) and plain(
        state
    )


def test_a_set_of_new_dice_alone_and_a_die_taken_back_are_told_rightly(visit: Visit) -> None:
    _, ben = ben_to_move(luck_for(lambda game: opened(game, has_own_set)), visit(), visit())
    page = ben.page
    own = next(three for three in combinations(ben.state.hands[1], 3) if is_set(*(die.face for die in three)))
    for die, square in zip(own, ("a1", "a2", "a3"), strict=True):
        ben.take(die.number)
        ben.put(square)
    expect(headline(page)).to_have_text("a1-a2-a3 are all new dice: a SET needs one that lay there before.")
    ben.put("a3")
    expect(headline(page)).to_have_text("The die on a1 is in no SET yet.")
    ben.put("a2")
    ben.put("a1")
    expect(page.locator(".message")).not_to_contain_text("SET")
    assert page.locator(".square .fresh").count() == 0
    # It is in hand again, and chosen.
    expect(page.locator(f'[data-die="{own[0].number}"]')).to_have_attribute("aria-pressed", "true")


def can_replace(state: cubed.State) -> bool:
    wilds = [die.face for die in state.board if die is not None and die.wild]
    return len(wilds) == 1 and any(die.face is wilds[0] for die in state.hands[1]) and can_lay(state)


def test_a_wild_is_replaced_before_laying_and_that_is_said(visit: Visit) -> None:
    _, ben = ben_to_move(luck_for(lambda game: opened(game, can_replace)), visit(), visit())
    page, state = ben.page, ben.state
    cell, wild = next((cell, die) for cell, die in enumerate(state.board) if die is not None and die.wild)
    square = str(state.options.edition.layout.square(cell))
    same = next(die for die in state.hands[1] if die.face is wild.face)
    other = next(die for die in state.hands[1] if die.face is not wild.face)
    ben.take(other.number)
    if other.face is WILD:
        other = next(die for die in state.hands[1] if die.face not in (wild.face, WILD))
        ben.take(other.number)
    ben.put("a1")
    ben.take(same.number)
    ben.put(square)
    expect(headline(page)).to_have_text("Wilds are replaced before laying: take your dice back first.")
    ben.press("Undo")
    ben.take(same.number)
    ben.put(square)
    ben.news(lambda: ben.press("Replace the wild"))
    assert ben.count("replaced", seat=1) == 1


# --- the opening ---


def has_two_wilds(game: cubed.Game) -> bool:
    faces = [die.face for die in game.state.hands[0]]
    others = [die.face for die in game.state.hands[1]]
    return faces.count(WILD) == 2 and not any(is_set(*three) for three in combinations(others, 3))


def test_an_opening_set_with_two_wilds_asks_for_their_faces(visit: Visit) -> None:
    ada, ben = two_with_luck(luck_for(has_two_wilds), visit(), visit(), show_seconds=30)
    ben.page.get_by_text("Do you see a SET among your dice? Call it!").first.wait_for()
    page, hand = ada.page, ada.state.hands[0]
    ada.news(lambda: ada.press("SET!"))
    # Nobody is told to call who cannot.
    ben.page.get_by_text("Ada is showing a SET.").first.wait_for()
    expect(ben.page.get_by_role("main").get_by_text("Call it!")).to_have_count(0)
    shown = next(die for die in hand if die.face is not WILD)
    for die in (shown, *(die for die in hand if die.face is WILD)):
        ada.take(die.number)
    dialog = page.get_by_role("dialog")
    named = next(str(face) for face in Face.all() if face is not shown.face)
    dialog.locator(f'[data-face="{named}"]').click()
    ada.news(lambda: dialog.get_by_role("button", name="Lay").click())
    faces = [placement["face"] for event in turns(ada, 0) for placement in event["placements"]]
    assert set(faces[:2]) <= {str(shown.face), named} or named in faces
    assert is_set(*map(Face, faces))
    assert ada.count("opened", points=1) == 1


def test_an_opening_set_whose_wilds_nobody_names_is_shown_in_time(visit: Visit) -> None:
    ada, _ = two_with_luck(luck_for(has_two_wilds), visit(), visit(), show_seconds=8)
    hand = ada.state.hands[0]
    ada.news(lambda: ada.press("SET!"))
    for die in sorted(hand, key=lambda die: die.face is not WILD)[:3]:
        ada.take(die.number)
    ada.page.get_by_role("dialog").wait_for()
    ada.until(lambda: ada.count("opened") + ada.count("missed") > 0, seconds=30)
    assert ada.count("opened", seat=0) == 1
    expect(ada.page.get_by_role("dialog")).to_have_count(0)


# --- drafts ---


def test_the_time_limit_lays_a_complete_draft_though_its_player_is_gone(visit: Visit) -> None:
    ada, ben = ben_to_move(luck_for(lambda game: opened(game, can_lay)), visit(), visit(), turn_seconds=20)
    turn = strategy_turn(ben)
    ben.lay(turn.placements)
    ben.until(lambda: ben.count("drafted", seat=1) > 0 and len(ben.state.draft) == len(turn.placements))
    assert all(not event["placements"] for event in ada.events if event["kind"] == "drafted"), (
        "nobody else knows"
    )
    ben.page.close()
    ada.until(lambda: ada.count("laid", seat=1) == 1, seconds=60)
    assert {p["square"] for p in turns(ada, 1)[0]["placements"]} == {str(p.square) for p in turn.placements}


def test_the_time_limit_says_what_it_did(visit: Visit) -> None:
    _, ben = ben_to_move(luck_for(lambda game: opened(game, can_lay)), visit(), visit(), turn_seconds=20)
    ben.lay(strategy_turn(ben).placements)
    ben.until(lambda: ben.count("laid", seat=1) == 1, seconds=60)
    expect(headline(ben.page)).to_have_text(re.compile(r"^\s*Time is up: your dice are laid."))


def strategy_turn(player: DicePlayer) -> cubed.Lay:
    command = strategy.play_dice(player.state, 1)
    assert isinstance(command, cubed.Lay)
    return command


def can_lay_without_replacing(state: cubed.State) -> bool:
    return can_lay(state) and not any(die is not None and die.wild for die in state.board)


def test_a_draft_survives_a_reload(visit: Visit) -> None:
    _, ben = ben_to_move(luck_for(lambda game: opened(game, can_lay_without_replacing)), visit(), visit())
    page, turn = ben.page, strategy_turn(ben)
    ben.lay(turn.placements)
    page.get_by_role("button", name=re.compile("^Lay for")).wait_for()
    page.reload()
    page.get_by_role("button", name=re.compile("^Lay for")).wait_for()
    assert page.locator(".square .fresh").count() == len(turn.placements)
    ben.news(lambda: ben.press(re.compile("^Lay for")))
    assert ben.count("laid", seat=1) == 1


# --- editions ---

SMALL = """name = "small-board"
title = "The small board"
extends = "house"
size = [7, 9]
logo = ["d4", "e4", "f4"]

[bonus]
a1 = 5
"""


def test_an_edition_of_ones_own_is_checked_drawn_played_with_and_named(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    page = visitor.open("/new?game=cubed&all")
    field = page.get_by_label("Edition")
    field.select_option(label="Your own…")
    dialog = page.get_by_role("dialog")
    text = dialog.get_by_role("textbox")
    text.fill(SMALL.replace("a1 = 5", "d4 = 5"))
    dialog.get_by_text("d4 is on the logo: no bonus can be there.").first.wait_for()
    take = dialog.get_by_role("button", name="Play with it")
    expect(take).to_be_disabled()
    text.fill(SMALL.replace("[7, 9]", "[7, 9"))
    dialog.get_by_text("Line 5 cannot be read as TOML.").first.wait_for()
    dialog.get_by_label("Choose a file").set_input_files(
        {"name": "small.toml", "mimeType": "application/toml", "buffer": SMALL.encode()}
    )
    dialog.get_by_role("img", name=re.compile(r"7 × 9 squares.*a1 \+5")).wait_for()
    take.click()
    expect(field.locator("option:checked")).to_have_text("The small board")
    page.get_by_role("combobox", name="Bots", exact=True).select_option("1")
    page.get_by_label("People").select_option("1")
    page.get_by_role("button", name="Make this table").click()
    page.get_by_text("Edition: The small board").first.wait_for()
    page.get_by_role("button", name="Start now").click()
    page.locator(".board").wait_for()
    assert page.locator(".square").count() == 63
    page.get_by_role("button", name="The small board").click()
    page.get_by_role("dialog").get_by_role("heading", name="The small board").wait_for()
    # It is offered again at the next table.
    page.goto(f"{visitor.home}/new?game=cubed&all")
    page.get_by_label("Edition").select_option(label="The small board")


def test_the_edition_is_named_at_the_table(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    (player,) = dice_table([visitor], bot("random"), edition="dutch")
    begin(player)
    player.page.get_by_role("button", name="Dutch edition").click()
    player.page.get_by_role("dialog").get_by_text("A wild never scores.").first.wait_for()
