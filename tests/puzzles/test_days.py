"""A thousand days: six SETs in each, none twice, and levels that are levels for everybody; and positions of dice that are certain."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from math import exp, log
from random import Random
from statistics import mean, quantiles

import pytest

from tercet import Card, find_sets
from tercet.bots.finding import LEVELS as BOTS
from tercet.bots.finding import Level
from tercet.codec import from_json
from tercet.difficulty import SPREAD, difficulties
from tercet.fairness import seed_from
from tercet.games.runs import Measured
from tercet.puzzles.certify import value_turns
from tercet.puzzles.days import Puzzle, Turns, _pool, cards_of, make_puzzle, ready_made, value_of
from tercet.puzzles.items import QUARTILES, find_all

pytestmark = pytest.mark.slow

#: Twenty weeks, so that every level has its share of days; and the thousand that are promised.
many_days = pytest.mark.parametrize("count", [140, pytest.param(1000, marks=pytest.mark.long)])


def days(count: int) -> list[Puzzle]:
    first = date(2026, 11, 18)
    made: list[Puzzle] = []
    taken: set[frozenset[str]] = set()
    for number in range(count):
        day = (first + timedelta(number)).isoformat()
        seeds = (seed_from(f"{day} {attempt}") for attempt in range(100))
        puzzle = make_puzzle("daily_set", day, seeds.__next__, taken)
        taken.add(cards_of(puzzle))
        made.append(puzzle)
    return made


@many_days
def test_each_has_six_sets_none_comes_twice_and_levels_are_in_order(count: int) -> None:
    made = days(count)
    assert all(len(set(puzzle.item.shown)) == 12 for puzzle in made)
    assert all(len(find_sets(map(Card, puzzle.item.shown))) == 6 for puzzle in made)
    assert len({cards_of(puzzle) for puzzle in made}) == count
    assert len({puzzle.commitment for puzzle in made}) == count
    by_level = [[p.item.difficulty for p in made if p.level == level] for level in (1, 2, 3, 4)]
    assert [7 * len(of) for of in by_level] == pytest.approx([2 * count] * 3 + [count], abs=21)
    for easier, harder in pairwise(by_level):
        assert max(easier) < min(harder)
    for bot in BOTS:
        check_levels(made, bot)


def check_levels(made: list[Puzzle], bot: Level) -> None:
    """Every SET is found by itself, as the bots find them; the day is done with the last."""
    r = Random(bot.name)
    means = []
    for level in (1, 2, 3, 4):
        times = []
        for puzzle in made:
            if puzzle.level == level:
                shown = [Card(text) for text in puzzle.item.shown]
                medians = difficulties(shown, find_sets(shown)).values()
                times += [
                    max(exp(r.gauss(log(median / bot.speed), SPREAD)) for median in medians)
                    for _ in range(20)
                ]
        means.append(mean(times))
    assert means == sorted(means), bot.name
    assert means[3] > 1.2 * means[0], bot.name


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
    chosen = ready_made("daily_cubed", "2026-11-18", seed_from("which"), (), secret=False)
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
        puzzle = ready_made("daily_cubed", "2026-11-18", seed_from(str(number)), used, secret=False)
        assert puzzle is not None
        assert puzzle.seed not in used
        used.add(puzzle.seed)
    assert ready_made("daily_cubed", "2026-11-18", seed_from("more"), used, secret=False) is None
    assert ready_made("daily_cubed", "2026-11-18", seed_from("secret"), (), secret=True) is None


def test_what_a_turn_is_worth() -> None:
    turns: Turns = from_json(
        '[{"turn":"a","chance":0.6,"error":0.01,"behind":0,"behind_error":0,"points":5},'
        '{"turn":"b","chance":0.5,"error":0.01,"behind":0.1,"behind_error":0.01,"points":9}]',
        Turns,
    )

    def value(answer: str, time_ms: int) -> int:
        return value_of(turns, Measured(value=0, points=5, time_ms=time_ms, errors=0, answer=answer))

    assert value("a", 90_000) < value("a", 91_000) < value("b", 1000) == value("elsewhere", 1000)
