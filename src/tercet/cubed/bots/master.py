"""The strongest bot for the dice game: it plays games out with each of the better choices, and keeps the best."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import inf, isinf
from typing import TypeVar

from tercet import kernel
from tercet.bots.bot import Deadline
from tercet.cubed.bots.endgame import PLACES_A_SECOND, PLACES_LIMIT, Endgame, TooLong, is_endgame
from tercet.cubed.bots.race import BATCH, Start, best_of
from tercet.cubed.bots.rollouts import CHOSEN, EXTRA_ROLL, ROUND_OVER, TURN, Rollouts, fits
from tercet.cubed.bots.simple import openings, replacements
from tercet.cubed.bots.steady import Expert, yet_to_play
from tercet.cubed.evolve import evolve
from tercet.cubed.placements import Placement
from tercet.cubed.play import Laid, Lay, Opened, Pass, Passed, Replace, Replaced, State
from tercet.cubed.sight import Sight, Turn, left_in_hand
from tercet.editions.dice import Die

#: So many of the choices that look best are played out.
CANDIDATES = 16
#: So many of the turns with most points are looked at: with wilds there can be a hundred thousand.
LOOKED = 2000
#: A throw is played out if its expected best turn is at most so many points behind.
NEAR = 2.0
#: An extra roll gets this part of the games of a turn: its promise is exact, and it shows within the round what else comes of it.
ROLL_PART = 3

T = TypeVar("T")


class Master(Expert):
    name = "master"
    about = "plays hundreds of games out in its mind before each choice"
    effort: int | None = 1500
    #: Made when first needed, and never shared: bots of several tables may think at the same time.
    _rollouts: Rollouts | None = None

    def open(self, view: State, time_limit: float) -> tuple[Placement, ...]:
        return self._best(self.opening_starts(view)[:CANDIDATES], 0.5 * time_limit)

    def opening_starts(self, view: State) -> list[Start[tuple[Placement, ...]]]:
        """Every opening, the most promising first."""
        starts = []
        for placements in openings(view, self.seat):
            points = sum(not placement.wild for placement in placements)
            state = evolve(view, Opened(self.seat, placements, points), 0)
            promise = points - self.replies(state, Sight.of(state), yet_to_play(state))
            starts.append(Start(placements, promise, (state,), TURN))
        return sorted(starts, key=lambda start: -start.promise)

    def play_turn(self, view: State, time_limit: float) -> Replace | Lay | Pass:
        if is_endgame(view):
            with suppress(TooLong):
                return self._exact_turn(view, _places(time_limit))
        starts = self.turn_starts(view, 0.1 * time_limit, CANDIDATES)
        return self._best(starts[:CANDIDATES], 0.3 * time_limit)

    def turn_starts(
        self, view: State, time_limit: float = inf, most: int = LOOKED
    ) -> list[Start[Replace | Lay | Pass]]:
        """What can be done in a turn, the most promising first: at most so many turns that lay dice, the exchanges, the pass last."""
        sight, hand = Sight.of(view), self.faces(view)
        replying = yet_to_play(evolve(view, Passed(self.seat, True), 0))
        deadline = Deadline(time_limit)
        turns = self.candidates(sight, hand)[:LOOKED]
        valued: list[tuple[float, Turn]] = []
        for turn in turns:
            valued.append((turn.score - self.replies(view, sight.after(turn.puts), replying), turn))
            if deadline.is_over:
                break
        valued.sort(key=lambda one: -one[0])
        starts: list[Start[Replace | Lay | Pass]] = []
        for promise, turn in valued[:most]:
            lay = self.lay(view, sight, turn.puts)
            starts.append(self._start(lay, promise, view, Laid(self.seat, lay.placements, turn.score)))
        for die, cell in replacements(view, self.seat, sight):
            starts.append(self._exchange(view, sight, die, cell, bool(turns)))
        starts.sort(key=lambda start: -start.promise)
        promise = -self.replies(view, sight, replying)
        starts.append(self._start(Pass(self.seat), promise, view, Passed(self.seat, bool(turns))))
        return starts

    def _exchange(
        self, view: State, sight: Sight, die: Die, cell: int, could_lay: bool
    ) -> Start[Replace | Lay | Pass]:
        """A wild replaced and thrown: six states, in which the turn goes on."""
        lying = view.board[cell]
        assert lying is not None
        square, put = sight.layout.square(cell), (cell, int(die.face), False)
        after, left = sight.after([put]), left_in_hand(self.faces(view), [put])
        replying = yet_to_play(evolve(view, Passed(self.seat, True), 0))
        states, promise = [], 0.0
        for side in view.options.edition.dice[lying.number - 1]:
            taken = Die(lying.number, side)
            states.append(evolve(view, Replaced(self.seat, die, square, taken, could_lay), 0))
            turn = after.best([*left, int(side)])
            promise += turn.score if turn else 0
            promise -= self.replies(view, after.after(turn.puts) if turn else after, replying)
        return Start(Replace(self.seat, die.number, square), promise / len(states), states, TURN)

    def extra_roll(self, view: State, time_limit: float) -> Sequence[int]:
        if not self.can_solve(view, time_limit):
            return super().extra_roll(view, time_limit)
        if is_endgame(view):
            with suppress(TooLong):
                return self._exact_roll(view, _places(time_limit))
        return self._best(self.roll_starts(view)[:CANDIDATES], 0.5 * time_limit, ROLL_PART)

    def roll_starts(self, view: State) -> list[Start[tuple[int, ...]]]:
        """The throws whose best turn is expected to score nearly as much as any, the most promising first."""
        best, expected = self.solve_roll(view)
        order = sorted(range(len(expected)), key=lambda subset: -expected[subset])
        near = [subset for subset in order if expected[subset] >= expected[best] - NEAR * 7776]
        return [self.roll_start(view, subset, expected[subset] / 7776) for subset in near]

    def roll_start(self, view: State, subset: int, promise: float) -> Start[tuple[int, ...]]:
        """A throw of these dice, as bits."""
        hand = view.hands[self.seat]
        numbers = tuple(die.number for place, die in enumerate(hand) if subset >> place & 1)
        throws = bytes(subset if seat == self.seat else CHOSEN for seat in range(view.seats))
        return Start(numbers, promise, (view,), EXTRA_ROLL, throws)

    def _exact_turn(self, view: State, limit: int) -> Replace | Lay | Pass:
        """The best of all, by full search."""
        wish = 1 if self.seat == 0 else -1
        return max(Endgame(view, limit=limit).choices(), key=lambda choice: wish * choice[1])[0]

    def _exact_roll(self, view: State, limit: int) -> Sequence[int]:
        """The throw that is best against the other's best answer."""
        table = Endgame(view, limit=limit).rolls()
        if self.seat == 1:
            table = [[-value for value in column] for column in zip(*table, strict=True)]
        chosen = max(range(len(table)), key=lambda row: min(table[row]))
        return [die.number for place, die in enumerate(view.hands[self.seat]) if chosen >> place & 1]

    def _start(
        self, choice: Lay | Pass, promise: float, view: State, event: Laid | Passed
    ) -> Start[Replace | Lay | Pass]:
        state = evolve(view, event, 0)
        return Start(choice, promise, (state,), ROUND_OVER if state.turn == state.first else TURN)

    def _best(self, starts: Sequence[Start[T]], time_limit: float, part: int = 1) -> T:
        """The choice that wins most often, by a part of the usual games; the first when there is no time to find out."""
        view = starts[0].states[0]
        if len(starts) > 1 and fits(view.options.edition) and (kernel.COMPILED or isinf(time_limit)):
            if self._rollouts is None:
                self._rollouts = Rollouts(view.options.edition, view.seats)
            seed, effort = self.random.getrandbits(63), (self.effort or BATCH) // part
            return best_of(starts, self.seat, self._rollouts, seed, effort, Deadline(time_limit))
        return starts[0].choice


def _places(time_limit: float) -> int:
    """How much of an endgame can be searched while there is still time for something else."""
    return int(min(PLACES_LIMIT, 0.6 * time_limit * PLACES_A_SECOND))
