"""Positions of the dice game to be solved: each from a game that two simple players play by chance alone.

They are not the bots of the dice game, which may get better: a position must follow from its number for ever, so that the
puzzles of past days can be verified.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tercet.cubed import Begin, Call, Choose, CubedCommand, Lay, Pass, Placement, SeeNone, Show, State, rules
from tercet.cubed.play import Options
from tercet.fairness import Chance, Seeded, seed_from
from tercet.games import Refusal
from tercet.sets import WILD, Face, find_sets

#: Numbers of positions are below this.
NUMBERS = 2**48
#: The turns after which a position is taken are from the first to the last of these.
FIRST_TURN, LAST_TURN = 4, 15
#: One of so many turns with the most points is laid.
CHOICES = 3
#: A position to be solved has so many turns at least.
FEWEST_TURNS = 8


@lru_cache(512)
def position_of(number: int) -> State:
    """The position of this number, of a game of two."""
    attempt = 0
    while True:
        chance = Seeded(seed_from(f"tercet position {number} {attempt}"))
        last = FIRST_TURN + chance.below(LAST_TURN - FIRST_TURN + 1, "turns before")
        state = _play(chance, last)
        if state is not None and _is_good(state):
            return state
        attempt += 1


def _play(chance: Chance, turns: int) -> State | None:
    """A game after so many turns; None if it ends before."""
    state = rules.start(Options(), 2)
    done, number = 0, 0
    while not rules.is_over(state):
        if state.phase == "turn":
            if done == turns:
                return state
            done += 1
        for command in _commands(state, chance, number):
            happened = rules.carry_out(state, command, number, chance)
            assert not isinstance(happened, Refusal)
            state = happened.state
        number += 1
    return None


def _commands(state: State, chance: Chance, number: int) -> Iterator[CubedCommand]:
    """What the two do next."""
    match state.phase:
        case "start":
            yield Begin(0)
        case "opening":
            for seat in range(2):
                if opening := _opening(state, seat):
                    yield Call(seat)
                    yield Show(seat, opening)
                    return
            yield from (SeeNone(seat) for seat in range(2))
        case "turn":
            seat = state.turn or 0
            position = state.position(seat)
            # With a wild in hand there may be a hundred thousand turns.
            best = [position.best()] if WILD in position.hand else position.turns()[:CHOICES]
            if best and best[0].placements:
                yield Lay(seat, best[chance.below(len(best), f"move {number}")].placements)
            else:
                yield Pass(seat)
        case "extra_roll":
            for seat in range(2):
                kept = chance.below(2, f"move {number} seat {seat}")
                yield Choose(seat, () if kept else tuple(sorted(die.number for die in state.hands[seat])))


def _opening(state: State, seat: int) -> tuple[Placement, ...]:
    """A SET of plain dice for the logo, if there is one in hand."""
    hand = {die.face: die for die in state.hands[seat] if not die.face.is_wild}
    for three in find_sets([die.face for die in state.hands[seat] if not die.face.is_wild]):
        if len(set(three)) == 3:
            return tuple(
                Placement(square, Face(face), False, hand[face].number)
                for square, face in zip(state.options.edition.layout.logo, three, strict=True)
            )
    return ()


def _is_good(state: State) -> bool:
    """No wild is in sight of whoever has the turn, so that there is nothing to throw; and there are turns to choose from."""
    position = state.position(state.turn or 0)
    if WILD in position.hand or any(die is not None and die.wild for die in state.board):
        return False
    return len(position.turns()) >= FEWEST_TURNS
