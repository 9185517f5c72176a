"""The rules of Scramble, M1 to M4, as a decider."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

from tercet import games
from tercet.games import Refusal, race
from tercet.games.race import Ended
from tercet.scramble import notation
from tercet.scramble.evolve import evolve
from tercet.scramble.play import (
    Hint,
    Missed,
    Options,
    RoundEnded,
    ScrambleCommand,
    ScrambleEvent,
    Show,
    State,
    Throw,
    Thrown,
    Took,
)
from tercet.scramble.sight import easy_set
from tercet.scramble.table import Table


class ScrambleRules(race.RaceRules[Options, State, Throw, Show, ScrambleEvent]):
    name = "scramble"
    title = "Scramble"
    counted: ClassVar = {Took: "sets"}
    refusals = race.refusals_with(
        "already_thrown",
        "not_on_table",
        "not_the_thrower",
        "not_thrown",
        "same_die_twice",
        "wrong_number",
    )
    options_type = Options
    state_type = State
    commands = ScrambleCommand
    events = ScrambleEvent
    entry_type = games.Entry[ScrambleEvent]
    hint_type = Hint
    begin = Throw
    show = Show
    table = Table

    def start(self, options: Options, seats: int) -> State:
        self.check_seats(seats)
        return State(options=options, seats=seats, scores=(0,) * seats, taken=(0,) * seats)

    def opening(self, state: State) -> Throw:
        return Throw(state.thrower)

    def begin_due(self, state: State) -> int | None:
        return state.throw_due

    def shows(self, state: State, seat: int) -> Iterator[Show]:
        return (Show(seat, three) for three in combinations([die.number for die in state.lying], 3))

    def evolve(self, state: State, event: ScrambleEvent, at: int) -> State:
        return evolve(state, event, at)

    def cause(self, event: ScrambleEvent) -> ScrambleCommand | None:
        match event:
            case Thrown():
                return Throw(event.thrower)
            case Took() | Missed():
                return Show(event.seat, tuple(die.number for die in event.dice))
            case RoundEnded() | Ended():
                return None
            case _:
                return race.cause(event)

    def faster(self, refusal: Refusal, event: ScrambleEvent) -> int | None:
        if refusal.code == "not_on_table" and isinstance(event, Took):
            return event.seat if refusal.details["die"] in [die.number for die in event.dice] else None
        return super().faster(refusal, event)

    def hint(self, state: State, seat: int, strength: int) -> Hint:
        return Hint(tuple(die.number for die in easy_set(state.lying)[:strength]))

    def write_event(self, event: ScrambleEvent) -> str:
        return notation.write_event(event)

    def read_event(self, text: str) -> ScrambleEvent:
        return notation.read_event(text)


rules = ScrambleRules()


class Game(games.Game[Options, State, ScrambleCommand, ScrambleEvent]):
    """A game of Scramble.

    >>> from tercet.fairness import seed_from
    >>> from tercet.scramble import Call
    >>> game = Game(["Ann", "Bo"], seed=seed_from("an example"))
    >>> _ = game.do(Throw(0))
    >>> len(game.state.lying)
    42
    >>> found = rules.hint(game.state, seat=1, strength=3)
    >>> _ = game.do(Call(1), at=4000)
    >>> took = game.do(Show(1, found.dice), at=5500)[0].event
    >>> game.scores, len(game.state.lying)
    ((0, 1), 39)
    """

    rules = rules
