"""What all races share at a keyboard: whoever types first calls."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Generic, assert_never

from tercet.games import CameBack, SteppedAway
from tercet.games.race import (
    B,
    Call,
    Called,
    RaceCommand,
    RaceEvent,
    S,
    SawNone,
    SeeNone,
    TakeBack,
    TookBack,
    W,
)
from tercet.games.rules import E
from tercet.terminal.desk import Desk
from tercet.terminal.screen import Piece


class RaceDesk(Desk[S, B | W | RaceCommand, E | RaceEvent], Generic[S, B, W, E]):
    """A race in front of the people at one keyboard.

    ``begins``: what one does to begin a round. ``things``: what one shows, with the command ``show``.
    """

    begins: ClassVar[str]
    things: ClassVar[str]
    show: type[W]

    @abstractmethod
    def begin(self, state: S) -> B:
        """How the next round begins."""

    @abstractmethod
    def read_show(self, state: S, seat: int, words: Sequence[str]) -> W:
        """What somebody shows who types these words."""

    def number(self, state: S) -> str:
        """How many one shows, in a word."""
        return "three"

    def group(self, state: S) -> str:
        """What it is that everybody looks for."""
        return "SET"

    def takes_back(self, state: S, word: str) -> bool:
        """Whether somebody who types this wants to look again."""
        return word in ("b", "back")

    def legend(self) -> list[Piece]:
        return self.screen.legend()

    def tell(self, state: S, event: RaceEvent) -> str:
        """What happened, in a sentence that all races have in common."""
        name = self.names[event.seat]
        match event:
            case Called():
                return f"{name}: Set!"
            case SawNone():
                return f"{name} sees no {self.group(state)}."
            case TookBack():
                return f"{name} looks again."
            case SteppedAway():
                return f"{name} is away; the game goes on."
            case CameBack():
                return f"{name} is back."
            case _ as unreachable:
                assert_never(unreachable)

    def prompt(self, state: S) -> str:
        number = self.number(state)
        if state.call is not None:
            caller = self.names[state.call.seat]
            is_here = state.call.seat in self.people
            return f"{caller}, your {number} {self.things}:" if is_here else f"{caller} shows …"
        if state.phase == "deal":
            seat = self.begin(state).seat
            return (
                f"Enter to {self.begins}:" if seat in self.people else f"{self.names[seat]} {self.begins}s …"
            )
        if state.options.claim == "instant":
            return f"{number.capitalize()} {self.things}, or ? for help:"
        if len(self.people) > 1:
            return "Your number for Set!, or ? for help:"
        return "Enter for Set!, or ? for help:"

    def answer(self, state: S, line: str) -> list[B | W | RaceCommand]:
        if state.phase == "deal":
            begin = self.begin(state)
            return [begin] if begin.seat in self.people else []
        if state.call is not None and state.call.seat in self.people:
            return [self._show(state, state.call.seat, line)]
        seat, rest = self.speaker(line)
        word = rest.lower()
        if not word:
            return [Call(seat)]
        if word in ("n", "none"):
            return [SeeNone(seat)]
        if self.takes_back(state, word):
            return [TakeBack(seat)]
        shown = self._show(state, seat, rest)
        return [shown] if state.options.claim == "instant" else [Call(seat), shown]

    def _show(self, state: S, seat: int, text: str) -> W:
        words = re.findall(r"[^\s,]+", text)
        return self.show(seat) if words in (["-"], ["nothing"]) else self.read_show(state, seat, words)
