"""What each event of puzzles changes."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from tercet.puzzles.play import Answered, Began, Ended, LinedUp, Options, PuzzleEvent, Runner, State, Stopped

#: The seconds that each has, by what is played; None where only the time taken counts (Z4).
SECONDS = {"storm": 180, "race": 90, "boards": None, "daily_set": None, "daily_cubed": None}
#: How long all are at the line of a race before it begins.
LINE_MS = 3000
#: What an error takes off the clock of a seat; where there is no clock, it adds so much to the time that counts.
ERROR_MS = 10_000
#: What so many right answers in a row give the clock back; then every ten.
BONUS_MS = {5: 3000, 12: 5000, 20: 7000, 30: 10_000}
EVERY = 10


def bonus_ms(options: Options, combo: int) -> int:
    """What the clock of a seat gets back for so many right answers in a row; in a race nothing.

    >>> [bonus_ms(Options(), combo) for combo in (4, 5, 12, 30, 40)]
    [0, 3000, 5000, 10000, 10000]
    """
    if options.kind != "storm":
        return 0
    last = max(BONUS_MS)
    return BONUS_MS[last] if combo > last and combo % EVERY == 0 else BONUS_MS.get(combo, 0)


def evolve(state: State, event: PuzzleEvent, at: int) -> State:
    """The state after the event."""
    match event:
        case LinedUp():
            return replace(state, phase="line", begins_at=at + LINE_MS)
        case Began():
            seconds = SECONDS[state.options.kind]
            until = None if seconds is None else at + 1000 * seconds
            runner = Runner(shown_at=at, until=until)
            first = () if event.first is None else (event.first,)
            return replace(state, phase="play", begins_at=None, items=first, runners=(runner,) * state.seats)
        case Answered():
            items = state.items
            if event.next is not None and len(items) == event.number:
                items = (*items, event.next)
            runner = _answer(state, state.runners[event.seat], event, at)
            return replace(state, items=items, runners=_put(state, event.seat, runner))
        case Stopped():
            runner = replace(state.runners[event.seat], stopped_at=at, why=event.why)
            return replace(state, runners=_put(state, event.seat, runner))
        case Ended():
            return replace(state, phase="over")
        case _ as unreachable:
            assert_never(unreachable)


def _answer(state: State, runner: Runner, event: Answered, at: int) -> Runner:
    combo = runner.combo + 1 if event.right else 0
    until = runner.until
    if until is not None:
        until += bonus_ms(state.options, combo) if event.right else -ERROR_MS
    answered = replace(
        runner,
        score=runner.score + event.points,
        right=runner.right + event.right,
        errors=runner.errors + (not event.right),
        combo=combo,
        until=until,
    )
    if state.options.kind == "daily_set":
        if event.right and event.picks is not None:
            return replace(answered, found=(*runner.found, tuple(sorted(event.picks))))
        return answered
    return replace(answered, number=runner.number + 1, shown_at=at)


def _put(state: State, seat: int, runner: Runner) -> tuple[Runner, ...]:
    return (*state.runners[:seat], runner, *state.runners[seat + 1 :])
