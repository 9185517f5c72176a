"""A game of the dice game event by event: what every decision lost, and what every draw and throw brought.

A chance is judged by one yardstick before and after it, so that its luck is 0 on average: games are played out to the end of
the same round on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import Literal

from msgspec import Struct

from tercet.cubed.bots.rollouts import CHOSEN
from tercet.cubed.evolve import evolve
from tercet.cubed.play import (
    Chose,
    CubedEvent,
    Drew,
    Ended,
    Laid,
    Opened,
    Passed,
    Replaced,
    RoundEnded,
    State,
    Threw,
)
from tercet.cubed.review.measures import CERTAIN, Mark, accuracy, mark, matters
from tercet.cubed.review.values import Compared, Decided, Judged, Value, Values
from tercet.games import Entry
from tercet.study.review import Progress


class Choice(Struct, frozen=True):
    """One of the choices of a decision: the chance to win after it with its standard error, by so many games (0: exact), and
    the points that it scores at once."""

    text: str
    value: float
    error: float
    games: int
    points: int | None


class Decision(Struct, frozen=True, kw_only=True):
    """What somebody chose, in which line of the log.

    ``loss`` is what the best choice wins more often, in percentage points, with its standard error ``error``; a ``mark`` stands where
    it is more than two of them. ``estimate`` is the same as the games tell it, unrounded, and below 0 where they tell by chance that
    the choice was better than the best: right on average, so error rates are made of it. ``counts``: it could matter; where every
    choice wins less than 2 % or more than 98 % of the time the game is decided, and nobody is judged by it; nor by a wild that was
    replaced in games played out, where a greedy turn follows it and it comes out too low. ``most``: the points of the turn that
    scores most.
    """

    line: int
    round: int
    seat: int
    kind: Literal["opening", "turn", "replacing", "extra roll"]
    chosen: Choice
    best: Choice
    choices: tuple[Choice, ...]
    loss: float
    error: float
    estimate: float
    counts: bool
    mark: Mark | None
    accuracy: float
    most: int | None


class Luck(Struct, frozen=True, kw_only=True):
    """What a draw or a throw brought: the change of every seat's chance to win, and the standard errors."""

    line: int
    round: int
    seat: int
    kind: Literal["draw", "throw", "wild"]
    changes: tuple[float, ...]
    errors: tuple[float, ...]


class Moment(Struct, frozen=True):
    """The chance of every seat to win after a line of the log. ``before``: had the best been chosen, where somebody decided; from there
    to ``chances`` it falls by the loss."""

    line: int
    round: int
    chances: tuple[float, ...]
    before: tuple[float, ...] | None = None


class Watched(Struct, frozen=True):
    moments: tuple[Moment, ...]
    decisions: tuple[Decision, ...]
    luck: tuple[Luck, ...]
    #: What every decision changed for each seat, beside the best choice.
    changes: tuple[tuple[float, ...], ...]


def watch(start: State, log: Sequence[Entry[CubedEvent]], values: Values, progress: Progress) -> Watched:
    return _Watch(start, log, values).run(progress)


