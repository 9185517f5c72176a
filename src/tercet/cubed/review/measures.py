"""What a loss is called, what it leaves of an accuracy, and what an error rate says about a player.

>>> mark(0.1), mark(0.25), mark(3), mark(7.5)
(None, 'small', 'medium', 'large')
>>> round(accuracy(0)), round(accuracy(10)), round(accuracy(100))
(100, 64, 0)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Literal

Mark = Literal["small", "medium", "large"]

#: From so many percentage points of the chance to win on.
MARKS: tuple[tuple[float, Mark], ...] = ((7.0, "large"), (3.0, "medium"), (0.25, "small"))
#: A loss of less than so many standard errors is none.
CERTAIN = 2.0
#: Whoever loses at most so many percentage points a decision plays like this bot of ours. Between what they were measured to lose.
WORDS = ((0.6, "master"), (1.4, "expert"), (1.9, "steady"), (4.0, "greedy"))
ELSE = "random"


def mark(loss: float) -> Mark | None:
    """The mark of a decision that loses so many percentage points."""
    return next((name for least, name in MARKS if loss >= least), None)


def accuracy(loss: float) -> float:
    """0 to 100 for a decision that loses so many percentage points."""
    return max(0.0, min(100.0, 103.1668 * exp(-0.04354 * loss) - 3.1669))


def game_accuracy(accuracies: Sequence[float]) -> float | None:
    """Of a whole game: between the plain and the harmonic mean, so that single blunders count."""
    if not accuracies:
        return None
    plain = sum(accuracies) / len(accuracies)
    harmonic = len(accuracies) / sum(1 / max(one, 1.0) for one in accuracies)
    return (plain + harmonic) / 2


def word(error_rate: float) -> str:
    """The bot that loses about so many percentage points a decision."""
    return next((name for most, name in WORDS if error_rate <= most), ELSE)
