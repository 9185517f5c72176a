"""By key: what Space does, keys that are changed or turned off, and a focus that is never lost."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tercet.sets import WILD, find_sets
from tests.web.conftest import Visit
from tests.web.players import CLICK, CardPlayer, DicePlayer, hurry, play_out
from tests.web.tables import begin, bot, card_table, scramble_table, sign_in, two_at_dice

ALONE: dict[str, Any] = {"rounds": 1, "auto_deal": True, "show_seconds": 30}


def alone(visit: Visit, **settings: Any) -> CardPlayer:
    visitor = visit()
    if settings:
        visitor.settle(**settings)
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], **ALONE)
    begin(player)
    play_out(player, stop=lambda: player.state.phase == "play")
    player.page.locator("[data-card]").first.wait_for()
    return player


def focus(page: Page) -> str:
    """What has the focus: the name of a thing, or of an element."""
    found: str = page.evaluate(
        """(() => {
          const { dataset, tagName } = document.activeElement
          return dataset.card ?? dataset.square ?? dataset.die ?? tagName
        })()"""
    )
    return found


def tab_to(page: Page, what: str) -> None:
    """Go there by Tab alone."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("what => document.activeElement.matches(what)", what):
            return
    raise AssertionError(f"Tab does not lead to {what}")


def hears(page: Page, words: str) -> None:
    expect(page.locator("[role=log][aria-live]").first).to_contain_text(words)


def pressed(page: Page) -> list[str]:
    found: list[str] = page.locator("[data-card][aria-pressed=true]").evaluate_all(
        "all => all.map(({ dataset }) => dataset.card)"
    )
    return found


def test_space_selects_a_card_that_was_reached_by_keys_and_calls_elsewhere(visit: Visit) -> None:
    player = alone(visit)
    page = player.page
    tab_to(page, "[data-card]")
    page.keyboard.press("ArrowRight")
    here = focus(page)
    page.keyboard.press("Space")
    assert pressed(page) == [here]
    page.keyboard.press("Space")
    assert pressed(page) == []
    assert player.count("called") == 0
    # After a click it calls, on the same card.
    page.locator(f'[data-card="{here}"]').click()
    assert focus(page) == here
    page.keyboard.press("Space")
    player.until(lambda: player.count("called") == 1)
    assert pressed(page) == [here]


def test_a_card_to_which_the_page_brings_the_focus_counts_as_reached_by_whoever_goes_by_keys(
    visit: Visit,
) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], bot("beginner"), **ALONE)
    page = player.page
    page.get_by_role("button", name="I am ready").press("Enter")
    page.wait_for_function("() => document.activeElement.dataset.card")
    here = focus(page)
    page.keyboard.press("Space")
    assert pressed(page) == [here]
    page.keyboard.press("Escape")
    hears(page, "Nothing chosen.")
    # After a pause as well; Home and End lead to the corners.
    tab_to(page, "[aria-label=Pause]")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Go on").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.dataset.card")
    page.keyboard.press("Space")
    assert pressed(page) == [focus(page)]
    page.keyboard.press("End")
    assert focus(page) == page.locator("[data-card]").last.get_attribute("data-card")
    page.keyboard.press("Home")
    assert focus(page) == page.locator("[data-card]").first.get_attribute("data-card")
    assert player.count("called", seat=player.seat) == 0


def test_for_who_clicks_space_calls_wherever_the_page_brings_the_focus(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], bot("beginner"), **ALONE)
    page = player.page
    page.get_by_role("button", name="I am ready").click()
    page.wait_for_function("() => document.activeElement.dataset.card")
    # What one picks by letters is shown by the call; nothing else is picked.
    page.keyboard.press("KeyQ")
    page.keyboard.press("Space")
    player.until(lambda: player.count("called", seat=player.seat) == 1)
    assert pressed(page) == [page.locator("[data-card]").first.get_attribute("data-card")]


def test_after_a_tap_space_calls(visit: Visit) -> None:
    player = scramble_table(visit(has_touch=True), rounds=1, show_seconds=30)
    begin(player)
    play_out(player, stop=lambda: player.state.phase == "play")
    player.page.locator("[data-die]").nth(3).tap()
    player.page.keyboard.press("Space")
    player.until(lambda: player.count("called") == 1)
    expect(player.page.locator("[data-die][aria-pressed=true]")).to_have_count(1)


