"""What each game brings to a terminal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from tercet.games import Command, Event, Refusal
from tercet.sets import TercetError
from tercet.terminal.screen import Piece, Screen
from tercet.terminal.words import refusal_words

S = TypeVar("S")
C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)


class Quit(Exception):
    """A player leaves the table."""


class Say(TercetError):
    """An answer to what was typed that is no move."""


class Desk(ABC, Generic[S, C, E]):
    """One game in front of the people at one keyboard: draws the table, tells what happens and reads their lines.

    ``names`` are the players' by seat, ``people`` the seats of those at the keyboard; nobody for a game that is only
    shown. ``manual``: the lines that a player may type, and what they mean. ``refusals``: a sentence for each refusal
    that only this game gives. ``quiet``: events after which the table looks as before.
    """

    manual: ClassVar[str]
    refusals: ClassVar[Mapping[str, str]]
    quiet: ClassVar[tuple[type[Event], ...]] = ()

    def __init__(self, names: Sequence[str], people: Sequence[int], screen: Screen) -> None:
        self.names = names
        self.people = people
        self.screen = screen

    @abstractmethod
    def draw(self, state: S, news: Sequence[E] = ()) -> None:
        """The table as it is after this happened."""

    @abstractmethod
    def narrate(self, state: S, event: E) -> str:
        """What happened, in a sentence. The state is one after it."""

    @abstractmethod
    def prompt(self, state: S) -> str:
        """What the people are asked; nothing while they have to wait."""

    @abstractmethod
    def answer(self, state: S, line: str) -> Sequence[C]:
        """What a typed line means; `Say` what is wrong with it, or what it brought."""

    @abstractmethod
    def hint(self, state: S) -> str:
        """Something good to do."""

    def legend(self) -> list[Piece]:
        """What the symbols on the screen mean."""
        return []

    def refuse(self, refusal: Refusal) -> str:
        """Why not, in a sentence."""
        return self.why(refusal, self.names)

    @classmethod
    def why(cls, refusal: Refusal, names: Sequence[str]) -> str:
        """Why not, in a sentence, to players of these names."""
        return refusal_words(refusal, names, cls.refusals)

    def speaker(self, line: str) -> tuple[int, str]:
        """Whose line it is, and the rest of it: with several people it begins with the seat's number."""
        if len(self.people) == 1:
            return self.people[0], line
        first, _, rest = line.partition(" ")
        if first.isdecimal() and int(first) - 1 in self.people:
            return int(first) - 1, rest.strip()
        seats = ", ".join(f"{seat + 1} {self.names[seat]}" for seat in self.people)
        raise Say(f"Begin with your number: {seats}.")

    def draw_points(self, scores: Sequence[int], left: str) -> None:
        """The points of all, and what is left to come."""
        points = ", ".join(f"{name} {score}" for name, score in zip(self.names, scores, strict=True))
        self.screen.print((f"Points: {points}. {left}.", "bold"))
