"""What a Python user may expect of games: what is legal, copies, undo, texts, formats, other symbols."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations, islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import Card, Face, cards, cubed, find_sets, is_set, puzzles, record, scramble, third
from tercet.cubed import Die, Placement, Square
from tercet.fairness import seed_from
from tercet.games import Game, Refused
from tercet.puzzles.items import solutions
from tercet.sets import COLOUR, FILL, NUMBER, SHAPE, Feature, KindError, NotationError, Symbol
from tests.core.random_games import (
    random_card_game,
    random_dice_game,
    random_puzzle_game,
    random_scramble_game,
)

ANY_GAME: list[Callable[[int], Any]] = [
    random_card_game,
    random_dice_game,
    random_puzzle_game,
    random_scramble_game,
]
on_random_games = pytest.mark.parametrize("make", ANY_GAME, ids=lambda make: make.__name__)


@pytest.mark.parametrize("games", [2, pytest.param(12, marks=pytest.mark.slow)])
@on_random_games
def test_what_is_listed_is_allowed_and_what_was_played_was_listed(
    make: Callable[[int], Any], games: int
) -> None:
    for number in range(games):
        played = make(number)
        game = type(played)(
            played.seats, seed=played.reveal(), options=played.options, secrets=played.secrets
        )
        while len(game.log) < min(len(played.log), 150):
            line = played.log[len(game.log)]
            command = game.rules.cause(line.event)
            game.advance(line.at - 1)
            if len(game.log) > played.log.index(line):
                continue
            legal = game.legal
            if game.state.phase == "line":  # of a race, where there is nothing to do but wait
                assert not legal
                assert game.rules.due(game.state).commands == (command,)
                game.advance(line.at)
                continue
            assert bool(legal)
            assert command in legal or command in game.rules.due(game.state).commands
            for listed in islice(legal, 0, 400, 7):
                assert listed in legal
                assert listed in legal.of(listed.seat)
                assert listed not in legal.of(listed.seat + 1)
            game.do(command, line.at)
        assert game.log == played.log[: len(game.log)]
    assert not played.legal
    assert played.legal.count() == 0
    assert repr(played.legal) == "<Legal: nothing>"


@pytest.mark.parametrize("make", ANY_GAME)
def test_undo_brings_back_exactly_what_was(make: Callable[[int], Any]) -> None:
    for number in range(4):
        game = make(number)
        whole = [*game.log]
        states = {0: game.rules.start(game.options, len(game.seats))}
        state = states[0]
        for line in whole:
            state = states[line.seq] = game.rules.evolve(state, line.event, line.at)
        gone = game.undo()
        assert game.log + gone == whole
        assert game.state == states[len(game.log)]
        for line in gone[:1]:
            game.do(game.rules.cause(line.event), line.at)
        assert game.log == whole
        for _ in range(5):
            game.undo()
            assert game.state == states[len(game.log)]


def test_an_answer_that_ended_the_time_is_undone_in_one_step() -> None:
    """Wrong answers take time away: the end of it follows from the last of them."""
    storm = puzzles.Game(["Ann", "Bo"], seed=seed_from("wrong"), options={"kind": "storm"})
    storm.do(puzzles.Begin(0))
    at = 0
    while storm.state.runners[0].stopped_at is None:
        item, before, lines = (
            storm.state.items[storm.state.runners[0].number - 1],
            storm.state,
            len(storm.log),
        )
        among = range(2 if item.asked == "is_set" else len(item.choices or item.shown))
        picks = combinations(among, 1 if item.asked in ("third", "is_set") else 3)
        wrong = next(some for some in picks if some not in solutions(item))
        at += 200
        storm.do(puzzles.Answer(0, storm.state.runners[0].number, wrong), at)
    assert [type(line.event).__name__ for line in storm.log[lines:]] == ["Answered", "Stopped"]
    assert len(storm.undo()) == 2
    assert storm.state == before
    storm.do(puzzles.Stop(0), at)
    assert len(storm.undo()) == 1


def test_nothing_can_be_undone_before_the_start() -> None:
    game = cards.Game(["Ann"], seed=seed_from("x"))
    with pytest.raises(Refused, match="nothing_to_undo"):
        game.undo()


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda game: game.copy(), lambda game: pickle.loads(pickle.dumps(game))])  # fmt: skip
@pytest.mark.parametrize("kind", [cards.Game, cubed.Game, scramble.Game])
def test_copies_go_their_own_way(kind: Any, again: Callable[[Any], Any]) -> None:
    game: Game[Any, Any, Any, Any] = kind(["Ann", "Bo"], seed=seed_from("copies"))
    game.do(game.rules.opening(game.state))
    other = again(game)
    assert type(other) is kind
    assert (other.state, other.log, other.commitment) == (game.state, game.log, game.commitment)
    lines = len(game.log)
    other.do(next(iter(other.legal)))
    assert len(game.log) == lines < len(other.log)
    game.do(next(iter(game.legal)))
    assert game.log == other.log


def test_commands_and_events_take_text() -> None:
    three = (Card("3RHS"), Card("1GFO"), Card("2PEO"))
    assert (
        cards.Show(0, "3RHS 1GFO 2PEO")
        == cards.Show(0, three)
        == cards.Show(0, ["3RHS", Card("1GFO"), "2peo"])
    )
    assert hash(cards.Show(0, list(three))) == hash(cards.Show(0, three))
    assert cards.Took(0, "3RHS, 1GFO, 2PEO", "") == cards.Took(0, three, ())  # type: ignore[arg-type]
    lay = cubed.Lay(1, "2GS#17@e5 *1RO@a1")
    assert lay == cubed.Lay(
        1, (Placement(Square("a1"), Face("1RO"), True), Placement(Square("e5"), Face("2GS"), False, 17))
    )
    assert cubed.Replace(0, 17, "e5") == cubed.Replace(0, 17, Square("e5"))
    assert cubed.Choose(0, "3 17") == cubed.Choose(0, (3, 17)) == scramble_numbers()
    assert scramble.Show(0, "1RO#3 17, W#40") == scramble.Show(0, (3, 17, 40))
    assert cubed.Chose(0, None).dice is None
    assert cubed.Drew(0, "2GS#17").dice == (Die(17, Face("2GS")),)  # type: ignore[arg-type]
    replaced = cubed.Replaced(0, "2GS#17", "e5", "1RO#4", False)  # type: ignore[arg-type]
    assert replaced == cubed.rules.read_event("1 replaces 2GS#17>e5=1RO#4")


def scramble_numbers() -> cubed.Choose:
    return cubed.Choose(0, scramble.Show(0, ["3", 17]).dice)


WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: cards.Show(0, 5), KindError, "cards of Show is 5: give a text, or Cards in a tuple"),  # type: ignore[arg-type]
    (lambda: cards.Show(0, None), KindError, "cards of Show is None"),  # type: ignore[arg-type]
    (lambda: cards.Show(0, (5,)), KindError, "cards of Show is 5: give a Card or its text"),  # type: ignore[arg-type]
    (lambda: cards.Show(0, "3RHX"), NotationError, "'3RHX' is not a card: write number 1 2 3"),
    (lambda: cards.Show(0, (Face("1RO"),)), KindError, "give a Card or its text"),  # type: ignore[arg-type]
    (lambda: cubed.Lay(0, "2GS"), NotationError, "'2GS' is not a placement: a face, @ and a square"),
    (lambda: cubed.Lay(0, ""), NotationError, "an empty text is not a turn"),
    (lambda: cubed.Replace(0, 1, 55), KindError, "square of Replace is 55: give a Square or its text"),  # type: ignore[arg-type]
    (lambda: cubed.Choose(0, "a"), NotationError, "'a' is not the number of a die"),
    (lambda: scramble.Show(0, "1RX#3"), NotationError, "'1RX' is not a face"),
    (lambda: scramble.Show(0, 1.5), KindError, "dice of Show is 1.5"),  # type: ignore[arg-type]
    (
        lambda: dealt().do(cards.Call("0")),  # type: ignore[arg-type]
        KindError,
        "Call\\(seat='0'\\) is no command: seat: give a whole number, not a text",
    ),
    (lambda: dealt().do(cards.Show(0, (Card("1RFD"), "x"))), KindError, "is no command"),
    (lambda: dealt().do("call"), KindError, "'call' is no command: give one, such as Call\\(seat=0\\)"),  # type: ignore[arg-type]
    (lambda: dealt().do(cubed.Pass(0)), KindError, "is no command of Set: give one, such as Call"),  # type: ignore[arg-type]
]


def dealt() -> cards.Game:
    game = cards.Game(["Ann", "Bo"], seed=seed_from("x"))
    game.do(cards.Deal(0))
    return game


@pytest.mark.parametrize(("make", "error", "words"), WRONG, ids=[case[2] for case in WRONG])
def test_wrong_kinds_are_told(make: Callable[[], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        make()


@given(st.text(max_size=30))
def test_any_text_is_cards_or_a_clear_error(text: str) -> None:
    try:
        shown = cards.Show(0, text)
    except NotationError:
        return
    assert all(type(card) is Card for card in shown.cards)
    assert cards.Show(0, " ".join(map(str, shown.cards))) == shown


def test_formats() -> None:
    card, face = Card("2GHS"), Face("W")
    assert (
        f"{card:>8}|{card:<6}|{card:^8}|{card}|{card:d}|{card:03d}" == "    2GHS|2GHS  |  2GHS  |2GHS|41|041"
    )
    assert f"{face:.>4}{Square('e5'):>4}{Die(17, Face('2GS')):>8}" == "...W  e5  2GS#17"
    assert f"{Placement(Square('e5'), Face('2GS')):>8}" == "  2GS@e5"
    assert "{:5}|{:>{width}}".format(card, card, width=6) == "2GHS |  2GHS"


FOUR = Feature("size", ("s", "m", "l", "xl"), "SMLX")  # type: ignore[arg-type]
TWO = Feature("side", ("left", "right"), "LR")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("feature", "words"),
    [
        (FOUR, "the feature size has 4 values"),
        (TWO, "the feature side has 2 values"),
        (Feature("x", ("a", "b", "c"), "AAB"), "three different letters"),
        (Feature("x", ("a", "b", "c"), "abc"), "must be capitals or digits"),
    ],
    ids=["four", "two", "twice", "small"],
)
def test_other_numbers_of_values_are_refused(feature: Feature, words: str) -> None:
    with pytest.raises(NotationError, match=words):

        class Odd(Symbol, features=(NUMBER, feature)):
            pass


def test_too_many_features_are_refused() -> None:
    with pytest.raises(NotationError, match="12 features: at most 11"):

        class Wide(Symbol, features=(NUMBER,) * 12):
            pass


def test_no_features_are_refused() -> None:
    with pytest.raises(NotationError, match="Odd has no features: give one at least"):
        type("Odd", (Symbol,), {}, features=())


def test_modules_are_there_without_being_imported_and_a_record_prints_itself() -> None:
    said = subprocess.run(
        [sys.executable, "-c", "import tercet; print(tercet.bots.names('set')[0], tercet.geometry.count_flats(4, 1))"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert said == "beginner 1080\n"
    kept = record.of(random_card_game(1))
    assert str(kept) == record.write(kept)


@pytest.mark.parametrize("count", [5, 6, 7])
def test_more_features_stay_usable(count: int) -> None:
    class More(Symbol, features=(NUMBER, COLOUR, FILL, SHAPE, NUMBER, COLOUR, FILL)[:count]):
        pass

    assert len(More.all()) == 3**count
    a, b = More(0), More(3**count - 2)
    assert is_set(a, b, third(a, b))
    assert len(find_sets(More.all()[:81])) == 1080
    assert More(str(b)) is b
    assert pickle.loads(pickle.dumps(tuple(map(int, (a, b))))) == (0, 3**count - 2)
