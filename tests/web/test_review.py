"""The review of a finished game: what it shows, what can be tried, and what comes back as a question."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tercet import cards, cubed
from tercet.client import Client, Refusal, RemoteTable
from tercet.server.protocol import Close, Ready
from tercet.sets import find_sets, is_set
from tests.server.players import open_or_see_none, play_cubed
from tests.web.browsing import PHONE, Visitor
from tests.web.catalogues import IN_TURN
from tests.web.checks import check_access, check_text, check_widths
from tests.web.conftest import Visit
from tests.web.serving import serving
from tests.web.tables import sign_in


class Played(NamedTuple):
    """A server with finished games, and the cookie of the one who played them."""

    home: str
    cookie: str
    cards: str
    dice: str
    #: A game that nobody has asked about, and its table.
    fresh: str
    table: str
    #: Games that have no review, with the reason.
    others: dict[str, str]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Reviews are shallow, so that they are quick, and only made when somebody asks."""
    with (
        pytest.MonkeyPatch.context() as patch,
        ThreadPoolExecutor(1) as thread,
    ):
        patch.setenv("TERCET_REVIEW_NICE", "0")
        with serving(tmp_path_factory.mktemp("reviews"), review_games=160) as home:
            # Playwright has an event loop of its own in this thread.
            yield thread.submit(asyncio.run, play(home)).result(400)


@pytest.fixture(scope="module")
def home(played: Played) -> str:
    """The one server here: that of the finished games."""
    return played.home


async def play(home: str) -> Played:
    async with Client(home) as ada:
        await ada.sign_in("Ada")
        short = {"auto_deal": True, "rounds": 1, "only": "red"}
        race, _ = await one_game(ada, "set", "casual", short)
        dice, _ = await one_game(ada, "cubed", "random", {})
        fresh, table = await one_game(ada, "set", "casual", short)
        others = {
            await unfinished(ada, "set"): "The game is still going on. It can be reviewed when it is over.",
            await unfinished(
                ada, "set", Close()
            ): "The game was broken off. Only finished games are reviewed.",
            await unfinished(ada, "scramble"): "This game has no review.",
        }
        return Played(home, ada.headers()["Cookie"], race, dice, fresh, table, others)


async def unfinished(ada: Client, game: str, *then: Close) -> str:
    """A game that has begun, and what is done to its table."""
    async with ada.join(await ada.create_table(game, bots=["casual"])) as table:
        await table.manage(Ready())
        await table.until(lambda: table.game is not None)
        for command in then:
            await table.manage(command)
        assert table.game is not None
        return table.game


async def one_game(ada: Client, game: str, opponent: str, options: dict[str, object]) -> tuple[str, str]:
    """Its id, and its table."""
    code = await ada.create_table(game, bots=[opponent], options=options, quick_bots=True)
    async with ada.join(code) as table:
        await table.manage(Ready())
        await table.until(lambda: table.game is not None)
        if game == "set":
            await overlook(table)
        await (race if game == "set" else dawdle)(table)
        await table.until(lambda: table.table.last is not None)
        assert table.game is not None
        return table.game, code


async def overlook(table: RemoteTable) -> None:
    """Two mistakes: to see no SET where one lies, and then one where none is."""
    await table.until(lambda: table.state.phase == "play" and bool(find_sets(table.state.table)))
    seat, lying = table.seat or 0, table.state.table
    await table.play(cards.SeeNone(seat))
    await table.play(cards.Call(seat))
    await table.play(cards.Show(seat, next(three for three in combinations(lying, 3) if not is_set(*three))))


async def dawdle(table: RemoteTable) -> None:
    """Pass in the first rounds, whatever could be laid; then play for the points."""
    seat = table.seat or 0
    while not table.is_over and table.state.round < 4:
        state = table.state
        try:
            if state.phase == "opening" and state.call is None and seat not in state.none | state.barred:
                await open_or_see_none(table, seat)
            elif state.phase == "turn" and state.turn == seat:
                await table.play(cubed.Pass(seat))
            elif state.phase == "extra_roll" and seat not in state.answered:
                await table.play(cubed.Choose(seat))
            else:
                await table.changed()
        except Refusal:
            await table.changed()
    await play_cubed(table)