def test_another_key_always_calls(visit: Visit) -> None:
    player = alone(visit)
    tab_to(player.page, "[data-card]")
    player.page.keyboard.press("KeyL")
    player.until(lambda: player.count("called") == 1)


def test_single_keys_can_be_changed(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/keys")
    cards = page.get_by_role("region", name="Set", exact=True)
    call = cards.get_by_role("button", name="Change the key: Call SET!")
    call.click()
    expect(cards.get_by_text("Press the new key.")).to_be_visible()
    page.keyboard.press("KeyP")
    taken = "P is taken: Say everything on the table. The key stays L."
    expect(cards.get_by_text(taken)).to_be_visible()
    assert taken in spoken(page)
    call.click()
    page.keyboard.press("Enter")
    expect(cards.get_by_text("Enter stays as it is.")).to_be_visible()
    assert "Enter stays as it is." in spoken(page)
    call.click()
    page.keyboard.press("Escape")
    expect(call).to_have_text("L")
    call.click()
    page.keyboard.press("KeyQ")
    expect(call).to_have_text("Q")
    assert "Q: Call SET!, wherever you are. Q no longer chooses a card or die." in spoken(page)
    # It is the same for every game, and kept.
    page.reload()
    region = page.get_by_role("region", name="Scramble")
    expect(region.get_by_role("button", name="Change the key: Call SET!")).to_have_text("Q")

    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], **ALONE)
    begin(player)
    play_out(player, stop=lambda: player.state.phase == "play")
    player.page.locator("[data-card]").first.wait_for()
    player.page.keyboard.press("KeyL")
    player.page.keyboard.press("KeyA")
    expect(player.page.locator("[data-card][aria-pressed=true]")).to_have_count(1)
    assert player.count("called") == 0
    player.page.keyboard.press("KeyQ")
    player.until(lambda: player.count("called") == 1)
    expect(player.page.locator("[data-card][aria-pressed=true]")).to_have_count(1)

    page.get_by_role("button", name="Back to the usual keys").click()
    expect(region.get_by_role("button", name="Change the key: Call SET!")).to_have_text("L")
    assert "The usual keys are back." in spoken(page)


def test_single_keys_can_be_turned_off(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/settings")
    page.get_by_label("Single-key shortcuts").uncheck()
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], **ALONE)
    begin(player)
    play_out(player, stop=lambda: player.state.phase == "play")
    page = player.page
    page.locator("[data-card]").first.wait_for()
    for key in ("KeyQ", "KeyL", "Digit0", "?", "/"):
        page.keyboard.press(key)
    page.keyboard.press("Space")
    player.until(lambda: player.count("called") == 1)
    assert player.count("saw_none") == 0
    assert pressed(page) == []
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#typed")).to_have_count(0)


