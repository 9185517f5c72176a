"""What each event of Scramble changes."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tercet.editions import Die
from tercet.games import race
from tercet.games.race import PAUSE_MS, Ended, add
from tercet.scramble.play import Missed, RoundEnded, ScrambleEvent, State, Thrown, Took


def evolve(state: State, event: ScrambleEvent, at: int) -> State:
    """The state after the event."""
    match event:
        case Thrown():
            return replace(state, phase="play", dice=event.dice, taken=(0,) * state.seats, throw_due=None)
        case Took():
            return replace(
                state,
                dice=_without(state.dice, event.dice),
                scores=add(state.scores, event.seat),
                taken=add(state.taken, event.seat),
                call=None,
                locked=frozenset(),
                none=frozenset(),
            )
        case Missed():
            return race.lock_out(state, event.seat)
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
        case _:
            return race.evolve(state, event, at)


def _without(dice: tuple[Die | None, ...], gone: Sequence[Die]) -> tuple[Die | None, ...]:
    return tuple([None if die in gone else die for die in dice])
