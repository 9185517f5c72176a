"""A SET that somebody takes is seen: framed in the taker's colour, above the new cards, and nobody waits for it."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tercet.cards.variants import variant_of
from tercet.sets import find_sets, is_set
from tests.web.browsing import PHONE
from tests.web.conftest import Visit
from tests.web.players import CLICK, CardPlayer, play_out
from tests.web.tables import SHORT, begin, bot, card_table, scramble_table, sign_in, two_at_cards

#: Notes every frame as it appears, with what lies beneath it; and picks that at once, if asked to.
WATCH = """pick => {
  window.frames_ = []
  const note = (frame) => {
    const { left, top, width, height } = frame.getBoundingClientRect()
    const beneath = () => document.elementFromPoint(left + width / 2, top + height / 2)?.closest('[data-card], [data-die]')
    const idOf = (thing) => thing?.dataset.card ?? thing?.dataset.die ?? null
    const [flight] = frame.getAnimations()
    const probe = document.createElement('i')
    probe.style.color = `var(--seat-${frame.dataset.takenBy})`
    document.body.append(probe)
    const noted = {
      seat: Number(frame.dataset.takenBy),
      name: frame.querySelector('bdi').textContent,
      framed: getComputedStyle(frame).outlineColor === getComputedStyle(probe).color,
      ms: flight.effect.getComputedTiming().duration,
      moves: flight.effect.getKeyframes().some(({ transform }) => transform && transform !== 'none'),
    }
    probe.remove()
    // Others are dealt with the next frame or two, while it is still framed.
    const taken = idOf(beneath())
    const look = () => {
      if (idOf(beneath()) === taken && frame.isConnected) return requestAnimationFrame(look)
      window.frames_.push({ ...noted, beneath: frame.isConnected ? idOf(beneath()) : null })
      if (pick) beneath()?.click()
    }
    look()
  }
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof Element && node.matches('[data-taken-by]')) note(node)
  }).observe(document.body, { childList: true, subtree: true })
}"""


def frames(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("window.frames_")
    return found


def in_play(player: CardPlayer) -> None:
    begin(player)
    play_out(player, stop=lambda: player.state.phase == "play")
    player.page.locator("[data-card]").first.wait_for()


def alone(visit: Visit, **options: Any) -> CardPlayer:
    visitor = visit()
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], **({"rounds": 1, "auto_deal": True, "show_seconds": 30} | options))
    in_play(player)
    return player


def pick(page: Page, cards: Any) -> None:
    page.evaluate(CLICK, [f'[data-card="{card}"]' for card in cards])


def test_a_set_is_framed_with_the_takers_name_and_colour_and_what_is_dealt_can_be_picked_at_once(
    visit: Visit,
) -> None:
    visitors = [visit(), visit(viewport=PHONE)]
    for visitor in visitors:
        visitor.settle(motion="full")
    ada, ben = two_at_cards(*visitors, rounds=1, auto_deal=True, show_seconds=30)
    ben.page.evaluate(WATCH, True)
    play_out(ada, stop=lambda: ada.count("took") == 1)
    ben.until(lambda: ben.count("took") == 1)
    ben.page.wait_for_function("() => window.frames_.length === 3")
    dealt = next(event["dealt"] for event in ben.events if event["kind"] == "took")
    for frame in frames(ben.page):
        assert (frame["seat"], frame["name"], frame["framed"]) == (ada.seat, "Ada", True)
        assert frame["ms"] >= 800
        assert frame["moves"]
    assert {frame["beneath"] for frame in frames(ben.page)} == set(dealt)
    for card in dealt:
        expect(ben.page.locator(f'[data-card="{card}"]')).to_have_attribute("aria-pressed", "true")
    expect(ben.page.locator("[data-taken-by]")).to_have_count(0)
    expect(ben.page.locator(".message")).to_contain_text("Ada takes a SET.")


def test_where_nothing_may_move_the_frame_is_there_all_the_same(visit: Visit) -> None:
    visitor = visit(reduced_motion="reduce")
    sign_in(visitor, "Ada")
    (player,) = card_table([visitor], **SHORT)
    in_play(player)
    player.page.evaluate(WATCH, False)
    play_out(player, stop=lambda: player.count("took") == 1)
    player.page.wait_for_function("() => window.frames_.length === 3")
    assert [(frame["ms"], frame["moves"]) for frame in frames(player.page)] == [(800, False)] * 3
    expect(player.page.locator("[data-taken-by]")).to_have_count(0)


@pytest.mark.parametrize(
    ("variant", "size"),
    [
        ("ghost", 6),
        ("chain", 3),
        pytest.param("ultra", 4, marks=pytest.mark.long),
        pytest.param("shuffle", 3, marks=pytest.mark.long),
    ],
)
def test_every_card_of_a_group_is_framed(visit: Visit, variant: str, size: int) -> None:
    player = alone(visit, variant=variant)
    # The second group of a chain has a card that lies beside the table.
    play_out(player, stop=lambda: player.count("took") == 1)
    expect(player.page.locator("[data-taken-by]")).to_have_count(0)
    player.page.evaluate(WATCH, False)
    play_out(player, stop=lambda: player.count("took") == 2)
    player.page.wait_for_function("size => window.frames_.length === size", arg=size)


def test_dice_are_framed_too(visit: Visit) -> None:
    player = scramble_table(visit(viewport=PHONE, has_touch=True), bot("beginner"), rounds=1, show_seconds=30)
    begin(player)
    play_out(player, stop=lambda: player.state.phase == "play")
    player.page.locator("[data-die]").first.wait_for()
    player.page.evaluate(WATCH, False)
    play_out(player, stop=lambda: player.count("took") == 1)
    player.page.wait_for_function("() => window.frames_.length === 3")


def test_the_button_says_that_three_cards_are_shown_with_the_call_whether_they_are_a_set_or_not(
    visit: Visit,
) -> None:
    player = alone(visit)
    page, table = player.page, player.state.table
    none = next(three for three in combinations(table, 3) if not is_set(*three))
    pick(page, none)
    button = page.get_by_role("button", name="SET! Show these 3", exact=True)
    expect(button).to_be_visible()
    expect(page.get_by_text("3 chosen: call to show them.").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="SET!", exact=True)).to_be_visible()
    play_out(player, stop=lambda: bool(find_sets(player.state.table)))
    pick(page, find_sets(player.state.table)[0])
    button.click()
    player.until(lambda: player.count("took") == 1)
    assert player.count("called") == 1


def test_four_cards_are_counted_as_four(visit: Visit) -> None:
    player = alone(visit, variant="ultra")
    groups = variant_of(player.state.options).groups(player.state.table, ())
    pick(player.page, groups[0])
    player.page.get_by_role("button", name="SET! Show these 4", exact=True).click()
    player.until(lambda: player.count("took") == 1)


def test_whoever_was_later_keeps_what_is_picked(visit: Visit) -> None:
    ada, ben = players = two_at_cards(visit(), visit(), **SHORT)
    pick(ben.page, ben.state.table[:3])
    # Both at once: the server hears one of them first.
    for player in players:
        player.page.evaluate("setTimeout(() => document.querySelector('.call').click(), 200)")
    ada.until(lambda: ada.state.call is not None or ada.count("missed") + ada.count("took") > 0)
    if ada.count("called", seat=ben.seat) == 0:
        expect(ben.page.locator("[aria-pressed=true][data-card]")).to_have_count(3)
        assert ben.count("missed") == 0


def test_a_wrong_one_fades_and_its_explanation_stays(visit: Visit) -> None:
    player = alone(visit)
    page = player.page
    pick(page, next(three for three in combinations(player.state.table, 3) if not is_set(*three)))
    page.keyboard.press("Space")
    expect(page.locator("[data-card].wrong")).to_have_count(3)
    expect(page.locator("[data-card].wrong")).to_have_count(0)
    expect(page.locator(".message")).to_contain_text("Not a SET")
