"""The table as a place: what lies where, on every screen, and how a first visitor is received."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, Route, ViewportSize, expect

from tests.web.browsing import PHONE
from tests.web.catalogues import LANGUAGES, catalogue
from tests.web.conftest import Visit
from tests.web.eyesight import everything_is_within_reach
from tests.web.players import CardPlayer, hurry
from tests.web.tables import begin, bot, card_table, dice_table, sign_in, two_at_cards

SMALL: ViewportSize = {"width": 320, "height": 640}
SMALLEST: ViewportSize = {"width": 320, "height": 568}
LAPTOP: ViewportSize = {"width": 1280, "height": 720}
HUGE: ViewportSize = {"width": 2560, "height": 1440}
#: What of an element can be seen: its box, cut by every ancestor that cuts.
CUT = """element => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const cut = [element.scrollWidth > element.clientWidth + 1]
    for (let one = element.parentElement; one; one = one.parentElement) {
        if (getComputedStyle(one).overflow === 'visible') continue
        const box = one.getBoundingClientRect()
        cut.push(left < box.left - 1 || top < box.top - 1 || right > box.right + 1 || bottom > box.bottom + 1)
    }
    return cut.includes(true) || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
}"""


def sent_to(page: Page, path: str) -> list[Any]:
    """What the page posts there from now on."""
    sent: list[Any] = []

    def note(request: Request) -> None:
        if request.method == "POST" and request.url.endswith(path):
            sent.append(request.post_data_json)

    page.on("request", note)
    return sent


class Box:
    """Where something is on the screen."""

    def __init__(self, found: Any) -> None:
        assert found is not None
        self.left, self.top = found["x"], found["y"]
        self.right, self.bottom = self.left + found["width"], self.top + found["height"]
        self.width, self.height = found["width"], found["height"]

    def overlaps(self, other: Box) -> bool:
        return not (
            self.right <= other.left
            or other.right <= self.left
            or self.bottom <= other.top
            or other.bottom <= self.top
        )


def box(found: Locator) -> Box:
    return Box(found.bounding_box())


def boxes(found: Locator) -> list[Box]:
    return [box(one) for one in found.all()]


def bots(count: int) -> list[dict[str, str]]:
    return [bot("beginner")] * count


def two(visit: Visit, size: ViewportSize, **options: Any) -> list[CardPlayer]:
    """Ada and Ben at the cards."""
    return two_at_cards(visit(viewport=size), visit(viewport=size), rounds=1, show_seconds=30, **options)


# --- the start page ---


def test_the_start_page_remembers_strength_and_length(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open()
    expect(page.locator("article .button.strong")).to_have_text("Play Set")
    sheet = page.get_by_role("article").filter(has=page.get_by_role("button", name="Play Set", exact=True))
    expect(sheet.get_by_label("Length")).to_have_value("1")
    expect(sheet.get_by_label("Length")).to_contain_text("1 deck")
    sheet.get_by_label("Strength of the bots").select_option("Skilled")
    sheet.get_by_label("Length").select_option("2 decks")
    page.reload()
    expect(sheet.get_by_label("Length")).to_have_value("2")
    made = sent_to(page, "/api/tables")
    sheet.get_by_role("button", name="Play Set").click()
    page.locator("[data-card]").first.wait_for()
    posted = next(body for body in made if body)
    assert posted["options"]["rounds"] == 2
    assert posted["seats"][1]["bot"].startswith("regular")


def test_running_games_lie_on_top_and_nothing_jumps(visit: Visit) -> None:
    visitor = visit(viewport=PHONE)
    sign_in(visitor, "Ada")
    page = visitor.open()
    page.get_by_role("button", name="Play Set Cubed").click()
    page.locator(".board").wait_for()
    page.goto(visitor.home)
    running = page.get_by_role("link", name=re.compile("Set Cubed.*(Go on|Your turn)"))
    running.wait_for()

    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/**", hold)
    page.reload()
    expect(running).to_be_visible()
    play = page.get_by_role("button", name="Play Set", exact=True)
    before = box(play).top
    assert box(running).bottom < before
    while held:
        held.pop().continue_()
        page.wait_for_timeout(50)
    page.unroute("**/api/**")
    expect(page.get_by_text("No table is listed right now")).to_be_visible()
    assert box(play).top == before


def test_the_lobby_says_who_sits_where_and_an_empty_one_what_to_do(visit: Visit) -> None:
    visitor, other = visit(), visit()
    sign_in(other, "Ada")
    page = visitor.open()
    page.get_by_role("link", name="Open a table for everyone").click()
    expect(page.get_by_label("Listed for everyone")).to_be_checked()
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("button", name="Make this table").click()
    page.get_by_role("button", name="I am ready").wait_for()
    lobby = other.open()
    expect(lobby.get_by_role("link", name="Sit down: Set, Ben")).to_be_visible()
    expect(lobby.get_by_text(re.compile(r"\d+ (person at a table|people at tables)"))).to_be_visible()
    page.get_by_role("button", name="People", exact=True).click()
    page.get_by_role("button", name="Close the table").click()
    page.get_by_role("button", name="Really close it").press("Enter")


def test_the_first_game_of_a_kind_is_gentle_with_hints_and_the_next_is_not(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open()
    made = sent_to(page, "/api/tables")
    page.get_by_role("button", name="Play Set", exact=True).click()
    page.locator("[data-card]").first.wait_for()
    expect(page.get_by_role("button", name="Hint")).to_be_visible()
    assert (made[-1]["seats"][1]["bot"], made[-1]["practice"]) == ("beginner:gentle", True)
    expect(page.locator(".seats")).to_contain_text("Beginner")
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.get_by_text("First game")).to_be_visible()
    page.evaluate("localStorage.setItem('tercet.level', JSON.stringify({ set: 1 }))")
    page.goto(visitor.home)
    page.get_by_role("button", name="Play Set", exact=True).click()
    page.locator("[data-card]").first.wait_for()
    assert (made[-1]["seats"][1]["bot"], made[-1]["practice"]) == ("casual", False)


def test_what_is_asked_and_told_at_the_first_game_covers_nothing(visit: Visit) -> None:
    """The way back and everything else stay within reach, on a small phone and magnified."""
    page = visit(viewport=SMALL).open()
    page.get_by_role("button", name="Play Set", exact=True).click()
    page.locator("[data-card]").first.wait_for()
    expect(page.get_by_text("Sound?", exact=True)).to_be_visible()
    everything_is_within_reach(page)
    page.get_by_role("button", name="No", exact=True).click()
    told = page.get_by_text("First game")
    expect(told).to_be_visible()
    assert told.evaluate("one => one.offsetHeight") >= 44
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    everything_is_within_reach(page)


def test_sound_is_asked_about_once(visit: Visit) -> None:
    visitor = visit(viewport=SMALL)
    sign_in(visitor, "Ada")
    (ada,) = card_table([visitor], rounds=1)
    begin(ada)
    question = ada.page.get_by_text("Play with sound?")
    expect(question).to_be_attached()
    ada.press("Yes")
    expect(question).to_have_count(0)
    settings = json.loads(ada.page.evaluate("localStorage.getItem('tercet.settings')"))
    assert settings["volume"] > 0
    ada.page.reload()
    ada.page.locator(".seats").wait_for()
    expect(question).to_have_count(0)


# --- the header ---

ROW = """() => {
    const parts = [...document.querySelectorAll('header .inside > *')].filter((one) => one.getClientRects().length)
    const boxes = parts.map((one) => one.getBoundingClientRect())
    const apart = boxes.every((one, place) => place === 0 || one.left >= boxes[place - 1].right - 1 || one.right <= boxes[place - 1].left + 1)
    const middles = boxes.map(({ top, bottom }) => Math.round((top + bottom) / 2))
    return apart && new Set(middles).size === 1 && document.documentElement.scrollWidth <= innerWidth
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_header_is_one_row_in_every_language(visit: Visit, language: str) -> None:
    visitor = visit(viewport=SMALL)
    visitor.settle(language=language)
    sign_in(visitor, "Bartholomew Featherstonehaugh")
    page = visitor.open("/nowhere")
    page.locator("header .token").wait_for()
    for width in (320, 390, 815, 816, 960, 1440):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate(ROW), width


def test_on_a_phone_the_menu_has_every_link_by_key_and_by_touch(visit: Visit) -> None:
    page = visit(viewport=SMALL).open("/nowhere")
    menu = page.get_by_role("button", name="Menu")
    menu.focus()
    page.keyboard.press("Enter")
    links = page.get_by_role("navigation", name="Main menu").get_by_role("link")
    expect(links).to_have_text(["Daily", "Against the clock", "Learn", "Rules", "My games", "Settings"])
    expect(menu).to_have_attribute("popovertarget", "menu")
    page.keyboard.press("Tab")
    expect(links.first).to_be_focused()
    page.keyboard.press("Escape")
    expect(links.first).to_be_hidden()
    expect(menu).to_be_focused()
    menu.click()
    links.filter(has_text="Rules").click()
    page.wait_for_url("**/rules")
    expect(links.first).to_be_hidden()


# --- the chat ---


def test_the_chat_lies_beside_the_table_and_covers_nothing(visit: Visit) -> None:
    ada, ben = two(visit, LAPTOP)
    chat = ada.page.get_by_role("region", name="Chat")
    expect(chat).to_be_visible()
    ben.page.get_by_label("Say something").fill("Hello, Ada! " * 12)
    ben.page.keyboard.press("Enter")
    expect(chat).to_contain_text("Hello, Ada!")
    chat.get_by_role("button", name="Reactions").click()
    chat.get_by_role("button", name="Wow!").hover()
    assert not ada.page.locator("dialog").count()
    where = box(chat)
    for card in boxes(ada.page.locator("[data-card]")):
        assert not card.overlaps(where)
    for part in (".middle", ".foot", ".seats", ".log"):
        assert not box(ada.page.locator(part)).overlaps(where), part


def test_on_a_phone_a_message_is_a_line_at_the_head(visit: Visit) -> None:
    ada, ben = two(visit, PHONE)
    ben.press("Chat")
    ben.page.get_by_label("Say something").fill("Well, well")
    ben.page.keyboard.press("Enter")
    toast = ada.page.get_by_role("button", name="Well, well")
    expect(toast).to_be_visible()
    said = box(toast)
    assert not any(card.overlaps(said) for card in boxes(ada.page.locator("[data-card]")))
    assert not box(ada.page.locator(".seats")).overlaps(said)
    toast.click()
    expect(ada.page.get_by_role("dialog", name="Chat")).to_contain_text("Well, well")


def test_a_reaction_is_one_tap_on_a_seat(visit: Visit) -> None:
    ada, ben = two(visit, PHONE)
    ada.page.get_by_role("button", name="Ben: 0 points").click()
    ada.page.get_by_role("button", name="Well played!").click()
    expect(ben.page.locator(".seats li").first).to_contain_text("Well played!")
    expect(ada.page.get_by_role("button", name="Wow!")).to_have_count(0)


# --- sizes ---


@pytest.mark.parametrize("language", ["en", "he"])
def test_eight_players_can_be_told_apart_on_the_smallest_phone(visit: Visit, language: str) -> None:
    visitor = visit(viewport=SMALLEST)
    sign_in(visitor, "Carlotta")
    visitor.settle(language=language)
    (ada,) = card_table([visitor], *bots(7), rounds=1)
    ada.page.locator(".button.strong").first.wait_for()
    expect(ada.page.get_by_role("button", name=catalogue(language)["add_seat"])).to_have_count(0)
    ada.page.locator(".button.strong").first.click()
    ada.page.locator(".seats li").nth(7).wait_for()
    seats = ada.page.locator(".seats .seat")
    assert not [seat.inner_text() for seat in seats.all() if seat.evaluate(CUT)]
    shown = seats.evaluate_all(
        "all => all.map((seat) => getComputedStyle(seat.querySelector('.name'), '::before').content)"
    )
    assert len(set(shown)) == 8, "initials, each its own"
    assert (
        len(
            set(
                ada.page.locator(".seats .token path").evaluate_all(
                    "all => all.map((one) => one.getAttribute('d'))"
                )
            )
        )
        == 8
    )
    found = boxes(ada.page.locator(".seats li"))
    assert not any(one.overlaps(other) for one in found for other in found if one is not other)


WHERE = (
    "all => all.map((one) => { const { x, y, width } = one.getBoundingClientRect(); return [x, y, width] })"
)


def lies(player: CardPlayer, count: int) -> bool:
    return len(player.state.table) == count


@pytest.mark.parametrize(
    "size", [SMALLEST, pytest.param(SMALL, marks=pytest.mark.long), {"width": 568, "height": 320}]
)
def test_twenty_one_cards_are_whole_on_a_small_phone(visit: Visit, size: ViewportSize) -> None:
    visitor = visit(viewport=size)
    visitor.settle(motion="less")
    sign_in(visitor, "Ada")
    (ada,) = card_table([visitor], rounds=1)
    begin(ada)
    ada.until(lambda: ada.act() or ada.state.phase == "play")
    cards = ada.page.locator("[data-card]")
    expect(cards).to_have_count(12)
    lay = cards.evaluate_all(WHERE)
    for count in (15, 18, 21):
        ada.press("I see none")
        ada.until(partial(lies, ada, count))
        if count == 15 and size["height"] > size["width"]:
            expect(cards).to_have_count(15)
            assert cards.evaluate_all(WHERE)[:12] == lay, "three more move no card"
    expect(cards).to_have_count(21)
    assert not [card.get_attribute("data-card") for card in cards.all() if card.evaluate(CUT)]
    found = boxes(cards)
    others = [box(ada.page.locator(part)) for part in (".seats", ".foot", "header")]
    assert not any(card.overlaps(other) for card in found for other in others)
    assert not any(one.overlaps(other) for one in found for other in found if one is not other)


def test_the_squares_are_large_with_four_hands_on_the_smallest_screen(visit: Visit) -> None:
    visitor = visit(viewport=SMALL)
    sign_in(visitor, "Ada")
    (ada,) = dice_table([visitor], bot("random"), bot("random"), bot("random"))
    begin(ada)
    ada.page.locator("[data-square=a1]").wait_for()
    a1, b1 = (box(ada.page.locator(f"[data-square={square}]")) for square in ("a1", "b1"))
    assert b1.left - a1.left >= 34, "as large as the screen allows beside the numbers of the rows"
    assert ada.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    ada.page.get_by_role("button", name=re.compile("^Beginner\\sII\\b")).click()
    expect(ada.page.locator("[popover] [data-held-die]")).to_have_count(5)


def test_a_huge_screen_is_used(visit: Visit) -> None:
    visitor = visit(viewport=HUGE)
    sign_in(visitor, "Ada")
    page = visitor.open()
    page.get_by_text("No table is listed right now").or_(
        page.get_by_role("link", name="Sit down")
    ).first.wait_for()
    sheets = boxes(page.locator(".paper"))
    left, right = min(one.left for one in sheets), max(one.right for one in sheets)
    assert right - left > 0.6 * HUGE["width"]
    assert max(one.bottom for one in sheets) > 0.85 * HUGE["height"]
    assert abs(left - (HUGE["width"] - right)) < 2, "in the middle"
    (ada,) = card_table([visitor], *bots(2), rounds=1, show_seconds=30, auto_deal=True)
    begin(ada)
    hurry(ada, stop=lambda: ada.count("took") >= 1)
    table = box(ada.page.locator(".table"))
    assert table.width > 0.9 * HUGE["width"]
    assert table.height > 0.9 * HUGE["height"]
    cards = boxes(ada.page.locator("[data-card]"))
    tall = max(one.bottom for one in cards) - min(one.top for one in cards)
    assert tall > 0.6 * HUGE["height"]


# --- what moves ---

#: Writes down when each card that comes to the table sets out.
WATCH = """window.delays = []
const { animate } = Element.prototype
Element.prototype.animate = function (frames, timing) {
    if (this.closest('[data-card]')) window.delays.push(timing.delay)
    return animate.call(this, frames, timing)
}"""


@pytest.mark.parametrize("motion", ["full", "less"])
def test_the_deal_is_seen_card_by_card_unless_motion_is_off(visit: Visit, motion: str) -> None:
    visitor = visit()
    visitor.settle(motion=motion)
    visitor.context.add_init_script(WATCH)
    sign_in(visitor, "Ada")
    (ada,) = card_table([visitor], rounds=1)
    begin(ada)
    expect(ada.page.locator("[data-card]")).to_have_count(12)
    assert len(set(ada.page.evaluate("window.delays"))) == (12 if motion == "full" else 0)
    # Whoever comes back later finds the cards where they are.
    ada.page.wait_for_timeout(5000)
    ada.page.reload()
    expect(ada.page.locator("[data-card]")).to_have_count(12)
    assert ada.page.evaluate("window.delays") == []


#: The room that a name has beside its token where two sit side by side on a small phone (320 px): see `table/Seats.svelte`.
NAME_PX = 104
#: How wide each text is there.
WIDTHS = """texts => {
  const pen = document.createElement('canvas').getContext('2d')
  pen.font = `550 13px ${getComputedStyle(document.body).fontFamily}`
  return texts.map((text) => pen.measureText(text).width)
}"""


def test_the_names_of_bots_have_room_in_every_language(visit: Visit) -> None:
    page = visit().open("/learn")
    names = {
        (language, text)
        for language in LANGUAGES
        for name, text in catalogue(language).items()
        if name.startswith("bot_") and name not in ("bot_fitting", "bot_level")
    }
    listed = sorted(names)
    widths = page.evaluate(WIDTHS, [text for _, text in listed])
    assert {one: width for one, width in zip(listed, widths, strict=True) if width > NAME_PX} == {}