async def race(table: RemoteTable) -> None:
    """Take every SET there is, as soon as one may call."""
    seat = table.seat or 0
    while not table.is_over:
        state = table.state
        found = find_sets(state.table)
        try:
            if state.phase != "play" or state.call is not None or seat in state.locked | state.none:
                await table.changed()
            elif found:
                await table.play(cards.Call(seat))
                await table.play(cards.Show(seat, found[0]))
            else:
                await table.play(cards.SeeNone(seat))
        except Refusal:
            await table.changed()


def ada(visit: Visit, played: Played, **options: object) -> Visitor:
    """Ada, in a browser that knows her."""
    visitor = visit(**options)
    name, _, value = played.cookie.partition("=")
    visitor.context.add_cookies([{"name": name, "value": value, "url": played.home}])
    visitor.context.add_init_script("localStorage.setItem('tercet.person', '{\"known\": true}')")
    return visitor


def ready(page: Page) -> None:
    page.locator(".stop").wait_for(timeout=90_000)


def title(page: Page) -> str:
    return page.locator(".stop .title h2").inner_text()


DAY_MS = 86_400_000


def kept(page: Page) -> list[dict[str, Any]]:
    """The questions that this browser keeps, the next first."""
    found = page.evaluate("JSON.parse(localStorage.getItem('tercet.practice')).questions")
    return sorted(found, key=lambda one: one["due"])


def asked(page: Page) -> dict[str, Any]:
    return kept(page)[0]


def answer(page: Page, asks: dict[str, Any]) -> None:
    """Rightly."""
    if asks["kind"] == "find":
        for card in asks["group"]:
            page.locator(f'[data-card="{card}"]').click()
    else:
        page.locator(".question").get_by_role("button", name=asks["broken"][0]).click()


def test_a_race_is_reviewed_from_my_games_to_practice(visit: Visit, played: Played) -> None:
    page = ada(visit, played).open("/games")
    page.locator(f'a[href^="/games/{played.cards}/review"]').click()
    ready(page)
    # What counts most, for the seat of whoever looks.
    expect(page.locator("section.paper", has_text="In short")).to_contain_text("for each minute of looking")
    whose = page.get_by_role("group", name="Whose game")
    expect(whose.locator("[aria-pressed=true]")).to_contain_text("Ada")
    assert "I see none" in title(page), "it begins with the first mistake"
    # The chart is the slider, and it is a table, too.
    slider = page.get_by_role("slider")
    slider.focus()
    at = int(slider.get_attribute("aria-valuenow") or 0)
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuenow", str(at + 1))
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(".+: .+"))
    page.get_by_text("As a table").click()
    expect(page.locator("figure tbody tr")).to_have_count(int(slider.get_attribute("aria-valuemax") or 0))
    expect(page.locator("figure th")).to_have_text(["When", "What", "Ada", "Casual"])
    expect(page.locator("figure tbody tr").last).to_contain_text(re.compile(r"\d points"))
    # Only the mistakes: a "none" that was wrong, and the call after it.
    page.get_by_role("button", name="Only my mistakes").click()
    count = int(slider.get_attribute("aria-valuemax") or 0)
    assert count >= 2
    slider.focus()
    page.keyboard.press("Home")
    assert "I see none" in title(page)
    page.get_by_role("button", name="One step on").click()
    expect(page.locator(".stop .title h2")).to_contain_text("No SET, because of:")
    # Every SET that lay there, and any other cards.
    lying = page.locator(".stop li button")
    lying.first.click()
    expect(page.locator(".stop .lit")).to_have_count(3)
    page.locator(".stop [data-card]").nth(0).click()
    page.locator(".stop [data-card]").nth(1).click()
    page.locator(".stop [data-card]").nth(2).click()
    expect(page.locator(".stop .sets > p")).to_contain_text(re.compile("Not a SET|That is a SET"))
    # Another player's game.
    whose.get_by_role("button", name="Casual").click()
    # The address says who is looked at, and still who looks.
    expect(page).to_have_url(re.compile(r"\?seat=0&of=1$"))
    page.reload()
    ready(page)
    expect(whose.locator("[aria-pressed=true]")).to_contain_text("Casual")
    expect(page.get_by_role("button", name="Only my mistakes")).to_have_count(0)
    expect(page.get_by_role("button", name="Practise these")).to_have_count(0)
    whose.get_by_role("button", name="Ada").click()
    # What was overlooked is asked again.
    page.get_by_role("button", name="Practise these").click()
    page.get_by_role("heading", name="From your own games").wait_for()
    first = asked(page)
    kinds = [one["asks"]["kind"] for one in kept(page)]
    assert kinds[0] == "find"
    assert "broken" in kinds[1:3], "not wrong calls alone"
    page.get_by_role("button", name="Show it to me").click()
    expect(page.locator(".lit")).to_have_count(3)
    page.get_by_role("button", name="Next").click()
    # What was not known comes again after the others, what was known in some days.
    second = asked(page)
    assert second["id"] != first["id"]
    answer(page, second["asks"])
    page.get_by_role("button", name="Next").wait_for()
    known = next(one for one in kept(page) if one["id"] == second["id"])
    assert (known["known"], known["due"] - second["due"] >= DAY_MS) == (1, True)
    assert kept(page)[-1] == known
    page.goto(played.home + "/learn")
    expect(page.get_by_role("link", name="From your own games")).to_be_visible()


