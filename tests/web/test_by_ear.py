"""By ear: what is spoken and in which order; and whole games by the accessibility tree and the keyboard alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tercet.sets import find_sets
from tests.web.conftest import Visit
from tests.web.listener import CardListener, DiceListener
from tests.web.players import CLICK, CardPlayer, DicePlayer, called_first, hurry, no_set, play_out
from tests.web.tables import (
    PERSON,
    SHORT,
    begin,
    bot,
    card_table,
    make_table,
    on_turn_at_dice,
    scramble_table,
    sign_in,
    sit,
    two_at_cards,
    two_at_dice,
)


def hears(page: Page, words: str) -> None:
    """Until it has been spoken, by a region that nothing hides."""
    page.wait_for_function(
        """words => [...document.querySelectorAll('[role=log][aria-live=polite]')].some((log) => {
          const behind = document.querySelector('dialog:modal')
          return log.textContent.includes(words) && (!behind || behind.contains(log))
        })""",
        arg=words,
    )


def spoken(page: Page) -> list[str]:
    return [
        text.strip() for text in page.locator("[role=log][aria-live]").first.locator("p").all_text_contents()
    ]


@pytest.mark.slow
def test_a_card_game_is_won_by_ear_and_keys_against_a_beginner(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    code = make_table(visitor, game="set", seats=[PERSON, bot("beginner")], options=SHORT)
    ear = CardListener(visitor.open(f"/t/{code}"))
    ear.press("I am ready")
    ear.play()
    assert ear.hears("Round 1 of 1. ")
    assert ear.hears("Ada, you: 0 points; Beginner: 0 points.")
    assert any(re.fullmatch(r"Yours! One more SET\. Now \d+ points?\.", sentence) for sentence in ear.heard)
    end = next(sentence for sentence in ear.heard if "The game is over." in sentence)
    assert re.search(r"You win! Ada, you: \d+ points; Beginner: \d+ points?\.", end)


@pytest.mark.slow
def test_a_dice_game_is_won_by_ear_and_keys_against_chance(visit: Visit) -> None:
    visitor = visit()
    visitor.settle(motion="less")
    sign_in(visitor, "Ada")
    code = make_table(visitor, game="cubed", seats=[PERSON, bot("random")], quick_bots=True)
    ear = DiceListener(visitor.open(f"/t/{code}"))
    ear.press("I am ready")
    ear.play()
    for _ in range(4):  # chance may be lucky
        if not ear.hears("You win!"):
            ear.until(lambda tree: any(node.name == "Rematch" for node in tree))
            ear.press("Rematch")
            ear.play()
    assert ear.hears("Do you see a SET among your dice? Call it!")
    assert ear.hears("Your turn: choose a die.")
    assert ear.hears("Extra roll: choose the dice to throw again.")
    assert any(re.search(r"Fits on [a-z]\d", sentence) for sentence in ear.heard)
    assert any(re.match(r"Beginner.*: .*Now \d+ points?\. [a-z]\d: ", sentence) for sentence in ear.heard)
    assert ear.hears("The game is over. You win! Ada, you: ")


def with_ben(visit: Visit, **settings: Any) -> list[CardPlayer]:
    ada = visit()
    ada.settle(**settings)
    return two_at_cards(ada, visit(), **SHORT)


def test_arriving_one_hears_what_lies_there_and_how_it_stands(visit: Visit) -> None:
    ada, ben = with_ben(visit)
    play_out(ben, stop=lambda: ben.count("took") == 1)
    ada.until(lambda: ada.count("took") == 1)
    ada.page.reload()
    hears(
        ada.page,
        "Round 1 of 1. 12 cards on the table, 12 cards in the deck. Ada, you: 0 points; Ben: 1 point.",
    )


def test_what_others_do_is_spoken_in_order_also_while_a_dialog_is_open(visit: Visit) -> None:
    ada, ben = with_ben(visit)
    ada.press("People")
    dialog = ada.page.get_by_role("dialog")
    dialog.wait_for()
    play_out(ben, stop=lambda: ben.count("took") == 1)
    hears(ada.page, "Ben takes a SET. Now 1 point.")
    sentences = dialog.locator("[role=log][aria-live] p").all_text_contents()
    of_ben = [sentence for sentence in sentences if sentence.startswith("Ben")]
    assert of_ben[:2] == ["Ben calls SET!", "Ben takes a SET. Now 1 point."]


def test_who_wants_to_hear_little_is_spared_the_calls_of_others(visit: Visit) -> None:
    ada, ben = with_ben(visit, speech="short")
    play_out(ben, stop=lambda: ben.count("took") == 1)
    hears(ada.page, "Ben takes a SET. Now 1 point.")
    assert not any("Ben calls" in sentence or "Press ?" in sentence for sentence in spoken(ada.page))


def test_new_cards_are_spoken_with_their_places_and_those_taken_to_who_wants_to_hear_everything(
    visit: Visit,
) -> None:
    ada, ben = with_ben(visit, speech="full")
    before = list(ada.state.table)
    play_out(ben, stop=lambda: ben.count("took") == 1)
    hears(ada.page, "New: ")
    taken, new = (
        next(sentence for sentence in spoken(ada.page) if sentence.startswith(word))
        for word in ("Taken: ", "New: ")
    )
    assert len(re.findall(r"\d, red, \w+, \w+", taken)) == 3
    places = re.findall(r"\d, red, \w+, \w+ \(row (\d), column (\d)\)", new)
    came = [place for place in range(12) if ada.state.table[place] != before[place]]
    assert [(int(column) - 1) * 3 + int(row) - 1 for row, column in places] == came


def test_what_was_chosen_and_is_gone_is_spoken(visit: Visit) -> None:
    ada, ben = with_ben(visit)
    found = find_sets(ada.state.table)[0]
    other = next(card for card in ada.state.table if card not in found)
    ada.page.evaluate(CLICK, [f'[data-card="{card}"]' for card in (found[0], other)])
    ben.press("SET!")
    ben.until(lambda: ben.state.call is not None)
    ben.show(found)
    hears(ada.page, "Part of your choice is gone: 1 still chosen.")
    expect(ada.page.locator("[data-card][aria-pressed=true]")).to_have_count(1)


def test_one_hears_that_one_sees_none_and_that_one_looks_again(visit: Visit) -> None:
    ada, _ben = with_ben(visit)
    page = ada.page
    page.keyboard.press("Digit0")
    hears(page, "You see none. Waiting for Ben. Press 0 to look again.")
    page.keyboard.press("KeyO")
    hears(page, "in the deck. You see none. Waiting for Ben. Ada, you: 0 points")
    page.keyboard.press("Digit0")
    hears(page, "You look again.")


def test_a_call_that_shows_what_is_chosen_asks_for_nothing_more(visit: Visit) -> None:
    ada, _ben = with_ben(visit)
    page = ada.page
    page.evaluate(CLICK, [f'[data-card="{card}"]' for card in find_sets(ada.state.table)[0]])
    hears(page, "3 chosen: L calls.")
    page.keyboard.press("KeyL")
    hears(page, "Yours! One more SET. Now 1 point.")
    assert not any("You called" in sentence for sentence in spoken(page))


def test_time_that_runs_out_is_spoken(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], rounds=1, show_seconds=5)
    begin(player)
    play_out(player, stop=lambda: player.state.phase == "play")
    player.press("SET!")
    hears(player.page, "You called: show the three cards!")
    hears(player.page, "3 seconds left.")
    hears(player.page, "Not shown in time.")


def test_who_was_locked_out_hears_when_that_is_over(visit: Visit) -> None:
    ada, ben = with_ben(visit)
    called_first(ada)
    ada.page.get_by_role("button", name="Show it").wait_for()
    ada.page.evaluate(CLICK, [f'[data-card="{card}"]' for card in no_set(ada)])
    ada.until(lambda: ada.count("missed", seat=ada.seat) == 1)
    ada.page.keyboard.press("KeyL")
    hears(ada.page, "Locked out until somebody else takes a SET.")
    play_out(ben, stop=lambda: ben.count("took") == 1)
    hears(ada.page, "You can call again.")


def test_a_hint_is_spoken_in_words(visit: Visit) -> None:
    player = scramble_table(visit(), practice=True, rounds=1, show_seconds=30)
    begin(player)
    play_out(player, stop=lambda: player.state.phase == "play")
    player.page.locator("[data-die]").first.wait_for()
    before = len(spoken(player.page))
    player.page.keyboard.press("KeyI")
    expect(player.page.locator("[role=log][aria-live] p")).to_have_count(before + 1)
    assert re.match(r"Hint: (\d, \w+, \w+|wild) \(row \d, column \d\)", spoken(player.page)[-1])


def test_a_hint_at_the_dice_table_names_faces_and_squares(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    code = make_table(visitor, game="cubed", seats=[PERSON, bot("random")], practice=True, quick_bots=True)
    player = sit(DicePlayer, visitor, code)
    begin(player)
    play_out(
        player,
        stop=lambda: player.state.turn == player.seat and player.state.position(player.seat or 0).can_lay(),
    )
    player.page.get_by_role("button", name="Pass").wait_for()
    dice = player.page.locator("[data-die].lit")
    best = len(player.state.position(player.seat or 0).best().placements)
    for strength in (1, 2, 3):
        player.page.get_by_role("button", name="Hint", exact=True).click()
        expect(dice).to_have_count(min(strength, best))
        expect(player.page.locator("[data-square].lit")).to_have_count(min(strength, best))
    expect(player.page.locator(".message")).to_contain_text(
        re.compile(r"[a-z]\d: (wild as )?\d, (red|green|purple), (diamond|oval|squiggle)")
    )
    expect(dice.first).to_have_accessible_name(re.compile("Hint$"))


def test_at_the_dice_table_one_hears_ones_turn_ones_points_and_what_the_others_laid(visit: Visit) -> None:
    ada, ben = players = two_at_dice(visit(), visit())
    hurry(*players, stop=lambda: ada.count("opened") == 1)
    opener, other = (ada, ben) if ada.count("opened", seat=ada.seat) else (ben, ada)
    points = opener.state.scores[opener.seat or 0]
    hears(opener.page, f"Now {points} point")
    name = "Ada" if opener is ada else "Ben"
    hears(other.page, f"{name} opens: {points} point")
    hears(other.page, "Your turn")
    hears(other.page, "Your dice: 1: ")
    hurry(*players, stop=lambda: ada.state.phase == "extra_roll")
    for player in players:
        hears(player.page, "Extra roll: choose the dice to throw again. D keeps all.")
    # What one throws again is said before one's turn, whatever it shows; and no die is chosen then.
    for player, keys in ((opener, ("Digit2", "KeyD")), (other, ("KeyD",))):
        for key in keys if player.seat not in player.state.answered else ():
            player.page.keyboard.press(key)
    hears(opener.page, "You threw again: ")
    hears(opener.page, "Your turn")
    said = spoken(opener.page)
    assert said[-1].startswith("Your turn")
    assert any(text.startswith("You threw again: ") for text in said[:-1])


def test_names_and_points_are_read_as_sentences(visit: Visit) -> None:
    ada, ben = with_ben(visit)
    found = find_sets(ben.state.table)[0]
    ben.press("SET!")
    ben.until(lambda: ben.state.call is not None)
    ben.show(found)
    ada.until(lambda: ada.count("took") == 1)
    seats = ada.page.get_by_role("list").first
    expect(seats).to_match_aria_snapshot(
        """
        - list:
          - listitem:
            - /children: contain
            - 'button "Ada, you: 0 points"'
          - listitem:
            - 'button "Ben: 1 point"'
        """
    )


def test_whoever_is_on_turn_is_told_in_the_list_of_seats(visit: Visit) -> None:
    player = on_turn_at_dice(visit())
    expect(player.page.locator("li[aria-current=true]")).to_have_count(1)
    expect(player.page.locator("li[aria-current=true]")).to_contain_text("Ada")
