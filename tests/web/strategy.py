"""How the players of these tests play: well enough, and always the same in the same position."""

from __future__ import annotations

from tercet import cards, cubed, scramble
from tercet.cards.variants import variant_of
from tercet.cubed.placements import Placement
from tercet.scramble.sight import easy_set
from tercet.sets import WILD, Face, find_sets, third

CardState = cards.State
CubedState = cubed.State
CardCommand = cards.Call | cards.Show | cards.SeeNone | cards.Deal
CubedCommand = cubed.Call | cubed.Show | cubed.SeeNone | cubed.Replace | cubed.Lay | cubed.Pass | cubed.Choose


def play_cards(state: CardState, seat: int) -> CardCommand | None:
    """What this seat does at the card table, or None if there is nothing to do."""
    if state.phase == "deal":
        return cards.Deal(seat) if state.dealer == seat else None
    if state.phase != "play":
        return None
    found = variant_of(state.options).groups(state.table, state.last)
    if state.call is not None:
        return cards.Show(seat, found[0]) if state.call.seat == seat else None
    if found and seat not in state.locked:
        return cards.Call(seat)
    return None if seat in state.none or found else cards.SeeNone(seat)


def play_scramble(state: scramble.State, seat: int) -> scramble.ScrambleCommand | None:
    """What this seat does at a table of Scramble, or None if there is nothing to do."""
    if state.phase == "deal":
        return scramble.Throw(seat) if state.thrower == seat else None
    if state.phase != "play":
        return None
    found = easy_set(state.lying)
    if state.call is not None:
        return scramble.Show(seat, numbers(found)) if state.call.seat == seat else None
    if found and seat not in state.locked:
        return (
            scramble.Show(seat, numbers(found)) if state.options.claim == "instant" else scramble.Call(seat)
        )
    return None if seat in state.none or found else scramble.SeeNone(seat)


def numbers(dice: tuple[cubed.Die, ...]) -> tuple[int, ...]:
    return tuple(die.number for die in dice)


def play_dice(state: CubedState, seat: int) -> CubedCommand | None:
    """What this seat does at the dice table, or None if it is not its turn."""
    match state.phase:
        case "opening":
            return _open(state, seat)
        case "turn" if state.turn == seat:
            return _turn(state, seat)
        case "extra_roll" if seat not in state.answered:
            return cubed.Choose(seat, tuple(sorted(die.number for die in state.hands[seat]))[:2])
    return None


def _open(state: CubedState, seat: int) -> CubedCommand | None:
    found = find_sets(die.face for die in state.hands[seat])
    if state.call is not None:
        return cubed.Show(seat, _opening(state, seat, found[0])) if state.call.seat == seat else None
    if found and seat not in state.barred:
        return cubed.Call(seat)
    return None if seat in state.none else cubed.SeeNone(seat)


def _opening(state: CubedState, seat: int, found: tuple[Face, ...]) -> tuple[Placement, ...]:
    """The SET on the logo, its dice in the order of the hand; wilds stand for what makes it a SET."""
    wanted, dice = list(found), []
    for die in state.hands[seat]:
        if die.face in wanted:
            wanted.remove(die.face)
            dice.append(die)
    plain = [die.face for die in dice if die.face != WILD]
    named = third(*plain) if len(plain) == 2 else plain[0] if plain else Face("1RD")
    logo = state.options.edition.layout.logo
    return tuple(
        Placement(square, named if die.face == WILD else die.face, die.face == WILD, die.number)
        for square, die in zip(logo, dice, strict=True)
    )


def _turn(state: CubedState, seat: int) -> CubedCommand:
    hand = state.hands[seat]
    for cell, lying in enumerate(state.board):
        if lying is not None and lying.wild:
            for die in hand:
                if die.face == lying.face:
                    return cubed.Replace(seat, die.number, state.options.edition.layout.square(cell))
    position = state.position(seat)
    if not position.can_lay():
        return cubed.Pass(seat)
    left, placements = list(hand), []
    for placed in position.best().placements:
        shown = WILD if placed.wild else placed.face
        die = next(die for die in left if die.face == shown)
        left.remove(die)
        placements.append(Placement(placed.square, placed.face, placed.wild, die.number))
    return cubed.Lay(seat, tuple(placements))
