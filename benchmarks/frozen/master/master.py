"""The strongest bot for the dice game: it plays games out with each of the better choices, and keeps the best."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import isinf
from typing import Generic, NamedTuple, TypeVar

from benchmarks.frozen.master.endgame import Endgame, TooLong, win_and_margin
from benchmarks.frozen.master.rollouts import (
    CHOSEN,
    EXTRA_ROLL,
    ROUND_OVER,
    TURN,
    Rollouts,
    fits,
    win_chance,
    win_chance_of_a_point,
)
from tercet import kernel
from tercet.bots.bot import Deadline
from tercet.confidence import Mean
from tercet.cubed.bots.simple import openings
from tercet.cubed.bots.steady import Expert, yet_to_play
from tercet.cubed.evolve import evolve
from tercet.cubed.placements import Placement
from tercet.cubed.play import Laid, Lay, Opened, Pass, Passed, Replace, State
from tercet.cubed.sight import Sight

#: So many of the choices that look best are played out.
CANDIDATES = 16
#: So many games are played out with each choice before the worse ones are dropped again.
BATCH = 12
#: After fewer games than this nothing is dropped.
FEWEST = 6
#: A choice is dropped when it is behind by so many standard errors of the difference.
CERTAIN = 2.5
#: The points that a choice promises at once count as much as so many games played out.
PROMISE = 10
#: Rounds after the present one that are played out; what comes then is judged by the margin.
HORIZON = 2
TO_THE_END = 1000
#: A throw is played out if its expected best turn is at most so many points behind.
NEAR = 2.0

#: With an empty bag and so few dice in both hands together, a game for two is searched in full: for the win with
#: two dice, for points with three, which is quicker.
WIN_DICE, ENDGAME_DICE = 2, 3
#: How many places the search for points may look at.
POINTS_PLACES = 20_000

T = TypeVar("T")


class Start(NamedTuple, Generic[T]):
    """A choice, how many points it promises at once, and where the game goes on after it."""

    choice: T
    promise: float
    state: State
    stage: int
    throws: bytes = b""


class Master(Expert):
    name = "former"
    about = "plays hundreds of games out in its mind before each choice"
    effort: int | None = 1500
    #: Made when first needed, and never shared: bots of several tables may think at the same time.
    _rollouts: Rollouts | None = None

    def open(self, view: State, time_limit: float) -> tuple[Placement, ...]:
        starts = []
        for placements in openings(view, self.seat):
            points = sum(not placement.wild for placement in placements)
            state = evolve(view, Opened(self.seat, placements, points), 0)
            promise = points - self.replies(state, Sight.of(state), yet_to_play(state))
            starts.append(Start(placements, promise, state, TURN))
        starts.sort(key=lambda start: -start.promise)
        return self._best(starts[:CANDIDATES], 0.5 * time_limit)

    def play_turn(self, view: State, time_limit: float) -> Replace | Lay | Pass:
        if is_endgame(view):
            with suppress(TooLong):
                return self._exact_turn(view, search_of(view, 0.5 * time_limit))
        sight, hand = Sight.of(view), self.faces(view)
        exchange = self.best_exchange(view, sight, hand)
        if exchange is not None:
            return exchange
        turns = self.candidates(sight, hand)
        if not turns:
            return Pass(self.seat)
        replying = yet_to_play(evolve(view, Passed(self.seat, True), 0))
        deadline = Deadline(0.1 * time_limit)
        valued = []
        for turn in turns:
            valued.append((turn.score - self.replies(view, sight.after(turn.puts), replying), turn))
            if deadline.is_over:
                break
        valued.sort(key=lambda pair: -pair[0])
        starts: list[Start[Lay | Pass]] = []
        for promise, turn in valued[:CANDIDATES]:
            lay = self.lay(view, sight, turn.puts)
            starts.append(self._start(lay, promise, view, Laid(self.seat, lay.placements, turn.score)))
        promise = -self.replies(view, sight, replying)
        starts.append(self._start(Pass(self.seat), promise, view, Passed(self.seat, True)))
        return self._best(starts, 0.3 * time_limit)

    def extra_roll(self, view: State, time_limit: float) -> Sequence[int]:
        if not self.can_solve(view, time_limit):
            return super().extra_roll(view, time_limit)
        if is_endgame(view):
            with suppress(TooLong):
                return self._exact_roll(view, search_of(view, 0.3 * time_limit))
        best, expected = self.solve_roll(view)
        near = sorted(range(len(expected)), key=lambda subset: -expected[subset])[:CANDIDATES]
        starts = [
            Start(
                subset,
                expected[subset] / 7776,
                view,
                EXTRA_ROLL,
                bytes(subset if seat == self.seat else CHOSEN for seat in range(view.seats)),
            )
            for subset in near
            if expected[subset] >= expected[best] - NEAR * 7776
        ]
        chosen = self._best(starts, 0.5 * time_limit)
        return [die.number for place, die in enumerate(view.hands[self.seat]) if chosen >> place & 1]

    def _exact_turn(self, view: State, search: Endgame) -> Replace | Lay | Pass:
        """The best of all, by full search."""
        wish = 1 if self.seat == 0 else -1
        sight = Sight.of(view)
        puts, value = max(search.choices(search.start), key=lambda choice: wish * choice[1])
        for number, cell, exchanged in search.exchanges(search.start):
            if wish * exchanged > wish * value:
                return Replace(self.seat, number, sight.layout.square(cell))
        return self.lay(view, sight, puts) if puts else Pass(self.seat)

    def _exact_roll(self, view: State, search: Endgame) -> Sequence[int]:
        """The throw that is best against the other's best answer."""
        table = search.rolls(search.start)
        if self.seat == 1:
            table = [[-value for value in column] for column in zip(*table, strict=True)]
        chosen = max(range(len(table)), key=lambda row: min(table[row]))
        numbers = [number for number, _ in search.start.hands[self.seat]]
        return [number for place, number in enumerate(numbers) if chosen >> place & 1]

    def _start(self, choice: T, promise: float, view: State, event: Laid | Passed) -> Start[T]:
        state = evolve(view, event, 0)
        return Start(choice, promise, state, ROUND_OVER if state.turn == state.first else TURN)

    def _best(self, starts: Sequence[Start[T]], time_limit: float) -> T:
        """The choice that wins most often; the first when there is no time to find out."""
        view = starts[0].state
        if len(starts) > 1 and fits(view.options.edition) and (kernel.COMPILED or isinf(time_limit)):
            if self._rollouts is None:
                self._rollouts = Rollouts(view.options.edition, view.seats)
            race = Race(starts, self.seat, self._rollouts, self.random.getrandbits(63), Deadline(time_limit))
            return race.run(self.effort or BATCH)
        return starts[0].choice


