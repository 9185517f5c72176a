"""What a loss is called, what it leaves of an accuracy, and what an error rate says about a player.

>>> mark(0.1), mark(0.25), mark(3), mark(7.5)
(None, 'small', 'medium', 'large')
>>> accuracy(0), round(accuracy(10)), round(accuracy(100))
(100.0, 64, 0)
>>> plays_like(0.2, 0.1), plays_like(1.7, 0.3), plays_like(2.0, 2.0)
(('master',), ('greedy', 'expert'), ())
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, inf, sqrt
from statistics import fmean, stdev
from typing import Literal, NamedTuple

Mark = Literal["small", "medium", "large"]

#: From so many percentage points of the chance to win on.
MARKS: tuple[tuple[float, Mark], ...] = ((7.0, "large"), (3.0, "medium"), (0.25, "small"))
#: A loss of less than so many standard errors is no mistake, and so many to either side of an error rate hold 95 %.
CERTAIN = 2.0
#: A game is decided where every choice wins less often than this, or fails to.
DECIDED = 0.02
#: Whoever loses at most so many percentage points a decision plays like this bot of ours. Between what they were measured to lose.
WORDS = ((0.5, "master"), (1.2, "expert"), (1.8, "steady"), (4.0, "greedy"), (inf, "random"))
#: An interval with more of these bots in it says nothing.
BOTS_AT_MOST = 3


def mark(loss: float) -> Mark | None:
    """The mark of a decision that loses so many percentage points."""
    return next((name for least, name in MARKS if loss >= least), None)


def matters(chances: Iterable[float]) -> bool:
    """Whether a decision between choices that win so often can matter: not all of them win, and not all lose.

    >>> matters([0.99, 0.6]), matters([0.01, 0.0]), matters([1.0, 0.985])
    (True, False, False)
    """
    found = list(chances)
    return max(found) >= DECIDED and min(found) <= 1 - DECIDED


def accuracy(loss: float) -> float:
    """0 to 100 for a decision that loses so many percentage points."""
    return max(0.0, min(100.0, 103.17 * exp(-0.04354 * loss) - 3.17))


def game_accuracy(losses: Sequence[float]) -> float | None:
    """Of a whole game: between the plain and the harmonic mean of its decisions, so that single blunders count.

    >>> game_accuracy([0.0, -20.0]), round(game_accuracy([0.0, 10.0]))
    (100.0, 80)
    """
    if not losses:
        return None
    accuracies = [accuracy(loss) for loss in losses]
    harmonic = len(accuracies) / sum(1 / max(one, 1.0) for one in accuracies)
    return (fmean(accuracies) + harmonic) / 2


class Rate(NamedTuple):
    """The mean loss of a decision, with its standard error; both None if nothing is known of it."""

    value: float | None
    error: float | None


def error_rate(losses: Sequence[float], errors: Sequence[float]) -> Rate:
    """Of decisions with these losses, each with its standard error.

    The next decisions of the same player will lose more or less than these: that doubt counts, too, and shows in how much
    the losses spread. Three of them are too few to tell.
    """
    count = len(losses)
    if not count:
        return Rate(None, None)
    if count < 4:
        return Rate(fmean(losses), None)
    noise = sqrt(sum(error * error for error in errors)) / count
    return Rate(fmean(losses), max(stdev(losses) / sqrt(count), noise))


def plays_like(rate: float | None, error: float | None) -> tuple[str, ...]:
    """The bot that loses about so many percentage points a decision; or two, the weaker first, between which the player is; or
    none, if it could be almost any."""
    if rate is None or error is None:
        return ()
    low, high = (_level(rate + sides * error) for sides in (-CERTAIN, CERTAIN))
    if high - low >= BOTS_AT_MOST:
        return ()
    return (WORDS[low][1],) if low == high else (WORDS[high][1], WORDS[low][1])


def _level(rate: float) -> int:
    return next(level for level, (most, _) in enumerate(WORDS) if rate <= most)
