"""Whole games of the kernel, command by command, through the rules in `tercet.cubed`.

The kernel plays from source here, so that one can watch it; test_same_results.py holds the compiled one equal to
that. The game by the rules gets the same draws and throws and the same commands: it must allow each of them, and
after each the two tables must be the same.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from tercet.cubed import Edition, Game, Options
from tercet.cubed.placements import Placement
from tercet.cubed.play import Begin, Call, Choose, CubedCommand, Lay, Pass, Passed, Replace, Show
from tercet.fairness import seed_from
from tercet.sets import Face

EDITIONS = {
    "later": Edition.named("house"),
    "never": Edition.from_plain({"extends": "house", "name": "dutch", "wild": "never"}),
}


class KernelChance:
    """The kernel's chance in the words of the rules: what is drawn next, and what a throw shows."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.order = [die + 1 for die in reversed(table.bag[: table.n_dice])]
        self.bag = sorted(self.order)

    def below(self, count: int, label: str) -> int:
        match label.split():
            case ["draw", nth]:
                assert count == len(self.bag)
                place = self.bag.index(self.order[int(nth) - 1])
                del self.bag[place]
                return place
            case ["die", number, "throw", nth]:
                label_of_throw = (int(number) - 1) * 256 + int(nth)
                return int(self.table.chance.one_of_six(self.table.key, label_of_throw))
        raise AssertionError(f"no chance is called {label}")


class Trace:
    """A game of the kernel, from source, and one by the rules beside it."""

    def __init__(self, plain: dict[str, ModuleType], wild: str, players: bytes, number: int) -> None:
        self.edition = edition = EDITIONS[wild]
        layout = edition.layout
        self.kernel = plain["dice_games"].DiceGames(
            bytes(face for die in edition.dice for face in die),
            layout.rows,
            layout.cols,
            tuple(layout.cell(square) for square in layout.logo),
            layout.bonus_by_cell,
            wild == "never",
            players,
        )
        self.table = self.kernel.table
        self.table.chance.start(11, number)
        self.table.set_up()
        names = ["Ann", "Bo", "Cy", "Di"][: len(players)]
        self.game = Game(names, seed=seed_from(""), options=Options(edition=edition))
        self.game._chance = KernelChance(self.table)
        self.given: list[CubedCommand] = []
        self.replace_one, self.lay_turn = self.table.replace_one, self.table.lay_turn
        self.table.replace_one, self.table.lay_turn = self.watch_replace, self.watch_lay

    def placement(self, q: int) -> Placement:
        board = self.table.board
        square = self.edition.layout.square(board.square_of[q])
        return Placement(square, Face(board.cell[q]), bool(board.star[q]), self.table.die_at[q] + 1)

    def watch_replace(self, seat: int) -> None:
        before = list(self.table.die_at)
        self.replace_one(seat)
        (q,) = (q for q, die in enumerate(self.table.die_at) if die != before[q])
        put = self.placement(q)
        assert put.die is not None
        self.given.append(Replace(seat, put.die, put.square))

    def watch_lay(self, seat: int, turn: int) -> int:
        dice = self.lay_turn(seat, turn)
        cells = [(turn >> shift & 0xFFFF) - 1 >> 6 for shift in (0, 16, 32) if turn >> shift & 0xFFFF]
        self.given.append(Lay(seat, tuple(self.placement(self.table.board.at[cell]) for cell in cells)))
        return int(dice)

    def open(self) -> None:
        self.game.do(Begin(0))
        self.table.open()
        first = self.table.first
        self.game.do(Call(first))
        self.game.do(Show(first, tuple(self.placement(q) for q in self.table.logo)))
        self.agree()

    def turn(self) -> None:
        seat = self.table.seat
        assert self.game.state.turn == seat
        self.given.clear()
        self.kernel.turn(seat)
        self.table.seat = (seat + 1) % self.table.players
        if not self.given or isinstance(self.given[-1], Replace):
            self.given.append(Pass(seat))
        for command in self.given:
            event = self.game.do(command)[0].event
            assert event != Passed(seat, True), "the kernel passes only when it must"

    def end_round(self) -> bool:
        """Whether the game goes on."""
        if not self.kernel.next_round():
            assert self.game.is_over
            return False
        if self.game.state.phase == "extra_roll":
            for seat in range(self.table.players):
                thrown = [
                    self.table.hand[seat * 5 + i] + 1
                    for i in range(self.table.size[seat])
                    if self.kernel.throws[seat] >> i & 1
                ]
                self.game.do(Choose(seat, tuple(thrown)))
        return True

    def agree(self) -> None:
        """Scores, board, hands, bag: all the same."""
        state, table = self.game.state, self.table
        assert list(state.scores) == table.score[: table.players]
        lying = [
            None if table.board.cell[q] > 26 else self.placement(q)
            for q in table.board.at[: table.board.squares]
        ]
        assert [die and (die.number, die.face, die.wild) for die in state.board] == [
            put and (put.die, put.face, put.wild) for put in lying
        ]
        for seat, hand in enumerate(state.hands):
            places = range(seat * 5, seat * 5 + table.size[seat])
            assert sorted((die.number, int(die.face)) for die in hand) == sorted(
                (table.hand[place] + 1, table.shows(place)) for place in places
            )
        if not self.game.is_over:
            assert (state.laid, state.could_lay or state.laid) == (
                table.laid > 0,
                bool(table.could or table.laid),
            )
        assert list(state.bag) == sorted(die + 1 for die in table.bag[: table.in_bag])

    def play(self) -> int:
        self.open()
        rounds = 0
        while True:
            self.turn()
            if self.table.seat == self.table.first:
                rounds += 1
                if not self.end_round():
                    self.agree()
                    return rounds
            self.agree()


@pytest.mark.parametrize("wild", ["later", "never"])
@pytest.mark.parametrize("players", [b"gg", b"rr", b"grg", b"rggr"])
def test_c1_to_c21_the_rules_allow_the_kernels_games_and_see_the_same(
    plain: dict[str, ModuleType], players: bytes, wild: str
) -> None:
    games = 2 if b"g" in players else 6
    rounds = [Trace(plain, wild, players, number).play() for number in range(games)]
    assert min(rounds) > 1
