"""The rules of the card game, K1 to K11, as a decider."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import assert_never

from msgspec.structs import replace

from tercet import games
from tercet.cards import notation
from tercet.cards.play import (
    Call,
    Called,
    CardCommand,
    CardEvent,
    Deal,
    Dealt,
    Ended,
    Missed,
    Opened,
    Options,
    PendingCall,
    RoundEnded,
    SawNone,
    SeeNone,
    Show,
    State,
    TakeBack,
    Took,
    TookBack,
    Value,
)
from tercet.fairness import Chance
from tercet.games import Due, OptionsError, Refusal
from tercet.sets import Card, has_set, is_set

#: So many cards always hold a SET, so that nobody can agree that there is none (K6).
TABLE_LIMIT = 21
#: How long a table waits for the dealer between two rounds.
PAUSE_MS = 10_000


@cache
def pack(only: Value | None) -> tuple[Card, ...]:
    """The cards of a round: all 81, or the 27 of the simplified game (K9)."""
    return tuple(card for card in Card.all() if only is None or only in card.values.values())


class CardRules(games.Rules[Options, State, CardCommand, CardEvent]):
    name = "set"
    min_seats = 1
    max_seats = 8
    options_type = Options
    state_type = State
    commands = CardCommand
    events = CardEvent
    entry_type = games.Entry[CardEvent]

    def start(self, options: Options, seats: int) -> State:
        self.check_seats(seats)
        if options.table == 9 and options.only is None:
            raise OptionsError(
                "a table of 9 is for the simplified game: choose the value to keep with 'only'"
            )
        return State(options=options, seats=seats, scores=(0,) * seats, taken=(0,) * seats)

    def decide(
        self, state: State, command: CardCommand, at: int, chance: Chance
    ) -> list[CardEvent] | Refusal:
        if not 0 <= command.seat < state.seats:
            return Refusal("no_such_seat", seat=command.seat)
        if state.phase == "over":
            return Refusal("game_over")
        if isinstance(command, Deal):
            return self._decide_deal(state, command, at, chance)
        if state.phase == "deal":
            return Refusal("not_dealt", dealer=state.dealer)
        if state.call is not None and state.call.seat != command.seat:
            return Refusal("called_by_another", seat=state.call.seat)
        match command:
            case Call():
                return _decide_call(state, command)
            case Show():
                return self._decide_show(state, command, at, chance)
            case SeeNone():
                return self._decide_see_none(state, command, at, chance)
            case TakeBack():
                if command.seat not in state.none:
                    return Refusal("nothing_to_take_back")
                return [TookBack(command.seat)]
            case _ as unreachable:
                assert_never(unreachable)

    def _decide_deal(self, state: State, deal: Deal, at: int, chance: Chance) -> list[CardEvent] | Refusal:
        if state.phase != "deal":
            return Refusal("already_dealt")
        if deal.seat != state.dealer:
            return Refusal("not_the_dealer", dealer=state.dealer)
        ready = replace(state, deck=pack(state.options.only))
        dealt = Dealt(state.round, state.dealer, _turn(ready, state.options.table, chance))
        return [dealt, *self._follow(self.evolve(state, dealt, at), at, chance)]

    def _decide_show(self, state: State, show: Show, at: int, chance: Chance) -> list[CardEvent] | Refusal:
        instant = state.options.claim == "instant"
        if state.call is None and not instant:
            return Refusal("call_first")
        if instant and show.seat in state.locked:
            return Refusal("locked_out")
        if not show.cards and not instant:
            return [Missed(show.seat, ())]
        if state.call is not None and at > state.call.until:
            return Refusal("too_late", by_ms=at - state.call.until)
        if len(show.cards) != 3:
            return Refusal("three_cards", count=len(show.cards))
        if len(set(show.cards)) < 3:
            return Refusal("same_card_twice")
        for card in show.cards:
            if card not in state.table:
                return Refusal("not_on_table", card=str(card))
        if not is_set(*show.cards):
            return [Missed(show.seat, show.cards)]
        room = state.options.table - (len(state.table) - 3)
        took = Took(show.seat, show.cards, _turn(state, min(room, 3), chance))
        goes_on = len(state.deck) > len(took.dealt) and not state.options.auto_deal
        if goes_on or has_set(_refill(state.table, took.cards, took.dealt)):
            return [took]
        return [took, *self._open(self.evolve(state, took, at), at, chance)]

    def _decide_see_none(
        self, state: State, command: SeeNone, at: int, chance: Chance
    ) -> list[CardEvent] | Refusal:
        if state.call is not None:
            return Refusal("show_first")
        if command.seat in state.none:
            return Refusal("said_already")
        if len(state.table) >= TABLE_LIMIT:
            return Refusal("always_a_set", cards=TABLE_LIMIT)
        if state.options.honest_none and has_set(state.table):
            return Refusal("there_is_a_set")
        events: list[CardEvent] = [SawNone(command.seat)]
        state = self.evolve(state, events[0], at)
        if len(state.none) < state.seats:
            return events
        return events + self._open(state, at, chance)

    def _open(self, state: State, at: int, chance: Chance) -> list[CardEvent]:
        """No SET here, by agreement or by the look of it: three more cards, or the end of the round."""
        if not state.deck:
            return self._end_round(state, at)
        opened = Opened(_turn(state, 3, chance))
        return [opened, *self._follow(self.evolve(state, opened, at), at, chance)]

    def _follow(self, state: State, at: int, chance: Chance) -> list[CardEvent]:
        """What a new table brings by itself."""
        if (state.deck and not state.options.auto_deal) or has_set(state.table):
            return []
        return self._open(state, at, chance)

    def _end_round(self, state: State, at: int) -> list[CardEvent]:
        ended = RoundEnded(state.table)
        if state.round < state.rounds:
            return [ended]
        return [ended, Ended(state.scores)]

    def evolve(self, state: State, event: CardEvent, at: int) -> State:
        match event:
            case Dealt():
                deck = _without(pack(state.options.only), event.cards)
                return replace(state, phase="play", table=event.cards, deck=deck, deal_due=None)
            case Called():
                until = at + state.options.show_seconds * 1000
                return replace(state, call=PendingCall(event.seat, until), none=state.none - {event.seat})
            case Took():
                return replace(
                    state,
                    table=_refill(state.table, event.cards, event.dealt),
                    deck=_without(state.deck, event.dealt),
                    scores=_add(state.scores, event.seat, 1),
                    taken=_add(state.taken, event.seat, 1),
                    call=None,
                    locked=frozenset(),
                    none=frozenset(),
                )
            case Missed():
                return _penalise(replace(state, call=None), event.seat)
            case SawNone():
                return replace(state, none=state.none | {event.seat})
            case TookBack():
                return replace(state, none=state.none - {event.seat})
            case Opened():
                table, deck = state.table + event.cards, _without(state.deck, event.cards)
                return replace(state, table=table, deck=deck, none=frozenset())
            case RoundEnded():
                return replace(
                    state,
                    phase="deal",
                    round=state.round + 1,
                    dealer=(state.dealer + 1) % state.seats,
                    table=(),
                    deck=(),
                    locked=frozenset(),
                    none=frozenset(),
                    deal_due=at + PAUSE_MS,
                )
            case Ended():
                return replace(state, phase="over", round=state.rounds, deal_due=None)
            case _ as unreachable:
                assert_never(unreachable)

    def due(self, state: State) -> Due[CardCommand] | None:
        if state.call is not None:
            return Due(state.call.until, (Show(state.call.seat),))
        if state.deal_due is not None:
            return Due(state.deal_due, (Deal(state.dealer),))
        return None

    def cause(self, event: CardEvent) -> CardCommand | None:
        match event:
            case Dealt():
                return Deal(event.dealer)
            case Called():
                return Call(event.seat)
            case Took() | Missed():
                return Show(event.seat, event.cards)
            case SawNone():
                return SeeNone(event.seat)
            case TookBack():
                return TakeBack(event.seat)
            case Opened() | RoundEnded() | Ended():
                return None
            case _ as unreachable:
                assert_never(unreachable)

    def is_over(self, state: State) -> bool:
        return state.phase == "over"

    def scores(self, state: State) -> tuple[int, ...]:
        return state.scores

    def write_event(self, event: CardEvent) -> str:
        return notation.write_event(event)

    def read_event(self, text: str) -> CardEvent:
        return notation.read_event(text)


def _decide_call(state: State, call: Call) -> list[CardEvent] | Refusal:
    if state.options.claim == "instant":
        return Refusal("no_call_needed")
    if state.call is not None:
        return Refusal("show_first")
    if call.seat in state.locked:
        return Refusal("locked_out")
    return [Called(call.seat)]


def _turn(state: State, count: int, chance: Chance) -> tuple[Card, ...]:
    """The next cards of the deck. Drawn one by one from those left, they are a shuffle fixed by the seed."""
    deck = list(state.deck)
    number = len(pack(state.options.only)) - len(deck)
    turned = []
    for _ in range(min(count, len(deck))):
        number += 1
        turned.append(deck.pop(chance.below(len(deck), f"round {state.round} card {number}")))
    return tuple(turned)


def _refill(table: tuple[Card, ...], taken: Sequence[Card], dealt: Sequence[Card]) -> tuple[Card, ...]:
    """New cards go into the gaps; without any, the last cards of the table move there (K5)."""
    gaps = sorted(map(table.index, taken))
    cards = list(table)
    if dealt:
        for gap, card in zip(gaps, dealt, strict=True):
            cards[gap] = card
        return tuple(cards)
    size = len(table) - len(taken)
    movers = [card for card in table[size:] if card not in taken]
    for gap, card in zip(gaps, movers, strict=False):
        cards[gap] = card
    return tuple(cards[:size])


def _penalise(state: State, seat: int) -> State:
    if state.options.penalty == "point":
        return replace(state, scores=_add(state.scores, seat, -1))
    locked = state.locked | {seat}
    return replace(state, locked=locked if len(locked) < state.seats else frozenset())


def _add(counts: tuple[int, ...], seat: int, points: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + points, *counts[seat + 1 :])


def _without(cards: Sequence[Card], gone: Sequence[Card]) -> tuple[Card, ...]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


rules = CardRules()


class Game(games.Game[Options, State, CardCommand, CardEvent]):
    """A game of Set.

    >>> from tercet import find_sets
    >>> from tercet.fairness import seed_from
    >>> game = Game(["Ann", "Bo"], seed=seed_from("an example"))
    >>> _ = game.do(Deal(0))
    >>> len(game.state.table), len(game.state.deck)
    (12, 69)
    >>> found = find_sets(game.state.table)[0]
    >>> _ = game.do(Call(1), at=4000)
    >>> took = game.do(Show(1, found), at=5500)[0].event
    >>> game.scores
    (0, 1)
    """

    rules = rules


games.register(Game)