def test_without_single_keys_the_same_is_reached_by_tab(visit: Visit) -> None:
    player = alone(visit, shortcuts=False)
    page = player.page
    assert "Press ?" not in (page.locator("[role=log][aria-live]").first.text_content() or "")
    for name, said in (
        ("Say how the game stands", "Ada, you: 0 points"),
        ("Say everything on the table", "cards on the table. Column 1: "),
    ):
        button = page.get_by_role("button", name=name)
        button.focus()
        expect(button).to_be_in_viewport()
        page.keyboard.press("Enter")
        expect(page.locator("[role=log][aria-live] p").last).to_contain_text(said)
    page.get_by_role("button", name="Keys", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog", name="Keys").wait_for()


def test_cards_are_typed_wherever_the_focus_was_and_it_goes_back_there(visit: Visit) -> None:
    player = alone(visit)
    page = player.page
    tab_to(page, "[data-card]")
    here = focus(page)
    for _ in range(2):
        page.keyboard.press("/")
        expect(page.locator("#typed")).to_be_focused()
        expect(page.locator("#typed")).to_have_value("")
        page.keyboard.type("1l")
        page.keyboard.press("Escape")
        expect(page.locator("#typed")).to_have_count(0)
        assert focus(page) == here
    assert pressed(page) == []
    # What is not there is selected, to be typed over; three that are there are called with one more Enter.
    page.keyboard.press("/")
    expect(page.locator("#typed")).to_have_accessible_description(re.compile("1RFD is 1, red, full, diamond"))
    page.keyboard.type("zzz")
    page.keyboard.press("Enter")
    page.keyboard.type(" ".join(map(str, find_sets(player.state.table)[0])))
    page.keyboard.press("Enter")
    hears(page, "Press Enter again to call.")
    page.keyboard.press("Enter")
    player.until(lambda: player.count("took") == 1)


def test_a_link_of_the_menu_leads_to_the_heading_of_a_page_with_its_own_title(visit: Visit) -> None:
    page = visit().open("/")
    for link, title in (("Learn", "Learn · Tercet"), ("Rules", "Rules · Tercet"), ("Tercet", "Tercet")):
        page.get_by_role("link", name=link, exact=True).first.focus()
        page.keyboard.press("Enter")
        expect(page.locator("main h1")).to_be_focused()
        expect(page).to_have_title(title)
    # So does a button; at a table it leads to where one plays.
    page.get_by_role("button", name="Play Set", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.dataset.card")


def test_a_question_mark_shows_the_keys_and_the_focus_comes_back(visit: Visit) -> None:
    player = alone(visit)
    page = player.page
    tab_to(page, "[data-card]")
    page.keyboard.press("ArrowDown")
    here = focus(page)
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys.get_by_text("Call SET!, wherever you are")).to_be_visible()
    expect(keys.get_by_text("Choose a card: the rows of letters")).to_be_visible()
    # No key of the table means anything behind a dialog.
    page.keyboard.press("KeyL")
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    assert focus(page) == here
    page.keyboard.press("Space")
    assert pressed(page) == [here]
    assert player.count("called") == 0


def test_the_focus_is_never_lost_at_the_card_table(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], rounds=2, only="red", auto_deal=True, show_seconds=30)
    page = player.page
    page.get_by_role("button", name="I am ready").focus()
    page.keyboard.press("Enter")
    player.until(lambda: player.is_playing)
    page.wait_for_function("() => document.activeElement.dataset.card")
    # A card that is taken while it has the focus leaves it to the one that comes in its place.
    tab_to(page, "[data-card]")
    found = find_sets(player.state.table)[0]
    page.locator(f'[data-card="{found[0]}"]').focus()
    page.evaluate(CLICK, [f'[data-card="{card}"]' for card in found])
    page.keyboard.press("KeyL")
    player.until(lambda: player.count("took") == 1)
    page.wait_for_function(
        "old => ![undefined, old].includes(document.activeElement.dataset.card)", arg=str(found[0])
    )
    assert focus(page) in map(str, player.state.table)
    # A button that does nothing now keeps it: what calls cannot call again.
    tab_to(page, ".call")
    page.keyboard.press("Enter")
    player.until(lambda: player.count("called") == 2)
    assert page.evaluate("document.activeElement.matches('.call')")
    expect(page.locator(".call")).to_be_disabled()
    play_out(player, stop=lambda: player.count("took") == 2)
    # A dialog gives it back to what opened it, also when it is closed by its button.
    tab_to(page, "header button[aria-label=People]")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Close", exact=True).press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("document.activeElement.ariaLabel") == "People"
    # The end of a round, and the end of the game.
    hurry(player, stop=lambda: player.state.round == 2 and player.state.phase == "deal")
    page.locator(".pause button").wait_for()
    tab_to(page, ".pause button")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.dataset.card")
    hurry(player)
    page.get_by_role("link", name="Replay").wait_for()
    page.wait_for_function("() => document.activeElement !== document.body")


def on_turn(visit: Visit) -> DicePlayer:
    ada, ben = players = two_at_dice(visit(), visit())
    play_out(*players, stop=lambda: any(player.state.turn == player.seat for player in players))
    player = ada if ada.state.turn == ada.seat else ben
    player.page.get_by_role("button", name="Pass").wait_for()
    return player


def spoken(page: Page) -> str:
    found: str = page.locator("[role=log][aria-live]").first.evaluate("log => log.textContent")
    return found


