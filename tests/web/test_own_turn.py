"""One's own turn at the dice: what fits is shown, every message is right, and nothing that was laid is lost."""

from __future__ import annotations

import re
from itertools import combinations

from playwright.sync_api import Page, expect

from tercet import cubed
from tercet.cubed import Placement, Square
from tercet.sets import WILD, Face, is_set
from tests.web import strategy
from tests.web.conftest import Visit
from tests.web.luck import ben_to_move, luck_for, opened, two_with_luck
from tests.web.players import DicePlayer
from tests.web.test_dice_alive import can_lay, headline, turns


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
    assert not squares_of(page, "wrong")
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
    expect(headline(page)).to_have_text("The die on a1 is not in a SET yet.")
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
    expect(headline(ben.page)).to_have_text(re.compile("opens"))
    bar = ben.page.locator(".clock").bounding_box()
    assert bar, "the time is seen from the first second"
    assert bar["height"] > 5
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
    back = page.get_by_role("log").get_by_text(re.compile(r"^Your turn\. Your dice: 1: .*, laid now\.$"))
    expect(back).to_contain_text(f"{turn.placements[0].square}: ")
    ben.news(lambda: ben.press(re.compile("^Lay for")))
    assert ben.count("laid", seat=1) == 1
