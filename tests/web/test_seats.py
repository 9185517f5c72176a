"""Who comes and goes while a game is running, and what the others are told of it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.web.conftest import Visit
from tests.web.line import Line
from tests.web.players import CardPlayer, Player
from tests.web.tables import begin, bot, card_table, sign_in, sit, two_at_dice

#: Keeps what is shown and what is spoken: a bot that moves at once has the next word.
LISTEN = """() => {
  window.shown = []
  window.spoken = []
  const keep = (all, selector) => {
    const place = document.querySelector(selector)
    const note = () => all.push(place.innerText)
    new MutationObserver(note).observe(place, { subtree: true, childList: true, characterData: true })
  }
  keep(window.shown, '.message')
  keep(window.spoken, '.hidden[aria-live]')
}"""


def listen(page: Page) -> None:
    page.locator(".message").wait_for(state="attached")
    page.evaluate(LISTEN)


def wait_for_words(page: Page, words: str) -> None:
    """Until they have been shown and spoken."""
    for kept in ("shown", "spoken"):
        wait_until_kept(page, kept, words)


def wait_until_kept(page: Page, kept: str, words: str) -> None:
    page.wait_for_function(f"words => window.{kept}.some((text) => text.includes(words))", arg=words)


def leave(player: Player[Any]) -> None:
    player.press("People")
    player.page.get_by_role("button", name="Give up my seat").press("Enter")
    player.page.get_by_role("button", name="Really give it up").press("Enter")


def test_a_bot_plays_on_for_somebody_who_leaves_and_somebody_for_the_bot(visit: Visit) -> None:
    visitors = [visit(), visit(), visit()]
    for visitor, name in zip(visitors, ("Ada", "Ben", "שרה"), strict=True):
        sign_in(visitor, name)
    ada, ben = players = card_table(visitors[:2], bot("casual"))
    begin(*players)
    listen(ada.page)
    leave(ben)
    wait_for_words(ada.page, "Casual\u00a0II plays on for Ben.")
    sarah = sit(CardPlayer, visitors[2], ada.page.url.rpartition("/")[2])
    listen(sarah.page)
    sarah.press("People")
    sarah.page.get_by_role("button", name="Sit here").first.click()
    sarah.press("Close")
    wait_for_words(ada.page, "\u2068שרה\u2069 plays on in place of a bot.")
    wait_for_words(sarah.page, "You play on in place of a bot.")


def test_the_host_lets_a_bot_play_for_somebody_who_is_gone(visit: Visit, line: Line) -> None:
    ada_came, ben_came = visit(), visit(home=line.home, expect_trouble=True)
    sign_in(ada_came, "Ada")
    sign_in(ben_came, "Ben")
    ada, ben = players = card_table([ada_came, ben_came])
    begin(*players)
    listen(ada.page)
    listen(ben.page)
    line.cut()
    ada.press("People")
    ada.press("Let a bot play for Ben")
    ada.press("Close")
    wait_for_words(ada.page, "Skilled plays on for Ben.")
    line.mend()
    wait_for_words(ben.page, "Skilled now plays in your place.")


def test_at_the_dice_table_too(visit: Visit) -> None:
    ada, ben = two_at_dice(visit(), visit())
    listen(ada.page)
    leave(ben)
    wait_for_words(ada.page, "Steady plays on for Ben.")