def test_a_dice_key_says_which_die_and_where_it_fits_and_one_key_goes_there(visit: Visit) -> None:
    player = on_turn(visit)
    page, hand = player.page, player.state.hands[player.seat or 0]
    marked = page.locator(".inviting, .pairing")
    for place, die in enumerate(hand):
        if die.face == WILD:
            continue
        page.keyboard.press(f"Digit{place + 1}")
        expect(page.locator(f'[data-die="{die.number}"]')).to_have_attribute("aria-pressed", "true")
        number, colour, shape = list(str(die.face))
        words = {"R": "red", "G": "green", "P": "purple", "D": "diamond", "O": "oval", "S": "squiggle"}
        page.wait_for_function(
            "words => document.querySelector('[role=log][aria-live]').textContent.includes(words)",
            arg=f"{place + 1}: {number}, {words[colour]}, {words[shape]}.",
        )
        squares = marked.evaluate_all("all => all.map(({ dataset }) => dataset.square)")
        # Where it fits by itself, the squares for two dice are not marked, but said, and come after the others.
        pairs = page.get_by_role("button", name="fits with a second die").count()
        single = page.locator(".inviting").count()
        if single:
            more = f" With a second die also on {pairs} square{'s' * (pairs > 1)}." if pairs else ""
            assert f"Fits on {', '.join(squares)}.{more}" in spoken(page)
        seen = []
        for _ in range(single + pairs):
            page.keyboard.press("KeyN")
            seen.append(focus(page))
        assert sorted(seen[: len(squares)]) == sorted(squares)
        assert len(set(seen)) == single + pairs
        if seen:
            page.keyboard.press("Shift+KeyN")
            assert focus(page) == seen[-2 if len(seen) > 1 else -1]
    page.keyboard.press("Escape")


def test_the_focus_is_never_lost_at_the_dice_table(visit: Visit) -> None:
    player = on_turn(visit)
    page = player.page
    tab_to(page, "[data-die]")
    page.keyboard.press("Digit1")
    assert focus(page) not in ("BODY", "")
    page.keyboard.press("Escape")
    hears(page, "Nothing chosen.")
    page.keyboard.press("KeyO")
    hears(page, "Your turn: choose a die. Round 1.")
    tab_to(page, ".actions .button")
    page.keyboard.press("Enter")
    player.until(lambda: player.count("passed", seat=player.seat) == 1)
    page.wait_for_function("() => document.activeElement !== document.body")
    hears(page, "You pass.")


@pytest.mark.parametrize("key", ["KeyO", "KeyP", "KeyK"])
def test_a_key_says_how_it_stands_what_lies_there_or_the_last_again(visit: Visit, key: str) -> None:
    player = alone(visit)
    page = player.page
    before = page.locator("[role=log][aria-live] p").count()
    page.keyboard.press(key)
    expect(page.locator("[role=log][aria-live] p")).to_have_count(before + 1)
    last = page.locator("[role=log][aria-live] p").last.text_content() or ""
    wanted = {
        "KeyO": "Ada, you: 0 points",
        "KeyP": "cards on the table. Column 1: ",
        "KeyK": "Press ? for the keys.",
    }
    assert wanted[key] in last


def test_a_bot_that_takes_a_card_leaves_the_focus_where_it_was(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], bot("champion"), **ALONE)
    begin(player)
    play_out(player, stop=lambda: player.state.phase == "play")
    page = player.page
    page.locator("[data-card]").first.wait_for()
    tab_to(page, "[data-card]")

    def has_taken_three() -> bool:
        if not find_sets(player.state.table) and player.seat not in player.state.none:
            page.keyboard.press("Digit0")
        return player.count("took") >= 3

    player.until(has_taken_three, seconds=120)
    page.wait_for_function("() => document.activeElement.dataset.card")

    def is_chosen() -> bool:
        page.keyboard.press("Space")
        return page.locator("[data-card][aria-pressed=true]").count() == 1

    # It was reached by keys, and still is: Space chooses it, until the bot takes it, and does not call.
    player.until(is_chosen)
    assert not player.count("called", seat=player.seat)
