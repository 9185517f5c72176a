"""Spending the budgets of `limits`: whoever runs out of one is told so, and `over` counts it for the metrics under its name."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from types import TracebackType

from tercet.server.limits import Limits
from tercet.sets import TercetError


class TooMuch(TercetError):
    """Somebody has used up a budget; ``code`` says what they are told."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


#: How often each budget ran out.
spent: Counter[str] = Counter()


def over(budget: str) -> None:
    """Somebody has used up this budget: count it."""
    spent[budget] += 1


@lru_cache(4096)
def source(host: str) -> str:
    """Where a client comes from, for counting: an IPv4 address, or the /64 that somebody with IPv6 has to themselves.

    >>> source("2001:db8:1:2:3::4") == source("2001:db8:1:2:ffff::1") != source("2001:db8:1:3::")
    True
    >>> source("::ffff:192.0.2.7"), source("192.0.2.7")
    ('192.0.2.7', '192.0.2.7')
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return str(address)


class Bucket:
    """A bucket that fills at a steady rate; each thing done takes one drop.

    >>> bucket = Bucket(1, 2)
    >>> [bucket.take(at=0.0), bucket.take(at=0.0), bucket.take(at=0.5), bucket.take(at=1.0)]
    [True, True, False, True]
    """

    __slots__ = ("_at", "_full", "_left", "_rate")

    def __init__(self, per_second: float, burst: int) -> None:
        self._rate = per_second
        self._full = float(burst)
        self._left = float(burst)
        self._at: float | None = None

    def take(self, at: float | None = None) -> bool:
        """Whether one more is allowed now."""
        now = time.monotonic() if at is None else at
        if self._at is not None:
            self._left = min(self._full, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def spend(self, drops: float) -> None:
        """Take as much as something has turned out to cost, though it be more than there is."""
        self._left = min(self._full, self._now_left) - drops
        self._at = time.monotonic()

    @property
    def _now_left(self) -> float:
        passed = 0 if self._at is None else time.monotonic() - self._at
        return self._left + passed * self._rate

    @property
    def is_full(self) -> bool:
        """Whether forgetting this bucket would change nothing."""
        return self._now_left >= self._full

    @property
    def is_empty(self) -> bool:
        """Whether one more would not be allowed now."""
        return self._now_left < 1


class Buckets:
    """A bucket for each key, such as an address. Those that are full are forgotten when there are many."""

    def __init__(self, budget: str, per_second: float, burst: int) -> None:
        self._budget = budget
        self._rate = per_second
        self._burst = burst
        self._buckets: dict[str, Bucket] = {}
        self._tidy_at = 10_000

    @classmethod
    def per_minute(cls, budget: str, rate: float) -> Buckets:
        """So many a minute, all at once if need be."""
        return cls(budget, rate / 60, max(1, int(rate)))

    def take(self, key: str) -> bool:
        """Whether one more is allowed now; if not, it is counted."""
        if self.of(key).take():
            return True
        over(self._budget)
        return False

    def is_empty(self, key: str) -> bool:
        """Whether nothing can be taken now; then it is counted."""
        bucket = self._buckets.get(key)
        if bucket is None or not bucket.is_empty:
            return False
        over(self._budget)
        return True

    def check(self, key: str, message: str) -> None:
        """As `take`; `TooMuch` if it is not allowed."""
        if not self.take(key):
            raise TooMuch("too_fast", message)

    def of(self, key: str) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= self._tidy_at:
                self._buckets = {k: kept for k, kept in self._buckets.items() if not kept.is_full}
                # Else, with many that are not full, every newcomer would have to wait for this.
                self._tidy_at = max(10_000, 2 * len(self._buckets))
            bucket = self._buckets[key] = Bucket(self._rate, self._burst)
        return bucket


class Rates:
    """The buckets of a running server, by address or by person."""

    def __init__(self, limits: Limits) -> None:
        self.requests = Buckets("requests_per_second", limits.requests_per_second, limits.request_burst)
        #: In milliseconds.
        self.work = Buckets.per_minute("work_per_minute", 1000 * limits.work_per_minute)
        self.misses = Buckets.per_minute("misses_per_minute", limits.misses_per_minute)
        self.records = Buckets.per_minute("records_per_minute", limits.records_per_minute)
        self.guests = Buckets.per_minute("guests_per_minute", limits.guests_per_minute)
        self.logins = Buckets.per_minute("logins_per_minute", limits.logins_per_minute)
        self.joins = Buckets.per_minute("joins_per_minute", limits.joins_per_minute)
        self.new_tables = Buckets.per_minute("tables_per_minute", limits.tables_per_minute)
        self.editions = Buckets.per_minute("editions_per_minute", limits.editions_per_minute)
        self.challenges = Buckets.per_minute("challenges_per_minute", limits.challenges_per_minute)
        self.reviews = Buckets.per_minute("reviews_per_minute", limits.reviews_per_minute)
        self.what_ifs = Buckets.per_minute("what_ifs_per_minute", limits.what_ifs_per_minute)
        self.messages = Buckets("messages_per_second", limits.messages_per_second, limits.message_burst)
        self.making_records = AtOnce("records_at_once", limits.records_at_once)
        #: Whose exports are being sent.
        self.exporting: Counter[str] = Counter()
        #: To which addresses public games are being sent.
        self.downloading: Counter[str] = Counter()
        self.checking_passwords = AtOnce("passwords_at_once", limits.passwords_at_once)


class AtOnce:
    """A few at the same time, some more wait in order (``async with``); `TooMuch` for those after them."""

    def __init__(self, budget: str, count: int) -> None:
        self._budget = budget
        self._free = count
        self._most = 10 * count
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> None:
        if self._free:
            self._free -= 1
            return
        if len(self._waiting) >= self._most:
            over(self._budget)
            raise TooMuch("server_full", "the server has too much to do; try again")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._waiting.remove(turn)
            else:  # it was just let in
                self._let_in()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._let_in()

    def _let_in(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
