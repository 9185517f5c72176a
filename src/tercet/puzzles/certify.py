"""Which positions of the dice game make good puzzles: the best turn is clearly best by deep search, and is not the one with the most points.

Every turn worth a thought is played out to the end of the game with the same dice, thousands of times.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from tercet.cubed import Lay, Pass, Placement, Replace, State, write_turn
from tercet.cubed.bots.master import Master
from tercet.cubed.bots.race import TO_THE_END, Outcomes, Start
from tercet.cubed.bots.rollouts import Rollouts

#: So many turns are compared, the most promising; and those with the most points.
COMPARED = 7
#: Games played out for each turn: to see whether it may be a puzzle, again, and to be sure.
A_LOOK, A_CLOSER_LOOK, SURE = 40, 240, 2000
#: The best is better than each other by so many standard errors, and by so much of the chance to win.
CLEAR, MARGIN = 3.0, 0.02


class Valued(Struct, frozen=True, kw_only=True):
    """A turn as text, the chance to win with it and the standard error of that, how much the best one is better and the error of that, and
    its points."""

    turn: str
    chance: float
    error: float
    behind: float
    behind_error: float
    points: int


def certify(state: State, games: int = SURE, seed: int = 1) -> tuple[Valued, ...] | None:
    """The worthwhile turns, the best first; None if this is no puzzle."""
    for effort, errors in ((A_LOOK, 0.0), (A_CLOSER_LOOK, CLEAR / 2)):
        if not _may_be(value_turns(state, effort, seed + effort), errors):
            return None
    found = value_turns(state, games, seed)
    return found if _may_be(found, CLEAR) else None


def value_turns(state: State, games: int, seed: int) -> tuple[Valued, ...]:
    """What the worthwhile turns are worth, by so many games played out for each, the best first."""
    seat = state.turn or 0
    starts = _worthwhile(state, seat)
    rollouts = Rollouts(state.options.edition, state.seats)
    outcomes = []
    for start in starts:
        played = Outcomes(rollouts, start, TO_THE_END)
        played.play(seed, games)
        outcomes.append(played)
    best = max(outcomes, key=lambda played: played.estimate(seat).value)
    found = []
    for start, played in zip(starts, outcomes, strict=True):
        value, behind = played.estimate(seat), best.ahead_of(played, seat)
        found.append(
            Valued(
                turn=_text(start.choice),
                chance=round(value.value, 4),
                error=round(value.error, 4),
                behind=0.0 if played is best else round(behind.value, 4),
                behind_error=0.0 if played is best else round(behind.error, 4),
                points=start.states[0].scores[seat] - state.scores[seat],
            )
        )
    return tuple(sorted(found, key=lambda one: -one.chance))


def _may_be(found: tuple[Valued, ...], errors: float) -> bool:
    """Whether the first is clearly best, and others have more points."""
    if len(found) < 2:
        return False
    best, *others = found
    if best.turn == "-" or best.points >= max(one.points for one in others):
        return False
    return all(one.behind >= max(MARGIN, errors * one.behind_error) for one in others)


def _worthwhile(state: State, seat: int) -> list[Start[Replace | Lay | Pass]]:
    starts = [
        start for start in Master(seat, Random(0)).turn_starts(state) if isinstance(start.choice, Lay | Pass)
    ]
    most = max(start.states[0].scores[seat] for start in starts)
    return [
        start
        for place, start in enumerate(starts)
        if place < COMPARED or start.states[0].scores[seat] == most
    ]


def _text(choice: Replace | Lay | Pass) -> str:
    return text_of(choice.placements) if isinstance(choice, Lay) else "-"


def text_of(placements: Iterable[Placement]) -> str:
    """A turn as text, whichever dice it was laid with."""
    return write_turn(replace(placement, die=None) for placement in placements)
