"""Puzzles, and runs against the clock."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from tercet import Card, cards, find_sets, games, is_set
from tercet.fairness import seed_from
from tercet.games import OptionsError, Refused
from tercet.games.runs import Measured, find_run, measure, runs
from tercet.puzzles import Answer, Answered, Began, Begin, Ended, Game, Item, LinedUp, Stop, Stopped, rules
from tercet.puzzles.days import Puzzle, ToldTurn, _pool, chance_of, check, flaw, ready_made, value_of
from tercet.puzzles.items import QUARTILES, level_of, solutions


def new(kind: str = "storm", seats: int = 1, seed: str = "a test", **options: Any) -> Game:
    names = [f"Player {seat}" for seat in range(seats)]
    game = Game(names, seed=seed_from(seed), options={"kind": kind, **options})
    game.do(Begin(0))
    if kind == "race":
        game.advance(3000)
    return game


def item_of(game: Game, seat: int = 0) -> Item:
    return game.view(seat).items[game.state.runners[seat].number - 1]


def right(game: Game, seat: int = 0) -> Answer:
    number = game.state.runners[seat].number
    found = game.state.runners[seat].found
    return Answer(seat, number, next(picks for picks in solutions(item_of(game, seat)) if picks not in found))


def wrong(game: Game, seat: int = 0) -> Answer:
    item = item_of(game, seat)
    among = 2 if item.asked == "is_set" else len(item.choices or item.shown)
    count = len(solutions(item)[0])
    picks = next(picks for picks in combinations(range(among), count) if picks not in solutions(item))
    return Answer(seat, game.state.runners[seat].number, picks)


def refusal(game: Game, command: Any, at: int) -> str:
    with pytest.raises(Refused) as refused:
        game.do(command, at)
    return refused.value.refusal.code


def test_k12_the_game_ends_after_so_many_sets() -> None:
    game = cards.Game(
        ["Ann"], seed=seed_from("k12"), options={"claim": "instant", "auto_deal": True, "sets": 3}
    )
    game.do(cards.Deal(0))
    while not game.is_over:
        game.do(cards.Show(0, find_sets(game.state.table)[0]), at=game.clock + 2000)
    took = [entry.event for entry in game.log if isinstance(entry.event, cards.Took)]
    assert len(took) == 3
    assert took[-1].dealt == ()
    assert game.scores == (3,)


def test_k12_the_rounds_may_end_before() -> None:
    game = cards.Game(
        ["Ann"], seed=seed_from("k12"), options={"claim": "instant", "auto_deal": True, "sets": 100}
    )
    game.do(cards.Deal(0))
    while not game.is_over:
        game.do(cards.Show(0, find_sets(game.state.table)[0]), at=game.clock + 2000)
    assert 0 < game.scores[0] < 28


def test_z1_what_is_asked() -> None:
    game = new()
    asked = []
    for _ in range(12):
        item = item_of(game)
        asked.append((item.asked, item.of, len(item.shown)))
        game.do(right(game), at=game.clock + 1000)
    assert asked[:6] == [
        ("third", "cards", 2),
        ("is_set", "cards", 3),
        ("find", "cards", 6),
        ("third", "dice", 2),
        ("is_set", "dice", 3),
        ("find", "dice", 6),
    ]
    assert new("race", seats=10).state.seats == 10
    with pytest.raises(OptionsError):
        new("race", seats=11)


def test_z1_only_a_daily_puzzle_has_a_day() -> None:
    for options in ({"day": "2026-11-17"}, {"kind": "daily_set"}, {"kind": "daily_set", "day": "2026-02-30"}):
        with pytest.raises(OptionsError):
            Game(["Ann"], seed=seed_from("x"), options=options)


def test_z2_all_have_the_same_items_and_see_only_their_own() -> None:
    game = new("race", seats=3)
    for _ in range(4):
        game.do(right(game, 0), at=game.clock + 1000)
    assert len(game.view(0).items) == 5
    assert len(game.view(1).items) == 1
    assert game.view(None).items == ()
    told = [rules.see(entry.event, 1) for entry in game.log]
    assert isinstance(told[1], Began)
    assert told[1].first is not None
    assert all(one.picks is None and one.next is None for one in told if isinstance(one, Answered))
    assert game.view(1).runners[0].score == 4
    for _ in range(4):
        game.do(right(game, 1), at=game.clock + 1000)
    assert game.view(1).items == game.view(0).items


def test_z3_an_answer_to_the_item_that_one_sees_and_once() -> None:
    game = new()
    answer = right(game)
    assert refusal(game, replace(answer, item=2), 1000) == "not_reached"
    assert refusal(game, answer, 99) == "too_soon"
    assert refusal(game, Answer(0, 1, (0, 1, 2)), 1000) == "wrong_number"
    assert refusal(game, Answer(0, 1, (6,)), 1000) == "no_such_place"
    assert refusal(game, Answer(0, 1, (-1,)), 1000) == "no_such_place"
    game.do(answer, at=1000)
    assert refusal(game, answer, 2000) == "answered_already"
    assert refusal(game, right(game), 1050) == "too_soon"
    assert game.scores == (1,)


def test_z3_all_six_sets_each_once() -> None:
    game = new("daily_set", day="2026-11-17")
    first = right(game)
    game.do(first, at=1000)
    assert refusal(game, replace(first, picks=first.picks[::-1]), 2000) == "found_already"
    game.do(wrong(game), at=3000)
    assert refusal(game, Answer(0, 1, (1, 1, 2)), 3000) == "same_place_twice"
    for _ in range(5):
        game.do(right(game), at=game.clock + 1000)
    assert game.is_over
    assert game.scores == (6,)
    assert game.state.runners[0].errors == 1
    assert game.state.runners[0].why == "solved"


def test_z4_errors_cost_time_and_combos_give_it_back() -> None:
    game = new()
    until = [180_000]
    for _ in range(30):
        game.do(right(game), at=game.clock + 200)
        until.append(game.state.runners[0].until or 0)
    gained = {n: until[n] - until[n - 1] for n in range(1, 31) if until[n] != until[n - 1]}
    assert gained == {5: 3000, 12: 5000, 20: 7000, 30: 10_000}
    game.do(wrong(game), at=game.clock + 200)
    assert game.state.runners[0].until == until[-1] - 10_000
    assert game.state.runners[0].combo == 0


def test_z4_a_race_takes_ninety_seconds_whoever_is_there() -> None:
    game = new("race", seats=2)
    for _ in range(6):
        game.do(right(game), at=game.clock + 1000)
    game.do(wrong(game), at=10_000)
    assert [runner.until for runner in game.state.runners] == [83_000, 93_000]
    game.advance(83_000)
    assert refusal(game, right(game), 83_001) == "stopped_already"
    game.advance(93_000)
    assert game.is_over


def test_z4_a_race_begins_three_seconds_after_all_are_at_the_line() -> None:
    game = Game(["Ann", "Bo"], seed=seed_from("line"), options={"kind": "race"})
    assert [entry.event for entry in game.do(Begin(1), at=500)] == [LinedUp()]
    assert game.state.begins_at == 3500
    assert game.view(0).items == ()
    assert refusal(game, Begin(0), 3499) == "not_begun"
    assert refusal(game, Answer(0, 1, (0,)), 3499) == "not_begun"
    assert refusal(game, Stop(0), 3499) == "not_begun"
    game.advance(3500)
    assert [entry.at for entry in game.log] == [500, 3500]
    assert {runner.until for runner in game.state.runners} == {93_500}
    assert refusal(game, Begin(0), 4000) == "already_begun"


def test_z5_one_stops_when_the_time_is_up_by_an_error_too() -> None:
    game = new("race")
    for _ in range(9):
        game.do(wrong(game), at=game.clock + 200)
    assert game.is_over
    assert [type(entry.event) for entry in game.log[-3:]] == [Answered, Stopped, Ended]
    assert game.state.runners[0].why == "time"


def test_z5_enough_is_enough() -> None:
    game = new()
    game.do(Stop(0), at=5000)
    assert game.is_over
    assert game.state.runners[0].why == "enough"
    assert refusal(game, Stop(0), 6000) == "game_over"


def test_z6_items_become_harder() -> None:
    laps: list[list[int]] = [[] for _ in range(5)]
    for number in range(12):
        game = new(seed=f"storm {number}")
        for place in range(30):
            laps[place // 6].append(item_of(game).difficulty)
            game.do(right(game), at=game.clock + 150)
    means = [sum(lap) / len(lap) for lap in laps]
    assert means == sorted(means)
    assert means[-1] > 1.5 * means[0]


@pytest.mark.parametrize("day", [f"2026-11-{number}" for number in range(16, 23)])
def test_z7_a_day_has_six_sets_and_its_level(day: str) -> None:
    puzzle = Puzzle(kind="daily_set", day=day, seed=seed_from(f"day {day}"))
    assert len(find_sets(map(Card, puzzle.item.shown))) == 6
    assert puzzle.level == level_of(day)
    assert sum(puzzle.item.difficulty >= limit for limit in QUARTILES) + 1 == puzzle.level


def test_z7_a_day_can_be_checked() -> None:
    opened = Puzzle(kind="daily_set", day="2026-11-17", seed=seed_from("day")).open_day
    assert check(opened) is None
    for changed in (
        replace(opened, day="2026-11-18"),
        replace(opened, kind="daily_cubed"),
        replace(opened, seed=seed_from("other")),
        replace(opened, seed="x"),
        replace(opened, day="2026-99-99"),
        replace(opened, puzzle=replace(opened.puzzle, shown=opened.puzzle.shown[::-1])),
    ):
        assert check(changed) is not None


def test_z7_what_is_told_of_a_day_is_checked_too() -> None:
    puzzle = Puzzle(kind="daily_set", day="2026-11-17", seed=seed_from("day"))
    cards = replace(puzzle.open_day, level=puzzle.level, solutions=tuple(solutions(puzzle.item)))
    assert check(cards) is None
    known = _pool()[0]
    turns = tuple(ToldTurn(turn=one.turn, points=one.points) for one in known.turns)
    dice = replace(
        Puzzle(kind="daily_cubed", day="2026-11-17", seed=known.seed).open_day, level=2, turns=turns
    )
    assert check(dice) is None
    assert check(replace(dice, turns=(ToldTurn(turn="-", points=0),))) is None
    for changed in (
        replace(cards, level=4),
        replace(cards, solutions=((0, 1, 2),)),
        replace(cards, turns=turns),
        replace(dice, turns=(replace(turns[0], points=99), *turns[1:])),
        replace(dice, turns=(ToldTurn(turn="1RO@a1", points=0),)),
        replace(dice, turns=(ToldTurn(turn="nonsense", points=0),)),
    ):
        assert check(changed) is not None


def test_z7_what_was_made_beforehand_is_looked_at() -> None:
    cards = ready_made("daily_set", "2026-11-17", seed_from("day"), (), secret=True)
    dice = ready_made("daily_cubed", "2026-11-17", seed_from("day"), (), secret=False)
    assert cards
    assert dice
    assert (flaw(cards, cards.commitment), flaw(dice, dice.commitment)) == (None, None)
    best, *others = dice.turns
    for puzzle, why in (
        (replace(cards, day="soon"), "'soon' is not a day: write it as in 2026-11-17"),
        (replace(cards, day="20261117"), "'20261117' is not a day: write it as in 2026-11-17"),
        (replace(cards, seed="x"), "a seed is 64 hexadecimal digits"),
        (replace(cards, turns=dice.turns), "a puzzle of cards has no turns"),
        (replace(dice, turns=()), "a puzzle of dice says what its turns are worth"),
        (replace(dice, turns=(*others, best)), "the best turn comes first"),
        (replace(dice, turns=(replace(best, points=99), *others)), "points, not 99"),
        (replace(dice, turns=(replace(best, turn="1RO@a1"), *others)), "the turn 1RO@a1 cannot be laid"),
        (replace(dice, turns=(replace(best, turn="1RO@zz"), *others)), "zz"),
    ):
        assert why in (flaw(puzzle) or "")
    assert (
        flaw(cards, dice.commitment) == "the seed is not the one that was committed to for this kind and day"
    )


def test_z7_no_day_of_dice_comes_twice_nor_is_one_secret_that_all_have() -> None:
    assert ready_made("daily_cubed", "2026-11-17", seed_from("day"), (), secret=True) is None
    used: list[str] = []
    while (
        puzzle := ready_made("daily_cubed", "2026-11-17", seed_from("day"), used, secret=False)
    ) is not None:
        assert puzzle.seed not in used
        used.append(puzzle.seed)
    assert sorted(used) == sorted(one.seed for one in _pool())


def test_z8_a_day_of_dice_goes_by_the_chance_to_win_and_then_by_time() -> None:
    turns = _pool()[0].turns
    slow, quick = (
        Measured(value=0, points=0, time_ms=time_ms, errors=0, answer=turns[0].turn)
        for time_ms in (50_000, 9000)
    )
    least = replace(quick, answer="a turn that was not worth a thought")
    values = [value_of(turns, measured) for measured in (quick, slow, least)]
    assert values == sorted(values)
    assert chance_of(values[0]) == chance_of(values[1]) == round(turns[0].chance, 3)
    assert chance_of(values[2]) == round(turns[-1].chance, 3)
    assert value_of((), replace(quick, value=7)) == 7


def test_z7_the_commitment_of_a_day_is_that_of_its_games() -> None:
    puzzle = Puzzle(kind="daily_set", day="2026-11-17", seed=seed_from("day"))
    game = Game(["Ann"], seed=puzzle.seed, options=puzzle.options)
    game.do(Begin(0))
    assert game.commitment == puzzle.commitment
    assert game.state.items[0] == puzzle.item


def play_sprint(gap: int = 2000, errors: int = 0, sets: int = 10) -> Any:
    run = find_run("sprint_ten")
    game = cards.Game(["Ann"], seed=seed_from("sprint"), options=dict(run.options))
    game.do(cards.Deal(0), at=50)
    for _ in range(errors):
        three = next(three for three in combinations(game.state.table, 3) if not is_set(*three))
        game.do(cards.Show(0, three), at=game.clock + gap)
    for _ in range(sets):
        game.do(cards.Show(0, find_sets(game.state.table)[0]), at=game.clock + gap)
    return measure(run, game.options, game.log, 0)


def test_z8_a_sprint_counts_its_time_and_its_errors() -> None:
    assert play_sprint().value == play_sprint().time_ms == 20_000
    found = play_sprint(errors=2)
    assert (found.time_ms, found.errors, found.value) == (24_000, 2, 34_000)


def test_z8_a_day_counts_errors_too_and_a_storm_its_points() -> None:
    game = new("daily_set", day="2026-11-17")
    game.do(wrong(game), at=2000)
    while not game.is_over:
        game.do(right(game), at=game.clock + 2000)
    found = measure(find_run("daily_set"), game.options, game.log, 0)
    assert (found.value, found.time_ms, found.errors) == (24_000, 14_000, 1)
    better, worse = new(), new()
    for game, count in ((better, 9), (worse, 8)):
        for _ in range(count):
            game.do(right(game), at=game.clock + 2000)
        game.advance(400_000)
    values = [measure(find_run("storm"), game.options, game.log, 0).value for game in (better, worse)]
    assert values[0] < values[1]
    careless = new()
    for _ in range(9):
        careless.do(right(careless), at=careless.clock + 2000)
    while not careless.is_over:  # who errs stops sooner, and gains nothing by it
        careless.do(wrong(careless), at=careless.clock + 2000)
    assert measure(find_run("storm"), careless.options, careless.log, 0).value == values[0]


def test_z9_a_board_of_dice_scores_any_legal_turn() -> None:
    game = new("boards")
    position = item_of(game).position
    assert position is not None
    seat = position.turn or 0
    best, *_, least = position.position(seat).turns()
    assert refusal(game, Answer(0, 1, placements=()), 1000) == "nothing_laid"
    assert refusal(game, Answer(0, 1, (1,), best.placements), 1000) == "wrong_number"
    game.do(Answer(0, 1, placements=best.placements), at=3000)
    assert game.scores == (best.score,)
    assert game.state.runners[0].right == 1
    for _ in range(7):
        position = item_of(game).position
        assert position is not None
        turns = position.position(position.turn or 0).turns()
        game.do(Answer(0, game.state.runners[0].number, placements=turns[0].placements), at=game.clock + 3000)
    assert game.is_over
    found = measure(find_run("dice_sprint"), game.options, game.log, 0)
    assert (found.value, found.errors) == (24_000, 0)
    assert least.score <= best.score


def test_z10_what_is_left_off() -> None:
    assert play_sprint().reason is None
    assert play_sprint(sets=9).reason == "not_finished"
    assert play_sprint(gap=140).reason == "faster_than_a_hand"
    assert play_sprint(gap=400).reason == "faster_than_a_hand"
    game = new()
    game.do(right(game), at=2000)
    game.do(Stop(0), at=3000)
    assert measure(find_run("storm"), game.options, game.log, 0).reason is None
    game = new("daily_set", day="2026-11-17")
    game.do(right(game), at=2000)
    game.do(Stop(0), at=3000)
    assert measure(find_run("daily_set"), game.options, game.log, 0).reason == "not_finished"


def test_every_kind_of_run_can_be_started() -> None:
    for run in runs().values():
        day = {"day": "2026-11-17"} if run.daily else {}
        game = games.find(run.game)
        game.rules.start(game.rules.read_options({**run.options, **day}), run.most_seats)
