"""An edition of one's own on the site: checked, drawn, played with, and named at the table."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.server.web.test_editions import SMALL
from tests.web.conftest import Visit
from tests.web.tables import begin, bot, dice_table, sign_in


def test_an_edition_of_ones_own_is_checked_drawn_played_with_and_named(visit: Visit) -> None:
    visitor = visit()
    sign_in(visitor, "Ada")
    page = visitor.open("/new?game=cubed&all")
    field = page.get_by_label("Edition")
    field.select_option(label="Your own…")
    dialog = page.get_by_role("dialog")
    text = dialog.get_by_role("textbox")
    dialog.get_by_role("button", name="Begin with an example").click()
    expect(text).to_have_value(re.compile("name = "))
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
