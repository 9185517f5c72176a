"""What follows from who is away: whom the game stops waiting for, whether it stands still, for whom a bot may play (T1 to T4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from tercet.games import ComeBack, OfTable, StepAway
from tercet.server.table.words import State


class Patience(Struct, frozen=True):
    """For how many milliseconds somebody who is gone is waited for: until they no longer count, and until anybody may let a
    bot play on for them."""

    away: float
    stand_in: float


class Verdict(Struct, frozen=True):
    """What to say to the game; whether it should stand still; the seats for which anybody may ask for a bot, and those for which
    they soon may; and after how many milliseconds there may be more to it, if nothing else happens."""

    marks: tuple[OfTable, ...] = ()
    pauses: bool = False
    missed: tuple[int, ...] = ()
    waited_for: tuple[int, ...] = ()
    again: float | None = None


def judge(table: State, game: Any, gone: Mapping[int, float], patience: Patience) -> Verdict:
    """How to go on with a running game (its state is ``game``) while the people of some seats are ``gone``, each for so many
    milliseconds."""
    rules = table.rules
    if rules.is_over(game) or table.pause is not None:
        return Verdict()
    away = rules.away(game)
    nobody_here = all(seat in gone for seat in table.people_seats())
    left = [seat for seat, since in gone.items() if since >= patience.away]
    marks: list[OfTable] = [ComeBack(seat) for seat in sorted(away) if seat not in gone]
    pauses = False
    waited_for: tuple[int, ...] = ()
    if not nobody_here:
        marks += [StepAway(seat) for seat in left if seat not in away and rules.misses(game, seat)]
        if rules.due(game) is None:
            waited_for = tuple(seat for seat in rules.waits_for(game) if seat in gone)
    elif len(left) == len(gone):
        # A game by post goes on, and so does a clock that people play against; and a game in which nothing can happen before
        # somebody comes back stands still anyway.
        pauses = (
            table.run is None
            and not rules.is_by_post(game)
            and (rules.races(game) or rules.due(game) is not None)
        )
    limits = (patience.away, patience.stand_in)
    waits = [limit - since for since in gone.values() for limit in limits if since < limit]
    missed = tuple(seat for seat in waited_for if gone[seat] >= patience.stand_in)
    return Verdict(tuple(marks), pauses, missed, waited_for, min(waits, default=None))
