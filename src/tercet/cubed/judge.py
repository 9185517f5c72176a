"""What a player shows, lays or replaces: allowed, and which dice are meant?"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tercet.cubed.placements import Placement
from tercet.cubed.play import Laid, Lay, Missed, Opened, Replace, Show, State
from tercet.cubed.position import LAY_LIMIT
from tercet.editions.dice import Die
from tercet.games import Refusal
from tercet.sets import WILD, is_set


def judge_opening(state: State, show: Show, at: int) -> Opened | Missed | Refusal:
    """The opening SET: three own dice on the three logo squares (C3, C5)."""
    if state.call is None:
        return Refusal("call_first")
    if not show.placements:
        return Missed(show.seat, ())
    if at > state.call.until:
        return Refusal("too_late", by_ms=at - state.call.until)
    logo = state.options.edition.layout.logo
    if sorted(placement.square for placement in show.placements) != sorted(logo):
        return Refusal("not_on_logo", logo=[str(square) for square in logo])
    placements = take_from_hand(state, show.seat, show.placements)
    if isinstance(placements, Refusal):
        return placements
    a, b, c = (placement.face for placement in placements)
    if not is_set(a, b, c):
        return Missed(show.seat, placements)
    return Opened(show.seat, placements, LAY_LIMIT - sum(placement.wild for placement in placements))


def judge_lay(state: State, lay: Lay) -> Laid | Refusal:
    points = state.position(lay.seat).score(lay.placements)
    if isinstance(points, Refusal):
        return points
    placements = take_from_hand(state, lay.seat, lay.placements)
    if isinstance(placements, Refusal):
        return placements
    return Laid(lay.seat, placements, points)


def judge_replace(state: State, command: Replace) -> Die | Refusal:
    """The die that takes the wild's place (C21)."""
    if command.square not in state.options.edition.layout:
        return Refusal("off_board", square=str(command.square))
    lying = state.die_on(command.square)
    if lying is None or not lying.wild:
        return Refusal("no_wild_there", square=str(command.square))
    die = state.die_in_hand(command.seat, command.die)
    if die is None:
        return Refusal("not_in_hand", die=command.die)
    if die.face is not lying.face:
        return Refusal("not_the_named_face", square=str(command.square), named=str(lying.face))
    return die


def take_from_hand(
    state: State, seat: int, placements: Iterable[Placement]
) -> tuple[Placement, ...] | Refusal:
    """The placements by row and column with the number of the die of each; the lower number where
    none is given (C6)."""
    hand = sorted(state.hands[seat], key=lambda die: die.number)
    placements = sorted(placements, key=lambda placement: placement.square)
    numbers = [placement.die for placement in placements if placement.die is not None]
    if len(set(numbers)) < len(numbers):
        return Refusal("same_die_twice")
    left = {die.number: die for die in hand if die.number not in numbers}
    taken = []
    for placement in placements:
        shown = WILD if placement.wild else placement.face
        if placement.face is WILD:
            return Refusal("wild_not_named", square=str(placement.square))
        if placement.die is None:
            die = next((die for die in left.values() if die.face is shown), None)
        else:
            die = state.die_in_hand(seat, placement.die)
        if die is None or die.face is not shown:
            wanted = (
                {"face": str(shown)} if placement.die is None else {"face": str(shown), "die": placement.die}
            )
            return Refusal("not_in_hand", **wanted)
        left.pop(die.number, None)
        taken.append(replace(placement, die=die.number))
    return tuple(taken)
