"""The rules of Scramble, M1 to M4, as a decider."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar, assert_never

from tercet import games
from tercet.fairness import Chance
from tercet.games import (
    OF_TABLE,
    CameBack,
    ComeBack,
    Due,
    Refusal,
    StepAway,
    SteppedAway,
    come_or_go,
)
from tercet.scramble import notation
from tercet.scramble.evolve import evolve
from tercet.scramble.play import (
    Call,
    Called,
    Ended,
    Hint,
    Missed,
    Options,
    RoundEnded,
    SawNone,
    ScrambleCommand,
    ScrambleEvent,
    SeeNone,
    Show,
    State,
    TakeBack,
    Throw,
    Thrown,
    Took,
    TookBack,
)
from tercet.scramble.sight import easy_set
from tercet.scramble.table import Table
from tercet.sets import is_set


class ScrambleRules(games.Rules[Options, State, ScrambleCommand, ScrambleEvent]):
    name = "scramble"
    title = "Scramble"
    min_seats = 1
    max_seats = 8
    counted: ClassVar = {Took: "sets"}
    is_race = True
    refusals = (
        "already_thrown",
        "away_already",
        "call_first",
        "called_by_another",
        "game_over",
        "locked_out",
        "no_call_needed",
        "no_such_seat",
        "not_away",
        "not_on_table",
        "not_the_thrower",
        "not_thrown",
        "nothing_to_take_back",
        "said_already",
        "same_die_twice",
        "show_first",
        "too_late",
        "wrong_number",
    )
    options_type = Options
    state_type = State
    commands = ScrambleCommand
    events = ScrambleEvent
    entry_type = games.Entry[ScrambleEvent]
    hint_type = Hint

    def start(self, options: Options, seats: int) -> State:
        self.check_seats(seats)
        return State(options=options, seats=seats, scores=(0,) * seats, taken=(0,) * seats)

    def opening(self, state: State) -> ScrambleCommand:
        return Throw(state.thrower)

    def carry_out(self, state: State, command: ScrambleCommand, at: int, chance: Chance) -> Table | Refusal:
        if not 0 <= command.seat < state.seats:
            return Refusal("no_such_seat", seat=command.seat)
        if state.phase == "over":
            return Refusal("game_over")
        table = Table(state, at, chance)
        if isinstance(command, Throw):
            return _throw(table, command)
        if isinstance(command, OF_TABLE):
            return _come_or_go(table, command)
        if state.phase == "deal":
            return Refusal("not_thrown", seat=state.thrower)
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

    def moves(self, state: State, seat: int) -> Iterator[ScrambleCommand]:
        if state.phase == "deal" and (seat == state.thrower or state.thrower in state.away):
            yield Throw(seat)
        if state.phase != "play" or (state.call is not None and state.call.seat != seat):
            return
        instant = state.options.claim == "instant"
        if state.call is not None:
            yield Show(seat)
        elif seat not in state.locked and not instant:
            yield Call(seat)
        if state.call is not None or (instant and seat not in state.locked):
            yield from (Show(seat, three) for three in combinations([die.number for die in state.lying], 3))
        if state.call is None:
            yield TakeBack(seat) if seat in state.none else SeeNone(seat)

    def evolve(self, state: State, event: ScrambleEvent, at: int) -> State:
        return evolve(state, event, at)

    def due(self, state: State) -> Due[ScrambleCommand] | None:
        if state.call is not None:
            return Due(state.call.until, (Show(state.call.seat),))
        if state.throw_due is not None:
            return Due(state.throw_due, (Throw(state.thrower),))
        return None

    def cause(self, event: ScrambleEvent) -> ScrambleCommand | None:
        match event:
            case Thrown():
                return Throw(event.thrower)
            case Called():
                return Call(event.seat)
            case Took() | Missed():
                return Show(event.seat, tuple(die.number for die in event.dice))
            case SawNone():
                return SeeNone(event.seat)
            case TookBack():
                return TakeBack(event.seat)
            case SteppedAway():
                return StepAway(event.seat)
            case CameBack():
                return ComeBack(event.seat)
            case RoundEnded() | Ended():
                return None
            case _ as unreachable:
                assert_never(unreachable)

    def away(self, state: State) -> frozenset[int]:
        return state.away

    def misses(self, state: State, seat: int) -> bool:
        return True

    def faster(self, refusal: Refusal, event: ScrambleEvent) -> int | None:
        match refusal.code, event:
            case "called_by_another", Called():
                return event.seat
            case "not_on_table", Took() if refusal.details["die"] in [die.number for die in event.dice]:
                return event.seat
            case _:
                return None

    def hint(self, state: State, seat: int, strength: int) -> Hint:
        return Hint(tuple(die.number for die in easy_set(state.lying)[:strength]))

    def is_over(self, state: State) -> bool:
        return state.phase == "over"

    def scores(self, state: State) -> tuple[int, ...]:
        return state.scores

    def write_event(self, event: ScrambleEvent) -> str:
        return notation.write_event(event)

    def read_event(self, text: str) -> ScrambleEvent:
        return notation.read_event(text)


def _throw(table: Table, throw: Throw) -> Table | Refusal:
    if table.state.phase != "deal":
        return Refusal("already_thrown")
    thrower = table.state.thrower
    if throw.seat != thrower and thrower not in table.state.away:
        return Refusal("not_the_thrower", seat=thrower)
    table.throw()
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
    if not show.dice and not instant:
        table.happen(Missed(show.seat, ()))
        table.agree()
        return table
    if state.call is not None and table.at > state.call.until:
        return Refusal("too_late", by_ms=table.at - state.call.until)
    if len(show.dice) != 3:
        return Refusal("wrong_number", needed=3, count=len(show.dice))
    if len(set(show.dice)) < 3:
        return Refusal("same_die_twice")
    lying = {die.number: die for die in state.lying}
    for number in show.dice:
        if number not in lying:
            return Refusal("not_on_table", die=number)
    a, b, c = three = tuple(lying[number] for number in show.dice)
    if is_set(a.face, b.face, c.face):
        table.take(show.seat, three)
    else:
        table.happen(Missed(show.seat, three))
        table.agree()
    return table


def _see_none(table: Table, command: SeeNone) -> Table | Refusal:
    state = table.state
    if state.call is not None:
        return Refusal("show_first")
    if command.seat in state.none:
        return Refusal("said_already")
    table.happen(SawNone(command.seat))
    table.agree()
    return table


def _take_back(table: Table, command: TakeBack) -> Table | Refusal:
    if command.seat not in table.state.none:
        return Refusal("nothing_to_take_back")
    table.happen(TookBack(command.seat))
    return table


rules = ScrambleRules()


class Game(games.Game[Options, State, ScrambleCommand, ScrambleEvent]):
    """A game of Scramble.

    >>> from tercet.fairness import seed_from
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
