"""Choices compared by games played out: the same games with each, fewer and fewer choices, and luck taken out.

What the throws of extra rolls give beyond what they promise is known exactly, and is 0 on average. An outcome goes up and down
with it; less its part of that luck it says the same with less noise (a *control variate*).
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from math import inf, sqrt
from operator import mul
from typing import Generic, NamedTuple, TypeVar

from tercet.bots.bot import Deadline
from tercet.cubed.bots.rollouts import LUCK_UNIT, Rollouts, win_chance_of_a_point, win_chances
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
#: So many games that are broken off a round earlier count as one: they take about as long.
SHORT = 4
#: So many choices race on to the horizon, and what they were worth a round earlier counts as so many games.
FINALISTS, KNOWN = 3, 150
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
    """Games played out from one start, some rounds on: the chance to win of each seat, and its luck."""

    def __init__(self, rollouts: Rollouts, start: Start[T], horizon: int) -> None:
        state = start.states[0]
        assert state.first is not None
        self._rollouts, self._horizon, self._first = rollouts, horizon, state.first
        self._positions = [rollouts.position(one, start.stage, start.throws) for one in start.states]
        self.chances: list[list[float]] = [[] for _ in range(state.seats)]
        self.luck: list[list[float]] = [[] for _ in range(state.seats)]

    @property
    def count(self) -> int:
        return len(self.luck[0])

    def play(self, seed: int, games: int) -> None:
        """Play out the next so many games of a seed, in turns from each state of the start."""
        positions, first = self._positions, self.count
        batches = [(first, games)] if len(positions) == 1 else [(first + i, 1) for i in range(games)]
        for number, count in batches:
            position = positions[number % len(positions)]
            self._add(self._rollouts.sample(position, seed, number, count, self._horizon))

    def _add(self, told: array[int]) -> None:
        seats = len(self.chances)
        for at in range(0, len(told), 2 * seats + 1):
            luck = told[at + 1 + seats : at + 1 + 2 * seats]
            mean = sum(luck) / seats
            chances = win_chances(told[at], told[at + 1 : at + 1 + seats], self._first)
            for seat in range(seats):
                self.chances[seat].append(chances[seat])
                self.luck[seat].append((luck[seat] - mean) / LUCK_UNIT)

    def mean(self, seat: int, slope: float) -> float:
        """The mean of the chances at no luck at all, if this is how far they go with luck."""
        chances = self.chances[seat]
        return (sum(chances) - slope * sum(self.luck[seat])) / len(chances) if chances else 0.0

    def estimate(self, seat: int) -> Estimate:
        """What they are worth to a seat. (Without luck, the mean of few games may be beyond what can be.)"""
        found = _mean(self.chances[seat], self.luck[seat])
        return found._replace(value=as_chance(found.value))

    def ahead_of(self, other: Outcomes, seat: int) -> Estimate:
        """How much more these are worth to a seat than others from the same games."""
        chances = [one - two for one, two in zip(self.chances[seat], other.chances[seat], strict=False)]
        luck = [one - two for one, two in zip(self.luck[seat], other.luck[seat], strict=False)]
        return _mean(chances, luck)


def as_chance(value: float) -> float:
    """The nearest to it that a chance can be."""
    return max(0.0, min(1.0, value))


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


def best_of(
    starts: Sequence[Start[T]], seat: int, rollouts: Rollouts, seed: int, effort: int, deadline: Deadline
) -> T:
    """The choice that wins most often, by at most so many games.

    First all race by games that are broken off a round earlier. Those are over sooner and tell choices apart with a third of the games, but
    not everything shows by then: the best race on, and what they were worth counts as some games.
    """
    if not starts[0].states[0].bag:
        return Race(starts, seat, rollouts, seed, deadline).run(effort)
    heat = Race(starts, seat, rollouts, seed, deadline, horizon=HORIZON - 1)
    best = heat.run(SHORT * (effort // 2), FINALISTS)
    final = heat.running[:FINALISTS]
    if len(final) == 1:
        return best
    known = [KNOWN * heat.standing(place) for place in final]
    race = Race([starts[place] for place in final], seat, rollouts, seed, deadline, promises=known)
    return race.run(effort // 2)


def slope_of_luck(played: Sequence[Outcomes], seat: int) -> float:
    """How far the chances of a seat go with its luck, by parallel lines through the outcomes of several starts."""
    together = spread = 0.0
    for outcomes in played:
        chances, luck, count = outcomes.chances[seat], outcomes.luck[seat], outcomes.count
        lucky = sum(luck)
        together += sum(map(mul, chances, luck)) - sum(chances) * lucky / count
        spread += sum(map(mul, luck, luck)) - lucky * lucky / count
    known = sum(outcomes.count for outcomes in played) >= FEWEST and spread > 0
    return together / spread if known else 0.0


class Race(Generic[T]):
    """Which of some choices wins most often for a seat.

    The games are shared out by *sequential halving* (Karnin, Koren, Somekh 2013): as many for every halving, so that the choices that
    are hard to tell apart get most. What is certainly worse goes at once. Those in ``kept`` are never dropped. ``promises``: what
    is known of the choices beforehand, each multiplied by the games that it counts as.
    """

    def __init__(
        self,
        starts: Sequence[Start[T]],
        seat: int,
        rollouts: Rollouts,
        seed: int,
        deadline: Deadline | None = None,
        kept: Collection[int] = (),
        horizon: int = HORIZON,
        promises: Sequence[float] | None = None,
    ) -> None:
        state = starts[0].states[0]
        self._starts, self._seat, self._kept = starts, seat, kept
        self._seed, self._deadline = seed, deadline
        if promises is None:
            a_point = win_chance_of_a_point(len(state.bag) + sum(map(len, state.hands)))
            promises = [PROMISE * a_point * start.promise for start in starts]
        self._promises = promises
        rounds = horizon if state.bag else TO_THE_END
        self.outcomes = [Outcomes(rollouts, start, rounds) for start in starts]
        #: How far a chance goes with luck, by the games of all together.
        self._slope = 0.0
        #: Those still in the race, the best first once it is over.
        self.running = list(range(len(starts)))

    def run(self, effort: int, enough: int = 1) -> T:
        """Play out at most so many games; the best choice. So few that are left are not halved."""
        halvings = max(1, ((len(self.running) - 1) // enough).bit_length())
        for left in range(halvings, 0, -1):
            effort -= self._play(effort // left)
            self.running.sort(key=self.standing, reverse=True)
            if self._is_over:
                break
            if left > 1:
                self._drop(self.running[(len(self.running) + 1) // 2 :])
        return self._starts[self.running[0]].choice

    def standing(self, place: int) -> float:
        """The chance to win at no luck at all, to which the promise is counted as some games."""
        outcomes = self.outcomes[place]
        return outcomes.mean(self._seat, self._slope) + self._promises[place] / max(outcomes.count, 1)

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
                self.outcomes[place].play(self._seed, batch)
            self._slope = slope_of_luck([self.outcomes[place] for place in self.running], self._seat)
            best = max(self.running, key=self.standing)
            self._drop([place for place in self.running if self._is_worse(place, best)])
        return spent

    def _is_worse(self, place: int, best: int) -> bool:
        ours, theirs, seat, slope = self.outcomes[best], self.outcomes[place], self._seat, self._slope
        ahead = ours.mean(seat, slope) - theirs.mean(seat, slope)
        # no error is taken to be less than that
        if ours.count < FEW or ahead <= CERTAIN / ours.count:
            return False
        return ahead > CERTAIN * ours.ahead_of(theirs, seat).error

    def _drop(self, places: Sequence[int]) -> None:
        self.running = [place for place in self.running if place not in places or place in self._kept]
