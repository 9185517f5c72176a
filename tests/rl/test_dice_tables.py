"""Many tables of dice play as one does: the same game in the rules, decision by decision."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from tercet.cubed import Begin, Call, Placement, Show
from tercet.rl import Table
from tercet.rl.batch import DiceTables
from tercet.sets import Face, TercetError

_64 = 2**64 - 1
NONE = 55


class _Stream:
    """splitmix64, as src/tercet/kernel/chance.py has it."""

    def __init__(self, state: int) -> None:
        self.state = state

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & _64
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _64
        return z ^ z >> 31

    def below(self, count: int) -> int:
        return (self.next() >> 32) * count >> 32


class _GameOf:
    """The luck of one game of a seed, for the rules: the order of the bag, and what each throw of each die shows."""

    def __init__(self, seed: int, game: int, dice: int) -> None:
        stream = _Stream(seed)
        stream.state = stream.next() ^ game * 0x9E3779B97F4A7C15 & _64
        stream.state = stream.next()
        self.bag = list(range(dice))
        for i in range(dice - 1, 0, -1):
            j = stream.below(i + 1)
            self.bag[i], self.bag[j] = self.bag[j], self.bag[i]
        self.key = stream.next()

    def below(self, count: int, label: str) -> int:
        words = label.split()
        if words[0] == "draw":
            die = self.bag.pop()
            return sum(other < die for other in self.bag)
        return _Stream(
            self.key + (256 * (int(words[1]) - 1) + int(words[3])) * 0x9E3779B97F4A7C15 & _64
        ).below(6)


def opened(many: DiceTables, row: int, game: int, seed: int, edition: str) -> Table:
    """The same game in the rules, after the same opening."""
    table = Table("cubed", many.players, {"edition": edition})
    table.reset(_GameOf(seed, game, 42), begin=False)
    table.carry_out(Begin(0))
    sizes = [len(many.hand(row, seat)) for seat in range(many.players)]
    first = sizes.index(2)
    layout = table.options.edition.layout
    shown = []
    for square in layout.logo:
        code = int(many.lies[row, layout.cell(square)])
        wild = code > 27
        die = int(many.dice[row, layout.cell(square)]) + 1
        shown.append(Placement(square, Face.all()[code - 28 * wild], wild, die))
    table.carry_out(Call(first))
    table.carry_out(Show(first, tuple(shown)))
    assert table.state.phase == "turn", "the rules do not take this opening"
    table.cycle = -1
    table.go_on()
    return table


def compare(many: DiceTables, row: int, table: Table) -> None:
    seat, state = table.acting, table.state
    assert seat is not None
    assert seat == many.acting[row]
    assert (state.phase == "extra_roll") == many.asks[row]
    assert list(state.scores) == many.scores[row].tolist()
    for cell, die in enumerate(state.board):
        lies = NONE if die is None else die.face + 28 * die.wild
        assert lies == many.lies[row, cell]
        assert die is None or die.number == many.dice[row, cell] + 1
    for owner, hand in enumerate(state.hands):
        assert [(die.number, int(die.face)) for die in hand] == many.hand(row, owner)
    assert np.array_equal(table.mask(seat), many.masks()[row])
    assert np.array_equal(table.observe(seat), many.observe()[row])


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("edition", ["house", "dutch"])
def test_many_tables_of_dice_play_by_the_rules(players: int, edition: str) -> None:
    """Masks, vectors, rewards, dice and ends are those of the plain game with the same luck, also after a mistake."""
    seed, rows, r = 2026 + players, 3, Random(players)
    many = DiceTables(rows, players, seed, edition)
    games = list(range(rows))
    tables = [opened(many, row, row, seed, edition) for row in range(rows)]
    ended = 0
    for _ in range(250):
        for row in range(rows):
            compare(many, row, tables[row])
        actions = [
            r.randrange(100)
            if r.random() < 0.1
            else int(r.choice(np.flatnonzero(many.masks()[row]).tolist()))
            for row in range(rows)
        ]
        worth = []
        for table, action in zip(tables, actions, strict=True):
            table.cycle = -1  # in the extra roll the first seat is asked first
            worth.append(table.act(action))
        rewards, over = many.step(np.array(actions))
        assert rewards.tolist() == [pytest.approx(each) for each in worth]
        for row in range(rows):
            assert over[row] == tables[row].is_over
            if over[row]:
                ended += 1
                games[row] += rows
                assert many.final[row].tolist() == list(tables[row].state.scores)
                tables[row] = opened(many, row, games[row], seed, edition)
    assert ended


def test_a_game_of_a_seed_is_the_same_in_any_batch() -> None:
    few, more = DiceTables(2, seed=9), DiceTables(64, seed=9)
    other = DiceTables(2, seed=10)
    for _ in range(200):
        assert np.array_equal(few.observe(), more.observe()[:2])
        _, over = few.step(few.best())
        more.step(more.best())
        if over.any():
            break
    assert not np.array_equal(DiceTables(2, seed=9).observe(), other.observe())


def test_all_wilds_are_reached() -> None:
    """Random play replaces wilds and throws again: those actions are not dead."""
    many, source = DiceTables(200, seed=3), np.random.default_rng(3)
    used = np.zeros(100, dtype=int)
    for _ in range(60):
        actions = many.random(source)
        assert many.masks()[np.arange(200), actions].all()
        used[actions] += 1
        many.step(actions)
    assert used[0]
    assert used[1:64].all()
    assert used[64:95].all()
    assert used[95:].any()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"count": 0}, "at least one"),
        ({"count": 1, "players": 5}, "2 to 4"),
        ({"count": 1, "players": 1}, "2 to 4"),
    ],
)
def test_what_cannot_be_is_said(given: dict[str, Any], message: str) -> None:
    with pytest.raises(TercetError, match=message):
        DiceTables(**given)


def test_a_wrong_number_of_actions_is_said() -> None:
    with pytest.raises(ValueError, match="3 actions for 2 tables"):
        DiceTables(2).step(np.zeros(3, dtype=np.int64))
