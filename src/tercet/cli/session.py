"""A game at this terminal: people and bots, the clock, and what is typed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from tercet.bots.driver import Bots
from tercet.cli.pace import Pace
from tercet.games import Entry, Game, Refused
from tercet.sets import TercetError
from tercet.terminal.desk import Desk, Quit


class Session:
    def __init__(
        self,
        game: Game[Any, Any, Any, Any],
        desk: Desk[Any, Any, Any],
        bots: Bots,
        pace: Pace,
        *,
        hints: bool,
    ) -> None:
        self.game, self.desk, self.bots, self.pace = game, desk, bots, pace
        self._hints = hints
        self._asked = ""

    def run(self) -> None:
        """Play to the end; `Quit` when somebody leaves before."""
        self._tell(self.game.do(self.game.rules.opening(self.game.state), self.pace.now()))
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
            else:
                raise TercetError("the bots do nothing any more, and the game is not over")
            if line is None:
                self._act()
            else:
                self._asked = ""
                self._hear(line)

    @property
    def _reader(self) -> int | None:
        """The only person at the keyboard, who may see what others may not."""
        return self.desk.people[0] if len(self.desk.people) == 1 else None

    @property
    def _seen(self) -> Any:
        """The game as the people see it; where several share the keyboard, nothing is hidden."""
        return self.game.state if self._reader is None else self.game.view(self._reader)

    def _next_time(self) -> int | None:
        """When something happens even if nobody types."""
        times = self.bots.next_time(self.pace.now()), self.game.due and self.game.due.at
        return min((time for time in times if time is not None), default=None)

    def _act(self) -> None:
        """What the time has brought: a deadline, or a bot."""
        now = self.pace.now()
        if news := self.game.advance(now):
            self.bots.wake()
        else:
            news = self.bots.act(now)
        self._tell(news)

    def _hear(self, line: str) -> None:
        match line.lower():
            case "?" | "help":
                self._print(self.desk.manual)
            case "q" | "quit" | "exit":
                raise Quit
            case "t" | "table":
                self.desk.draw(self._seen)
            case "h" | "hint" if self._hints:
                self._print(self.desk.hint(self._seen))
            case "h" | "hint":
                self._print("Hints are for practice: start with --practice.")
            case "wait":
                pass
            case _:
                self._try(line)

    def _try(self, line: str) -> None:
        try:
            for command in self.desk.answer(self._seen, line):
                news = self.game.do(command, self.pace.now())
                self.bots.wake()
                self._tell(news)
        except Refused as refused:
            self._print(self.desk.refuse(refused.refusal))
        except TercetError as error:
            self._print(str(error))

    def _tell(self, news: Sequence[Entry[Any]]) -> None:
        events = [self.game.rules.see(entry.event, self._reader) for entry in news]
        for event in events:
            self._print(self.desk.narrate(self._seen, event))
        if not all(isinstance(event, self.desk.quiet) for event in events):
            self.desk.draw(self._seen, events)

    def _ask(self) -> None:
        prompt = self.desk.prompt(self._seen)
        if prompt and prompt != self._asked:
            self._asked = prompt
            self.desk.screen.print((f"{prompt} ", "bold"), end="" if sys.stdin.isatty() else "\n")

    def _print(self, text: str) -> None:
        if self._asked and sys.stdin.isatty():
            self.desk.screen.print()  # the prompt stands there still
        self._asked = ""
        self.desk.screen.print(text)
