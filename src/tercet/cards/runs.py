"""Sprints: the whole deck, or ten SETs, alone against the clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tercet.cards.play import CardEvent, Dealt, Missed, Options, Took
from tercet.games.race import Ended
from tercet.games.rules import Entry
from tercet.games.runs import Measured, Reason, Run, too_fast

#: More cards come when there is no SET, and only then: to open them while one lies there would be a way to an easier table.
_ALONE = {"rounds": 1, "auto_deal": True, "honest_none": True}
_INSTANT = {**_ALONE, "claim": "instant"}


#: What a wrong claim, or one with nothing to show, adds to the time that counts.
ERROR_MS = 5000


def _sprint(name: str, title: str, **options: Any) -> Run:
    costs = f"An error adds {ERROR_MS // 1000} seconds."
    return Run(name=name, title=title, costs=costs, game="set", options=options, order="time")


#: Alone a lock costs nothing, so that a wrong claim costs time: see `ERROR_MS`.
RUNS = (
    _sprint("sprint", "Sprint", **_INSTANT),
    _sprint("sprint_ten", "Ten SETs", **_INSTANT, sets=10),
    _sprint("sprint_call", "Sprint with calls", **_ALONE),
    _sprint("sprint_ultra", "Ultra sprint", **_INSTANT, variant="ultra"),
    _sprint("sprint_chain", "Chain sprint", **_INSTANT, variant="chain"),
    _sprint("sprint_junior", "Junior sprint", **_INSTANT, variant="junior"),
)


def measure(_run: Run, _options: Options, log: Sequence[Entry[CardEvent]], _seat: int) -> Measured:
    """The time from the first cards to the last SET, and what errors add to it."""
    taken = errors = 0
    gaps: list[int] = []
    shown = begun = last = 0
    over = False
    for entry in log:
        match entry.event:
            case Dealt():
                begun = shown = last = entry.at
            case Took():
                taken += 1
                gaps.append(entry.at - shown)
                shown = last = entry.at
            case Missed():
                errors += 1
                shown = entry.at
            case Ended():
                over = True
    time_ms = last - begun
    reason: Reason | None = None if over else "not_finished"
    return Measured(
        value=time_ms + ERROR_MS * errors,
        points=taken,
        time_ms=time_ms,
        errors=errors,
        reason="faster_than_a_hand" if over and too_fast(gaps) else reason,
    )
