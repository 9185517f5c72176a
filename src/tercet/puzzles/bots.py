"""Who solves puzzles when no person does: they look as the bots of races do, each at its level."""

from __future__ import annotations

from math import exp, log

from tercet.bots import DEFAULT_TIME_LIMIT, GENTLE_MS, Bot
from tercet.bots.finding import LEVELS, Level
from tercet.difficulty import SPREAD
from tercet.puzzles.items import solutions
from tercet.puzzles.play import Answer, Begin, Item, PuzzleCommand, State

#: The seconds in which a player of speed 1 finds a good turn on a board, half of the time.
BOARD_SECONDS = 25.0
#: A bot never answers faster than this.
FASTEST_MS = 400


class Solver(Bot[State, PuzzleCommand]):
    """Finds the answer after a time around the item's difficulty, by its speed; sometimes it is wrong."""

    game = "puzzles"
    level: Level

    def delay(self, view: State) -> int:
        if view.phase != "play":
            return 1000
        item = self._item(view)
        if item is None:
            return 0
        seconds = item.difficulty / 1000 if item.position is None else BOARD_SECONDS
        if item.asked == "find_all":
            # One after the other: each of those left waits by itself to be found.
            left = 6 - len(view.runners[self.seat].found)
            seconds /= max(left, 1)
        middle = log(seconds / self.level.speed)
        delay = max(FASTEST_MS, round(1000 * exp(self.random.gauss(middle, SPREAD))))
        nobody_yet = not any(runner.right or runner.errors for runner in view.runners)
        return max(delay, GENTLE_MS) if self.gentle and nobody_yet else delay

    def choose(self, view: State, time_limit: float = DEFAULT_TIME_LIMIT) -> PuzzleCommand | None:
        if view.phase == "start":
            return Begin(self.seat)
        item = self._item(view)
        if item is None:
            return None
        runner = view.runners[self.seat]
        if item.position is not None:
            turns = item.position.position(item.position.turn or 0).turns()
            place = self.random.randrange(len(turns)) if self.random.random() < 2 * self.level.error else 0
            return Answer(self.seat, runner.number, placements=turns[place].placements)
        right = [picks for picks in solutions(item) if picks not in runner.found]
        picks = self.random.choice(right)
        if self.random.random() < self.level.error:
            picks = self._wrong(item)
        return Answer(self.seat, runner.number, picks)

    def _wrong(self, item: Item) -> tuple[int, ...]:
        among = 2 if item.asked == "is_set" else len(item.choices or item.shown)
        count = 1 if item.asked in ("third", "is_set") else 3
        right = set(solutions(item))
        while True:
            picks = tuple(sorted(self.random.sample(range(among), count)))
            if picks not in right:
                return picks

    def _item(self, view: State) -> Item | None:
        """What it is at, unless it has stopped."""
        if view.phase != "play" or view.runners[self.seat].stopped_at is not None:
            return None
        return view.items[view.runners[self.seat].number - 1]


def _solver(level: Level) -> type[Solver]:
    about = f"solves as {level.name} players find SETs"
    return type(level.name.capitalize(), (Solver,), {"level": level, "name": level.name, "about": about})


LADDER = tuple(_solver(level) for level in LEVELS)

__all__ = ["LADDER", "Solver"]