def is_endgame(view: State) -> bool:
    """Whether so little is left of a game for two that it can be searched in full."""
    return view.seats == 2 and not view.bag and sum(map(len, view.hands)) <= ENDGAME_DICE and kernel.COMPILED


def search_of(view: State, seconds: float) -> Endgame:
    """The search that fits an endgame."""
    if sum(map(len, view.hands)) <= WIN_DICE:
        return Endgame(view, Deadline(seconds), win_and_margin)
    return Endgame(view, Deadline(seconds), limit=POINTS_PLACES)


class Race(Generic[T]):
    """Choices compared by games played out: the same games with each, and fewer and fewer choices."""

    def __init__(
        self, starts: Sequence[Start[T]], seat: int, rollouts: Rollouts, seed: int, deadline: Deadline
    ) -> None:
        state = starts[0].state
        assert state.first is not None
        self._starts, self._seat, self._first = starts, seat, state.first
        self._seed, self._deadline = seed, deadline
        self._rollouts = rollouts
        self._horizon = HORIZON if state.bag else TO_THE_END
        self._played = 0
        dice = len(state.bag) + sum(map(len, state.hands))
        a_point = win_chance_of_a_point(dice)
        self._promises = [PROMISE * a_point * start.promise for start in starts]
        #: The outcomes of each choice that is still in the race.
        self.outcomes: dict[int, list[float]] = {place: [] for place in range(len(starts))}

    def run(self, effort: int) -> T:
        """Play out at most so many games; the best choice."""
        while len(self.outcomes) > 1:
            batch = min(BATCH, effort // len(self.outcomes))
            if batch == 0 or not self._play_batch(batch):
                break
            effort -= batch * len(self.outcomes)
            self._drop_the_worse()
        return self._starts[self._leader()].choice

    def _play_batch(self, batch: int) -> bool:
        """Play the next games out with every choice; False if time is over before all have had them."""
        fresh: dict[int, list[float]] = {}
        for place in self.outcomes:
            start = self._starts[place]
            self._rollouts.set(start.state, start.stage, start.throws)
            samples = self._rollouts.sample(self._seed, self._played, batch, self._horizon)
            fresh[place] = [win_chance(sample, self._seat, self._first) for sample in samples]
            if self._deadline.is_over:
                return False
        self._played += batch
        for place, chances in fresh.items():
            self.outcomes[place] += chances
        return True

    def _leader(self) -> int:
        return max(self.outcomes, key=lambda place: sum(self.outcomes[place]) + self._promises[place])

    def _drop_the_worse(self) -> None:
        best = self.outcomes[self._leader()]
        for place in list(self.outcomes):
            behind = Mean()
            for ours, theirs in zip(best, self.outcomes[place], strict=True):
                behind.add(ours - theirs)
            if behind.count >= FEWEST and behind.mean > CERTAIN * behind.standard_error:
                del self.outcomes[place]
