"""Facts of the dice game, from games that the kernel's greedy players play against each other.

They take the most points now, replace every wild that they can and solve the extra roll exactly.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from tercet.confidence import Mean
from tercet.cubed.bots.rollouts import greedy_games
from tercet.editions.edition import Edition
from tercet.kernel.dice_games import PLACES
from tercet.study.odds import Cell, Section

#: Games in one go, at most. The goes' spread gives every fact its standard error, so there are never too few.
BATCH = 100
LEAST_BATCHES = 30

ORDER = ("first", "second", "third", "fourth")


class DiceFacts:
    """The facts of an edition with so many seats."""

    def __init__(self, edition: Edition, seats: int) -> None:
        self.edition, self.seats = edition, seats
        self.games = 0
        self._counts: list[int] = []
        self._facts: dict[tuple[str, str], Mean] = {}

    def add(self, counts: Sequence[int]) -> None:
        """Take what a batch of games has counted."""
        self.games += counts[PLACES["GAMES"]]
        self._counts = list(map(sum, zip(self._counts or [0] * len(counts), counts, strict=True)))
        for what, value in self._values(counts):
            self._facts.setdefault(what, Mean()).add(value)

    def sections(self) -> list[Section]:
        found: dict[str, list[Cell]] = {}
        for (title, what), value in self._values(self._counts):
            error = self._facts[title, what].standard_error
            found.setdefault(title, []).append(Cell(what, value, error))
        return [Section(title, cells) for title, cells in found.items()]

    def _values(self, counts: Sequence[int]) -> Iterator[tuple[tuple[str, str], float]]:
        def count(name: str, more: int = 0) -> int:
            return counts[PLACES[name] + more]

        games, turns = count("GAMES"), count("TURNS")
        for place, name in enumerate(ORDER[: self.seats]):
            yield ("Share of wins", f"{name} player"), count("WINS_BY_ORDER", place) / 12 / games
        for place, name in enumerate(ORDER[: self.seats]):
            yield ("Points", f"{name} player"), count("POINTS_BY_ORDER", place) / games
        laid = turns - count("PASSES")
        wild_turns = count("WILD_TURNS")
        yield ("Points", "a turn, passes included"), count("POINTS") / turns
        yield ("Points", "a turn with a wild laid"), count("WILD_POINTS") / max(wild_turns, 1)
        plain = count("POINTS") - count("WILD_POINTS")
        yield ("Points", "a turn without a wild laid"), plain / max(laid - wild_turns, 1)
        total = count("POINTS") + count("OPENING_POINTS")
        yield ("Share", "of points that are bonus"), count("BONUS") / total
        yield ("Share", "of turns that pass"), count("PASSES") / turns
        for dice in (1, 2, 3):
            yield ("Share", f"of turns that lay {dice}"), count("LAID", dice) / turns
        yield ("In a game", "rounds"), count("ROUNDS") / games
        yield ("In a game", "throws until somebody has the opening SET"), count("OPENING_THROWS") / games
        yield ("In a game", "rounds after which everybody throws again"), count("RETHROWS") / games
        yield ("In a game", "wilds laid"), count("WILDS_LAID") / games
        yield ("In a game", "wilds replaced"), count("REPLACED") / games
        yield ("In a game", "dice thrown in extra rolls"), count("DICE_THROWN_AGAIN") / games


def gather(facts: DiceFacts, games: int, seed: int, workers: int) -> Iterator[int]:
    """Play so many games; yields how many are done. The facts are the same with any number of workers."""
    with ThreadPoolExecutor(workers) as pool:
        ahead: deque[Future[Sequence[int]]] = deque()
        size = max(1, min(BATCH, games // LEAST_BATCHES))
        for first in range(0, games, size):
            ahead.append(pool.submit(_batch, facts, seed, first, min(size, games - first)))
            if len(ahead) > 2 * workers:
                facts.add(ahead.popleft().result())
                yield facts.games
        while ahead:
            facts.add(ahead.popleft().result())
            yield facts.games


def _batch(facts: DiceFacts, seed: int, first: int, number: int) -> Sequence[int]:
    games = greedy_games(facts.edition, facts.seats)
    games.games(seed, first, number)
    return games.counted()
