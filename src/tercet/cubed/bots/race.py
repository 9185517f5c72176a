"""Choices compared by games played out: the same games with each, fewer and fewer choices, and luck taken out.

What the throws of extra rolls give beyond what they promise is known exactly, and is 0 on average. An outcome goes up and down
with it; less its part of that luck it says the same with less noise (a *control variate*).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import inf, sqrt
from typing import Generic, NamedTuple, TypeVar

from tercet.bots.bot import Deadline
from tercet.cubed.bots.rollouts import Rollouts, Sample, win_chance_of_a_point, win_chances
from tercet.cubed.play import State

#: So many games at most are played out with each choice before the worse ones are dropped again.
BATCH = 12
#: After fewer games than this nothing is dropped for being certainly worse.
FEW = 6
#: A choice is dropped when it is behind by so many standard errors of the difference.
CERTAIN = 2.5
#: The points that a choice promises at once count as much as so many games played out.
PROMISE = 10
#: Rounds after the present one that are played out; what comes then is judged by the margin.
HORIZON = 2
TO_THE_END = 1000
#: With fewer games than this nobody knows how far an outcome goes with luck.
FEWEST = 24

T = TypeVar("T")


class Start(NamedTuple, Generic[T]):
    """A choice, how many points it promises at once, and where the game goes on after it: from one of some states that
    are equally likely, at this stage."""

    choice: T
    promise: float
    states: Sequence[State]
    stage: int
    throws: bytes = b""


class Estimate(NamedTuple):
    """A chance to win, with its standard error; of so many games, 0 if it is exact."""

    value: float
    error: float
    games: int


class Outcomes:
    """What came of games played out from one start: the chance to win of each seat, and its luck."""

    def __init__(self, seats: int) -> None:
        self.chances: list[list[float]] = [[] for _ in range(seats)]
        self.luck: list[list[float]] = [[] for _ in range(seats)]

    @property
    def count(self) -> int:
        return len(self.luck[0])

    def add(self, samples: Sequence[Sample], first: int) -> None:
        seats = len(self.chances)
        for sample in samples:
            mean = sum(sample.luck) / seats
            for seat, chance in enumerate(win_chances(sample, first)):
                self.chances[seat].append(chance)
                self.luck[seat].append(sample.luck[seat] - mean)

    def estimate(self, seat: int) -> Estimate:
        return _mean(self.chances[seat], self.luck[seat])

    def ahead_of(self, other: Outcomes, seat: int) -> Estimate:
        """How much more these are worth to a seat than others from the same games."""
        chances = [one - two for one, two in zip(self.chances[seat], other.chances[seat], strict=False)]
        luck = [one - two for one, two in zip(self.luck[seat], other.luck[seat], strict=False)]
        return _mean(chances, luck)


def _mean(chances: Sequence[float], luck: Sequence[float]) -> Estimate:
    """The mean of chances at no luck at all, by the line through them."""
    count = len(chances)
    if count < 2:
        return Estimate(chances[0] if chances else 0.0, inf, count)
    mean, lucky = sum(chances) / count, sum(luck) / count
    spread = sum((x - lucky) ** 2 for x in luck)
    slope = 0.0
    if count >= FEWEST and spread > 0:
        slope = sum((x - lucky) * y for x, y in zip(luck, chances, strict=True)) / spread
    off = sum((y - mean - slope * (x - lucky)) ** 2 for x, y in zip(luck, chances, strict=True))
    error = sqrt(off / max(count - 1 - (slope != 0), 1) / count)
    # who won every game so far may lose the next: nothing is known better than that
    return Estimate(mean - slope * lucky, max(error, 1 / count), count)


class Race(Generic[T]):
    """Which of some choices wins most often for a seat.

    The games are shared out by *sequential halving* (Karnin, Koren, Somekh 2013): as many for every halving, so that the choices that
    are hard to tell apart get most. What is certainly worse goes at once. Those in ``kept`` are never dropped.
    """

    def __init__(
        self,
        starts: Sequence[Start[T]],
        seat: int,
        rollouts: Rollouts,
        seed: int,
        deadline: Deadline | None = None,
        kept: Collection[int] = (),
    ) -> None:
        state = starts[0].states[0]
        assert state.first is not None
        self._starts, self._seat, self._first, self._kept = starts, seat, state.first, kept
        self._seed, self._deadline, self._rollouts = seed, deadline, rollouts
        self._played = 0
        a_point = win_chance_of_a_point(len(state.bag) + sum(map(len, state.hands)))
        self._promises = [PROMISE * a_point * start.promise for start in starts]
        self.outcomes = [Outcomes(state.seats) for _ in starts]
        #: Those still in the race, the best first once it is over.
        self.running = list(range(len(starts)))

    def run(self, effort: int) -> T:
        """Play out at most so many games; the best choice."""
        halvings = max(1, (len(self.running) - 1).bit_length())
        for left in range(halvings, 0, -1):
            spent = self._play(effort // left)
            effort -= spent
            self.running.sort(key=self._standing, reverse=True)
            if self._is_over:
                break
            if left > 1:
                self._drop(self.running[(len(self.running) + 1) // 2 :])
        return self._starts[self.running[0]].choice

    @property
    def _is_over(self) -> bool:
        return self._deadline is not None and self._deadline.is_over

    def _play(self, effort: int) -> int:
        """Play out so many games with those in the race together; how many it were."""
        spent = 0
        while len(self.running) > 1 and not self._is_over:
            batch = min(BATCH, (effort - spent) // len(self.running))
            if batch == 0:
                break
            spent += batch * len(self.running)
            for place in self.running:
                start = self._starts[place]
                samples = play_out(self._rollouts, start, self._seed, self._played, batch)
                self.outcomes[place].add(samples, self._first)
            self._played += batch
            best = max(self.running, key=self._standing)
            self._drop([place for place in self.running if self._is_worse(place, best)])
        return spent

    def _is_worse(self, place: int, best: int) -> bool:
        ahead = self.outcomes[best].ahead_of(self.outcomes[place], self._seat)
        return ahead.games >= FEW and ahead.value > CERTAIN * ahead.error

    def _drop(self, places: Sequence[int]) -> None:
        self.running = [place for place in self.running if place not in places or place in self._kept]

    def _standing(self, place: int) -> float:
        """The chance to win, to which the promise is counted as some games."""
        outcomes = self.outcomes[place]
        return outcomes.estimate(self._seat).value + self._promises[place] / max(outcomes.count, 1)


def play_out(
    rollouts: Rollouts, start: Start[T], seed: int, first: int, count: int, horizon: int | None = None
) -> list[Sample]:
    """Games number ``first`` and on of a seed, in turns from each state of the start."""
    states = start.states
    if horizon is None:
        horizon = HORIZON if states[0].bag else TO_THE_END
    if len(states) == 1:
        rollouts.set(states[0], start.stage, start.throws)
        return rollouts.sample(seed, first, count, horizon)
    samples = []
    for number in range(first, first + count):
        rollouts.set(states[number % len(states)], start.stage, start.throws)
        samples += rollouts.sample(seed, number, 1, horizon)
    return samples
