"""The rules of the card game, K1 to K11, as a decider."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, assert_never

from tercet import games
from tercet.cards import notation
from tercet.cards.evolve import evolve
from tercet.cards.play import (
    Call,
    Called,
    CardCommand,
    CardEvent,
    Deal,
    Dealt,
    Ended,
    Hint,
    Missed,
    Opened,
    Options,
    RoundEnded,
    SawNone,
    SeeNone,
    Show,
    Shuffled,
    State,
    TakeBack,
    Took,
    TookBack,
)
from tercet.cards.table import Table, holds_set
from tercet.cards.variants import Simplified, variant_of
from tercet.fairness import Chance
from tercet.games import (
    OF_TABLE,
    CameBack,
    ComeBack,
    Due,
    OptionsError,
    Refusal,
    StepAway,
    SteppedAway,
    come_or_go,
)


class CardRules(games.Rules[Options, State, CardCommand, CardEvent]):
    name = "set"
    title = "Set"
    min_seats = 1
    max_seats = 8
    counted: ClassVar = {Took: "sets"}
    is_race = True
    refusals = (
        "already_dealt",
        "always_a_set",
        "away_already",
        "call_first",
        "called_by_another",
        "game_over",
        "locked_out",
        "no_call_needed",
        "no_such_seat",
        "not_away",
        "not_dealt",
        "not_on_table",
        "not_the_dealer",
        "nothing_to_take_back",
        "one_of_last",
        "said_already",
        "same_card_twice",
        "show_first",
        "there_is_a_set",
        "too_late",
        "wrong_number",
    )
    options_type = Options
    state_type = State
    commands = CardCommand
    events = CardEvent
    entry_type = games.Entry[CardEvent]
    hint_type = Hint

    def start(self, options: Options, seats: int) -> State:
        self.check_seats(seats)
        if options.only is not None and options.variant != "classic":
            raise OptionsError(
                f"'only' makes the simplified game, which is a variant of its own: not with {options.variant}"
            )
        if options.table == 9 and not isinstance(variant_of(options), Simplified):
            raise OptionsError(
                "a table of 9 is for the simplified game: choose the value to keep with 'only'"
            )
        return State(options=options, seats=seats, scores=(0,) * seats, taken=(0,) * seats)

    def opening(self, state: State) -> CardCommand:
        return Deal(state.dealer)

    def carry_out(self, state: State, command: CardCommand, at: int, chance: Chance) -> Table | Refusal:
        if not 0 <= command.seat < state.seats:
            return Refusal("no_such_seat", seat=command.seat)
        if state.phase == "over":
            return Refusal("game_over")
        table = Table(state, at, chance)
        if isinstance(command, Deal):
            return _deal(table, command)
        if isinstance(command, OF_TABLE):
            return _come_or_go(table, command)
        if state.phase == "deal":
            return Refusal("not_dealt", dealer=state.dealer)
        if state.call is not None and state.call.seat != command.seat:
            return Refusal("called_by_another", seat=state.call.seat)
        match command:
            case Call():
                return _call(table, command)
            case Show():
                return _show(table, command)
            case SeeNone():
                return _see_none(table, command)
            case TakeBack():
                return _take_back(table, command)
            case _ as unreachable:
                assert_never(unreachable)

    def moves(self, state: State, seat: int) -> Iterator[CardCommand]:
        if state.phase == "deal" and (seat == state.dealer or state.dealer in state.away):
            yield Deal(seat)
        if state.phase != "play" or (state.call is not None and state.call.seat != seat):
            return
        instant = state.options.claim == "instant"
        if state.call is not None:
            yield Show(seat)
        elif seat not in state.locked and not instant:
            yield Call(seat)
        if state.call is not None or (instant and seat not in state.locked):
            yield from (
                Show(seat, cards) for cards in variant_of(state.options).choices(state.table, state.last)
            )
        if state.call is not None:
            return
        if seat in state.none:
            yield TakeBack(seat)
        elif self.allows(state, SeeNone(seat), 0):
            yield SeeNone(seat)

    def evolve(self, state: State, event: CardEvent, at: int) -> State:
        return evolve(state, event, at)

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
            case SteppedAway():
                return StepAway(event.seat)
            case CameBack():
                return ComeBack(event.seat)
            case Opened() | Shuffled() | RoundEnded() | Ended():
                return None
            case _ as unreachable:
                assert_never(unreachable)

    def away(self, state: State) -> frozenset[int]:
        return state.away

    def misses(self, state: State, seat: int) -> bool:
        return True

    def faster(self, refusal: Refusal, event: CardEvent) -> int | None:
        match refusal.code, event:
            case "called_by_another", Called():
                return event.seat
            case "not_on_table", Took() if refusal.details["card"] in map(str, event.cards):
                return event.seat
            case _:
                return None

    def hint(self, state: State, seat: int, strength: int) -> Hint:
        variant = variant_of(state.options)
        groups = variant.groups(state.table, state.last)
        return Hint(groups[0][: max(1, strength + variant.size - 3)]) if groups else Hint()

    def is_over(self, state: State) -> bool:
        return state.phase == "over"

    def scores(self, state: State) -> tuple[int, ...]:
        return state.scores

    def write_event(self, event: CardEvent) -> str:
        return notation.write_event(event)

    def read_event(self, text: str) -> CardEvent:
        return notation.read_event(text)


def _deal(table: Table, deal: Deal) -> Table | Refusal:
    if table.state.phase != "deal":
        return Refusal("already_dealt")
    dealer = table.state.dealer
    if deal.seat != dealer and dealer not in table.state.away:
        return Refusal("not_the_dealer", dealer=dealer)
    table.deal()
    return table


def _come_or_go(table: Table, command: StepAway | ComeBack) -> Table | Refusal:
    event = come_or_go(table.state.away, command)
    if isinstance(event, Refusal):
        return event
    table.happen(event)
    table.agree()
    return table


def _call(table: Table, call: Call) -> Table | Refusal:
    state = table.state
    if state.options.claim == "instant":
        return Refusal("no_call_needed")
    if state.call is not None:
        return Refusal("show_first")
    if call.seat in state.locked:
        return Refusal("locked_out")
    table.happen(Called(call.seat))
    return table


def _show(table: Table, show: Show) -> Table | Refusal:
    state = table.state
    instant = state.options.claim == "instant"
    if state.call is None and not instant:
        return Refusal("call_first")
    if instant and show.seat in state.locked:
        return Refusal("locked_out")
    if not show.cards and not instant:
        table.happen(Missed(show.seat, ()))
        table.agree()
        return table
    if state.call is not None and table.at > state.call.until:
        return Refusal("too_late", by_ms=table.at - state.call.until)
    variant = variant_of(state.options)
    if len(show.cards) != variant.size:
        return Refusal("wrong_number", needed=variant.size, count=len(show.cards))
    if len(set(show.cards)) < variant.size:
        return Refusal("same_card_twice")
    for card in show.cards:
        if card not in state.table and card not in state.last:
            return Refusal("not_on_table", card=str(card))
    if state.last and (links := sum(card in state.last for card in show.cards)) != 1:
        return Refusal("one_of_last", count=links)
    if variant.is_group(show.cards):
        table.take(show.seat, show.cards)
    else:
        table.happen(Missed(show.seat, show.cards))
        table.agree()
    return table


def _see_none(table: Table, command: SeeNone) -> Table | Refusal:
    state = table.state
    if state.call is not None:
        return Refusal("show_first")
    if command.seat in state.none:
        return Refusal("said_already")
    limit = variant_of(state.options).always(state.last)
    if len(state.table) >= limit:
        return Refusal("always_a_set", cards=limit)
    if state.options.honest_none and holds_set(state):
        return Refusal("there_is_a_set")
    table.happen(SawNone(command.seat))
    table.agree()
    return table


def _take_back(table: Table, command: TakeBack) -> Table | Refusal:
    if command.seat not in table.state.none:
        return Refusal("nothing_to_take_back")
    table.happen(TookBack(command.seat))
    return table


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
