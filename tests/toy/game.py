"""The words and the rules of counting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from tercet import games
from tercet.fairness import Chance
from tercet.games import Due, Happening, Refusal, choose
from tercet.sets import NotationError


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    goal: Annotated[int, Meta(ge=1, le=100), choose("length", suggested=(10, 20))] = 10


class Begin(games.Command, frozen=True):
    pass


class Say(games.Command, frozen=True):
    number: int


class Began(games.Event, frozen=True):
    """Chance says who counts first."""

    first: int


class Said(games.Event, frozen=True):
    seat: int
    number: int


class Ended(games.Event, frozen=True):
    scores: tuple[int, ...]


ToyCommand = Begin | Say
ToyEvent = Began | Said | Ended


class State(Struct, frozen=True, kw_only=True):
    options: Options
    scores: tuple[int, ...]
    phase: Literal["start", "count", "over"] = "start"
    turn: int = 0
    number: int = 0


class Table(Happening[State, ToyEvent]):
    @staticmethod
    def evolve(state: State, event: ToyEvent, _: int) -> State:
        match event:
            case Began():
                return replace(state, phase="count", turn=event.first)
            case Said():
                scores = tuple(score + (seat == event.seat) for seat, score in enumerate(state.scores))
                turn = (event.seat + 1) % len(scores)
                return replace(state, number=event.number, turn=turn, scores=scores)
            case Ended():
                return replace(state, phase="over")


class ToyRules(games.Rules[Options, State, ToyCommand, ToyEvent]):
    name, title, min_seats, max_seats = "toy", "Count to Ten", 1, 4
    refusals = ("game_over", "no_such_seat", "not_next", "not_your_turn")
    options_type, state_type = Options, State
    commands, events, entry_type = ToyCommand, ToyEvent, games.Entry[ToyEvent]

    def start(self, options: Options, seats: int) -> State:
        self.check_seats(seats)
        return State(options=options, scores=(0,) * seats)

    def opening(self, state: State) -> ToyCommand:
        return Begin(0)

    def carry_out(self, state: State, command: ToyCommand, at: int, chance: Chance) -> Table | Refusal:
        if not 0 <= command.seat < len(state.scores):
            return Refusal("no_such_seat", seat=command.seat)
        if state.phase == "over":
            return Refusal("game_over")
        table = Table(state, at, chance)
        if isinstance(command, Begin) and state.phase == "start":
            table.happen(Began(chance.below(len(state.scores), "who counts first")))
            return table
        if command.seat != state.turn:
            return Refusal("not_your_turn", turn=state.turn)
        if isinstance(command, Begin) or state.phase == "start" or command.number != state.number + 1:
            return Refusal("not_next", last=state.number)
        table.happen(Said(command.seat, command.number))
        if command.number == state.options.goal:
            table.happen(Ended(table.state.scores))
        return table

    def moves(self, state: State, seat: int) -> Iterator[ToyCommand]:
        if state.phase == "start":
            yield Begin(seat)
        elif state.phase == "count" and seat == state.turn:
            yield Say(seat, state.number + 1)

    def evolve(self, state: State, event: ToyEvent, at: int) -> State:
        return Table.evolve(state, event, at)

    def due(self, state: State) -> Due[ToyCommand] | None:
        return None

    def cause(self, event: ToyEvent) -> ToyCommand | None:
        match event:
            case Began():
                return Begin(0)
            case Said():
                return Say(event.seat, event.number)
            case Ended():
                return None

    def waits_for(self, state: State) -> tuple[int, ...]:
        return (state.turn,) if state.phase == "count" else ()

    def is_over(self, state: State) -> bool:
        return state.phase == "over"

    def scores(self, state: State) -> tuple[int, ...]:
        return state.scores

    def write_event(self, event: ToyEvent) -> str:
        match event:
            case Began():
                return f"{event.first + 1} counts first"
            case Said():
                return f"{event.seat + 1} says {event.number}"
            case Ended():
                return f"game over: {' '.join(map(str, event.scores))}"

    def read_event(self, text: str) -> ToyEvent:
        if found := re.fullmatch(r"([1-4]) counts first", text):
            return Began(int(found[1]) - 1)
        if found := re.fullmatch(r"([1-4]) says (\d{1,3})", text):
            return Said(int(found[1]) - 1, int(found[2]))
        if found := re.fullmatch(r"game over: (\d+(?: \d+)*)", text):
            return Ended(tuple(map(int, found[1].split())))
        raise NotationError(f"{text[:60]!r} is not a line of this game")


rules = ToyRules()


class Game(games.Game[Options, State, ToyCommand, ToyEvent]):
    rules = rules
