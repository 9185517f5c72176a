"""The words of puzzles: options, commands, events, state."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tercet.cubed import Placement
from tercet.cubed import State as DiceState
from tercet.games import NOT_CHOSEN, Command, Event, choose

#: What is played: see Z1.
Kind = Literal["storm", "race", "boards", "daily_set", "daily_cubed"]
#: What is asked: the third of a SET, whether three are one, to find one or all of them, or the best turn.
Asked = Literal["third", "is_set", "find", "find_all", "best_turn"]

Day = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is played.

    ``kind``: a storm of items, a race through the same ones, eight boards of dice, or the puzzle of a day (Z1).
    ``day``: the day of a daily puzzle, in UTC, as in 2026-11-17; its weekday says how hard it is (Z7).
    """

    kind: Annotated[Kind, choose("game")] = "storm"
    day: Annotated[Day | None, NOT_CHOSEN] = None


class Item(Struct, frozen=True, kw_only=True):
    """Something to be solved.

    ``shown`` are cards (``2GHS``) or faces of dice (``2GS``), and ``choices`` what the third of a SET is chosen from. ``position``
    is a game of dice in which whoever has the turn is to lay well. ``difficulty`` are the milliseconds after which a
    player of speed 1 has solved it, half of the time.
    """

    asked: Asked
    of: Literal["cards", "dice"] = "cards"
    shown: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    position: DiceState | None = None
    difficulty: int = 0

    def __str__(self) -> str:
        if self.position is not None:
            return f"{self.asked}\n{self.position}"
        choices = f", choose from {' '.join(self.choices)}" if self.choices else ""
        return f"{self.asked} {' '.join(self.shown)}{choices}"


class Begin(Command, frozen=True):
    """Everybody sees the first item, and the clock runs; in a race they line up first, and it is said again when they have (Z4)."""


class Answer(Command, frozen=True):
    """What a seat answers to the item of this number, which must be the one that it sees (Z3).

    ``picks``: places counted from 0. Of ``third`` the one among the choices; of ``find`` and ``find_all`` the three of a SET among those
    shown; of ``is_set`` 1 for yes and 0 for no. ``placements``: the dice laid, of ``best_turn``.
    """

    item: int
    picks: tuple[int, ...] = ()
    placements: tuple[Placement, ...] = ()


class Stop(Command, frozen=True):
    """Enough: this seat goes no further. Taken as said when its time is up (Z5)."""


PuzzleCommand = Begin | Answer | Stop


class LinedUp(Event, frozen=True):
    """Everybody is at the line: a race begins in three seconds."""


class Began(Event, frozen=True):
    """The first item."""

    first: Item | None


class Answered(Event, frozen=True):
    """An answer to item ``number``, whether it was right, and for how many ``points``; ``next`` is the item that follows, if one
    does. What others answer and come to is not known before one is there: then these are None."""

    seat: int
    number: int
    right: bool
    points: int
    picks: tuple[int, ...] | None = None
    placements: tuple[Placement, ...] | None = None
    next: Item | None = None


class Stopped(Event, frozen=True):
    """A seat goes no further: all is solved, its time is up, or it had enough."""

    seat: int
    why: Literal["solved", "time", "enough"]


class Ended(Event, frozen=True):
    scores: tuple[int, ...]


PuzzleEvent = LinedUp | Began | Answered | Stopped | Ended


class Runner(Struct, frozen=True, kw_only=True, gc=False):
    """How far a seat has come: at item ``number``, shown to it at ``shown_at``.

    ``found`` are the SETs of it that are found already, each by its places in order, as far as one may know them. ``combo``
    counts right answers in a row. ``until`` is when its time is up, if it has a limit; ``stopped_at`` when it stopped, and ``why``.
    """

    number: int = 1
    shown_at: int = 0
    found: tuple[tuple[int, ...], ...] = ()
    score: int = 0
    right: int = 0
    errors: int = 0
    combo: int = 0
    until: int | None = None
    stopped_at: int | None = None
    why: Literal["solved", "time", "enough"] | None = None


class State(Struct, frozen=True, kw_only=True, gc=False):
    """A table between two events. ``items`` are those that were drawn, in a view those that its seat has reached; ``begins_at`` is
    when a race begins, while all are at the line."""

    options: Options
    seats: int
    phase: Literal["start", "line", "play", "over"] = "start"
    begins_at: int | None = None
    items: tuple[Item, ...] = ()
    runners: tuple[Runner, ...]

    def __str__(self) -> str:
        """What each seat is to solve, as far as one may know it."""
        solving = [
            f"{seat}: {item}"
            for seat, runner in enumerate(self.runners, 1)
            if self.phase == "play" and runner.stopped_at is None
            for item in self.items[runner.number - 1 : runner.number]
        ]
        return "\n".join(solving or ["(nothing to solve)"])
