"""What each event of the card game changes."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tercet.cards.play import CardEvent, Dealt, Missed, Opened, RoundEnded, Shuffled, State, Took
from tercet.cards.variants import variant_of
from tercet.games import race
from tercet.games.race import PAUSE_MS, Called, Ended, SawNone, add
from tercet.sets import Card


def evolve(state: State, event: CardEvent, at: int) -> State:
    """The state after the event; what happens most often comes first."""
    match event:
        case Took():
            last = state.last
            gone = [card for card in event.cards if card not in last] if last else event.cards
            return replace(
                state,
                table=_refill(state.table, gone, event.dealt),
                deck=_without(state.deck, event.dealt),
                last=event.cards if variant_of(state.options).is_chained else (),
                scores=add(state.scores, event.seat),
                taken=add(state.taken, event.seat),
                call=None,
                locked=frozenset(),
                none=frozenset(),
            )
        case Called() | SawNone():
            return race.evolve(state, event, at)
        case Missed():
            if state.options.penalty == "point":
                return replace(state, call=None, scores=add(state.scores, event.seat, -1))
            return race.lock_out(state, event.seat)
        case Opened():
            table, deck = state.table + event.cards, _without(state.deck, event.cards)
            return replace(state, table=table, deck=deck, none=frozenset())
        case Shuffled():
            return replace(state, table=event.table)
        case Dealt():
            deck = _without(variant_of(state.options).pack, event.cards)
            return replace(state, phase="play", table=event.cards, deck=deck, deal_due=None)
        case RoundEnded():
            return replace(
                state,
                phase="deal",
                round=state.round + 1,
                dealer=(state.dealer + 1) % state.seats,
                table=(),
                deck=(),
                last=(),
                locked=frozenset(),
                none=frozenset(),
                deal_due=at + PAUSE_MS,
            )
        case Ended():
            return replace(state, phase="over", round=state.rounds, deal_due=None)
        case _:
            return race.evolve(state, event, at)


def _refill(table: tuple[Card, ...], taken: Sequence[Card], dealt: Sequence[Card]) -> tuple[Card, ...]:
    """New cards go into the gaps; where there are not enough, the last cards of the table move there (K5)."""
    gaps = sorted(map(table.index, taken))
    cards = list(table)
    for gap, card in zip(gaps, dealt, strict=False):
        cards[gap] = card
    left = gaps[len(dealt) :]
    if not left:
        return tuple(cards)
    size = len(table) - len(left)
    movers = [place for place in range(size, len(table)) if place not in left]
    for gap, place in zip(left, movers, strict=False):
        cards[gap] = cards[place]
    return tuple(cards[:size])


def _without(cards: Sequence[Card], gone: Sequence[Card]) -> tuple[Card, ...]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)
