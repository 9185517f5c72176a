"""The rules of puzzles, Z1 to Z8, as a decider."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import combinations
from typing import ClassVar, Literal, assert_never

from msgspec.structs import replace

from tercet import games
from tercet.cubed import Lay
from tercet.cubed.judge import judge_lay
from tercet.fairness import Chance
from tercet.games import Due, Happening, OptionsError, Refusal
from tercet.puzzles import notation
from tercet.puzzles.evolve import evolve
from tercet.puzzles.items import DAILY_SETS, count_items, draw_item, is_right
from tercet.puzzles.play import (
    Answer,
    Answered,
    Began,
    Begin,
    Ended,
    Item,
    LinedUp,
    Options,
    PuzzleCommand,
    PuzzleEvent,
    Runner,
    State,
    Stop,
    Stopped,
)

#: Nobody sees, understands and answers in less (Z3).
HAND_MS = 100
#: How many picks an answer has.
PICKS = {"third": 1, "is_set": 1, "find": 3, "find_all": 3, "best_turn": 0}


class Table(Happening[State, PuzzleEvent]):
    """A table while a command is carried out."""

    __slots__ = ()

    evolve = staticmethod(evolve)

    def begin(self) -> None:
        self.happen(Began(self._draw(1)))

    def answer(self, answer: Answer, right: bool, points: int) -> None:
        """This is the answer; the next item follows, or all is solved, or the time is up by it."""
        state = self.state
        total = count_items(state.options)
        stays = state.options.kind == "daily_set"
        goes_on = not stays and (total is None or answer.item < total)
        following = self._draw(answer.item + 1) if goes_on else None
        picks, placements = answer.picks or None, answer.placements or None
        self.happen(Answered(answer.seat, answer.item, right, points, picks, placements, following))
        runner = self.state.runners[answer.seat]
        if stays:
            goes_on = len(runner.found) < DAILY_SETS
        if not goes_on:
            self.stop(answer.seat, "solved")
        elif runner.until is not None and runner.until <= self.at:
            self.stop(answer.seat, "time")

    def stop(self, seat: int, why: Literal["solved", "time", "enough"]) -> None:
        self.happen(Stopped(seat, why))
        if all(runner.stopped_at is not None for runner in self.state.runners):
            self.happen(Ended(rules.scores(self.state)))

    def _draw(self, number: int) -> Item:
        """An item that somebody has come to before is the same again."""
        items = self.state.items
        return (
            items[number - 1] if number <= len(items) else draw_item(self.state.options, number, self.chance)
        )


class PuzzleRules(games.Rules[Options, State, PuzzleCommand, PuzzleEvent]):
    name = "puzzles"
    title = "Puzzles"
    min_seats = 1
    max_seats = 10
    is_race = True
    refusals = (
        "already_begun",
        "answered_already",
        "found_already",
        "game_over",
        "makes_no_set",
        "no_such_place",
        "no_such_seat",
        "not_begun",
        "not_in_hand",
        "not_reached",
        "nothing_laid",
        "occupied",
        "off_board",
        "same_die_twice",
        "same_place_twice",
        "same_square_twice",
        "stopped_already",
        "too_many_dice",
        "too_soon",
        "wild_not_named",
        "wrong_number",
    )
    counted: ClassVar = {}
    options_type = Options
    state_type = State
    commands = PuzzleCommand
    events = PuzzleEvent
    entry_type = games.Entry[PuzzleEvent]

    def start(self, options: Options, seats: int) -> State:
        self.check_seats(seats)
        is_daily = options.kind in ("daily_set", "daily_cubed")
        if is_daily != (options.day is not None):
            raise OptionsError("a daily puzzle, and no other, has a day")
        if options.day is not None:
            try:
                date.fromisoformat(options.day)
            except ValueError:
                raise OptionsError(f"{options.day} is not a day: write it as in 2026-11-17") from None
        return State(options=options, seats=seats, runners=(Runner(),) * seats)

    def opening(self, state: State) -> PuzzleCommand:
        return Begin(0)

    def carry_out(self, state: State, command: PuzzleCommand, at: int, chance: Chance) -> Table | Refusal:
        if not 0 <= command.seat < state.seats:
            return Refusal("no_such_seat", seat=command.seat)
        if state.phase == "over":
            return Refusal("game_over")
        table = Table(state, at, chance)
        if isinstance(command, Begin):
            return _begin(table)
        if state.phase in ("start", "line"):
            return Refusal("not_begun")
        if state.runners[command.seat].stopped_at is not None:
            return Refusal("stopped_already")
        if isinstance(command, Answer):
            return _answer(table, command)
        until = state.runners[command.seat].until
        table.stop(command.seat, "time" if until is not None and at >= until else "enough")
        return table

    def allows(self, state: State, command: PuzzleCommand, at: int) -> bool:
        """An answer to what has just been shown is allowed, though a hand takes a moment to give it (Z3)."""
        if isinstance(command, Answer) and 0 <= command.seat < state.seats:
            at = max(at, state.runners[command.seat].shown_at + HAND_MS)
        return super().allows(state, command, at)

    def moves(self, state: State, seat: int) -> Iterator[PuzzleCommand]:
        if state.phase == "start":
            yield Begin(seat)
        if state.phase != "play" or state.runners[seat].stopped_at is not None:
            return
        runner = state.runners[seat]
        item = state.items[runner.number - 1]
        if item.position is not None:
            for turn in item.position.position(item.position.turn or 0).turns():
                yield Answer(seat, runner.number, placements=turn.placements)
        else:
            for picks in combinations(_places(item), PICKS[item.asked]):
                if picks not in runner.found:
                    yield Answer(seat, runner.number, picks)
        yield Stop(seat)

    def evolve(self, state: State, event: PuzzleEvent, at: int) -> State:
        return evolve(state, event, at)

    def due(self, state: State) -> Due[PuzzleCommand] | None:
        if state.begins_at is not None:
            return Due(state.begins_at, (Begin(0),))
        if state.phase != "play":
            return None
        until = {
            seat: runner.until
            for seat, runner in enumerate(state.runners)
            if runner.until is not None and runner.stopped_at is None
        }
        if not until:
            return None
        first = min(until.values())
        return Due(first, tuple(Stop(seat) for seat, at in until.items() if at == first))

    def cause(self, event: PuzzleEvent) -> PuzzleCommand | None:
        match event:
            case LinedUp() | Began():
                return Begin(0)
            case Answered():
                return Answer(event.seat, event.number, event.picks or (), event.placements or ())
            case Stopped():
                return None if event.why == "solved" else Stop(event.seat)
            case Ended():
                return None
            case _ as unreachable:
                assert_never(unreachable)

    def is_over(self, state: State) -> bool:
        return state.phase == "over"

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple([runner.score for runner in state.runners])

    def view(self, state: State, seat: int | None) -> State:
        """Of the items those that this seat has come to; of the others only how far they are (Z2)."""
        reached = 0 if seat is None or state.phase in ("start", "line") else state.runners[seat].number
        runners = tuple(
            [
                runner if number == seat or not runner.found else replace(runner, found=())
                for number, runner in enumerate(state.runners)
            ]
        )
        return replace(state, items=state.items[:reached], runners=runners)

    def see(self, event: PuzzleEvent, seat: int | None) -> PuzzleEvent:
        match event:
            case Began() if seat is None:
                return Began(None)
            case Answered() if event.seat != seat:
                return replace(event, picks=None, placements=None, next=None)
            case _:
                return event

    def write_event(self, event: PuzzleEvent) -> str:
        return notation.write_event(event)

    def read_event(self, text: str) -> PuzzleEvent:
        return notation.read_event(text)


def _places(item: Item) -> range:
    """What can be picked."""
    return range(2 if item.asked == "is_set" else len(item.choices or item.shown))


def _begin(table: Table) -> Table | Refusal:
    state = table.state
    if state.phase == "play":
        return Refusal("already_begun")
    if state.begins_at is not None and table.at < state.begins_at:
        return Refusal("not_begun")
    if state.phase == "start" and state.options.kind == "race":
        table.happen(LinedUp())
    else:
        table.begin()
    return table


def _answer(table: Table, answer: Answer) -> Table | Refusal:
    runner = table.state.runners[answer.seat]
    if answer.item > runner.number:
        return Refusal("not_reached", item=runner.number)
    if answer.item < runner.number:
        return Refusal("answered_already", item=runner.number)
    if table.at - runner.shown_at < HAND_MS:
        return Refusal("too_soon", ms=HAND_MS)
    item = table.state.items[runner.number - 1]
    if item.position is not None:
        return _lay(table, answer, item)
    if len(answer.picks) != PICKS[item.asked] or answer.placements:
        return Refusal("wrong_number", needed=PICKS[item.asked], count=len(answer.picks))
    among = _places(item)
    for place in answer.picks:
        if place not in among:
            return Refusal("no_such_place", place=place)
    picks = tuple(sorted(answer.picks))
    if len(set(picks)) < len(picks):
        return Refusal("same_place_twice")
    if picks in runner.found:
        return Refusal("found_already")
    right = is_right(item, picks)
    table.answer(Answer(answer.seat, answer.item, picks), right, int(right))
    return table


def _lay(table: Table, answer: Answer, item: Item) -> Table | Refusal:
    """A turn on a board of dice: any that is legal counts its points; it is right if none has more (Z9)."""
    assert item.position is not None
    if answer.picks:
        return Refusal("wrong_number", needed=0, count=len(answer.picks))
    seat = item.position.turn or 0
    laid = judge_lay(item.position, Lay(seat, answer.placements))
    if isinstance(laid, Refusal):
        return laid
    right = laid.points == item.position.position(seat).best().score
    table.answer(Answer(answer.seat, answer.item, placements=laid.placements), right, laid.points)
    return table


rules = PuzzleRules()


class Game(games.Game[Options, State, PuzzleCommand, PuzzleEvent]):
    """A storm, a race, or a puzzle.

    >>> from tercet.fairness import seed_from
    >>> from tercet.puzzles.items import solutions
    >>> game = Game(["Ann"], seed=seed_from("an example"))
    >>> _ = game.do(Begin(0))
    >>> item = game.state.items[0]
    >>> item.asked, item.shown
    ('third', ('3RFD', '3PFD'))
    >>> _ = game.do(Answer(0, 1, solutions(item)[0]), at=2000)
    >>> game.scores, game.state.items[1].asked
    ((1,), 'is_set')
    """

    rules = rules
