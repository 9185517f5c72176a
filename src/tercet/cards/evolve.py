"""What each event of the card game changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from tercet.cards.play import (
    Called,
    CardEvent,
    Dealt,
    Ended,
    Missed,
    Opened,
    PendingCall,
    RoundEnded,
    SawNone,
    Shuffled,
    State,
    Took,
    TookBack,
)
from tercet.cards.variants import variant_of
from tercet.games import CameBack, SteppedAway, away_after, have_all
from tercet.sets import Card

#: How long a table waits for the dealer between two rounds.
PAUSE_MS = 10_000


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
                scores=_add(state.scores, event.seat, 1),
                taken=_add(state.taken, event.seat, 1),
                call=None,
                locked=frozenset(),
                none=frozenset(),
            )
        case Dealt():
            deck = _without(variant_of(state.options).pack, event.cards)
            return replace(state, phase="play", table=event.cards, deck=deck, deal_due=None)
        case Called():
            until = at + state.options.show_seconds * 1000
            return replace(state, call=PendingCall(event.seat, until), none=state.none - {event.seat})
        case Missed():
            return _penalise(replace(state, call=None), event.seat)
        case SawNone():
            return replace(state, none=state.none | {event.seat})
        case TookBack():
            return replace(state, none=state.none - {event.seat})
        case Opened():
            table, deck = state.table + event.cards, _without(state.deck, event.cards)
            return replace(state, table=table, deck=deck, none=frozenset())
        case Shuffled():
            return replace(state, table=event.table)
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
        case SteppedAway() | CameBack():
            return _release(replace(state, away=away_after(state.away, event)))
        case _ as unreachable:
            assert_never(unreachable)


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


def _penalise(state: State, seat: int) -> State:
    if state.options.penalty == "point":
        return replace(state, scores=_add(state.scores, seat, -1))
    return _release(replace(state, locked=state.locked | {seat}))


def _release(state: State) -> State:
    """When all who count are locked out, nobody is (K4, T1)."""
    all_locked = state.locked and have_all(state.seats, state.away, state.locked)
    return replace(state, locked=frozenset()) if all_locked else state


def _add(counts: tuple[int, ...], seat: int, points: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + points, *counts[seat + 1 :])


def _without(cards: Sequence[Card], gone: Sequence[Card]) -> tuple[Card, ...]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)
