"""Who thinks next: fair shares for people and their tables, whatever their bots cost.

Each person, and each table of a person, is charged the time that its bots have thought; whoever has been charged least
goes first. So a bot that needs a moment never waits for all of those that need seconds, and many tables of one person
share what one table of another has.
"""

from __future__ import annotations

from time import monotonic
from typing import Generic, TypeVar

#: Whoever has waited longer than this goes first, every other time.
LONG_WAIT = 10.0
#: Seconds that a bot may think about one choice; less when many wait, so that all of them have their turn in about
#: `ROUND` seconds, but never less than `LEAST`.
TIME_LIMIT = 2.0
ROUND = 4.0
LEAST = 0.1
#: When so many are known, those are forgotten who begin like anybody new.
FORGET = 1000


class Question:
    """What a bot is asked, for a table and its host. ``is_short``: answering takes no time to speak of."""

    def __init__(self, table: str, person: str, is_short: bool) -> None:
        self.table = table
        self.person = person
        self.is_short = is_short
        #: When it was asked, and its number among all questions.
        self.asked = 0.0
        self.number = 0


Q = TypeVar("Q", bound=Question)


class _Shares:
    """What each has been charged."""

    def __init__(self) -> None:
        self._charged: dict[str, float] = {}
        #: As much as whoever thought last had been charged before.
        self._level = 0.0

    def come(self, who: str) -> None:
        """Whoever comes, new or again, is a little ahead of the others, and no more: rest is not saved up."""
        if len(self._charged) > FORGET:
            self._charged = {one: much for one, much in self._charged.items() if much > self._level - LEAST}
        self._charged[who] = max(self.of(who), self._level - LEAST)

    def of(self, who: str) -> float:
        return self._charged.get(who, self._level - LEAST)

    def take(self, who: str) -> None:
        self._level = max(self._level, self.of(who))

    def charge(self, who: str, seconds: float) -> None:
        self._charged[who] = self.of(who) + seconds


class Queue(Generic[Q]):
    """Questions that wait for one process.

    >>> queue = Queue()
    >>> slow = [Question(table, "Ann", False) for table in ("A", "A", "B")]
    >>> quick = Question("C", "Bo", False)
    >>> for question in (*slow, quick):
    ...     queue.add(question, now=0)
    >>> queue.charge(slow[0], 2.0)
    >>> queue.take(now=1) is quick, queue.take(now=1) is slow[2]
    (True, True)
    """

    def __init__(self) -> None:
        self._short: dict[int, Q] = {}
        self._long: dict[int, Q] = {}
        self._count = 0
        self._was_long = False
        self._people = _Shares()
        self._tables = _Shares()

    def __len__(self) -> int:
        return len(self._short) + len(self._long)

    def add(self, question: Q, now: float | None = None) -> None:
        self._count += 1
        question.number = self._count
        question.asked = monotonic() if now is None else now
        if question.is_short:
            self._short[self._count] = question
            return
        self._people.come(question.person)
        self._tables.come(question.table)
        self._long[self._count] = question

    def charge(self, question: Q, seconds: float) -> None:
        """The bot has thought so long."""
        if not question.is_short:
            self._people.charge(question.person, seconds)
            self._tables.charge(question.table, seconds)

    def take(self, now: float | None = None) -> Q | None:
        """Whoever is to think now: short questions first."""
        if self._short:
            return self._short.pop(next(iter(self._short)))
        if not self._long:
            return None
        oldest = self._long[next(iter(self._long))]
        waited = (monotonic() if now is None else now) - oldest.asked
        self._was_long = not self._was_long and waited > LONG_WAIT
        if self._was_long:
            return self._long.pop(oldest.number)
        question = min(self._long.values(), key=self._rank)
        self._people.take(question.person)
        self._tables.take(question.table)
        return self._long.pop(question.number)

    def _rank(self, question: Q) -> tuple[float, float, int]:
        return self._people.of(question.person), self._tables.of(question.table), question.number

    def remove(self, question: Q) -> None:
        """It is not to be answered any more."""
        self._short.pop(question.number, None)
        self._long.pop(question.number, None)

    def ahead(self, question: Q) -> int | None:
        """How many are to think before, as things stand; None if it does not wait."""
        if question.number not in self._long:
            return None
        mine = self._rank(question)
        return sum(self._rank(other) < mine for other in self._long.values())

    def time_limit(self) -> float:
        """Seconds that the next one may think."""
        return max(LEAST, min(TIME_LIMIT, ROUND / (1 + len(self._long))))
