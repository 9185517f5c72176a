"""A thousand days: six SETs in each, none twice, and levels that are levels for everybody; and positions of dice that are certain."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from math import exp, log
from random import Random
from statistics import mean, quantiles

import pytest

from tercet import Card, find_sets
from tercet.bots.finding import LEVELS as BOTS
from tercet.codec import from_json
from tercet.difficulty import SPREAD, difficulties
from tercet.fairness import seed_from
from tercet.games.runs import Measured
from tercet.puzzles.certify import value_turns
from tercet.puzzles.days import Puzzle, Turns, _pool, cards_of, make_puzzle, ready_made, value_of
from tercet.puzzles.items import QUARTILES, find_all

pytestmark = pytest.mark.slow

DAYS = 1000


@cache
def days() -> list[Puzzle]:
    first = date(2026, 11, 18)
    made: list[Puzzle] = []
    taken: set[frozenset[str]] = set()
    for number in range(DAYS):
        day = (first + timedelta(number)).isoformat()
        seeds = (seed_from(f"{day} {attempt}") for attempt in range(100))
        puzzle = make_puzzle("daily_set", day, seeds.__next__, taken)
        taken.add(cards_of(puzzle))
        made.append(puzzle)
    return made


def test_each_has_exactly_six_sets_and_none_comes_twice() -> None:
    assert all(len(set(puzzle.item.shown)) == 12 for puzzle in days())
    assert all(len(find_sets(map(Card, puzzle.item.shown))) == 6 for puzzle in days())
    assert len({cards_of(puzzle) for puzzle in days()}) == DAYS
    assert len({puzzle.commitment for puzzle in days()}) == DAYS


def test_levels_are_in_order_by_the_model_without_overlap() -> None:
    by_level = [[p.item.difficulty for p in days() if p.level == level] for level in (1, 2, 3, 4)]
    assert [len(of) for of in by_level] == pytest.approx([286, 286, 286, 143], abs=3)
    for easier, harder in pairwise(by_level):
        assert max(easier) < min(harder)


@pytest.mark.parametrize("bot", BOTS, ids=[bot.name for bot in BOTS])
def test_levels_are_in_order_by_the_times_of_bots(bot: object) -> None:
    """Every SET is found by itself, as the bots find them; the day is done with the last."""
    assert isinstance(bot, type(BOTS[0]))
    r = Random(bot.name)
    means = []
    for level in (1, 2, 3, 4):
        times = []
        for puzzle in days():
            if puzzle.level == level:
                shown = [Card(text) for text in puzzle.item.shown]
                medians = difficulties(shown, find_sets(shown)).values()
                times += [
                    max(exp(r.gauss(log(median / bot.speed), SPREAD)) for median in medians)
                    for _ in range(20)
                ]
        means.append(mean(times))
    assert means == sorted(means)
    assert means[3] > 1.2 * means[0]


def test_the_levels_are_quarters_of_all_tables_with_six_sets() -> None:
    r, pack = Random(7), list(Card.all())
    found: list[int] = []
    while len(found) < 600:
        item = find_all(r.sample(pack, 12))
        if item is not None:
            found.append(item.difficulty)
    assert quantiles(found, n=4) == pytest.approx(QUARTILES, rel=0.04)


def is_certain(puzzle: Puzzle, games: int) -> None:
    """The best turn is best by other games than those that certified it, with its interval clear of every other, and has fewer
    points than another."""
    position = puzzle.item.position
    assert position is not None
    best, *others = value_turns(position, games, seed=99)
    assert best.turn == puzzle.turns[0].turn
    assert all(other.behind > 1.96 * other.behind_error for other in others)
    assert best.points < max(other.points for other in others)
    assert best.points < position.position(position.turn or 0).best().score


def test_a_position_of_dice_is_certain() -> None:
    chosen = ready_made("daily_cubed", "2026-11-18", seed_from("which"), ())
    assert chosen is not None
    assert chosen.turns[0].chance > chosen.turns[1].chance
    is_certain(chosen, 800)


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(_pool())))
def test_all_positions_of_dice_are_certain(number: int) -> None:
    certified = _pool()[number]
    is_certain(Puzzle(kind="daily_cubed", day="2026-11-18", seed=certified.seed, turns=certified.turns), 6000)


def test_no_position_comes_twice_while_others_are_left() -> None:
    used: set[str] = set()
    for number in range(len(_pool())):
        puzzle = ready_made("daily_cubed", "2026-11-18", seed_from(str(number)), used)
        assert puzzle is not None
        assert puzzle.seed not in used
        used.add(puzzle.seed)
    assert ready_made("daily_cubed", "2026-11-18", seed_from("more"), used) is None


def test_what_a_turn_is_worth() -> None:
    turns: Turns = from_json(
        '[{"turn":"a","chance":0.6,"error":0.01,"behind":0,"behind_error":0,"points":5},'
        '{"turn":"b","chance":0.5,"error":0.01,"behind":0.1,"behind_error":0.01,"points":9}]',
        Turns,
    )

    def value(answer: str, time_ms: int) -> int:
        return value_of(turns, Measured(value=0, points=5, time_ms=time_ms, errors=0, answer=answer))

    assert value("a", 90_000) < value("a", 91_000) < value("b", 1000) == value("elsewhere", 1000)
