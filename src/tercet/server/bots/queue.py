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
        #: What people and tables have been charged, of those who wait or have just thought.
        self._people: dict[str, float] = {}
        self._tables: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._short) + len(self._long)

    def add(self, question: Q, now: float | None = None) -> None:
        self._count += 1
        question.number = self._count
        question.asked = monotonic() if now is None else now
        if question.is_short:
            self._short[self._count] = question
            return
        if not self._long:  # nobody else is there to be fair to
            self._people.clear()
            self._tables.clear()
        # Whoever comes new or comes back begins with those who have had least: rest is not saved up.
        for charged, who in ((self._people, question.person), (self._tables, question.table)):
            if who not in charged:
                charged[who] = min(charged.values(), default=0.0)
        self._long[self._count] = question

    def charge(self, question: Q, seconds: float) -> None:
        """The bot has thought so long."""
        if not question.is_short:
            for charged, who in ((self._people, question.person), (self._tables, question.table)):
                charged[who] = charged.get(who, min(charged.values(), default=0.0)) + seconds

    def take(self, now: float | None = None) -> Q | None:
        """Whoever is to think now: short questions first."""
        if self._short:
            return self._short.pop(next(iter(self._short)))
        if not self._long:
            return None
        oldest = self._long[next(iter(self._long))]
        waited = (monotonic() if now is None else now) - oldest.asked
        self._was_long = not self._was_long and waited > LONG_WAIT
        question = oldest if self._was_long else min(self._long.values(), key=self._rank)
        return self._long.pop(question.number)

    def _rank(self, question: Q) -> tuple[float, float, int]:
        return self._people[question.person], self._tables[question.table], question.number

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
