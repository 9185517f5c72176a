"""The review of the dice game tells the truth. How well, on many games: `python -m tests.study.dice_reviews`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import sqrt
from statistics import fmean, pvariance, stdev

import pytest
from msgspec.structs import replace

from tercet import bots, cubed, kernel, record
from tercet.bots import DEFAULT_TIME_LIMIT
from tercet.cubed import CubedCommand, State
from tercet.cubed.bots import Greedy
from tercet.cubed.bots.endgame import Endgame, points, win
from tercet.cubed.bots.race import Estimate
from tercet.cubed.placements import write_turn
from tercet.cubed.play import Laid, Passed, Replaced
from tercet.cubed.review import Review
from tercet.cubed.review.measures import accuracy, error_rate, game_accuracy, mark, matters, plays_like
from tercet.cubed.review.values import Compared, Judged, Value, Values
from tercet.cubed.review.watching import Decision, decide
from tercet.editions import Die, Square
from tercet.fairness import seed_from
from tercet.games import Refusal
from tercet.sets import Face
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


class Passer(Greedy):
    """Passes, whatever it could lay."""

    name, about = "passer", "for a test"

    def choose(self, view: State, time_limit: float = DEFAULT_TIME_LIMIT) -> CubedCommand | None:
        is_turn = view.phase == "turn" and view.turn == self.seat
        return cubed.Pass(self.seat) if is_turn else super().choose(view, time_limit)


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


def test_where_many_choices_win_the_one_that_loses_is_a_blunder() -> None:
    """What is told of a search is short, and yet holds what was chosen and all that is as good as the best."""
    endgame = next(one for one in endgames(dice=4) if one.turn and len(one.position(one.turn).turns()) > 50)
    seat = endgame.turn
    assert seat == 1
    behind = dict(Endgame(endgame, points).choices())[cubed.Pass(seat)]
    # whoever passes loses by a point
    state = replace(endgame, scores=(endgame.scores[0], endgame.scores[1] + int(behind) - 1))
    values = Values(state, 10, 1)
    passed = Passed(seat, could_lay=True)
    compared = values.compare(state, passed)
    assert compared is not None
    decision = decide(state, 1, passed, compared)
    assert (decision.chosen.text, decision.loss, decision.counts, decision.mark) == (
        "pass",
        100,
        True,
        "large",
    )
    assert decision.chosen in decision.choices
    chances = [one.value for one in decision.choices]
    assert chances == sorted(chances, reverse=True)
    winning = {
        write_turn(replace(one, die=None) for one in command.placements)
        for command, value in Endgame(state).choices()
        if isinstance(command, cubed.Lay) and value < 0.001
    }
    assert {one.text for one in decision.choices if one.value == 1} == winning
    assert len(winning) > 9
    laid = cubed.rules.decide(state, _lay_best(state), 0, Told((0,) * 20))
    assert isinstance(laid, list)
    best = laid[0]
    assert isinstance(best, Laid)
    compared = values.compare(state, best)
    assert compared is not None
    decision = decide(state, 1, best, compared)
    assert (decision.loss, decision.counts, decision.mark) == (0, True, None)
    assert len(decision.choices) == 11  # ten, and the worst


@pytest.mark.parametrize(("games", "expected"), [(0, (True, "medium")), (300, (False, None))])
def test_a_replaced_wild_is_marked_only_by_a_search(games: int, expected: tuple[bool, str | None]) -> None:
    """Played out, a greedy turn follows it, so that it comes out too low."""
    state = cubed.rules.start(cubed.Options(), 2)
    choices = [
        Judged(text, Estimate(value, 0.0, games), 0) for text, value in (("pass", 0.5), ("replace", 0.45))
    ]
    after = Value((0.5, 0.5), (0.0, 0.0))
    compared = Compared(choices[1], choices[0], Estimate(0.05, 0.0, games), tuple(choices), after, after)
    replaced = Replaced(0, Die(1, Face("2GS")), Square("e5"), Die(2, Face("1RO")), could_lay=True)
    decision = decide(state, 1, replaced, compared)
    assert (decision.counts, decision.mark) == expected


def _lay_best(state: State) -> CubedCommand:
    return min(Endgame(state).choices(), key=lambda choice: choice[1])[0]


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


def test_c3_the_throw_that_opens_the_game_is_luck(seen: Review) -> None:
    opened = next(one.line for one in seen.decisions if one.kind == "opening")
    (opening,) = (one for one in seen.luck if one.line < opened)
    assert sum(opening.changes) == pytest.approx(0, abs=1e-6)
    assert opening.changes[opening.seat] == max(opening.changes) >= 0
    assert seen.moments[0].chances == tuple(pytest.approx(0.5 + change) for change in opening.changes)


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
    other = replace(seen, games=61)
    summed = Review.by_player([seen, other, seen])  # one of them twice
    assert [row["games"] for row in summed.rows] == [2, 2]
    assert summed.rows[0]["rate_error"] < (seen.seats[0].rate_error or 0)
    assert "<table>" in summed._repr_html_()


def test_a_rate_that_may_be_chance_is_nothing_certain(seen: Review) -> None:
    def told(rate: float, error: float | None) -> str:
        ann = replace(seen.seats[0], error_rate=rate, rate_error=error)
        return replace(seen, seats=(ann, *seen.seats[1:])).summary()[0]

    assert "gave away nothing certain on average (−1.8 ± 1.8 % a decision" in told(-1.8, 1.8)
    assert "gave away nothing certain on average (1.5 ± 0.8 % a decision" in told(1.5, 0.8)
    assert "gave away 1.7 ± 0.8 % a decision" in told(1.7, 0.8)
    assert "gave away 1.7 % a decision" in told(1.7, None)
    (title,) = (one.title for one in replace(seen, games=1).sheets() if one.title.startswith("Decisions"))
    assert title.startswith("Decisions, by 1 game shared")


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_are_reviewed(players: int) -> None:
    found = review(record.of(dice_game(["greedy"] * players, 1)), games=60)
    assert isinstance(found, Review)
    assert len(found.seats) == players
    for moment in found.moments:
        assert sum(moment.chances) == pytest.approx(1)
        assert moment.before is None or sum(moment.before) == pytest.approx(1)
    assert all(sum(one.changes) == pytest.approx(0) for one in found.luck)
    assert sum(seat.adjusted for seat in found.seats) == pytest.approx(100)
    assert sum(seat.start for seat in found.seats) == pytest.approx(100)


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
    one, two = accuracy(0), accuracy(15)
    assert game_accuracy([0.0, 15.0]) == pytest.approx(((one + two) / 2 + 2 / (1 / one + 1 / two)) / 2)
    assert game_accuracy([0.0, 0.0, -50.0]) == 100  # no decision is better than the best
    assert game_accuracy([-50.0, 15.0]) == game_accuracy([0.0, 15.0])
    assert game_accuracy([]) is None
    assert accuracy(0) == 100


def test_an_error_rate_says_how_sure_it_is_and_a_word_only_what_it_can() -> None:
    assert error_rate([], []) == (None, None)
    assert plays_like(None, None) == ()
    assert error_rate([2.0, 4.0], [1.0, 1.0]) == (3.0, None)
    rate = error_rate([1.0, 3.0] * 8, [0.1] * 16)
    assert rate.value == 2.0
    assert rate.error == pytest.approx(0.258, abs=0.001)
    assert error_rate([2.0] * 16, [1.0] * 16).error == 0.25  # they are alike, and each is noisy
    assert plays_like(50.0, 1.0) == ("random",)
    assert plays_like(-0.1, 0.1) == ("master",)
    assert plays_like(1.0, 5.0) == plays_like(1.0, None) == ()
    assert len(plays_like(1.6, 0.3)) == 2


def test_decisions_of_a_decided_game_count_for_nobody() -> None:
    """Somebody who passes from beginning to end has lost soon, and is not praised for what could not matter any more."""
    bots.register(Passer)
    try:
        played = record.of(dice_game(["passer", "greedy"], 1))
    finally:
        bots.unregister(Passer)
    found = review(played, games=60)
    assert isinstance(found, Review)
    passer = found.seats[0]
    assert passer.counted < passer.decisions
    for one in found.decisions:
        chances = [choice.value for choice in one.choices]
        assert one.counts == matters(chances) == (max(chances) >= 0.02 and min(chances) <= 0.98)
        assert one.counts or one.mark is None
    judged = [one.estimate for one in found.decisions if one.seat == 0 and one.counts]
    assert passer.counted == len(judged)
    assert passer.error_rate == pytest.approx(fmean(judged))
    assert passer.accuracy is not None
    assert passer.accuracy < 90


def test_what_is_told_of_a_decision_can_be_subtracted(seen: Review) -> None:
    for one in seen.decisions:
        assert one.loss == pytest.approx(100 * one.best.value - 100 * one.chosen.value, abs=1e-9)
        assert f"{one.loss:.1f}" == f"{100 * (round(one.best.value, 3) - round(one.chosen.value, 3)):.1f}"
        assert one.best.value == max(one.best.value, one.chosen.value)
        assert one.loss == 0 or one.estimate > 0
        assert one.mark is None or one.loss > 2 * one.error
        assert sum(choice.games for choice in one.choices) <= max(seen.games, 8 * 9 + 16) + 24


def test_a_loss_is_a_fall_of_the_curve(seen: Review) -> None:
    decisions = {one.line: one for one in seen.decisions}
    told = [one for one in seen.moments if one.before is not None]
    assert {one.line for one in told} == set(decisions)
    for moment in told:
        one = decisions[moment.line]
        assert moment.before is not None
        fall = 100 * (moment.before[one.seat] - moment.chances[one.seat])
        assert fall == pytest.approx(one.loss, abs=0.11)
        assert one.kind == "extra roll" or moment.chances[one.seat] == pytest.approx(
            one.chosen.value, abs=0.001
        )


def test_the_account_of_a_game_balances(seen: Review) -> None:
    ann, bo = seen.seats
    for seat in seen.seats:
        total = seat.start + seat.luck + seat.others_luck - seat.given + seat.gifts + seat.rest
        assert total == pytest.approx(100 * seen.moments[-1].chances[seen.seats.index(seat)])
        assert seat.adjusted == pytest.approx(seat.start - seat.given + seat.gifts + seat.rest)
    assert ann.start + bo.start == pytest.approx(100)
    assert (ann.gifts, ann.others_luck, ann.rest) == pytest.approx((bo.given, -bo.luck, -bo.rest))


@pytest.mark.long
def test_luck_is_nothing_on_average_and_explains_half_of_the_results() -> None:
    results, lucks = zip(*luck(range(1, 201), games=200), strict=True)
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
