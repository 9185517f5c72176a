"""What the table does by itself: throws, looks for what is left, ends the round."""

from __future__ import annotations

from tercet.editions import Die
from tercet.games import Happening, have_all
from tercet.scramble.evolve import evolve
from tercet.scramble.play import DICE, Ended, RoundEnded, ScrambleEvent, State, Thrown, Took
from tercet.sets import has_set


def holds_set(state: State) -> bool:
    """Whether anybody could take something now."""
    return has_set(die.face for die in state.lying)


class Table(Happening[State, ScrambleEvent]):
    """A table while a command is carried out."""

    __slots__ = ()

    evolve = staticmethod(evolve)

    def throw(self) -> None:
        """Throw all dice (M1). Of so many, some are always a SET: there is no need to look."""
        state, below = self.state, self.chance.below
        faces, left = state.options.edition.dice, list(range(1, DICE + 1))
        dice = []
        for place in range(1, DICE + 1):
            number = left.pop(below(len(left), f"round {state.round} place {place}"))
            shown = faces[number - 1]
            dice.append(Die(number, shown[below(len(shown), f"round {state.round} die {number}")]))
        self.happen(Thrown(state.round, state.thrower, tuple(dice)))

    def take(self, seat: int, dice: tuple[Die, ...]) -> None:
        """Somebody has this SET (M3)."""
        self.happen(Took(seat, dice))
        if self.state.options.auto_end and not holds_set(self.state):
            self.end_round()

    def agree(self) -> None:
        """If all who count see no SET, and nobody has called, the round is over (M4, T1)."""
        state = self.state
        if state.none and state.call is None and have_all(state.seats, state.away, state.none):
            self.end_round()

    def end_round(self) -> None:
        """No SET is left, by agreement or by the look of it (M4)."""
        state = self.state
        self.happen(RoundEnded(state.lying))
        if state.round >= state.options.rounds:
            self.happen(Ended(state.scores))
