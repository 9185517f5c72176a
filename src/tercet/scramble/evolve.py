"""What each event of Scramble changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from tercet.editions import Die
from tercet.games import CameBack, SteppedAway, away_after, have_all
from tercet.scramble.play import (
    Called,
    Ended,
    Missed,
    PendingCall,
    RoundEnded,
    SawNone,
    ScrambleEvent,
    State,
    Thrown,
    Took,
    TookBack,
)

#: How long a table waits for the thrower between two rounds.
PAUSE_MS = 10_000


def evolve(state: State, event: ScrambleEvent, at: int) -> State:
    """The state after the event."""
    match event:
        case Thrown():
            return replace(state, phase="play", dice=event.dice, taken=(0,) * state.seats, throw_due=None)
        case Called():
            until = at + state.options.show_seconds * 1000
            return replace(state, call=PendingCall(event.seat, until), none=state.none - {event.seat})
        case Took():
            return replace(
                state,
                dice=_without(state.dice, event.dice),
                scores=_add_one(state.scores, event.seat),
                taken=_add_one(state.taken, event.seat),
                call=None,
                locked=frozenset(),
                none=frozenset(),
            )
        case Missed():
            return _release(replace(state, call=None, locked=state.locked | {event.seat}))
        case SawNone():
            return replace(state, none=state.none | {event.seat})
        case TookBack():
            return replace(state, none=state.none - {event.seat})
        case RoundEnded():
            return replace(
                state,
                phase="deal",
                round=state.round + 1,
                thrower=(state.thrower + 1) % state.seats,
                dice=(),
                locked=frozenset(),
                none=frozenset(),
                throw_due=at + PAUSE_MS,
            )
        case Ended():
            return replace(state, phase="over", round=state.options.rounds, throw_due=None)
        case SteppedAway() | CameBack():
            return _release(replace(state, away=away_after(state.away, event)))
        case _ as unreachable:
            assert_never(unreachable)


def _release(state: State) -> State:
    """When all who count are locked out, nobody is (M2, T1)."""
    all_locked = state.locked and have_all(state.seats, state.away, state.locked)
    return replace(state, locked=frozenset()) if all_locked else state


def _without(dice: tuple[Die | None, ...], gone: Sequence[Die]) -> tuple[Die | None, ...]:
    return tuple([None if die in gone else die for die in dice])


def _add_one(counts: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :])
