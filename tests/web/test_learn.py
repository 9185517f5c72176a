"""Lessons, drills and settings in the browser."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tercet import bots
from tercet.cubed import Position, read_turn
from tercet.games import Refusal
from tercet.sets import Card, Explanation, Face, explain, find_sets, third
from tests.web.browsing import PHONE
from tests.web.catalogues import LANGUAGES, catalogue
from tests.web.conftest import Visit
from tests.web.tables import PERSON, bot, make_table, sign_in

#: The board of the drills of the dice game.
SMALL = {"size": [5, 5], "logo": ["b3", "c3", "d3"], "bonus": {"a1": 2, "e5": 2}}


def cards_of(page: Page) -> list[Card]:
    return [
        Card(text)
        for text in page.locator("[data-card]").evaluate_all("all => all.map((one) => one.dataset.card)")
    ]


def test_the_first_turn_of_set_cubed_scores_6_9_12(visit: Visit) -> None:
    page = visit().open("/learn/cubed")
    for face, square, points in (
        ("2, green, squiggle", "c2", "6 points"),
        ("2, green, diamond", "b3", "9 points"),
        ("3, green, diamond", "b4", "12 points"),
    ):
        page.get_by_role("toolbar", name="Your dice").get_by_role("button", name=face).click()
        page.locator(f'[data-square="{square}"]').click()
        page.get_by_text(re.compile(points)).first.wait_for()


def seen(page: Page) -> Locator:
    """What is on the page, without what a screen reader is told besides."""
    return page.locator("main")


def shown_signs(page: Page) -> list[str]:
    """The cards or dice that a question is about."""
    page.locator("[data-shown]").first.wait_for()
    texts: list[str] = page.locator("[data-shown]").evaluate_all("all => all.map((one) => one.dataset.shown)")
    return texts


def face_of(label: str) -> str:
    """`2GS` from "2, green, squiggle", however the label goes on or begins."""
    found = re.search(r"([123]), (red|green|purple), (diamond|oval|squiggle)", label)
    assert found, label
    return "".join(word[0].upper() for word in found.groups())


def small_board(page: Page) -> dict[str, str]:
    labels = page.locator("[data-square]").evaluate_all("all => all.map((one) => one.ariaLabel)")
    return {
        label.partition(",")[0]: face_of(label) for label in labels if re.search("red|green|purple", label)
    }


def next_question(page: Page) -> None:
    page.get_by_role("button", name="Next").click()


def test_a_wrong_square_of_the_dice_lesson_is_explained(visit: Visit) -> None:
    page = visit().open("/learn/cubed")
    dice = page.get_by_role("toolbar", name="Your dice")
    dice.get_by_role("button", name="1, purple, oval").click()
    page.locator('[data-square="c2"]').click()
    seen(page).get_by_text("That is another die: 1, purple, oval.").wait_for()
    dice.get_by_role("button", name="2, green, squiggle").click()
    page.locator('[data-square="c4"]').click()
    seen(page).get_by_text("c3-c4-c5 is not a SET").wait_for()
    page.locator('[data-square="a5"]').click()
    seen(page).get_by_text("a5-b5-c5 is not a SET").wait_for()
    page.locator('[data-square="c2"]').click()
    seen(page).get_by_text("Two SETs, across and down: 6 points.").wait_for()


def test_the_lesson_of_set_says_what_was_wrong_and_ends_in_a_first_game(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True).open("/learn/set")
    yes, no = (
        page.get_by_role("button", name="Yes: all the same, or all different"),
        page.get_by_role("button", name="No: two alike, one not"),
    )
    mistakes = 0
    for example in range(3):
        why = explained(page)
        for check in why.features:
            seen(page).get_by_text(f"Does the {check.feature} fit?").wait_for()
            fits = check.verdict != "two_alike"
            mistake = example == 1 and check.feature in ("number", "shape")
            mistakes += mistake
            (yes if fits != mistake else no).click()
            if not mistake:
                expect(page.locator(".remark")).to_have_text(re.compile("^Right: "))
            elif fits:
                expect(page.locator(".remark")).to_have_text("It does fit: all different (1, 2, 3).")
            else:
                expect(page.locator(".remark")).to_have_text("It does not fit: two ovals, one squiggle.")
        page.get_by_role("heading", name=verdict(why)).wait_for()
        expect(page.get_by_role("button", name="Next")).to_be_focused()
        next_question(page)
    assert mistakes == 2
    for _ in range(4):
        why = explained(page)
        seen(page).get_by_text("Is this a SET?").wait_for()
        expect(page.get_by_role("button", name="Yes")).to_be_focused()
        page.get_by_role("button", name="Yes" if why.is_set else "No", exact=True).click()
        expect(page.locator(".remark")).to_have_text("Right!")
        page.get_by_role("heading", name=verdict(why)).wait_for()
        next_question(page)
    seen(page).get_by_text("now you know what a SET is").wait_for()
    page.get_by_role("button", name="Play a first game").click()
    page.wait_for_url("**/t/*")
    page.locator("[data-card]").first.wait_for()
    page.get_by_role("button", name="Hint").wait_for()
    seen(page).get_by_text("Beginner").first.wait_for()


def explained(page: Page) -> Explanation:
    return explain(*map(Card, shown_signs(page)))


def verdict(why: Explanation) -> str:
    return "It is a SET!" if why.is_set else "Not a SET: two "


def test_all_sets_of_a_drill_are_found_and_shown(visit: Visit) -> None:
    page = visit().open("/learn/all")
    page.locator("[data-card]").first.wait_for()
    sets = find_sets(cards_of(page))
    found = page.get_by_role("list", name="SETs found")
    expect(found.locator("li")).to_have_count(len(sets))
    places = page.locator("[data-card]").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().top)"
    )
    for number, cards in enumerate(sets, 1):
        for card in cards:
            page.locator(f'[data-card="{card}"]').click()
        expect(found.get_by_role("img")).to_have_count(3 * number)
    seen(page).get_by_text(f"{len(sets)} of {len(sets)} right").wait_for()
    page.get_by_role("button", name="Next").wait_for()
    after = page.locator("[data-card]").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().top)"
    )
    assert after == places, "nothing moves when a drill ends"


@pytest.mark.parametrize("drill", ["third", "third-die"])
def test_the_third_is_found_and_the_pace_is_kept(visit: Visit, drill: str) -> None:
    visitor = visit()
    page = visitor.open(f"/learn/{drill}")
    page.locator("[data-sign]").first.wait_for()
    kind = Card if drill == "third" else Face
    for right in (True, False, True):
        a, b = map(kind, shown_signs(page))
        answers = page.locator("[data-sign]").evaluate_all("all => all.map((one) => one.dataset.sign)")
        wanted = str(third(a, b))
        assert answers.count(wanted) == 1
        chosen = wanted if right else next(answer for answer in answers if answer != wanted)
        page.locator(f'[data-sign="{chosen}"]').click()
        seen(page).get_by_text("Right!" if right else "Wrong.", exact=True).wait_for()
        if not right:
            page.get_by_role("list").get_by_text(
                re.compile("^(number|colour|fill|shape): two ")
            ).first.wait_for()
        next_question(page)
    kept = seen(page).get_by_text("2 of 3 right")
    expect(kept).to_contain_text(re.compile(r"[\d.]+ s each.*quickest [\d.]+ s"))
    words = kept.inner_text()
    page.reload()
    expect(seen(page).get_by_text("2 of 3 right")).to_have_text(words)
    other = visitor.open("/learn")
    expect(
        other.get_by_role("listitem").filter(has=other.locator(f'[href="/learn/{drill}"]'))
    ).to_contain_text("2 of 3 right")


def test_the_best_turn_of_a_small_board_is_the_one_that_the_library_finds(visit: Visit) -> None:
    page = visit().open("/learn/best-turn")
    hand = page.get_by_role("toolbar", name="Your dice").get_by_role("button")
    answers: list[bool] = []
    while set(answers) != {True, False}:  # now and then there is only one score
        assert len(answers) < 20
        hand.first.wait_for()
        faces = [face_of(label) for label in hand.evaluate_all("all => all.map((one) => one.ariaLabel)")]
        turns = Position(SMALL, small_board(page), hand=faces).turns()
        best = max(turns, key=lambda turn: turn.score)
        turn = min(turns, key=lambda turn: turn.score) if answers else best
        is_best = turn.score == best.score
        answers.append(is_best)
        left = list(enumerate(faces))
        for placement in turn.placements:
            die = next(one for one in left if one[1] == str(placement.face))
            left.remove(die)
            hand.nth(die[0]).click()
            page.locator(f'[data-square="{placement.square}"]').click()
        points = f"{turn.score} point{'s' * (turn.score != 1)}"
        page.get_by_role("button", name=f"Lay for {points}").click()
        if is_best:
            seen(page).get_by_text("That is the best turn there is.").wait_for()
        else:
            seen(page).get_by_text(
                f"You scored {turn.score}. The best turn, now on the board, scores {best.score}."
            ).wait_for()
        next_question(page)
    seen(page).get_by_text(f"{sum(answers)} of {len(answers)} right").wait_for()


def test_the_wild_is_named_as_it_scores_most(visit: Visit) -> None:
    page = visit().open("/learn/wilds")
    for right in (True, False):
        page.locator("[data-sign]").first.wait_for()
        answers = page.locator("[data-sign]").evaluate_all("all => all.map((one) => one.dataset.sign)")
        question = seen(page).get_by_text("Which of these faces scores most?").inner_text()
        square = question.removeprefix("A wild lies on ").partition(".")[0]
        position = Position({**SMALL, "bonus": {}}, small_board(page), hand=["W"])

        def score(face: str, position: Position = position, square: str = square) -> int:
            judged = position.judge(read_turn(f"*{face}@{square}"))
            return 0 if isinstance(judged, Refusal) else judged.score

        best = max(answers, key=score)
        chosen = best if right else min(answers, key=score)
        page.locator(f'[data-sign="{chosen}"]').click()
        if right:
            seen(page).get_by_text(
                f"This face scores {score(best)}. The wild itself scores nothing"
            ).wait_for()
        else:
            seen(page).get_by_text(
                f"That face scores {score(chosen)}, the best one {score(best)}."
            ).wait_for()
        next_question(page)
    seen(page).get_by_text("1 of 2 right").wait_for()


def test_the_extra_roll_is_weighed(visit: Visit) -> None:
    page = visit().open("/learn/extra-roll")
    dice = page.get_by_role("group", name="Your dice").get_by_role("button")
    dice.first.wait_for()
    faces = [face_of(label) for label in dice.evaluate_all("all => all.map((one) => one.ariaLabel)")]
    turns = Position(SMALL, small_board(page), hand=faces).turns()
    page.get_by_role("button", name="Keep all").click()
    kept = seen(page).get_by_text("Your choice scores").inner_text()
    assert kept == f"Your choice scores {max((turn.score for turn in turns), default=0)} on average."
    next_question(page)
    dice.nth(0).click()
    dice.nth(2).click()
    page.get_by_role("button", name="Throw 2 dice").click()
    numbers = [
        float(re.sub("[^0-9.]", "", seen(page).get_by_text(words).inner_text().partition("average")[0]))
        for words in ("Your choice scores", "The best choice scores")
    ]
    assert 0 <= numbers[0] <= numbers[1]
    seen(page).get_by_text(re.compile(r"^\d of 2 right")).wait_for()


@pytest.mark.parametrize("game", ["set", "cubed", "scramble"])
def test_names_of_bots_fit_on_a_seat_of_a_small_phone(visit: Visit, game: str) -> None:
    """Beside one person, on 320 pixels, in every language: measured on the seat itself."""
    visitor = visit(viewport={"width": 320, "height": 640}, has_touch=True)
    sign_in(visitor, "Ann")
    names = bots.names(game)
    page = visitor.open(f"/t/{make_table(visitor, game=game, seats=[PERSON, bot(names[0])])}")
    page.get_by_role("button", name="I am ready").click()
    seat = page.locator(".table bdi", has_text=catalogue("en")[f"bot_{names[0]}"]).first
    seat.wait_for()
    words = [f"{language} {catalogue(language)[f'bot_{name}']}" for language in LANGUAGES for name in names]
    cut = seat.evaluate(
        """(seat, words) => words.filter((word) => {
            seat.textContent = word.slice(3)
            return seat.scrollWidth > seat.clientWidth
        })""",
        words,
    )
    assert cut == []


def test_icelandic_dates_and_numbers_are_icelandic(visit: Visit) -> None:
    """Chromium knows neither."""
    visitor = visit(locale="is-IS", timezone_id="Atlantic/Reykjavik")
    kept = {"asked": 3, "right": 3, "streak": 3, "best": 3, "times": [5250], "quickest": 5250}
    visitor.context.add_init_script(f"localStorage.setItem('tercet.drill.third', `{json.dumps(kept)}`)")
    page = visitor.open("/learn")
    seen(page).get_by_text("5,3 s").first.wait_for()
    sign_in(visitor, "Ari")
    page = visitor.open(f"/t/{make_table(visitor, game='set', seats=[PERSON, bot('beginner')])}")
    page.get_by_role("button", name="Ég er klár").click()
    page.locator("[data-card], .table").first.wait_for()
    page = visitor.open("/games")
    months = r"jan\.|feb\.|mars|apríl|maí|júní|júlí|ágúst|sept\.|okt\.|nóv\.|des\."
    seen(page).get_by_text(re.compile(rf"^\d\d?\. ({months}) 20\d\d, \d\d:\d\d$")).first.wait_for()
    page = visitor.open("/daily")
    expect(page.locator(".month > [aria-hidden]")).to_have_text(["M", "Þ", "M", "F", "F", "L", "S"])
    page.get_by_role("heading", name=re.compile(r"^[a-zá-ú]+ 20\d\d$")).wait_for()


def test_a_language_is_detected_switched_and_kept(visit: Visit) -> None:
    page = visit(locale="nn-NO").open("/settings")
    expect(page.locator("html")).to_have_attribute("lang", "nb")
    page.get_by_label("Språk").select_option("he")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("הגדרות")