def test_a_dice_game_is_reviewed_and_another_turn_is_judged(visit: Visit, played: Played) -> None:
    page = ada(visit, played).open(f"/games/{played.dice}")
    page.get_by_role("link", name="Review").click()
    page.get_by_role("button", name="Review this game").or_(page.locator(".stop")).first.wait_for()
    if page.get_by_role("button", name="Review this game").count():
        page.get_by_role("button", name="Review this game").click()
    ready(page)
    summary = page.locator("section.paper", has_text="In short")
    for words in ("Accuracy", "Mistakes:", "The dice", "Had the dice favoured nobody|Luck did not decide"):
        expect(summary).to_contain_text(re.compile(words))
    page.get_by_role("group", name="Whose game").get_by_role("button", name="Ada").click()
    page.get_by_role("button", name=re.compile("^Only")).click()
    # What was played beside the best, and every choice that was compared.
    expect(page.locator(".boards figure")).to_have_count(2)
    chances = [float(text.strip("%")) for text in page.locator(".chance").all_inner_texts()]
    assert chances == sorted(chances, reverse=True)
    page.locator(".stop ol button").last.click()
    expect(page.locator(".stop ol [aria-pressed=true]")).to_have_count(1)
    # Luck is told where it happened.
    page.get_by_role("button", name=re.compile("^Only")).click()
    page.get_by_text("As a table").click()
    page.locator("figure tbody button", has_text="throws. Luck").first.click()
    expect(page.locator(".stop .choices")).to_contain_text(re.compile(r"Luck: [+−]?\d+\.\d%"))
    # What if nothing had been laid? The server plays it out.
    turn = page.locator("figure tr", has_text="Ada, turn").last
    turn.get_by_role("button").click()
    page.get_by_role("button", name="Try something else").click()
    known = page.locator(".stop ol li").count()
    page.locator(".try").get_by_role("button", name="Pass").click()
    expect(page.locator(".stop .boards")).to_contain_text(re.compile("Tried|Another"), timeout=60_000)
    assert page.locator(".stop ol li").count() in (known, known + 1)
    # Whoever looks on has nothing of their own to practise.
    expect(page.get_by_role("button", name="Practise these")).to_have_count(0)
    page.goto(f"{played.home}/games/{played.dice}/review?seat=0")
    ready(page)
    page.get_by_role("button", name="Practise these").click()
    page.get_by_role("heading", name="From your own games").wait_for()
    expect(page.locator(".scene")).to_contain_text("in the bag")
    page.get_by_role("button", name=re.compile("^(Pass|Keep all|Throw)")).first.click()
    expect(page.locator(".message")).to_contain_text("wins")


