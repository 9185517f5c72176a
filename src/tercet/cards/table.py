"""What is dealt and shown, and what the table does by itself: fills gaps, opens more cards, ends the round."""

from __future__ import annotations

from typing import Self

from msgspec.structs import replace

from tercet.cards.evolve import evolve
from tercet.cards.play import (
    CardEvent,
    Dealt,
    Missed,
    Opened,
    Options,
    RoundEnded,
    Show,
    Shuffled,
    State,
    Took,
)
from tercet.cards.variants import Simplified, variant_of
from tercet.games import Refusal
from tercet.games.race import Ended, RaceTable
from tercet.sets import Card


def open_cards(options: Options) -> int:
    """How many cards lie on the table (K1, K9, V1)."""
    variant = variant_of(options)
    return options.table if isinstance(variant, Simplified) else variant.open_cards


def holds_set(state: State) -> bool:
    """Whether anybody could take something now."""
    return variant_of(state.options).has_group(state.table, state.last)


class Table(RaceTable[State, Show, CardEvent]):
    """A table while a command is carried out."""

    __slots__ = ()

    evolve = staticmethod(evolve)

    def begin(self, seat: int) -> Self | Refusal:
        """Lay out the cards of a new round (K1)."""
        state = self.state
        if state.phase != "deal":
            return Refusal("already_dealt")
        if seat != state.dealer and state.dealer not in state.away:
            return Refusal("not_the_dealer", dealer=state.dealer)
        self.state = replace(state, deck=variant_of(state.options).pack)
        self.happen(Dealt(state.round, state.dealer, self._turn(open_cards(state.options))))
        self._look()
        return self

    def not_begun(self) -> Refusal:
        return Refusal("not_dealt", dealer=self.state.dealer)

    def show(self, command: Show) -> Self | Refusal:
        state, seat, cards = self.state, command.seat, command.cards
        refusal = self.cannot_show(seat, something=bool(cards))
        if refusal is not None:
            return refusal
        if not cards and state.call is not None:
            return self.miss(Missed(seat, ()))
        variant = variant_of(state.options)
        if len(cards) != variant.size:
            return Refusal("wrong_number", needed=variant.size, count=len(cards))
        if len(set(cards)) < variant.size:
            return Refusal("same_card_twice")
        for card in cards:
            if card not in state.table and card not in state.last:
                return Refusal("not_on_table", card=str(card))
        if state.last and (links := sum(card in state.last for card in cards)) != 1:
            return Refusal("one_of_last", count=links)
        if not variant.is_group(cards):
            return self.miss(Missed(seat, cards))
        self._take(seat, cards)
        return self

    def cannot_agree(self) -> Refusal | None:
        state = self.state
        limit = variant_of(state.options).always(state.last)
        if len(state.table) >= limit:
            return Refusal("always_a_set", cards=limit)
        if state.options.honest_none and holds_set(state):
            return Refusal("there_is_a_set")
        return None

    def _take(self, seat: int, cards: tuple[Card, ...]) -> None:
        """Somebody has this SET; new cards come into the gaps (K5)."""
        state = self.state
        gaps = len(cards) - (1 if state.last else 0)
        room = open_cards(state.options) - (len(state.table) - gaps)
        if state.options.sets is not None and sum(state.taken) + 1 >= state.options.sets:
            self.happen(Took(seat, cards, ()))
            self._end_round(is_last=True)
            return
        self.happen(Took(seat, cards, self._turn(min(room, gaps))))
        if variant_of(state.options).changes_places:
            self._shuffle()
        self._look()

    def settle(self) -> None:
        """No SET here, by agreement or by the look of it: three more cards, or the end of the round (K6, K7)."""
        if self.state.deck:
            self.happen(Opened(self._turn(3)))
            self._look()
        else:
            self._end_round()

    def _look(self) -> None:
        """A new table may bring something by itself: where the table deals, or when the deck is empty."""
        state = self.state
        if (state.options.auto_deal or not state.deck) and not holds_set(state):
            self.settle()

    def _shuffle(self) -> None:
        """The cards change places (V5)."""
        state, table = self.state, list(self.state.table)
        label = f"round {state.round} with {len(state.deck) + len(table)} left, place"
        for place in range(len(table) - 1, 0, -1):
            other = self.chance.below(place + 1, f"{label} {place + 1}")
            table[place], table[other] = table[other], table[place]
        if table:
            self.happen(Shuffled(tuple(table)))

    def _end_round(self, *, is_last: bool = False) -> None:
        state = self.state
        self.happen(RoundEnded(state.table))
        if is_last or state.round >= state.rounds:
            self.happen(Ended(state.scores))

    def _turn(self, count: int) -> tuple[Card, ...]:
        """The next cards of the deck. Drawn one by one from those left, they are a shuffle fixed by the seed."""
        deck, below = list(self.state.deck), self.chance.below
        number = len(variant_of(self.state.options).pack) - len(deck)
        turned = []
        for _ in range(min(count, len(deck))):
            number += 1
            turned.append(deck.pop(below(len(deck), f"round {self.state.round} card {number}")))
        return tuple(turned)
