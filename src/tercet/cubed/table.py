"""What the table does by itself: draws, throws, and ends the round."""

from __future__ import annotations

from collections.abc import Iterable

from tercet.cubed.evolve import evolve
from tercet.cubed.play import CubedEvent, Drew, Ended, Replaced, RoundEnded, State, Threw
from tercet.cubed.position import HAND_LIMIT
from tercet.editions.dice import Die
from tercet.editions.squares import Square
from tercet.games import Happening, have_all
from tercet.sets import has_set

#: So many rounds in a row in which somebody could have laid a die and nobody did end the game, and so many
#: in a row after which everyone would have to throw again (C16).
IDLE_LIMIT = 3
RETHROW_LIMIT = 20
#: After so many throws in a row without a SET in any hand the game ends: such dice never have one (C4).
OPENING_LIMIT = 100


class Table(Happening[State, CubedEvent]):
    """A table while a command is carried out."""

    __slots__ = ()

    evolve = staticmethod(evolve)

    def draw(self, seat: int) -> None:
        """Draw up to five dice and throw them. Drawn one by one, they are an order fixed by the seed."""
        state = self.state
        bag = list(state.bag)
        number = len(state.options.edition.dice) - len(bag)
        drawn: list[Die] = []
        for _ in range(min(HAND_LIMIT - len(state.hands[seat]), len(bag))):
            number += 1
            place = self.chance.below(len(bag), f"draw {number}")
            drawn.append(self._thrown(bag.pop(place)))
        if drawn:
            self.happen(Drew(seat, tuple(drawn)))

    def throw(self, seat: int, numbers: Iterable[int]) -> None:
        dice = tuple(self._thrown(number) for number in numbers)
        if dice:
            self.happen(Threw(seat, dice))

    def throw_all(self) -> None:
        for seat in self.state.in_order():
            self.throw(seat, [die.number for die in self.state.hands[seat]])

    def throw_chosen(self, choices: tuple[tuple[int, ...] | None, ...]) -> None:
        """If all who count have answered to the extra roll, throw what they chose (C14)."""
        if self.state.phase == "turn":
            for seat in self.state.in_order():
                self.throw(seat, choices[seat] or ())

    def agree(self) -> None:
        """If nobody is left who could call, and nobody has: everyone throws (C3, C4, T1)."""
        state = self.state
        said = state.barred | state.none
        if said and state.call is None and have_all(state.seats, state.away, said):
            self.throw_until_a_set()

    def throw_until_a_set(self) -> None:
        """Everyone throws, as often as needed (C4)."""
        for _ in range(OPENING_LIMIT):
            self.throw_all()
            if self.somebody_has_a_set():
                return
        self.happen(Ended(self.state.scores))

    def somebody_has_a_set(self) -> bool:
        return any(has_set(die.face for die in hand) for hand in self.state.hands)

    def replace_wild(self, seat: int, put: Die, square: Square) -> None:
        wild = self.state.die_on(square)
        assert wild is not None
        could_lay = self.state.position(seat).can_lay()
        self.happen(Replaced(seat, put, square, self._thrown(wild.number), could_lay))

    def end_round(self) -> None:
        """Everyone has had a turn (C12 to C16)."""
        state = self.state
        stuck = not state.laid and not state.could_lay
        idle = not state.laid and state.could_lay and state.idle_rounds + 1 == IDLE_LIMIT
        if idle or (stuck and state.rethrows + 1 == RETHROW_LIMIT) or not all(state.hands):
            self.happen(RoundEnded(state.round, "end"))
            self.happen(Ended(state.scores))
            return
        self.happen(RoundEnded(state.round, "rethrow" if stuck else "extra_roll"))
        for seat in state.in_order():
            self.draw(seat)
        if stuck:
            self.throw_all()

    def _thrown(self, number: int) -> Die:
        state = self.state
        faces = state.options.edition.dice[number - 1]
        throw = state.throws[number - 1] + 1
        return Die(number, faces[self.chance.below(len(faces), f"die {number} throw {throw}")])