def test_a_review_on_a_phone_shows_one_board_at_a_time(visit: Visit, played: Played) -> None:
    page = ada(visit, played, viewport=PHONE, has_touch=True).open(f"/games/{played.dice}/review?seat=0")
    ready(page)
    expect(page.locator(".boards figure:visible")).to_have_count(1)
    page.get_by_role("group", name="What is shown").get_by_role("button", name="Played").tap()
    expect(page.locator(".boards figure:visible figcaption")).to_contain_text("Played")
    chart = page.get_by_role("slider")
    box = chart.bounding_box()
    assert box is not None
    before = chart.get_attribute("aria-valuenow")
    page.touchscreen.tap(box["x"] + box["width"] * 0.95, box["y"] + box["height"] / 2)
    expect(chart).not_to_have_attribute("aria-valuenow", before or "")
    page.goto(f"{played.home}/games/{played.cards}/review?seat=0")
    ready(page)
    expect(page.locator(".stop [data-card]").first).to_be_visible()


#: The numbers of a table on a phone, where a name stands before each: their text, how far after the beginning of the line
#: they begin, and from left to right what of a number and its error stands where.
NUMBERS_READ = """cells => cells.map((cell) => {
    const [text] = [...cell.childNodes].filter((node) => node.nodeType === 3)
    const box = (from, to) => {
        const range = document.createRange()
        range.setStart(text, from)
        range.setEnd(text, to)
        return range.getBoundingClientRect()
    }
    const said = text.data
    const room = cell.getBoundingClientRect().right - box(0, said.length).right
    const signs = [...said.matchAll(/[−+±\\d]/g)].map(({ 0: sign, index }) => [box(index, index + 1).left, sign])
    return { said, room, seen: signs.sort(([one], [other]) => one - other).map(([, sign]) => sign).join('') }
})"""


def test_numbers_after_a_name_read_as_they_should_in_hebrew(visit: Visit, played: Played) -> None:
    """Names in Latin letters run the other way than the page."""
    page = ada(visit, played, viewport=PHONE, locale="he").open(f"/games/{played.dice}/review?seat=0")
    ready(page)
    numbers = page.locator(".numbers td[data-title]").evaluate_all(NUMBERS_READ)
    assert all(each["room"] > 10 for each in numbers), numbers
    sums = [each for each in numbers if "±" in each["said"]]
    assert sums
    assert all(each["seen"] == re.sub(r"[^−+±\d]", "", each["said"]) for each in sums), sums


def test_the_result_says_in_short_what_the_review_found(visit: Visit, played: Played) -> None:
    """Whoever sits at the table is told when it is there, without asking."""
    visitor = ada(visit, played)
    result = visitor.open(f"/t/{played.table}")
    result.get_by_role("link", name="Review").wait_for()
    in_short = result.get_by_role("region", name="Review")
    expect(in_short).to_have_count(0)
    ready(visitor.open(f"/games/{played.fresh}/review?seat=0"))
    expect(in_short).to_contain_text("for each minute of looking")
    result.reload()
    expect(in_short).to_contain_text("for each minute of looking")


@pytest.mark.parametrize("language", IN_TURN)
def test_a_review_says_everything_and_fits(visit: Visit, played: Played, language: str) -> None:
    visitor = ada(visit, played)
    visitor.settle(language=language)
    page = visitor.blank()
    for game in (played.cards, played.dice):
        page.goto(f"{played.home}/games/{game}/review?seat=0")
        ready(page)
        for fold in page.locator("summary").all():
            fold.click()
        check_text(page, language)
        check_widths(page)


def test_a_review_is_for_everyone(visit: Visit, played: Played) -> None:
    visitor = ada(visit, played)
    page = visitor.blank()
    for game in (played.cards, played.dice):
        page.goto(f"{played.home}/games/{game}/review?seat=0")
        ready(page)
        check_access(page)


def test_whoever_cannot_have_a_review_is_told_why(visit: Visit, played: Played) -> None:
    visitor = visit()
    sign_in(visitor, "Ben")
    page = visitor.blank()
    page.goto(f"{played.home}/games/{played.cards}/review")
    # It is for everybody who may see the game; whoever did not play it is asked first.
    page.get_by_role("button", name="Review this game").or_(page.locator(".stop")).first.wait_for()
    for game, reason in played.others.items():
        page.goto(f"{played.home}/games/{game}/review")
        expect(page.get_by_role("alert")).to_have_text(reason)
    visitor.open(f"/games/{played.cards}").get_by_role("link", name="Review").wait_for()
