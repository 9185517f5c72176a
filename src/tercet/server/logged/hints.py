"""Hints for practice: where to look, a little or a lot."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from tercet import cards, cubed
from tercet.server.protocol import Hint
from tercet.sets import find_sets, is_set


def hint(command_id: str, state: Any, seat: int, strength: int) -> Hint:
    """So much of a SET on the table or in hand, or of the turn with the most points; nothing if there is none."""
    if isinstance(state, cards.State):
        found = find_sets(state.table)
        return Hint(id=command_id, cards=tuple(map(str, found[0][:strength])) if found else ())
    if isinstance(state, cubed.State) and state.phase == "opening":
        return Hint(id=command_id, dice=_dice_of_a_set(state, seat)[:strength])
    if isinstance(state, cubed.State) and state.phase == "turn":
        best = state.position(seat).best()
        return Hint(id=command_id, placements=tuple(map(str, best.placements[:strength])))
    return Hint(id=command_id)


def _dice_of_a_set(state: cubed.State, seat: int) -> tuple[int, ...]:
    for three in combinations(state.hands[seat], 3):
        if is_set(*(die.face for die in three)):
            return tuple(die.number for die in three)
    return ()
