"""Who is away (T1): the same words in every game that would wait for somebody who is gone.

Presence is a fact of whoever runs the table, so it comes into a game as a command, and stands in its log.
"""

from __future__ import annotations

from collections.abc import Container

from tercet.games.rules import Command, Event, Refusal


class StepAway(Command, frozen=True):
    """The table says it, never a player: nobody waits for this seat any more."""


class ComeBack(Command, frozen=True):
    """The table says it: somebody is there again, and counts."""


class SteppedAway(Event, frozen=True):
    """Nobody waits for this seat until it is back."""

    seat: int


class CameBack(Event, frozen=True):
    seat: int


#: What only the table says.
OfTable = StepAway | ComeBack
#: The same for `isinstance`, which takes ten times as long for a union.
OF_TABLE = (StepAway, ComeBack)


def come_or_go(away: frozenset[int], command: OfTable) -> SteppedAway | CameBack | Refusal:
    """What follows from such a command where these seats are away."""
    if isinstance(command, StepAway):
        return Refusal("away_already") if command.seat in away else SteppedAway(command.seat)
    return CameBack(command.seat) if command.seat in away else Refusal("not_away")


def away_after(away: frozenset[int], event: SteppedAway | CameBack) -> frozenset[int]:
    """The seats that are away after this event."""
    return away | {event.seat} if isinstance(event, SteppedAway) else away - {event.seat}


def counted(seats: int, away: frozenset[int]) -> tuple[int, ...]:
    """The seats that are waited for: those that are not away. Where all are away, nothing is decided without them.

    >>> counted(3, frozenset({1})), counted(2, frozenset({0, 1}))
    ((0, 2), (0, 1))
    """
    here = tuple([seat for seat in range(seats) if seat not in away])
    return here or tuple(range(seats))


def have_all(seats: int, away: frozenset[int], done: Container[int]) -> bool:
    """Whether all who count are among these."""
    return all(seat in done for seat in counted(seats, away))
