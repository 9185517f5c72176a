"""Odds: what a game's own ``odds`` module finds out by simulation, beside what is known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from math import sqrt
from typing import Any, ClassVar, NamedTuple, TypeVar

T = TypeVar("T")


class Cell(NamedTuple):
    """One number: simulated, with its standard error, and known, if it is; ``exact`` says how it is known."""

    what: str
    simulated: float
    error: float
    known: float | None = None
    known_error: float = 0.0
    exact: bool = False

    @property
    def off(self) -> float | None:
        """By how many standard errors, of both together, the simulated number differs from the known one."""
        if self.known is None:
            return None
        error = sqrt(self.error**2 + self.known_error**2)
        return abs(self.simulated - self.known) / error if error else 0.0


class Section(NamedTuple):
    title: str
    cells: list[Cell]


class Odds(ABC):
    """The odds of a game, while they are simulated. A game has its class as ``odds`` in its module ``odds``.

    The keyword arguments of that class are options of `tercet odds`; their annotations say in a sentence
    what they mean. ``usual_games``: how many games are simulated when nobody says.
    """

    usual_games: ClassVar[int]

    @property
    @abstractmethod
    def about(self) -> str:
        """Who plays the simulated games, in a few words."""

    @property
    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """How they are simulated, as plain data."""

    @abstractmethod
    def simulate(self, games: int, seed: int, workers: int) -> Iterator[int]:
        """Play so many games; yields how many are done. The numbers are the same with any number of workers."""

    @abstractmethod
    def sections(self) -> list[Section]:
        """Every number, in the order in which people ask for them."""


def in_order(batch: Callable[[int, int], T], games: int, size: int, workers: int) -> Iterator[T]:
    """What ``batch(first, number)`` makes of so many games at a time, in order, by so many threads. A few are ahead,
    never all of them: memory stays the same for any number of games."""
    with ThreadPoolExecutor(workers) as pool:
        ahead: deque[Future[T]] = deque()
        for first in range(0, games, size):
            ahead.append(pool.submit(batch, first, min(size, games - first)))
            if len(ahead) > 2 * workers:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
