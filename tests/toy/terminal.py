"""Counting in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from tercet.terminal import desk as terminal
from tercet.terminal.words import end_words

from .game import Began, Ended, Said, Say, State, ToyCommand, ToyEvent

REFUSALS = {"not_next": "That is not the next number."}


class ToyDesk(terminal.Desk[State, ToyCommand, ToyEvent]):
    manual = "Type the next number."
    refusals = REFUSALS

    def draw(self, state: State, news: Sequence[ToyEvent] = ()) -> None:
        self.draw_points(state.scores, f"{state.options.goal - state.number} numbers left")

    def narrate(self, state: State, event: ToyEvent) -> str:
        match event:
            case Began():
                return f"{self.names[event.first]} counts first."
            case Said():
                return f"{self.names[event.seat]}: {event.number}!"
            case Ended():
                return end_words(event.scores, self.names)

    def prompt(self, state: State) -> str:
        return f"{self.names[state.turn]}, the next number:" if state.turn in self.people else ""

    def answer(self, state: State, line: str) -> list[ToyCommand]:
        if not line.isdecimal():
            raise terminal.Say("A number, please.")
        return [Say(state.turn if state.turn in self.people else self.people[0], int(line))]

    def hint(self, state: State) -> str:
        return f"{state.number + 1}."


desk = ToyDesk
