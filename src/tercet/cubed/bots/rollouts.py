"""Games played out in the mind: a state of the dice game, handed to the kernel, and what its outcomes are worth."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from math import erf, pi, sqrt

from tercet.cubed.play import State
from tercet.cubed.sight import KERNEL_SIDE, Sight
from tercet.editions.edition import Edition
from tercet.kernel.dice_games import DiceGames
from tercet.kernel.position import Position

#: What is still to come when n dice are left in the bag and in the hands: how far the final margin spreads, by the
#: root of n, and the points that it is worth to be first player. Fitted to games of the kernel's greedy players.
SPREAD, FIRST = 1.75, 3.5
#: The stages from which the kernel can play on.
TURN, ROUND_OVER, EXTRA_ROLL = 0, 1, 2
#: A seat that chooses for itself what it throws.
CHOSEN = 255
KERNEL_DICE = 250
#: The kernel counts luck in such parts of a point.
LUCK_UNIT = 7776


def greedy_games(edition: Edition, seats: int) -> DiceGames:
    """The kernel's games of an edition, greedy at every seat."""
    layout = edition.layout
    one, two, three = map(layout.cell, layout.logo)
    return DiceGames(
        b"".join(bytes(faces) for faces in edition.dice),
        layout.rows,
        layout.cols,
        (one, two, three),
        bytes(layout.bonus.get(layout.square(cell), 0) for cell in range(layout.rows * layout.cols)),
        edition.wild == "never",
        b"g" * seats,
    )


class Rollouts:
    """Plays games on from states of one edition with so many seats. All seats are greedy."""

    def __init__(self, edition: Edition, seats: int) -> None:
        self._games = greedy_games(edition, seats)

    def position(self, state: State, stage: int, throws: bytes = b"") -> Position:
        """Where to play on from: a turn, the end of a round, or an extra roll with these throws given."""
        assert state.first is not None
        sight = Sight.of(state)
        sides = state.options.edition.dice
        return self._games.position(
            sight.board,
            sight.stars,
            sight.bonus,
            bytes(0 if die is None else die.number - 1 for die in state.board),
            [bytes(die.number - 1 for die in hand) for hand in state.hands],
            [bytes(sides[die.number - 1].index(die.face) for die in hand) for hand in state.hands],
            bytes(number - 1 for number in state.bag),
            list(state.scores),
            state.first,
            state.first if stage != TURN or state.turn is None else state.turn,
            int(state.laid),
            state.could_lay,
            state.idle_rounds,
            state.rethrows,
            not all(state.hands),
            stage,
            throws,
        )

    def sample(self, position: Position, seed: int, first: int, count: int, horizon: int) -> array[int]:
        """Games number ``first`` and on of a seed, to their end or until ``horizon`` more rounds are over.

        For each the dice left when it was broken off, -1 if it ended, the scores, and what each seat got by luck in its
        extra rolls, in `LUCK_UNIT`-ths of a point.
        """
        return self._games.rollouts(position, seed, first, count, horizon)


def fits(edition: Edition) -> bool:
    """Whether the kernel can play with this edition."""
    layout = edition.layout
    return max(layout.rows, layout.cols) <= KERNEL_SIDE and len(edition.dice) <= KERNEL_DICE


def win_chances(dice: int, scores: Sequence[int], first: int) -> list[float]:
    """The chance of every seat to win with so many dice left, -1 if the game is over; a shared win counts its part."""
    top = max(scores)
    if dice < 0:
        share = 1 / scores.count(top)
        return [share if score == top else 0.0 for score in scores]
    chances = []
    for seat, score in enumerate(scores):
        rival = max(other for place, other in enumerate(scores) if place != seat)
        chances.append(_win_chance(dice, score - rival, seat == first))
    total = sum(chances)
    return [chance / total for chance in chances]


@cache
def _win_chance(dice: int, margin: int, is_first: bool) -> float:
    """Against one rival."""
    ahead = margin + (FIRST if is_first else -FIRST)
    return 0.5 + 0.5 * erf(ahead / (SPREAD * sqrt(2 * dice)))


def win_chance_of_a_point(dice: int) -> float:
    """How much one point more raises the chance to win when the game is even and so many dice are left."""
    return 1 / (SPREAD * sqrt(2 * pi * max(dice, 1)))
