"""What the table does by itself: deals, fills gaps, opens more cards, ends the round."""

from __future__ import annotations

from msgspec.structs import replace

from tercet import kernel
from tercet.cards.evolve import evolve, pack
from tercet.cards.play import CardEvent, Dealt, Ended, Opened, RoundEnded, State, Took
from tercet.games import Happening
from tercet.sets import Card, has_set

#: So many cards always hold a SET, so that nobody can agree that there is none (K6).
TABLE_LIMIT = 21


def holds_set(cards: tuple[Card, ...]) -> bool:
    """As `has_set`, by the kernel where that is faster."""
    return kernel.has_set(bytes(cards)) if kernel.COMPILED else has_set(cards)


class Table(Happening[State, CardEvent]):
    """A table while a command is carried out."""

    __slots__ = ()

    evolve = staticmethod(evolve)

    def deal(self) -> None:
        """Lay out the cards of a new round (K1)."""
        state = self.state
        self.state = replace(state, deck=pack(state.options.only))
        self.happen(Dealt(state.round, state.dealer, self._turn(state.options.table)))
        self._look()

    def take(self, seat: int, cards: tuple[Card, ...]) -> None:
        """Somebody has this SET; new cards come into the gaps (K5)."""
        room = self.state.options.table - (len(self.state.table) - 3)
        self.happen(Took(seat, cards, self._turn(min(room, 3))))
        self._look()

    def open(self) -> None:
        """No SET here, by agreement or by the look of it: three more cards, or the end of the round (K6, K7)."""
        if self.state.deck:
            self.happen(Opened(self._turn(3)))
            self._look()
        else:
            self._end_round()

    def _look(self) -> None:
        """A new table may bring something by itself: where the table deals, or when the deck is empty."""
        state = self.state
        if (state.options.auto_deal or not state.deck) and not holds_set(state.table):
            self.open()

    def _end_round(self) -> None:
        state = self.state
        self.happen(RoundEnded(state.table))
        if state.round >= state.rounds:
            self.happen(Ended(state.scores))

    def _turn(self, count: int) -> tuple[Card, ...]:
        """The next cards of the deck. Drawn one by one from those left, they are a shuffle fixed by the seed."""
        deck, below = list(self.state.deck), self.chance.below
        number = len(pack(self.state.options.only)) - len(deck)
        turned = []
        for _ in range(min(count, len(deck))):
            number += 1
            turned.append(deck.pop(below(len(deck), f"round {self.state.round} card {number}")))
        return tuple(turned)
