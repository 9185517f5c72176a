"""The strongest bot for the dice game: it plays games out with each of the better choices, and keeps the best."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isinf
from typing import Generic, NamedTuple, TypeVar

from tercet import kernel
from tercet.bots.bot import Deadline, register
from tercet.bots.dice import openings
from tercet.bots.rollouts import CHOSEN, EXTRA_ROLL, ROUND_OVER, TURN, Rollouts, fits, win_chance
from tercet.bots.sight import Sight
from tercet.bots.steady import Expert, yet_to_play
from tercet.cubed.dice import Placement
from tercet.cubed.edition import Edition
from tercet.cubed.evolve import evolve
from tercet.cubed.play import Laid, Lay, Opened, Pass, Passed, Replace, State
from tercet.means import Mean

#: So many of the choices that look best are played out.
CANDIDATES = 16
#: So many games are played out with each choice before the worse ones are dropped again.
BATCH = 12
#: A choice is dropped when it is behind by so many standard errors of the difference.
CERTAIN = 2.5
#: Rounds after the present one that are played out; what comes then is judged by the margin.
HORIZON = 2
#: A throw is played out if its expected best turn is at most so many points behind.
NEAR = 2.0

T = TypeVar("T")


class Start(NamedTuple, Generic[T]):
    """A choice, and where the game goes on after it."""

    choice: T
    state: State
    stage: int
    throws: bytes = b""


@register
class Master(Expert):
    name = "master"
    about = "plays hundreds of games out in its mind before each choice"
    effort: int | None = 1500

    def open(self, view: State, time_limit: float) -> tuple[Placement, ...]:
        starts = []
        for placements in openings(view, self.seat):
            points = sum(not placement.wild for placement in placements)
            starts.append(self._start(placements, view, Opened(self.seat, placements, points)))
        starts.sort(key=lambda start: -self._promise(start.state))
        return self._best(starts[:CANDIDATES], time_limit)

    def play_turn(self, view: State, time_limit: float) -> Replace | Lay | Pass:
        sight, hand = Sight.of(view), self.faces(view)
        exchange = self.best_exchange(view, sight, hand)
        if exchange is not None:
            return exchange
        turns = self.candidates(sight, hand)
        if not turns:
            return Pass(self.seat)
        replying = yet_to_play(evolve(view, Passed(self.seat, True), 0))
        deadline = Deadline(0.3 * time_limit)
        valued = []
        for turn in turns:
            valued.append((turn.score - self.replies(view, sight.after(turn.puts), replying), turn))
            if deadline.is_over:
                break
        valued.sort(key=lambda pair: -pair[0])
        starts: list[Start[Lay | Pass]] = []
        for _, turn in valued[:CANDIDATES]:
            lay = self.lay(view, sight, turn.puts)
            starts.append(self._start(lay, view, Laid(self.seat, lay.placements, turn.score)))
        starts.append(self._start(Pass(self.seat), view, Passed(self.seat, True)))
        return self._best(starts, 0.6 * time_limit)

    def extra_roll(self, view: State, time_limit: float) -> Sequence[int]:
        if not self.can_solve(view, time_limit):
            return super().extra_roll(view, time_limit)
        best, expected = self.solve_roll(view)
        near = sorted(range(len(expected)), key=lambda subset: -expected[subset])[:CANDIDATES]
        starts = [
            Start(
                subset,
                view,
                EXTRA_ROLL,
                bytes(subset if seat == self.seat else CHOSEN for seat in range(view.seats)),
            )
            for subset in near
            if expected[subset] >= expected[best] - NEAR * 7776
        ]
        chosen = self._best(starts, 0.8 * time_limit)
        return [die.number for place, die in enumerate(view.hands[self.seat]) if chosen >> place & 1]

    def _start(self, choice: T, view: State, event: Opened | Laid | Passed) -> Start[T]:
        state = evolve(view, event, 0)
        return Start(choice, state, ROUND_OVER if state.turn == state.first else TURN)

    def _promise(self, state: State) -> float:
        """How good it looks at once: the own points less the next players' replies."""
        return state.scores[self.seat] - self.replies(state, Sight.of(state), yet_to_play(state))

    def _best(self, starts: Sequence[Start[T]], time_limit: float) -> T:
        """The choice that wins most often; the first when there is no time to find out."""
        view = starts[0].state
        if len(starts) > 1 and fits(view.options.edition) and (kernel.COMPILED or isinf(time_limit)):
            race = Race(starts, self.seat, self.random.getrandbits(63), Deadline(time_limit))
            return race.run(self.effort or BATCH)
        return starts[0].choice


class Race(Generic[T]):
    """Choices compared by games played out: the same games with each, and fewer and fewer choices."""

    def __init__(self, starts: Sequence[Start[T]], seat: int, seed: int, deadline: Deadline) -> None:
        state = starts[0].state
        assert state.first is not None
        self._starts, self._seat, self._first = starts, seat, state.first
        self._seed, self._deadline = seed, deadline
        self._rollouts = _rollouts(state.options.edition, state.seats)
        self._played = 0
        #: The outcomes of each choice that is still in the race.
        self.outcomes: dict[int, list[float]] = {place: [] for place in range(len(starts))}

    def run(self, effort: int) -> T:
        """Play out at most so many games; the best choice."""
        while len(self.outcomes) > 1 and effort > 0 and self._play_batch():
            effort -= BATCH * len(self.outcomes)
            self._drop_the_worse()
        return self._starts[self._leader()].choice

    def _play_batch(self) -> bool:
        """Play the next games out with every choice; False if time is over before all have had them."""
        fresh: dict[int, list[float]] = {}
        for place in self.outcomes:
            start = self._starts[place]
            self._rollouts.set(start.state, start.stage, start.throws)
            samples = self._rollouts.sample(self._seed, self._played, BATCH, HORIZON)
            fresh[place] = [win_chance(sample, self._seat, self._first) for sample in samples]
            if self._deadline.is_over:
                return False
        self._played += BATCH
        for place, chances in fresh.items():
            self.outcomes[place] += chances
        return True

    def _leader(self) -> int:
        return max(self.outcomes, key=lambda place: sum(self.outcomes[place]))

    def _drop_the_worse(self) -> None:
        best = self.outcomes[self._leader()]
        for place in list(self.outcomes):
            behind = Mean()
            for ours, theirs in zip(best, self.outcomes[place], strict=True):
                behind.add(ours - theirs)
            if behind.mean > CERTAIN * behind.standard_error:
                del self.outcomes[place]


@lru_cache(maxsize=4)
def _rollouts(edition: Edition, seats: int) -> Rollouts:
    return Rollouts(edition, seats)
