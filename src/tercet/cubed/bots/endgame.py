"""The end of a dice game for two, searched in full once the bag is empty and few dice are left.

The search itself is the kernel's; here a state is handed to it, and its answers become commands.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import cache

from tercet.cubed.bots.rollouts import fits
from tercet.cubed.placements import Placement
from tercet.cubed.play import Lay, Pass, Replace, State
from tercet.cubed.sight import Sight
from tercet.kernel import COMPILED, unpack
from tercet.kernel import endgame as kernel_endgame
from tercet.kernel.endgame import TooLong
from tercet.sets import Face

__all__ = [
    "ENDGAME_DICE",
    "PLACES_A_SECOND",
    "PLACES_LIMIT",
    "Endgame",
    "TooLong",
    "is_endgame",
    "points",
    "win",
]

#: With an empty bag and so few dice in both hands together a game for two is searched in full.
ENDGAME_DICE = 4
#: So many places are looked at before the search gives up: some seconds, and less than 100 MB.
PLACES_LIMIT = 1_000_000
#: So many are looked at in a second on a small machine.
PLACES_A_SECOND = 400_000
#: Margins beyond this are as good as this.
WIDEST = 500
#: A point of margin counts this much of a win: it decides between choices that win equally often, and nothing else.
TIE_BREAK = 1e-6

#: What the end of a game is worth to seat 0, by its margin. Never falls.
Worth = Callable[[int], float]


def points(margin: int) -> float:
    """Every point counts the same."""
    return float(margin)


def win(margin: int) -> float:
    """To win is all that counts, a shared win half; points decide between equals."""
    return (margin > 0) + 0.5 * (margin == 0) + TIE_BREAK * margin


def is_endgame(state: State) -> bool:
    """Whether so little is left of a game for two that it can be searched in full."""
    few = state.seats == 2 and not state.bag and sum(map(len, state.hands)) <= ENDGAME_DICE
    return few and state.phase in ("turn", "extra_roll") and COMPILED and fits(state.options.edition)


class Endgame:
    """Full search from a turn or an extra roll with an empty bag. Values are the final ``worth`` to seat 0; seat 1 wants
    the opposite. Whatever is asked raises `TooLong` once ``limit`` places have been looked at."""

    def __init__(self, state: State, worth: Worth = win, limit: int = PLACES_LIMIT) -> None:
        assert state.first is not None
        assert state.seats == 2
        assert not state.bag
        sight, edition = Sight.of(state), state.options.edition
        sides = edition.dice
        self._state, self._layout = state, edition.layout
        self._search = kernel_endgame.Endgame(
            b"".join(map(bytes, sides)), edition.layout.rows, edition.layout.cols
        )
        self._search.set_position(
            sight.board,
            sight.stars,
            sight.bonus,
            bytes(0 if die is None else die.number - 1 for die in state.board),
            edition.wild == "never",
            [bytes(die.number - 1 for die in hand) for hand in state.hands],
            [bytes(sides[die.number - 1].index(die.face) for die in hand) for hand in state.hands],
            state.scores[0] - state.scores[1],
            state.first,
            state.first if state.turn is None else state.turn,
            state.laid,
            state.could_lay,
            state.idle_rounds,
            _worths(worth),
            limit,
        )

    def value(self) -> float:
        """What the state is worth."""
        if self._state.phase == "extra_roll":
            return max(min(row) for row in self.rolls())
        return self._search.value()

    def choices(self) -> list[tuple[Lay | Pass | Replace, float]]:
        """Everything that can be done in the turn, with what it is worth."""
        seat = self._state.turn
        assert seat is not None
        found: list[tuple[Lay | Pass | Replace, float]] = []
        for turn, dice, value in self._search.laid_turns():
            placements = tuple(
                Placement(self._layout.square(cell), Face(face), wild, die + 1)
                for (cell, face, wild), die in zip(unpack(turn)[1], dice, strict=True)
            )
            found.append((Lay(seat, placements), value))
        found.append((Pass(seat), self._search.passed()))
        for die, cell, value in self._search.exchanges():
            found.append((Replace(seat, die + 1, self._layout.square(cell)), value))
        return found

    def rolls(self) -> list[list[float]]:
        """What every two throws in the extra roll are worth: a row for each choice of dice of seat 0 (as bits, in the
        order of the hand), a column for seat 1."""
        return self._search.rolls()


@cache
def _worths(worth: Worth) -> array[float]:
    return array("d", [worth(margin) for margin in range(-WIDEST, WIDEST + 1)])
