"""Games played out in the mind: a state of the dice game, handed to the kernel, and what its outcomes are worth."""

from __future__ import annotations

from math import erf, pi, sqrt
from typing import NamedTuple

from tercet.cubed.play import State
from tercet.cubed.sight import KERNEL_SIDE, Sight
from tercet.editions.edition import Edition
from tercet.kernel.dice_games import DiceGames

#: What is still to come when n dice are left in the bag and in the hands: how far the final margin spreads, by the
#: root of n, and the points that it is worth to be first player. Fitted to games of the kernel's greedy players.
SPREAD, FIRST = 1.75, 3.5
#: A point of margin counts this much of a win: it decides between turns that win equally often.
MARGIN = 0.001

#: The stages from which the kernel can play on.
TURN, ROUND_OVER, EXTRA_ROLL = 0, 1, 2
#: A seat that chooses for itself what it throws.
CHOSEN = 255
KERNEL_DICE = 250


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


class Sample(NamedTuple):
    """How one game went on: the dice left when it was broken off, -1 if it ended, and the scores."""

    dice: int
    scores: tuple[int, ...]


class Rollouts:
    """Plays games on from states of one edition with so many seats. All seats are greedy."""

    def __init__(self, edition: Edition, seats: int) -> None:
        self._seats = seats
        self._games = greedy_games(edition, seats)

    def set(self, state: State, stage: int, throws: bytes = b"") -> None:
        """Where to play on from: a turn, the end of a round, or an extra roll with these throws given."""
        assert state.first is not None
        sight = Sight.of(state)
        sides = state.options.edition.dice
        self._position = self._games.position(
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

    def sample(self, seed: int, first: int, count: int, horizon: int) -> list[Sample]:
        """Games number ``first`` and on of a seed, to their end or until ``horizon`` more rounds are over."""
        flat = self._games.rollouts(self._position, seed, first, count, horizon)
        size = 2 * self._seats + 1  # the kernel tells of luck since
        return [
            Sample(flat[at], tuple(flat[at + 1 : at + 1 + self._seats])) for at in range(0, len(flat), size)
        ]


def fits(edition: Edition) -> bool:
    """Whether the kernel can play with this edition."""
    layout = edition.layout
    return max(layout.rows, layout.cols) <= KERNEL_SIDE and len(edition.dice) <= KERNEL_DICE


def win_chance(sample: Sample, seat: int, first: int) -> float:
    """The chance that this seat wins from there; a shared win counts its part. Points decide between equals."""
    own = sample.scores[seat]
    margin = own - max(score for other, score in enumerate(sample.scores) if other != seat)
    if sample.dice < 0:
        top = max(sample.scores)
        chance = 1 / sample.scores.count(top) if own == top else 0.0
    else:
        ahead = margin + (FIRST if seat == first else -FIRST)
        chance = 0.5 + 0.5 * erf(ahead / (SPREAD * sqrt(2 * sample.dice)))
    return chance + MARGIN * margin


def win_chance_of_a_point(dice: int) -> float:
    """How much one point more raises the chance to win when the game is even and so many dice are left."""
    return 1 / (SPREAD * sqrt(2 * pi * max(dice, 1)))
