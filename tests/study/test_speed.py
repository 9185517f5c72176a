"""The estimate of a speed is right as often as it says, and a weakness is found where one is planted."""

from __future__ import annotations

from functools import cache
from math import log, sqrt
from random import Random
from typing import Any

import pytest

from tercet import Card, bots, cards, record
from tercet.bots.finding import LEVELS, Find
from tercet.cards.bots import CardBot, Regular
from tercet.cards.review import Review
from tercet.cards.review.measures import Kind, Strength, kinds
from tercet.cards.review.telling import strengths_together
from tercet.difficulty import first_find
from tercet.fairness import seed_from
from tercet.study.review import review
from tercet.study.speed import Estimate, Search, estimate, together

SPEEDS = {level.name: level.speed for level in LEVELS}
#: Alone, even, uneven, and several.
TABLES = (
    ("quick",),
    ("beginner",),
    ("regular", "casual"),
    ("beginner", "champion"),
    ("beginner", "beginner"),
    ("champion", "quick", "regular"),
    ("regular", "regular", "regular", "regular"),
    ("casual", "quick"),
)


def play(players: list[bots.Bot[Any, Any]], number: int) -> Review:
    """One round of these, reviewed."""
    names = [f"player {seat}" for seat in range(len(players))]
    game = cards.Game(names, seed=seed_from(f"truth {number}"), options={"rounds": 1})
    bots.play(game, players)
    seen = review(record.of(game))
    assert isinstance(seen, Review)
    return seen


@cache
def simulated(games: int) -> list[tuple[str, Estimate, tuple[Strength, ...]]]:
    """Every player of so many games of bots: its level, its speed as estimated, and its strengths."""
    found = []
    for number in range(games):
        names = TABLES[number % len(TABLES)]
        seated = [bots.make("set", name, seat, Random(f"{number} {seat}")) for seat, name in enumerate(names)]
        seen = play(seated, number)
        for name, seat in zip(names, seen.seats, strict=True):
            assert seat.speed is not None
            found.append((name, seat.speed, seat.strengths))
    return found


@pytest.mark.slow
def test_the_interval_holds_the_true_speed_95_times_in_100() -> None:
    found = simulated(200)
    held = sum(speed.low < SPEEDS[name] < speed.high for name, speed, _ in found) / len(found)
    print(f"\n{len(found)} players of 200 games: the interval held {held:.1%} of the time")
    assert abs(held - 0.95) < 3 * sqrt(0.95 * 0.05 / len(found))


@pytest.mark.slow
def test_several_games_together_are_as_sure_as_they_say() -> None:
    held = []
    for level, true in SPEEDS.items():
        speeds = [speed for name, speed, _ in simulated(200) if name == level]
        for first in range(0, len(speeds) - 4, 5):
            five = together(speeds[first : first + 5])
            held.append(five.low < true < five.high)
    print(f"\n{len(held)} times five games: the interval held {sum(held) / len(held):.1%} of the time")
    assert abs(sum(held) / len(held) - 0.95) < 3 * sqrt(0.95 * 0.05 / len(held))


@pytest.mark.slow
@pytest.mark.parametrize("level", SPEEDS)
def test_no_level_is_taken_for_much_faster_or_slower(level: str) -> None:
    speeds = [speed for name, speed, _ in simulated(200) if name == level]
    middle = together(speeds)
    assert abs(middle.log - log(SPEEDS[level])) < 0.1


@pytest.mark.slow
def test_no_weakness_is_told_where_there_is_none() -> None:
    found = simulated(200)
    told = sum(any(one.clear for one in strengths) for _, _, strengths in found) / len(found)
    print(f"\n{told:.1%} of the players are told of a kind that they are not slow or fast at")
    assert told < 0.05 + 3 * sqrt(0.95 * 0.05 / len(found))


class Slow(Regular):
    """Sees one kind of SETs late."""

    def __init__(self, seat: int, random: Random, kind: Kind, factor: float) -> None:
        super().__init__(seat, random)
        self.kind, self.factor = kind, factor

    def _race(self, view: cards.State) -> list[Find[Card]]:
        return [
            Find(find.after * (self.factor if self.kind in kinds(frozenset(find.group)) else 1.0), find.group)
            for find in super()._race(view)
        ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "factor", "games"),
    [
        (Kind("different", "fill"), 2.0, 15),
        (Kind("different", "number"), 0.5, 15),
        (Kind("same", "hatched"), 2.5, 15),
        (Kind("same", "squiggle"), 2.5, 15),
    ],
    ids=str,
)
def test_planted_slowness_is_found(kind: Kind, factor: float, games: int) -> None:
    reviews = []
    for number in range(games):
        slow = Slow(0, Random(f"slow {number}"), kind, factor)
        reviews.append(play([slow, Regular(1, Random(f"regular {number}"))], number))
    slow_row, regular_row = (
        next(row for row in Review.by_player(reviews).rows if row["player"] == f"player {seat}")
        for seat in range(2)
    )
    print(f"\n{kind} {factor}: slow at {slow_row['slow_at']}; fast at {slow_row['fast_at']}")
    told = next(one for one in strengths_together([(seen, 0) for seen in reviews]) if one.kind == kind)
    assert told.clear
    assert (told.slowness.factor > 1) == (factor > 1)
    assert abs(told.slowness.log - log(factor)) < 3 * told.slowness.deviation
    assert str(kind) in slow_row["slow_at" if factor > 1 else "fast_at"]
    assert str(kind) not in regular_row["slow_at"] + regular_row["fast_at"]


def test_a_bot_of_twice_the_speed_needs_half_the_time() -> None:
    slow = [Search(seconds, 4.0, 1) for seconds in (3.0, 5.0, 8.0)]
    fast = [Search(search.seconds / 2, 4.0, 1) for search in slow]
    assert estimate(fast * 50).factor == pytest.approx(2 * estimate(slow * 50).factor, rel=0.01)


def test_what_others_took_first_counts_too() -> None:
    """Whoever is beaten to every SET looks slow by it, and all the less sure the less there was to see."""
    beaten = estimate([Search(5.0, 4.0, 0)] * 20)
    assert beaten.high < 1
    hardly = estimate([Search(0.1, 4.0, 0)] * 20)
    assert hardly.deviation > 1
    assert estimate([]).rounded[0] == 1.0


@pytest.mark.parametrize("seconds", [0.0, 1e-9, 1e6, 1e9])
def test_times_that_nobody_has_break_nothing(seconds: float) -> None:
    for found in (0, 0.5, 1):
        one = estimate([Search(seconds, 4.0, found)] * 30)
        assert 0 < one.low < one.factor < one.high


def test_more_games_are_more_sure_unless_they_differ() -> None:
    alike = together([Estimate(0.3, 0.2)] * 4)
    assert alike.deviation == pytest.approx(0.1, rel=0.05)
    assert alike.log == pytest.approx(0.3, rel=0.05)
    assert together([Estimate(-0.5, 0.1), Estimate(0.5, 0.1)]).deviation > 0.4


def test_a_table_is_easier_than_any_set_on_it() -> None:
    assert first_find([3.0, 5.0, 9.0]) < 3.0
    assert first_find([3.0, 1e9]) == pytest.approx(3.0, rel=1e-3)


def test_the_levels_have_the_speeds_that_they_play_with() -> None:
    assert SPEEDS["regular"] == 1.0
    assert issubclass(bots.find("set", "champion"), CardBot)
    assert list(SPEEDS.values()) == sorted(SPEEDS.values())
