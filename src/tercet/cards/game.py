"""The rules of the card game, K1 to K11, as a decider."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tercet import games
from tercet.cards import notation
from tercet.cards.evolve import evolve
from tercet.cards.play import (
    CardCommand,
    CardEvent,
    Deal,
    Dealt,
    Hint,
    Missed,
    Opened,
    Options,
    RoundEnded,
    Show,
    Shuffled,
    State,
    Took,
)
from tercet.cards.table import Table
from tercet.cards.variants import Simplified, variant_of
from tercet.games import OptionsError, Refusal, race
from tercet.games.race import Ended


class CardRules(race.RaceRules[Options, State, Deal, Show, CardEvent]):
    name = "set"
    title = "Set"
    counted: ClassVar = {Took: "sets"}
    refusals = race.refusals_with(
        "already_dealt",
        "always_a_set",
        "not_dealt",
        "not_on_table",
        "not_the_dealer",
        "one_of_last",
        "same_card_twice",
        "there_is_a_set",
        "wrong_number",
    )
    options_type = Options
    state_type = State
    commands = CardCommand
    events = CardEvent
    entry_type = games.Entry[CardEvent]
    hint_type = Hint
    begin = Deal
    show = Show
    table = Table

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

    def opening(self, state: State) -> Deal:
        return Deal(state.dealer)

    def begin_due(self, state: State) -> int | None:
        return state.deal_due

    def shows(self, state: State, seat: int) -> Iterator[Show]:
        return (Show(seat, cards) for cards in variant_of(state.options).choices(state.table, state.last))

    def evolve(self, state: State, event: CardEvent, at: int) -> State:
        return evolve(state, event, at)

    def cause(self, event: CardEvent) -> CardCommand | None:
        match event:
            case Dealt():
                return Deal(event.dealer)
            case Took() | Missed():
                return Show(event.seat, event.cards)
            case Opened() | Shuffled() | RoundEnded() | Ended():
                return None
            case _:
                return race.cause(event)

    def faster(self, refusal: Refusal, event: CardEvent) -> int | None:
        if refusal.code == "not_on_table" and isinstance(event, Took):
            return event.seat if refusal.details["card"] in map(str, event.cards) else None
        return super().faster(refusal, event)

    def hint(self, state: State, seat: int, strength: int) -> Hint:
        variant = variant_of(state.options)
        groups = variant.groups(state.table, state.last)
        return Hint(groups[0][: max(1, strength + variant.size - 3)]) if groups else Hint()

    def write_event(self, event: CardEvent) -> str:
        return notation.write_event(event)

    def read_event(self, text: str) -> CardEvent:
        return notation.read_event(text)


rules = CardRules()


class Game(games.Game[Options, State, CardCommand, CardEvent]):
    """A game of Set.

    >>> from tercet import find_sets
    >>> from tercet.cards import Call
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
