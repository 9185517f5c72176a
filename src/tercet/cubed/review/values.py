"""What positions of the dice game are worth: the chance of every seat to win, exact or with a standard error."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from random import Random
from statistics import fmean
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from tercet.cubed.bots.endgame import Endgame, TooLong, is_endgame
from tercet.cubed.bots.master import Master
from tercet.cubed.bots.race import HORIZON, TO_THE_END, Estimate, Outcomes, Race, Start, as_chance
from tercet.cubed.bots.rollouts import CHOSEN, EXTRA_ROLL, ROUND_OVER, TURN, Rollouts
from tercet.cubed.evolve import evolve
from tercet.cubed.placements import Placement, write_turn
from tercet.cubed.play import Chose, Laid, Lay, Opened, Pass, Passed, Replace, Replaced, State

#: So many choices are compared, and the one that was made.
CHOICES = 8
#: So many games are played out for each of them, however few are asked for.
FEWEST = 8
#: An endgame that needs more places than this is played out.
PLACES_LIMIT = 500_000
#: The part of the games for a decision that a position gets by itself; and that choose the best, before the others measure it.
PART = 2
#: What is ahead of the choice that was made by fewer standard errors is ahead by luck as likely as not.
LIKELY = 1.0
#: The games that measure are others than those that choose: whatever is chosen for its luck has none in the next games.
FRESH = 1_000_003

#: Chances that are apart by less are alike: a search that finds them equal still prefers more points, by less than this.
ALIKE = 0.0005

T = TypeVar("T")

#: Whoever chose best is behind by this.
NOTHING = Estimate(0.0, 0.0, 0)

#: The decisions of a game.
Decided = Opened | Laid | Passed | Replaced | Chose


class Value(NamedTuple):
    """The chance of every seat to win, and the standard errors of that."""

    chances: tuple[float, ...]
    errors: tuple[float, ...]


class Judged(NamedTuple):
    """A choice in words, what it is worth to the one who makes it, and the points it scores at once."""

    text: str
    worth: Estimate
    points: int | None


class Compared(NamedTuple):
    """A decision: what was chosen, the best, how much that is better, the choices to tell of (the best first, the worst last),
    and what the position is worth to every seat after the choice, before any throw that it brings; and after the best.

    What is best was chosen by other games than those that say how much better it is. So ``behind`` is right on average; it may be
    below 0 by chance.
    """

    chosen: Judged
    best: Judged
    behind: Estimate
    choices: tuple[Judged, ...]
    after: Value
    after_best: Value


class Values:
    """Judges positions of one game by so many games played out for a decision."""

    def __init__(self, state: State, games: int, seed: int) -> None:
        self._games, self._seed = games, seed
        self._rollouts = Rollouts(state.options.edition, state.seats)
        self._masters = [Master(seat, Random(0)) for seat in range(state.seats)]

    # Positions.

    def at_the_end(self, state: State) -> Value:
        top = max(state.scores)
        share = 1 / state.scores.count(top)
        return Value(tuple(share if score == top else 0.0 for score in state.scores), (0.0,) * state.seats)

    def before_all(self, state: State) -> Value:
        """Before anybody has drawn: seats are alike."""
        return Value((1 / state.seats,) * state.seats, (0.0,) * state.seats)

    def of_opening(self, state: State) -> Value | None:
        """After the throw that opens the game, whoever calls first of those who have a SET; None where nobody has one."""
        opened = [starts[0] for master in self._masters if (starts := master.opening_starts(state))]
        if not opened:
            return None
        found = [self._played_out(start.states[0], TURN, b"", HORIZON, to_the_end=False) for start in opened]
        return Value(
            tuple(map(fmean, zip(*(one.chances for one in found), strict=True))),
            tuple(hypot(*errors) / len(found) for errors in zip(*(one.errors for one in found), strict=True)),
        )

    def of_turn(self, state: State, *, to_the_end: bool) -> Value:
        """At the beginning of a turn."""
        if is_endgame(state):
            try:
                return _exact(Endgame(state, limit=PLACES_LIMIT).value())
            except TooLong:
                pass
        return self._played_out(state, TURN, b"", HORIZON, to_the_end)

    def of_throws(self, state: State, throws: Sequence[int], *, to_the_end: bool) -> Value:
        """Before the throws of an extra roll or a forced re-throw: for each seat the dice to throw as bits, or CHOSEN
        where the seat still chooses."""
        if is_endgame(state):
            try:
                table = Endgame(state, limit=PLACES_LIMIT).rolls()
            except TooLong:
                pass
            else:
                rows = table if throws[0] == CHOSEN else [table[throws[0]]]
                return _exact(max(min(row) if throws[1] == CHOSEN else row[throws[1]] for row in rows))
        return self._played_out(state, EXTRA_ROLL, bytes(throws), HORIZON + 1, to_the_end)

    def of_draws(self, state: State, *, to_the_end: bool) -> Value:
        """At the end of a round in which dice were laid, before all have drawn."""
        return self._played_out(replace(state, laid=True), ROUND_OVER, b"", HORIZON + 1, to_the_end)

    def _played_out(self, state: State, stage: int, throws: bytes, horizon: int, to_the_end: bool) -> Value:
        start = Start(None, 0.0, (state,), stage, throws)
        outcomes = Outcomes(self._rollouts, start, TO_THE_END if to_the_end else horizon)
        outcomes.play(self._seed, max(self._games // PART, 2))
        return _value(outcomes)

    # Decisions.

    def compare(self, state: State, event: Decided) -> Compared | None:
        """The choices worth comparing beside the one that was made; None where there was nothing to choose."""
        if is_endgame(state):
            try:
                return _compare_exactly(state, event)
            except TooLong:
                pass
        starts, made = self._starts(state, event)
        others = [start for start in starts if start.choice != made.choice][:CHOICES]
        if not others:
            return None
        promise = next((start.promise for start in starts if start.choice == made.choice), 0.0)
        seat, compared = event.seat, [made._replace(promise=promise), *others]
        race = Race(compared, seat, self._rollouts, self._seed, kept=(0,))
        race.run(max(self._games // PART, FEWEST * len(compared)))
        best = race.running[0]
        ahead = race.outcomes[best].ahead_of(race.outcomes[0], seat)
        if ahead.value < LIKELY * ahead.error:
            best = 0
        #: Beside the best, what was made; if that is the best, the next one.
        rival = 0 if best else next((place for place in race.running if place), 1)
        final = Race([compared[best], compared[rival]], seat, self._rollouts, self._seed + FRESH, kept=(0, 1))
        final.run(max(self._games - self._games // PART, FEWEST * 2))
        after_best = _value(final.outcomes[0])
        after = _less(after_best, final.outcomes) if best else after_best
        behind = NOTHING
        if best:
            error = final.outcomes[0].ahead_of(final.outcomes[1], seat).error
            behind = Estimate(after_best.chances[seat] - after.chances[seat], error, final.outcomes[0].count)
        worth = {best: final.outcomes[0].estimate(seat)._replace(value=after_best.chances[seat])}
        if best:
            worth[0] = final.outcomes[1].estimate(seat)._replace(value=after.chances[seat])
        for place, outcomes in enumerate(race.outcomes):
            less = max(race.outcomes[best].ahead_of(outcomes, seat).value, 0.0)
            value = as_chance(worth[best].value - less)
            worth.setdefault(place, outcomes.estimate(seat)._replace(value=value))
        judged = [
            Judged(
                start.choice,
                worth[place],
                None if isinstance(event, Chose) else start.states[0].scores[seat] - state.scores[seat],
            )
            for place, start in enumerate(compared)
        ]
        choices = sorted(judged, key=lambda one: -one.worth.value)
        return Compared(judged[0], judged[best], behind, tuple(choices), after, after_best)

    def _starts(self, state: State, event: Decided) -> tuple[list[Start[str]], Start[str]]:
        """What could be done, the most promising first, and what was done, both in words."""
        seat = event.seat
        master = self._masters[seat]
        if isinstance(event, Chose):
            dice = event.dice or ()
            subset = sum(1 << at for at, die in enumerate(state.hands[seat]) if die.number in dice)
            rolls = [
                _in_words(start, _throw(state, seat, start.choice)) for start in master.roll_starts(state)
            ]
            return rolls, _in_words(master.roll_start(state, subset, 0.0), _throw(state, seat, dice))
        if isinstance(event, Opened):
            openings = [_in_words(start, _lay(start.choice)) for start in master.opening_starts(state)]
            return openings, Start(_lay(event.placements), 0.0, (evolve(state, event, 0),), TURN)
        turns = [_in_words(start, _command(start.choice)) for start in master.turn_starts(state)]
        text = _event(event)
        if isinstance(event, Replaced):
            return turns, next(start for start in turns if start.choice == text)
        after = evolve(state, event, 0)
        return turns, Start(text, 0.0, (after,), ROUND_OVER if after.turn == after.first else TURN)


def _compare_exactly(state: State, event: Decided) -> Compared | None:
    """By full search: every choice, and no error. Told of are a few, the worst, what was chosen, and, if that was worse, all
    that are as good as the best."""
    search, seat = Endgame(state, limit=PLACES_LIMIT), event.seat
    found: dict[str, Judged] = {}
    if isinstance(event, Chose):
        table = search.rolls()
        if seat == 1:
            table = [[1 - value for value in column] for column in zip(*table, strict=True)]
        for subset, row in enumerate(table):
            dice = [die.number for at, die in enumerate(state.hands[seat]) if subset >> at & 1]
            text = _throw(state, seat, dice)
            found[text] = Judged(text, _sure(min(row)), None)
        made = _throw(state, seat, event.dice or ())
    else:
        scores = {_lay(turn.placements): turn.score for turn in state.position(seat).turns()}
        for command, value in search.choices():
            text, worth = _command(command), _sure(1 - value if seat else value)
            if text not in found or found[text].worth.value < worth.value:
                found[text] = Judged(text, worth, scores.get(text, 0))
        made = _event(event)
    if len(found) < 2:
        return None
    choices = sorted(found.values(), key=lambda one: -one.worth.value)
    chosen = found[made]
    good = choices[0].worth.value - ALIKE
    is_worse = chosen.worth.value < good
    told = tuple(
        one
        for place, one in enumerate(choices)
        if place <= CHOICES or one in (chosen, choices[-1]) or (is_worse and one.worth.value >= good)
    )
    behind = _sure(choices[0].worth.value - chosen.worth.value)
    after, after_best = (
        _exact(1 - one.worth.value if seat else one.worth.value) for one in (chosen, choices[0])
    )
    return Compared(chosen, choices[0], behind, told, after, after_best)


def _value(outcomes: Outcomes) -> Value:
    found = [outcomes.estimate(seat) for seat in range(len(outcomes.chances))]
    # luck is taken off seat by seat: with three or four they add up to about 1 only
    total = sum(one.value for one in found)
    return Value(tuple(one.value / total for one in found), tuple(one.error for one in found))


def _less(best: Value, outcomes: Sequence[Outcomes]) -> Value:
    """What the second of these is worth, as much less than the best as the same games say."""
    seats = range(len(best.chances))
    ahead = [outcomes[0].ahead_of(outcomes[1], seat) for seat in seats]
    off = sum(one.value for one in ahead) / len(ahead)
    errors = tuple(outcomes[1].estimate(seat).error for seat in seats)
    chances = (chance - one.value + off for chance, one in zip(best.chances, ahead, strict=True))
    return Value(tuple(map(as_chance, chances)), errors)


def _exact(value: float) -> Value:
    """Of a search: what it is worth to seat 0 of two."""
    value = as_chance(value)
    return Value((value, 1 - value), (0.0, 0.0))


def _sure(value: float) -> Estimate:
    return Estimate(max(0.0, min(1.0, value)), 0.0, 0)


# Choices in words.


def _in_words(start: Start[T], text: str) -> Start[str]:
    return Start(text, start.promise, start.states, start.stage, start.throws)


def _lay(placements: Sequence[Placement]) -> str:
    return write_turn(replace(placement, die=None) for placement in placements)


def _command(command: Lay | Pass | Replace) -> str:
    match command:
        case Lay():
            return _lay(command.placements)
        case Replace():
            return f"replace {command.square} by #{command.die}"
        case Pass():
            return "pass"


def _event(event: Opened | Laid | Passed | Replaced) -> str:
    match event:
        case Replaced():
            return _command(Replace(event.seat, event.die.number, event.square))
        case Passed():
            return "pass"
        case _:
            return _lay(event.placements)


def _throw(state: State, seat: int, dice: Sequence[int]) -> str:
    faces = [str(die.face) for die in state.hands[seat] if die.number in dice]
    return f"throw {' '.join(faces)}" if faces else "keep all"
