"""The search of endgames, held against a full search that knows nothing but the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations, islice
from random import Random

import pytest
from msgspec.structs import replace

from benchmarks.frozen.master import endgame as python_search
from tercet import bots, cubed, kernel
from tercet.bots.bot import Deadline
from tercet.cubed import CubedCommand, State
from tercet.cubed.bots.endgame import Endgame, points
from tests.bots.endgames import endgames

pytestmark = pytest.mark.skipif(not kernel.COMPILED, reason="needs the compiled kernel to be quick")


class MoreChance(Exception):
    def __init__(self, count: int) -> None:
        self.count = count


class Told:
    """Chance that gives the numbers it was told, and then asks how many there could be."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self._numbers = list(numbers)

    def below(self, count: int, label: str) -> int:
        if not self._numbers:
            raise MoreChance(count)
        return self._numbers.pop(0)


def outcomes(state: State, command: CubedCommand, numbers: tuple[int, ...] = ()) -> Iterator[State]:
    """Every state that can follow, all equally likely."""
    try:
        events = cubed.rules.decide(state, command, 0, Told(numbers))
    except MoreChance as more:
        for number in range(more.count):
            yield from outcomes(state, command, (*numbers, number))
        return
    assert isinstance(events, list), events
    for event in events:
        state = cubed.rules.evolve(state, event, 0)
    # the number of the round and of throws do not matter, and would make equal states differ
    yield replace(state, round=1, throws=(0,) * len(state.throws))


class FullSearch:
    """What the final margin of seat 0 will be worth if both play perfectly."""

    def __init__(self, worth: Callable[[int], float] = float) -> None:
        self._worth = worth
        self._known: dict[State, float] = {}

    def after(self, state: State, command: CubedCommand) -> float:
        values = [self.value(outcome) for outcome in outcomes(state, command)]
        return sum(values) / len(values)

    def value(self, state: State) -> float:
        if state.phase == "over":
            return self._worth(state.scores[0] - state.scores[1])
        if state not in self._known:
            self._known[state] = self._turn(state) if state.phase == "turn" else self._roll(state)
        return self._known[state]

    def commands(self, state: State) -> Iterator[CubedCommand]:
        seat = state.turn
        assert seat is not None
        yield cubed.Pass(seat)
        for turn in state.position(seat).turns():
            yield cubed.Lay(seat, turn.placements)
        for cell, lying in enumerate(state.board):
            for die in state.hands[seat]:
                if lying is not None and lying.wild and lying.face == die.face:
                    yield cubed.Replace(seat, die.number, state.options.edition.layout.square(cell))

    def _turn(self, state: State) -> float:
        values = [self.after(state, command) for command in self.commands(state)]
        return max(values) if state.turn == 0 else min(values)

    def _roll(self, state: State) -> float:
        best = float("-inf")
        for mine in subsets([die.number for die in state.hands[0]]):
            (chosen,) = outcomes(state, cubed.Choose(0, mine))
            answers = subsets([die.number for die in state.hands[1]])
            best = max(best, min(self.after(chosen, cubed.Choose(1, theirs)) for theirs in answers))
        return best


def subsets(numbers: list[int]) -> list[tuple[int, ...]]:
    return list(chain.from_iterable(combinations(numbers, size) for size in range(len(numbers) + 1)))


def test_a_position_and_every_choice_are_worth_what_full_search_says() -> None:
    for state in islice(endgames(dice=2), 6):
        search, full = Endgame(state, points), FullSearch()
        assert search.value() == pytest.approx(full.value(state))
        for command, value in search.choices():
            assert value == pytest.approx(full.after(state, command)), command


def test_a_round_that_begins_is_worth_what_full_search_says() -> None:
    state = next(state for state in endgames(dice=2) if all(state.hands))
    roll = replace(state, phase="extra_roll", turn=None, answered=frozenset(), choices=(None, None))
    roll = replace(roll, laid=False, could_lay=False, rethrows=0)
    assert Endgame(roll, points).value() == pytest.approx(FullSearch().value(roll))


def test_the_kernel_answers_as_the_search_before_it_did() -> None:
    """The search in plain Python, kept among the benchmarks; positions that it can do in a second."""
    compared = 0
    for state in endgames(dice=3):
        search = python_search.Endgame(state, Deadline(1), python_search.win_and_margin, limit=10**9)
        try:
            before = search.value(search.start)
        except python_search.TooLong:
            continue
        assert Endgame(state, python_search.win_and_margin).value() == pytest.approx(before)
        compared += 1
        if compared == 5:
            break


def test_seats_are_treated_alike_within_a_round() -> None:
    """With a hand empty nobody throws again, so the same game with the seats changed is worth the opposite."""
    for state in islice((state for state in endgames(dice=4) if not all(state.hands)), 6):
        assert state.first is not None
        assert state.turn is not None
        other = replace(
            state,
            hands=state.hands[::-1],
            scores=state.scores[::-1],
            first=1 - state.first,
            turn=1 - state.turn,
        )
        assert Endgame(state, points).value() == -Endgame(other, points).value()


@pytest.mark.long
def test_master_loses_next_to_nothing_against_full_search() -> None:
    lost = []
    for state in islice(endgames(dice=2), 60):
        assert state.turn is not None
        search = FullSearch()
        command = bots.make("cubed", "master", state.turn, Random(1)).choose(state)
        assert command is not None
        lost.append(abs(search.value(state) - search.after(state, command)))
    assert sum(lost) / len(lost) <= 0.1
