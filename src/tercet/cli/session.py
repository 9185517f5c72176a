"""A game at this terminal: people and bots, the clock, and what is typed."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from tercet.bots import Bot
from tercet.cli.pace import Pace
from tercet.cli.screen import Screen
from tercet.cli.words import narrate, refusal_words
from tercet.games import Command, Entry, Game, Refused
from tercet.sets import TercetError

#: The time at which a bot acts that has nothing to do until something happens.
NEVER = 1 << 62


class Quit(Exception):
    """A player leaves the table."""


class Say(TercetError):
    """An answer to what was typed that is no move."""


class Desk(ABC):
    """One game in front of the people at one keyboard: draws the table and reads their lines."""

    #: The lines that a player may type, and what they mean.
    manual: str

    def __init__(self, game: Game[Any, Any, Any, Any], people: Sequence[int], screen: Screen) -> None:
        self.game = game
        self.people = people
        self.screen = screen

    @abstractmethod
    def start(self) -> Command:
        """The command that starts the game."""

    @abstractmethod
    def draw(self, news: Sequence[Entry[Any]] = ()) -> None:
        """The table, after this happened; without news, all that there is to see."""

    @abstractmethod
    def prompt(self) -> str:
        """What the people are asked."""

    @abstractmethod
    def answer(self, line: str) -> list[Command]:
        """What a typed line means; `Say` what is wrong with it, or what it brought."""

    @abstractmethod
    def hint(self) -> str:
        """Something good to do."""

    def speaker(self, line: str) -> tuple[int, str]:
        """Whose line it is, and the rest of it: with several people it begins with the seat's number."""
        if len(self.people) == 1:
            return self.people[0], line
        first, _, rest = line.partition(" ")
        if first.isdecimal() and int(first) - 1 in self.people:
            return int(first) - 1, rest.strip()
        seats = ", ".join(f"{seat + 1} {self.game.seats[seat]}" for seat in self.people)
        raise Say(f"Begin with your number: {seats}.")


class Session:
    def __init__(
        self, desk: Desk, bots: Mapping[int, Bot[Any, Any]], pace: Pace, *, hints: bool, think_seconds: float
    ) -> None:
        self.desk, self.bots, self.pace = desk, bots, pace
        self.game, self.screen = desk.game, desk.screen
        self._hints = hints
        self._think_seconds = think_seconds
        self._acts_at: dict[int, int] = {}
        self._asked = ""

    def run(self) -> None:
        """Play to the end; `Quit` when somebody leaves before."""
        self._tell(self.game.do(self.desk.start(), self.pace.now()))
        while not self.game.is_over:
            until = self._next_time()
            line = None
            if self.desk.people:
                if self.pace.listens(until):
                    self._ask()
                try:
                    line = self.pace.line(until)
                except EOFError:
                    raise Quit from None
            elif until is not None:
                self.pace.wait(until)
            if line is None:
                self._act()
            else:
                self._asked = ""
                self._hear(line)

    def _next_time(self) -> int | None:
        """When something happens even if nobody types."""
        for seat, bot in self.bots.items():
            if seat not in self._acts_at:
                self._acts_at[seat] = self.pace.now() + bot.delay(self.game.view(seat))
        times = [time for time in self._acts_at.values() if time != NEVER]
        due = self.game.due
        return min([*times, *([due.at] if due else [])], default=None)

    def _act(self) -> None:
        """What the time has brought: a deadline, or a bot."""
        now = self.pace.now()
        if news := self.game.advance(now):
            self._tell(news)
            return
        seat = min(self._acts_at, key=lambda seat: (self._acts_at[seat], seat), default=None)
        if seat is None or self._acts_at[seat] > now:
            return
        command = self.bots[seat].choose(self.game.view(seat), self._think_seconds)
        if command is None:
            self._acts_at[seat] = NEVER
        else:
            self._do(command)

    def _hear(self, line: str) -> None:
        match line.lower():
            case "?" | "help":
                self._print(self.desk.manual)
            case "q" | "quit" | "exit":
                raise Quit
            case "t" | "table":
                self.desk.draw()
            case "h" | "hint" if self._hints:
                self._print(self.desk.hint())
            case "h" | "hint":
                self._print("Hints are for practice: start with --practice.")
            case "wait":
                pass
            case _:
                self._try(line)

    def _try(self, line: str) -> None:
        try:
            for command in self.desk.answer(line):
                self._do(command)
        except Refused as refused:
            self._print(refusal_words(refused.refusal, self.game.seats))
        except TercetError as error:
            self._print(str(error))

    def _do(self, command: Command) -> None:
        self._tell(self.game.do(command, self.pace.now()))

    def _tell(self, news: Sequence[Entry[Any]]) -> None:
        self._acts_at.clear()
        reader = self.desk.people[0] if len(self.desk.people) == 1 else None
        for entry in news:
            self._print(narrate(self.game.rules.see(entry.event, reader), self.game.seats))
        self.desk.draw(news)

    def _ask(self) -> None:
        prompt = self.desk.prompt()
        if prompt and prompt != self._asked:
            self._asked = prompt
            self.screen.print((f"{prompt} ", "bold"), end="" if sys.stdin.isatty() else "\n")

    def _print(self, text: str) -> None:
        if self._asked and sys.stdin.isatty():
            self.screen.print()  # the prompt stands there still
        self._asked = ""
        self.screen.print(text)
