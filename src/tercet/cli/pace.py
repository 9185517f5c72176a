"""What is typed, and when: against the clock, or without waiting."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from abc import ABC, abstractmethod

#: How long a line takes to think of and to type in a game that does not wait.
THINK_MS = 2000
#: How many lines are read before they are needed.
LINES_AHEAD = 100
#: The longest that one wait for the keyboard lasts: a Ctrl+C that comes just as it begins is noticed after it.
_WAIT_SECONDS = 0.5


class Keyboard:
    """The lines of standard input, read in the background, so that the game can go on meanwhile."""

    def __init__(self) -> None:
        self._lines: queue.Queue[str | None] = queue.Queue(LINES_AHEAD)
        self._ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        # Not by sys.stdin: a thread that waits inside it cannot be left behind when the program ends.
        rest = b""
        try:
            while chunk := os.read(sys.stdin.fileno(), 4096):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._lines.put(line.decode(errors="replace"))
        except OSError:  # the terminal is gone
            pass
        if rest:
            self._lines.put(rest.decode(errors="replace"))
        self._lines.put(None)

    def line(self, seconds: float | None = None) -> str | None:
        """The next line; None if there is none in so many seconds, `EOFError` if there will be none."""
        if self._ended:
            raise EOFError
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            left = _WAIT_SECONDS if end is None else min(end - time.monotonic(), _WAIT_SECONDS)
            try:
                line = self._lines.get(timeout=max(left, 0))
                break
            except queue.Empty:
                if end is not None and time.monotonic() >= end:
                    return None
        if line is None:
            self._ended = True
            raise EOFError
        return line.strip()


class Pace(ABC):
    """The time of a game in milliseconds since its start, and the keyboard."""

    def __init__(self, keyboard: Keyboard) -> None:
        self.keyboard = keyboard

    @abstractmethod
    def now(self) -> int: ...

    def listens(self, until: int | None) -> bool:
        """Whether `line` would wait for the keyboard at all."""
        return True

    @abstractmethod
    def line(self, until: int | None) -> str | None:
        """The next line that is typed; None if the time came first."""

    @abstractmethod
    def wait(self, until: int) -> None:
        """Let time pass, whatever is typed."""


class LivePace(Pace):
    """The time that passes in the room."""

    def __init__(self, keyboard: Keyboard) -> None:
        super().__init__(keyboard)
        self._began = time.monotonic()

    def now(self) -> int:
        return round((time.monotonic() - self._began) * 1000)

    def line(self, until: int | None) -> str | None:
        return self.keyboard.line(None if until is None else (until - self.now()) / 1000)

    def wait(self, until: int) -> None:
        time.sleep(max(until - self.now(), 0) / 1000)


class FastPace(Pace):
    """A clock that jumps: every line takes the same time, and nobody waits for a bot.

    So the same lines give the same game. ``wait`` lets time pass until somebody acts.
    """

    def __init__(self, keyboard: Keyboard) -> None:
        super().__init__(keyboard)
        self._now = 0

    def now(self) -> int:
        return self._now

    def listens(self, until: int | None) -> bool:
        return until is None or until > self._now + THINK_MS

    def line(self, until: int | None) -> str | None:
        if until is not None and not self.listens(until):
            self.wait(until)
            return None
        line = None
        while line is None:
            line = self.keyboard.line()
        if until is not None and line == "wait":
            self.wait(until)
            return None
        self._now += THINK_MS
        return line

    def wait(self, until: int) -> None:
        self._now = max(self._now, until)