class _Watch:
    def __init__(self, start: State, log: Sequence[Entry[CubedEvent]], values: Values) -> None:
        self._log, self._values = log, values
        self._state = start
        self._moments: list[Moment] = []
        self._decisions: list[Decision] = []
        self._luck: list[Luck] = []
        self._changes: list[tuple[float, ...]] = []
        #: What the position is worth before the next draw or throw; None where that has to be found out.
        self._before: Value | None = None
        #: Whether games of this round are played to their end: the bag was empty before anybody drew.
        self._to_the_end = False

    def run(self, progress: Progress) -> Watched:
        for at, entry in enumerate(self._log):
            self._watch(at, entry)
            self._state = evolve(self._state, entry.event, entry.at)
            progress(at + 1, len(self._log))
        return Watched(tuple(self._moments), tuple(self._decisions), tuple(self._luck), tuple(self._changes))

    def _watch(self, at: int, entry: Entry[CubedEvent]) -> None:
        event, state = entry.event, self._state
        match event:
            case Opened() | Laid() | Passed() | Chose():
                self._decide(entry.seq, event)
            case Replaced():
                self._decide(entry.seq, event)
                after = self._values.of_turn(evolve(state, event, 0), to_the_end=self._to_the_end)
                self._chance(entry.seq, event.seat, "wild", after)
            case RoundEnded():
                self._to_the_end = not state.bag
                self._before = None
            case Drew() | Threw() if state.first is None:
                if not isinstance(self._log[at + 1].event, Drew | Threw):
                    self._open(at, evolve(state, event, 0))
            case Drew():
                if self._before is None:
                    self._before = self._values.of_draws(state, to_the_end=self._to_the_end)
                self._chance(entry.seq, event.seat, "draw", self._after_draw(at, evolve(state, event, 0)))
            case Threw():
                if self._before is None:
                    self._before = self._of_throws(at, state)
                self._chance(entry.seq, event.seat, "throw", self._of_throws(at + 1, evolve(state, event, 0)))
            case Ended():
                self._moment(entry.seq, self._values.at_the_end(state))
            case _:
                pass

    def _open(self, at: int, state: State) -> None:
        """All have drawn or thrown at once, to see who is first player: told with the dice of the one who gained most by it."""
        after = self._values.of_opening(state)
        if after is None:
            return
        luckiest = max(range(state.seats), key=lambda seat: after.chances[seat])
        threw = [
            (entry.seq, entry.event) for entry in self._log[: at + 1] if isinstance(entry.event, Drew | Threw)
        ]
        line, event = next(one for one in reversed(threw) if one[1].seat == luckiest)
        self._before = self._values.before_all(state)
        self._chance(line, luckiest, "draw" if isinstance(event, Drew) else "throw", after)

    def _after_draw(self, at: int, state: State) -> Value:
        if isinstance(self._log[at + 1].event, Drew):
            return self._values.of_draws(state, to_the_end=self._to_the_end)
        chosen = [CHOSEN] * state.seats
        return self._values.of_throws(state, chosen, to_the_end=self._to_the_end)

    def _of_throws(self, at: int, state: State) -> Value:
        """Before the throws that follow each other in the log from here on; without any, at the turn that begins."""
        throws = [0] * state.seats
        while isinstance(event := self._log[at].event, Threw):
            numbers = {die.number for die in event.dice}
            throws[event.seat] = sum(
                1 << place for place, die in enumerate(state.hands[event.seat]) if die.number in numbers
            )
            at += 1
        if any(throws):
            return self._values.of_throws(state, throws, to_the_end=self._to_the_end)
        return self._values.of_turn(state, to_the_end=self._to_the_end)

    def _chance(self, line: int, seat: int, kind: Literal["draw", "throw", "wild"], after: Value) -> None:
        before = self._before
        assert before is not None
        self._luck.append(
            Luck(
                line=line,
                round=self._state.round,
                seat=seat,
                kind=kind,
                changes=tuple(b - a for a, b in zip(before.chances, after.chances, strict=True)),
                errors=tuple(
                    (a * a + b * b) ** 0.5 for a, b in zip(before.errors, after.errors, strict=True)
                ),
            )
        )
        self._before = after
        self._moment(line, after)

    def _decide(self, line: int, event: Decided) -> None:
        compared = self._values.compare(self._state, event)
        self._before = None
        if compared is None:
            return
        if isinstance(event, Replaced):
            self._before = compared.after
        decision = decide(self._state, line, event, compared)
        self._decisions.append(decision)
        pairs = zip(compared.after.chances, compared.after_best.chances, strict=True)
        self._changes.append(tuple(after - best for after, best in pairs))
        before = compared.after_best.chances if decision.loss else compared.after.chances
        if isinstance(event, Chose) and self._state.answered and self._moments:
            # all choose at once, and each is compared as if nobody else had: what another lost stays lost
            before = self._moments[-1].chances
        change = self._changes[-1] if decision.loss else (0.0,) * len(before)
        self._moment(line, Value(tuple(map(add, before, change)), ()), before)

    def _moment(self, line: int, value: Value, before: Sequence[float] | None = None) -> None:
        had = None if before is None else _shares(before)
        self._moments.append(Moment(line, self._state.round, _shares(value.chances), had))


def _shares(chances: Sequence[float]) -> tuple[float, ...]:
    """Chances to win that are from 0 to 1, as they should be, and all of which are 1."""
    found = [max(chance, 0.0) for chance in chances]
    return tuple(chance / sum(found) for chance in found)


def decide(state: State, line: int, event: Decided, compared: Compared) -> Decision:
    """What this event decided, in this line of the log, beside what else could have been done."""
    chosen, best = _choice(compared.chosen), _choice(compared.best)
    if compared.behind.value <= 0:
        best = chosen
    loss, error = _points(best.value - chosen.value), 100 * compared.behind.error
    choices = tuple(map(_choice, compared.choices))
    counts = matters(one.value for one in choices) and not (isinstance(event, Replaced) and chosen.games)
    kind: Literal["opening", "turn", "replacing", "extra roll"]
    most = None
    match event:
        case Opened():
            kind = "opening"
        case Chose():
            kind = "extra roll"
        case Replaced():
            kind = "replacing"
        case _:
            kind, most = "turn", state.position(event.seat).best().score
    return Decision(
        line=line,
        round=state.round,
        seat=event.seat,
        kind=kind,
        chosen=chosen,
        best=best,
        choices=choices,
        loss=loss,
        error=error,
        estimate=100 * compared.behind.value,
        counts=counts,
        mark=mark(loss) if counts and loss > CERTAIN * error else None,
        accuracy=accuracy(loss),
        most=most,
    )


def _points(chance: float) -> float:
    """Percentage points, to one digit, as chances are told: so they can be subtracted by whoever reads them."""
    return round(100 * chance, 1)


def _choice(judged: Judged) -> Choice:
    worth = judged.worth
    value = round(max(0.0, min(1.0, worth.value)), 3)
    return Choice(judged.text, value, worth.error, worth.games, judged.points)
