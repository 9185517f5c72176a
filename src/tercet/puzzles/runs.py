"""What is played against the clock and compared: storms, races, boards of dice, and the puzzles of days."""

from __future__ import annotations

from collections.abc import Sequence

from tercet.games.rules import Entry
from tercet.games.runs import Measured, Reason, Run, too_fast
from tercet.puzzles.certify import text_of
from tercet.puzzles.evolve import ERROR_MS, evolve
from tercet.puzzles.game import rules
from tercet.puzzles.play import Answered, Began, Options, PuzzleEvent, Stopped

#: What a point less than the best turn adds to the time that counts.
POINT_MS = 5000
#: One point more is worth more than any time.
TIME_LIMIT = 10**9

_COSTS = "An error {} {} seconds."

RUNS = (
    Run(
        name="storm",
        title="Storm",
        costs=_COSTS.format("costs", ERROR_MS // 1000),
        game="puzzles",
        options={"kind": "storm"},
        order="points",
    ),
    Run(
        name="race",
        title="Race",
        costs=_COSTS.format("costs", ERROR_MS // 1000),
        game="puzzles",
        options={"kind": "race"},
        order="points",
        most_seats=10,
    ),
    Run(
        name="dice_sprint",
        title="Dice sprint",
        costs=f"Each point short of the best turn adds {POINT_MS // 1000} seconds.",
        game="puzzles",
        options={"kind": "boards"},
        order="time",
    ),
    Run(
        name="daily_set",
        title="Daily Set",
        costs=_COSTS.format("adds", ERROR_MS // 1000),
        game="puzzles",
        options={"kind": "daily_set"},
        order="time",
        daily=True,
    ),
    Run(
        name="daily_cubed",
        title="Daily Cubed",
        game="puzzles",
        options={"kind": "daily_cubed"},
        order="points",
        daily=True,
    ),
)


def measure(run: Run, options: Options, log: Sequence[Entry[PuzzleEvent]], seat: int) -> Measured:
    """Points, and the time until this seat stopped."""
    state = rules.start(options, 1 + max((_seat(entry.event) for entry in log), default=0))
    gaps: list[int] = []
    errors = missed = begun = shown = scored = stopped = 0
    why = answer = None
    items = []
    for entry in log:
        event = entry.event
        match event:
            case Began():
                begun = shown = entry.at
                items = [event.first]
            case Answered() if event.seat == seat:
                gaps.append(entry.at - shown)
                shown = entry.at
                errors += not event.right
                scored = entry.at if event.points else scored
                item = items[event.number - 1]
                if item is not None and item.position is not None:
                    best = item.position.position(item.position.turn or 0).best().score
                    missed += best - event.points
                if run.name == "daily_cubed":
                    answer = text_of(event.placements or ())
                if event.next is not None:
                    items.append(event.next)
            case Stopped() if event.seat == seat:
                stopped, why = entry.at, event.why
        state = evolve(state, event, entry.at)
    runner = state.runners[seat]
    time_ms = (shown if why is None else stopped) - begun
    reason: Reason | None = None
    if why is None or (why == "enough" and not gaps) or (why != "solved" and run.order == "time"):
        reason = "not_finished"
    elif too_fast(gaps):
        reason = "faster_than_a_hand"
    match run.name:
        case "dice_sprint":
            value = time_ms + POINT_MS * missed
        case "daily_set":
            value = time_ms + ERROR_MS * errors
        case _:
            value = -runner.score * TIME_LIMIT + min(scored - begun, TIME_LIMIT - 1)
    return Measured(
        value=value, points=runner.score, time_ms=time_ms, errors=errors, reason=reason, answer=answer
    )


def _seat(event: PuzzleEvent) -> int:
    return event.seat if isinstance(event, Answered | Stopped) else 0
