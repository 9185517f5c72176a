"""Puzzles in a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from tercet.cubed.terminal import CubedDesk
from tercet.cubed.terminal.reading import read_placement
from tercet.games.lines import join
from tercet.puzzles.items import DAILY_SETS, solutions
from tercet.puzzles.play import (
    Answer,
    Answered,
    Began,
    Ended,
    Item,
    LinedUp,
    PuzzleCommand,
    PuzzleEvent,
    Runner,
    State,
    Stop,
    Stopped,
)
from tercet.sets import Card, Face
from tercet.terminal.desk import Desk, Say
from tercet.terminal.screen import Piece, strip
from tercet.terminal.words import count, end_words

ROW = 4
REFUSALS = {
    "already_begun": "It has begun already.",
    "answered_already": "That item is answered already: you are at number {item}.",
    "found_already": "You have found that one already.",
    "makes_no_set": "One of these dice makes no SET there.",
    "no_such_place": "There is no such place.",
    "not_begun": "It has not begun yet.",
    "not_in_hand": "You have no such die in hand.",
    "not_reached": "You have not come to that item: you are at number {item}.",
    "nothing_laid": "Lay at least one die.",
    "occupied": "There is a die on that square already.",
    "off_board": "That square is not on the board.",
    "same_die_twice": "The same die twice: lay different ones.",
    "same_place_twice": "The same place twice: name different ones.",
    "same_square_twice": "Two dice on the same square.",
    "stopped_already": "You have stopped.",
    "too_many_dice": "Lay three dice at most.",
    "too_soon": "Nobody is that fast.",
    "wild_not_named": "There is no wild here.",
    "wrong_number": "That takes {needed}, not {count}.",
}
QUESTIONS = {
    "third": "Which one completes the SET? Its place, 1 to 6:",
    "is_set": "Is it a SET? y or n:",
    "find": "Find a SET, three places:",
    "find_all": "Another SET, three places:",
    "best_turn": "Your turn, as in 2GS@e5 1RO@e6:",
}
WHYS = {"solved": "has solved all", "time": "is out of time", "enough": "stops"}


class PuzzleDesk(Desk[State, PuzzleCommand, PuzzleEvent]):
    manual = """\
  3            the third card: its place among the choices
  y, n         is it a SET?
  1 5 9        a SET: the places of its three cards or dice
  2GS@e5 …     dice laid on a board (3@e5: your third die)
  stop         enough
  table        show the item again
  quit         leave; the record is kept
Several people at one keyboard begin with their number: "2 y"."""

    refusals = REFUSALS

    def legend(self) -> list[Piece]:
        return self.screen.legend()

    def draw(self, state: State, news: Sequence[PuzzleEvent] = ()) -> None:
        for seat in self.people:
            runner = state.runners[seat]
            if state.phase == "play" and runner.stopped_at is None:
                self._draw_item(state.items[runner.number - 1], runner, self.names[seat])
        self.draw_points([runner.score for runner in state.runners], self._left(state))

    def _left(self, state: State) -> str:
        me = state.runners[self.people[0]] if self.people else state.runners[0]
        if me.until is None:
            return count(me.errors, "error", "errors")
        return f"Time until {me.until // 60_000}:{me.until // 1000 % 60:02}"

    def _draw_item(self, item: Item, runner: Runner, name: str) -> None:
        if item.position is not None:
            seat = item.position.turn or 0
            names = [name if seat == number else "The other" for number in range(2)]
            CubedDesk(names, [seat], self.screen).draw(item.position)
            return
        self._draw_row(item, item.shown, numbered=not item.choices)
        if item.choices:
            self.screen.print("Choose from:")
            self._draw_row(item, item.choices, numbered=True)
        for found in runner.found:
            self.screen.print(f"Found: {join([item.shown[place] for place in found])}")

    def _draw_row(self, item: Item, texts: Sequence[str], *, numbered: bool) -> None:
        for start in range(0, len(texts), ROW):
            row: list[Piece] = []
            for place, text in enumerate(texts[start : start + ROW], start + 1):
                symbol = Card(text) if item.of == "cards" else Face(text)
                row += [f"{place:>4} " if numbered else "     ", *self.screen.symbol(symbol), "    "]
            self.screen.print(strip(row))

    def narrate(self, state: State, event: PuzzleEvent) -> str:
        match event:
            case LinedUp():
                return "Ready? It begins in three seconds."
            case Began():
                return "Go!"
            case Answered(points=points) if event.placements is not None:
                return f"{self.names[event.seat]} lays for {count(points, 'point', 'points')}."
            case Answered():
                return f"{self.names[event.seat]}: {'right' if event.right else 'wrong'}."
            case Stopped():
                seconds = (state.runners[event.seat].stopped_at or 0) / 1000
                return f"{self.names[event.seat]} {WHYS[event.why]} after {seconds:.1f} seconds."
            case Ended():
                return end_words(event.scores, self.names)
            case _ as unreachable:
                assert_never(unreachable)

    def prompt(self, state: State) -> str:
        going = [seat for seat in self.people if state.runners[seat].stopped_at is None]
        if not going or state.phase != "play":
            return ""
        runner = state.runners[going[0]]
        question = QUESTIONS[state.items[runner.number - 1].asked]
        if runner.found:
            question = f"{len(runner.found)} of {DAILY_SETS}. {question}"
        return question

    def answer(self, state: State, line: str) -> list[PuzzleCommand]:
        seat, rest = self.speaker(line)
        if rest.lower() == "stop":
            return [Stop(seat)]
        if state.phase == "line":
            raise Say("Wait for it to begin.")
        runner = state.runners[seat]
        if state.phase != "play" or runner.stopped_at is not None:
            raise Say("You have stopped.")
        item = state.items[runner.number - 1]
        words = re.findall(r"[^\s,]+", rest)
        if item.position is not None:
            hand = item.position.hands[item.position.turn or 0]
            placements = tuple(read_placement(hand, word) for word in words)
            return [Answer(seat, runner.number, placements=placements)]
        return [Answer(seat, runner.number, _read_picks(item, words))]

    def hint(self, state: State) -> str:
        if state.phase == "line":
            return "Wait for it to begin."
        runner = state.runners[self.people[0]]
        if state.phase != "play" or runner.stopped_at is not None:
            return "You have stopped."
        item = state.items[runner.number - 1]
        if item.position is not None:
            best = item.position.position(item.position.turn or 0).best()
            return f"The most points now: {best.score}."
        picks = next(picks for picks in solutions(item) if picks not in runner.found)
        if item.asked == "is_set":
            return "It is." if picks[0] else "It is not."
        return f"One place is {picks[0] + 1}."


def _read_picks(item: Item, words: Sequence[str]) -> tuple[int, ...]:
    if item.asked == "is_set":
        said = words[0].lower() if len(words) == 1 else ""
        if said not in ("y", "yes", "n", "no"):
            raise Say("Is it a SET? Type y or n.")
        return (int(said.startswith("y")),)
    needed = 1 if item.asked == "third" else 3
    among = len(item.choices or item.shown)
    if len(words) != needed or not all(
        word.isascii() and word.isdecimal() and len(word) < 4 for word in words
    ):
        example = "3" if needed == 1 else "1 5 9"
        raise Say(f"{count(needed, 'place', 'places')} from 1 to {among}, as in {example}; ? for help.")
    return tuple(int(word) - 1 for word in words)


desk = PuzzleDesk
