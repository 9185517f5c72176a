"""The review of the dice game tells the truth. How well, on many games: `python -m tests.study.dice_reviews`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import sqrt
from statistics import fmean, pvariance, stdev

import pytest

from tercet import bots, cubed, kernel, record
from tercet.bots import DEFAULT_TIME_LIMIT
from tercet.cubed import CubedCommand, State
from tercet.cubed.bots import Greedy
from tercet.cubed.bots.endgame import win
from tercet.cubed.review import Review
from tercet.cubed.review.measures import accuracy, game_accuracy, mark, word
from tercet.cubed.review.values import Values
from tercet.cubed.review.watching import Decision
from tercet.fairness import seed_from
from tercet.games import Refusal
from tercet.study.review import NoWhatIf, Unfinished, read, review, what_if, write
from tests.bots.endgames import endgames
from tests.bots.tables import dice_game
from tests.bots.test_endgame import FullSearch, Told
from tests.study.dice_reviews import LADDER, differences, error_rates, interval, luck

pytestmark = pytest.mark.skipif(not kernel.COMPILED, reason="needs the compiled kernel to be quick")


@pytest.fixture(scope="module")
def seen() -> Review:
    found = review(record.of(dice_game(["greedy", "expert"], 3)), games=60)
    assert isinstance(found, Review)
    return found


class Blunderer(Greedy):
    """Passes in the third round, whatever it could lay, and throws away what it has."""

    name, about = "blunderer", "for a test"

    def choose(self, view: State, time_limit: float = DEFAULT_TIME_LIMIT) -> CubedCommand | None:
        if view.phase == "turn" and view.turn == self.seat and view.round == 3:
            return cubed.Pass(self.seat)
        return super().choose(view, time_limit)


@pytest.fixture
def _blunderer() -> Iterator[None]:
    bots.register(Blunderer)
    yield
    bots.unregister(Blunderer)


def can_choose(state: State) -> bool:
    assert state.turn is not None
    return state.position(state.turn).can_lay()


def test_with_two_dice_left_every_choice_is_worth_what_full_search_says() -> None:
    full = FullSearch(win)
    for state in islice((state for state in endgames(dice=2) if all(state.hands) and can_choose(state)), 2):
        values = Values(state, 10, 1)
        for command in full.commands(state):
            events = cubed.rules.decide(state, command, 0, Told((0,) * 20))
            assert isinstance(events, list)
            compared = values.compare(state, events[0])  # type: ignore[arg-type]
            assert compared is not None
            worth = full.after(state, command)
            assert compared.chosen.worth.games == compared.chosen.worth.error == 0
            assert compared.chosen.worth.value == pytest.approx(1 - worth if state.turn else worth, abs=1e-4)


@pytest.mark.usefixtures("_blunderer")
def test_a_planted_blunder_is_marked() -> None:
    played = record.of(dice_game(["blunderer", "greedy"], 2))
    found = review(played, games=200)
    assert isinstance(found, Review)
    (blunder,) = (one for one in found.decisions if one.seat == 0 and one.round == 3 and one.kind == "turn")
    assert blunder.chosen.text == "pass"
    assert blunder.mark in ("medium", "large")
    assert blunder.most is not None
    assert blunder.most > 0
    assert blunder.accuracy < 90


def test_every_decision_and_every_chance_is_told(seen: Review) -> None:
    kinds = {one.kind for one in seen.decisions}
    assert {"opening", "turn", "extra roll"} <= kinds
    assert {one.kind for one in seen.luck} >= {"draw", "throw"}
    for one in seen.decisions:
        assert one.chosen in one.choices
        assert one.best in one.choices
        assert one.loss >= 0
        assert one.most is None or one.chosen.points is None or one.chosen.points <= one.most
    for moment in seen.moments:
        assert sum(moment.chances) == pytest.approx(1, abs=1e-6)
    winners = [seat for seat, score in enumerate(seen.result) if score == max(seen.result)]
    assert [seen.moments[-1].chances[seat] for seat in winners] == [1 / len(winners)] * len(winners)


def test_luck_and_the_adjusted_result_add_up(seen: Review) -> None:
    for seat, measured in enumerate(seen.seats):
        own = sum(one.changes[seat] for one in seen.luck if one.seat == seat)
        others = -sum(one.changes[seat] for one in seen.luck if one.seat != seat)
        won = 100 * seen.moments[-1].chances[seat]
        assert measured.luck == pytest.approx(100 * own)
        assert measured.adjusted == pytest.approx(won - 100 * own + 100 * others)


def test_a_review_is_the_same_each_time_and_survives_json(seen: Review) -> None:
    again = review(record.of(dice_game(["greedy", "expert"], 3)), games=60)
    assert again == seen
    assert read(write(seen)) == seen


def test_a_review_reads_well(seen: Review) -> None:
    assert len(seen.rows()) == len(seen.decisions)
    assert all(isinstance(value, str | int | float | None) for row in seen.rows() for value in row.values())
    assert "Ann" in seen.summary()[0]
    assert [sheet.title.split(",")[0] for sheet in seen.sheets()] == ["Players", "Decisions", "Luck"]
    assert {line.player for line in seen.chart().lines} == {"Ann", "Bo"}
    summed = Review.by_player([seen, seen])
    assert [row["games"] for row in summed.rows] == [2, 2]


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_are_reviewed(players: int) -> None:
    found = review(record.of(dice_game(["greedy"] * players, 1)), games=12)
    assert isinstance(found, Review)
    assert len(found.seats) == players
    assert all(sum(moment.chances) == pytest.approx(1, abs=1e-6) for moment in found.moments)


def test_what_if_the_same_had_been_played_gives_the_very_decision(seen: Review) -> None:
    played = record.of(dice_game(["greedy", "expert"], 3))
    decisions = {one.line: one for one in seen.decisions}
    asked = [entry for entry in played.log if entry.seq in decisions][::6]
    kinds = {decisions[entry.seq].kind for entry in asked}
    assert len(kinds) > 1
    for entry in asked:
        command = cubed.rules.cause(entry.event)
        assert command is not None
        assert what_if(played, entry.seq, command, 60) == decisions[entry.seq]


def test_what_if_somebody_had_passed(seen: Review) -> None:
    played = record.of(dice_game(["greedy", "expert"], 3))
    turn = next(one for one in seen.decisions if one.kind == "turn" and (one.chosen.points or 0) > 5)
    judged = what_if(played, turn.line, cubed.Pass(1 - turn.seat), 60)  # the seat is theirs who decided
    assert isinstance(judged, Decision)
    assert (judged.seat, judged.chosen.text, judged.chosen.points) == (turn.seat, "pass", 0)
    assert judged.loss > 0
    for command in (cubed.Choose(turn.seat), cubed.Draft(turn.seat)):
        assert isinstance(what_if(played, turn.line, command, 60), Refusal)
    for line in (1, 10**6):
        with pytest.raises(NoWhatIf):
            what_if(played, line, cubed.Pass(0), 60)


def test_an_unfinished_game_is_not_reviewed() -> None:
    game = cubed.Game(["Ann", "Bo"], seed=seed_from("unfinished"))
    game.do(cubed.Begin(0))
    with pytest.raises(Unfinished):
        review(record.of(game))


def test_the_measures_are_those_of_woogles_and_lichess() -> None:
    assert [mark(loss) for loss in (0.24, 0.25, 3.0, 6.99, 7.0)] == [
        None,
        "small",
        "medium",
        "medium",
        "large",
    ]
    assert accuracy(0) == pytest.approx(100, abs=0.01)
    assert accuracy(10) == pytest.approx(103.1668 * 0.647 - 3.1669, abs=0.1)
    assert game_accuracy([100.0, 50.0]) == pytest.approx((75 + 2 / (1 / 100 + 1 / 50)) / 2)
    assert game_accuracy([]) is None
    assert word(0.0) != word(50.0)


@pytest.mark.long
def test_luck_is_nothing_on_average_and_explains_half_of_the_results() -> None:
    results, lucks = luck(range(1, 201), games=200)
    assert abs(fmean(lucks)) < 2.6 * stdev(lucks) / sqrt(len(lucks))
    left = [result - lucky for result, lucky in zip(results, lucks, strict=True)]
    assert pvariance(left) <= pvariance(results) / 2


@pytest.mark.long
def test_the_ladder_comes_out_in_order_by_error_rate() -> None:
    rates = [error_rates(bot, range(1, 41), games=200) for bot in LADDER]
    means = [fmean(rate) for rate in rates]
    assert means == sorted(means, reverse=True)
    for worse, better in zip(rates, rates[2:], strict=False):
        assert interval(worse)[0] > interval(better)[1]


@pytest.mark.long
def test_standard_errors_are_honest() -> None:
    found = differences(50, games=200)
    assert abs(fmean(found)) < 0.5
    assert 0.75 < stdev(found) < 1.25
