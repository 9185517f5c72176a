"""What is thrown and shown, and what the table does by itself: looks for what is left, ends the round."""

from __future__ import annotations

from typing import Self

from tercet.editions import Die
from tercet.games import Refusal
from tercet.games.race import Ended, RaceTable
from tercet.scramble.evolve import evolve
from tercet.scramble.play import DICE, Missed, RoundEnded, ScrambleEvent, Show, State, Thrown, Took
from tercet.sets import has_set, is_set


def holds_set(state: State) -> bool:
    """Whether anybody could take something now."""
    return has_set(die.face for die in state.lying)


class Table(RaceTable[State, Show, ScrambleEvent]):
    """A table while a command is carried out."""

    __slots__ = ()

    evolve = staticmethod(evolve)

    def begin(self, seat: int) -> Self | Refusal:
        """Throw all dice (M1). Of so many, some are always a SET: there is no need to look."""
        state, below = self.state, self.chance.below
        if state.phase != "deal":
            return Refusal("already_thrown")
        if seat != state.thrower and state.thrower not in state.away:
            return Refusal("not_the_thrower", seat=state.thrower)
        faces, left = state.options.edition.dice, list(range(1, DICE + 1))
        dice = []
        for place in range(1, DICE + 1):
            number = left.pop(below(len(left), f"round {state.round} place {place}"))
            shown = faces[number - 1]
            dice.append(Die(number, shown[below(len(shown), f"round {state.round} die {number}")]))
        self.happen(Thrown(state.round, state.thrower, tuple(dice)))
        return self

    def not_begun(self) -> Refusal:
        return Refusal("not_thrown", seat=self.state.thrower)

    def show(self, command: Show) -> Self | Refusal:
        state, seat, dice = self.state, command.seat, command.dice
        refusal = self.cannot_show(seat, something=bool(dice))
        if refusal is not None:
            return refusal
        if not dice and state.call is not None:
            return self.miss(Missed(seat, ()))
        if len(dice) != 3:
            return Refusal("wrong_number", needed=3, count=len(dice))
        if len(set(dice)) < 3:
            return Refusal("same_die_twice")
        lying = {die.number: die for die in state.lying}
        for number in dice:
            if number not in lying:
                return Refusal("not_on_table", die=number)
        a, b, c = three = tuple(lying[number] for number in dice)
        if not is_set(a.face, b.face, c.face):
            return self.miss(Missed(seat, three))
        self.happen(Took(seat, three))
        if state.options.auto_end and not holds_set(self.state):
            self.settle()
        return self

    def settle(self) -> None:
        """No SET is left, by agreement or by the look of it (M4)."""
        state = self.state
        self.happen(RoundEnded(state.lying))
        if state.round >= state.options.rounds:
            self.happen(Ended(state.scores))
