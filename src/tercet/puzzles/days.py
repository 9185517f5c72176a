"""The puzzles of days: what a seed makes of a day, what is committed to ahead, and how new ones are made.

>>> from tercet.fairness import seed_from
>>> puzzle = Puzzle(kind="daily_set", day="2026-11-17", seed=seed_from("an example"))
>>> len(puzzle.item.shown), len(solutions(puzzle.item)), puzzle.level
(12, 6, 1)
>>> check(puzzle.open_day) is None
True
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from msgspec import Struct

from tercet.codec import from_json
from tercet.fairness import Seeded, check_seed, commit, terms_of
from tercet.games import Refusal
from tercet.games.runs import Measured
from tercet.puzzles.certify import Valued, certify
from tercet.puzzles.game import rules
from tercet.puzzles.items import draw_item, level_of, solutions
from tercet.puzzles.play import Item, Options
from tercet.sets import TercetError

DailyKind = Literal["daily_set", "daily_cubed"]
KINDS: tuple[DailyKind, ...] = ("daily_set", "daily_cubed")
#: The hardest level there is.
LEVELS = 4


#: What the turns of a puzzle with dice are worth, the best first; empty for one with cards.
Turns = tuple[Valued, ...]
#: Better by the least of chances is better than by any time.
TIME_LIMIT = 10**9
#: Chances are compared to this part.
PARTS = 1000


class ToldTurn(Struct, frozen=True, kw_only=True):
    """A turn of dice as a day tells it."""

    turn: str
    points: int


class OpenDay(Struct, frozen=True, kw_only=True):
    """A day that is over, for everybody: ``tercet verify`` accepts it. ``puzzle`` is what was asked; what else is told of it is checked as far
    as it follows from that: how hard it is, all SETs, the points of turns. What turns win was measured, by games played out."""

    kind: DailyKind
    day: str
    commitment: str
    seed: str
    puzzle: Item
    level: int | None = None
    solutions: tuple[tuple[int, ...], ...] | None = None
    turns: tuple[ToldTurn, ...] = ()


class Puzzle(Struct, frozen=True, kw_only=True):
    """The puzzle of a day, with its secret; of dice with what the worthwhile turns are worth, the best first."""

    kind: DailyKind
    day: str
    seed: str
    turns: Turns = ()

    @property
    def options(self) -> Options:
        return Options(kind=self.kind, day=self.day)

    @property
    def commitment(self) -> str:
        """What is published ahead: it binds kind, day and seed, and is that of every game of the day (F1)."""
        return commit(self.seed, terms_of(rules.name, rules.describe_options(self.options)))

    @property
    def item(self) -> Item:
        return _item(self.kind, self.day, self.seed)

    @property
    def level(self) -> int:
        """How hard it is, from 1 to 4: of cards by the day, of dice by how many turns have more points than the best."""
        if self.kind == "daily_set":
            return level_of(self.day)
        more = sum(turn.points > self.turns[0].points for turn in self.turns) if self.turns else 1
        return max(1, min(LEVELS, more))

    @property
    def open_day(self) -> OpenDay:
        return OpenDay(
            kind=self.kind, day=self.day, commitment=self.commitment, seed=self.seed, puzzle=self.item
        )


@lru_cache(256)
def _item(kind: DailyKind, day: str, seed: str) -> Item:
    return draw_item(Options(kind=kind, day=day), 1, _chance(seed))


def value_of(turns: Turns, measured: Measured) -> int:
    """What boards go by: the chance to win with the turn that was chosen, and then the time. A turn that was not worth a thought is
    worth no more than the worst of those that were."""
    if not turns:
        return measured.value
    chance = next((one.chance for one in turns if one.turn == measured.answer), turns[-1].chance)
    return -round(PARTS * chance) * TIME_LIMIT + min(measured.time_ms, TIME_LIMIT - 1)


def chance_of(value: int) -> float:
    """The chance to win in such a value.

    >>> turn = Valued(turn="-", chance=0.25, error=0.0, behind=0.0, behind_error=0.0, points=0)
    >>> chance_of(value_of((turn,), Measured(value=0, points=0, time_ms=41_000, errors=0, answer="-")))
    0.25
    """
    return max(0, -(value // TIME_LIMIT)) / PARTS


def _chance(seed: str) -> Seeded:
    """The chance of a game for one, who adds no secret."""
    return Seeded(seed, ("",))


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def flaw(puzzle: Puzzle, told: object = None) -> str | None:
    """Why a puzzle that somebody has made beforehand is none, if it is none. ``told``: what it is said to be committed to, if
    that is said."""
    if not _is_day(puzzle.day):
        return f"{puzzle.day!r:.20} is not a day: write it as in 2026-11-17"
    try:
        check_seed(puzzle.seed)
    except TercetError as error:
        return str(error)
    if told not in (None, puzzle.commitment):
        return "the seed is not the one that was committed to for this kind and day"
    if (puzzle.kind == "daily_cubed") != bool(puzzle.turns):
        return (
            "a puzzle of cards has no turns"
            if puzzle.turns
            else "a puzzle of dice says what its turns are worth"
        )
    if list(puzzle.turns) != sorted(puzzle.turns, key=lambda one: -one.chance):
        return "the best turn comes first"
    turns = tuple(ToldTurn(turn=one.turn, points=one.points) for one in puzzle.turns)
    try:
        return _check_turns(puzzle, turns)
    except TercetError as error:
        return str(error)


def check(opened: OpenDay) -> str | None:
    """What is wrong with a day, if anything is."""
    try:
        check_seed(opened.seed)
        puzzle = Puzzle(kind=opened.kind, day=opened.day, seed=opened.seed)
        if puzzle.commitment != opened.commitment:
            return "the seed is not the one that was committed to for this kind and day"
        if puzzle.item != opened.puzzle:
            return "the puzzle does not follow from the seed"
        return _check_told(opened, puzzle)
    except (TercetError, ValueError) as error:
        return str(error)


def _check_told(opened: OpenDay, puzzle: Puzzle) -> str | None:
    """What is wrong with what is told of the puzzle beside it, if anything is."""
    if opened.kind == "daily_set":
        if opened.level not in (None, puzzle.level):
            return f"its level is {puzzle.level}, not {opened.level}"
        if opened.solutions is not None and set(opened.solutions) != set(solutions(puzzle.item)):
            return "its solutions are not the SETs that lie there"
    if opened.kind == "daily_set" and opened.turns:
        return "a puzzle of cards has no turns"
    return _check_turns(puzzle, opened.turns)


def _check_turns(puzzle: Puzzle, turns: tuple[ToldTurn, ...]) -> str | None:
    """What is wrong with these turns and their points, if anything is."""
    if not turns:
        return None
    state = puzzle.item.position
    assert state is not None
    position = state.position(state.turn or 0)
    for told in turns:
        judged = position.judge(told.turn) if told.turn != "-" else None
        if isinstance(judged, Refusal):
            return f"the turn {told.turn} cannot be laid: {judged}"
        points = judged.score if judged else 0
        if told.points != points:
            return f"the turn {told.turn} has {points} points, not {told.points}"
    return None


def make_puzzle(
    kind: DailyKind, day: str, new_seed: Callable[[], str], taken: Collection[frozenset[str]] = ()
) -> Puzzle:
    """A new puzzle for this day. ``taken`` are the cards of other days (`cards_of`), which are not to come again."""
    while True:
        puzzle = Puzzle(kind=kind, day=day, seed=new_seed())
        if kind == "daily_set":
            if cards_of(puzzle) not in taken:
                return puzzle
            continue
        position = puzzle.item.position
        assert position is not None
        turns = certify(position)
        if turns is not None:
            return Puzzle(kind=kind, day=day, seed=puzzle.seed, turns=turns)


def ready_made(kind: DailyKind, day: str, luck: str, used: Collection[str], *, secret: bool) -> Puzzle | None:
    """A puzzle that need not be searched for long: of cards any that a new seed (``luck``) makes; of dice one of those that come with Tercet and
    whose seeds have not been used, if there is one left and it need not be ``secret``: whoever has Tercet has those."""
    if kind == "daily_set":
        return Puzzle(kind=kind, day=day, seed=luck)
    if secret:
        return None
    left = [one for one in _pool() if one.seed not in used]
    if not left:
        return None
    chosen = left[_chance(luck).below(len(left), "which of those that are left")]
    return Puzzle(kind=kind, day=day, seed=chosen.seed, turns=chosen.turns)


class _Certified(Struct, frozen=True):
    seed: str
    turns: Turns


@cache
def _pool() -> tuple[_Certified, ...]:
    """The positions of dice that come with Tercet: each took many thousand games to be sure of."""
    lines = (files("tercet.puzzles") / "certified.jsonl").read_text("utf-8").splitlines()
    return tuple(from_json(line, _Certified) for line in lines if line)


def cards_of(puzzle: Puzzle) -> frozenset[str]:
    """What lies there, in whatever order."""
    return frozenset(puzzle.item.shown)


__all__ = ["KINDS", "DailyKind", "OpenDay", "Puzzle", "cards_of", "check", "make_puzzle", "solutions"]
