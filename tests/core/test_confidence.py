"""Intervals that hold at every look."""

from __future__ import annotations

from math import isinf
from random import Random
from statistics import fmean, stdev

import pytest

from tercet.confidence import LEAST, Mean


def test_mean_and_spread_are_those_of_the_textbook() -> None:
    values = [Random(1).gauss(3, 2) for _ in range(500)]
    mean = Mean()
    for value in values:
        mean.add(value)
    assert mean.mean == pytest.approx(fmean(values))
    assert mean.deviation == pytest.approx(stdev(values))
    assert mean.mean in mean.interval


def test_there_is_no_interval_before_there_is_data() -> None:
    mean = Mean()
    for _ in range(LEAST - 1):
        mean.add(1.0)
    assert isinf(mean.interval.low)
    mean.add(1.0)
    assert not isinf(mean.interval.low)


def test_who_always_won_may_still_lose_one_day() -> None:
    mean = Mean()
    for _ in range(40):
        mean.add(1.0)
    assert mean.interval.low < 0.95


@pytest.mark.slow
def test_looking_all_the_time_is_seldom_wrong() -> None:
    """Pairs of games between equals, looked at after each: the share of runs that ever say otherwise."""
    wrong = 0
    for run in range(400):
        random = Random(run)
        mean = Mean()
        for _ in range(400):
            mean.add(random.choice((0.0, 0.5, 0.5, 1.0)))
            if mean.count >= LEAST and 0.5 not in mean.interval:
                wrong += 1
                break
    assert wrong / 400 < 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5
