"""Runs: games that are played against the clock, and compared.

A run is an ordinary game with options that are fixed by its kind, so that all who play it play the same. A game that has some
says so in its module ``runs``: ``RUNS`` are the kinds, and ``measure`` says what the log of a finished game is worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

from msgspec import Struct

from tercet.games.catalogue import names, part
from tercet.games.rules import Entry, OptionsError

#: Why a run that was played to its end is on no board: the rules' own reasons, and those of whoever runs the table (R4).
Reason = Literal["not_finished", "faster_than_a_hand", "played_before", "day_over", "seat_taken_over"]

#: Nobody takes three cards or presses three keys in less, nor for a whole run in less than the second on average.
HAND_MS = 150
PACE_MS = 500


class Run(Struct, frozen=True, kw_only=True):
    """A kind of run: which game, with which options, for how many.

    ``title`` and ``costs`` are what people read: its name, and what an error costs. ``order``: what counts first, the ``time`` taken or the ``points``. ``daily``: there is one for each day (`Options.day`), the same for
    all, and the first try counts.
    """

    name: str
    title: str
    costs: str = ""
    game: str
    options: Mapping[str, Any] = {}
    order: Literal["time", "points"]
    most_seats: int = 1
    daily: bool = False


class Measured(Struct, frozen=True, kw_only=True):
    """What a seat achieved. ``value`` is what boards go by, the least first; ``reason`` is there if the rules leave it off them.
    ``answer`` is what was chosen, where that is to be judged by more than the rules."""

    value: int
    points: int
    time_ms: int
    errors: int
    reason: Reason | None = None
    answer: str | None = None


@cache
def runs() -> Mapping[str, Run]:
    """All kinds of runs by their names."""
    parts = filter(None, (part(name, "runs") for name in names()))
    return {run.name: run for found in parts for run in found.RUNS}


def find_run(name: str) -> Run:
    """The kind of run of this name."""
    if name not in runs():
        raise OptionsError(f"no run is called {name[:20]!r}; there are {', '.join(runs())}")
    return runs()[name]


def measure(run: Run, options: Any, log: Sequence[Entry[Any]], seat: int) -> Measured:
    """What this seat achieved in a finished game."""
    found = part(run.game, "runs")
    assert found is not None
    measured: Measured = found.measure(run, options, log, seat)
    return measured


def too_fast(gaps: Sequence[int]) -> bool:
    """Whether answers came faster than a hand can move: one of them, or all on average.

    >>> too_fast([900, 140]), too_fast([400, 450, 420]), too_fast([160, 1500, 900])
    (True, True, False)
    """
    return bool(gaps) and (min(gaps) < HAND_MS or sum(gaps) < PACE_MS * len(gaps))
