"""A budget for everything that a client could do too much of, all in one place.

The table in docs/hosting.md is written from here: ``python -m tercet.server.limits docs/hosting.md``. Whoever runs out of a
budget is told so, and `over` counts it for the metrics under the budget's name.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections import Counter, deque
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, get_type_hints

from msgspec import Meta, Struct

from tercet.sets import TercetError


def _budget(about: str, told: str, least: float = 0) -> Meta:
    return Meta(ge=least, description=about, extra={"told": told})


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The defaults suit a machine that serves some thousand players.

    An address is an IPv4 address or the first 64 bits of an IPv6 address. All is counted on each node for itself. A
    ``burst`` is how much of the rate before it may come at once; other rates may be used up at once.
    """

    # --- connections and requests ---
    connections: Annotated[
        int, _budget("open connections in all; the oldest idle ones make way", "503 `server_full`", 1)
    ] = 25000
    connections_per_address: Annotated[
        int, _budget("open connections of an address that is no proxy", "429 `too_many`", 1)
    ] = 1000
    header_bytes: Annotated[int, _budget("bytes of a request before its body", "431 `too_large`", 256)] = (
        16384
    )
    headers: Annotated[int, _budget("headers of a request", "431 `too_large`", 1)] = 64
    body_bytes: Annotated[int, _budget("bytes of a body", "413 `too_large`", 1)] = 65536
    request_seconds: Annotated[float, _budget("seconds until a request is whole", "408 `too_slow`", 0.1)] = 15
    response_seconds: Annotated[
        float, _budget("seconds until an answer is taken", "the line is cut", 0.1)
    ] = 60
    idle_seconds: Annotated[
        float, _budget("seconds that a connection stays open between two requests", "it is closed", 0.1)
    ] = 30
    pipelined: Annotated[int, _budget("requests sent ahead on one connection", "429 `too_fast`", 1)] = 16
    requests_per_second: Annotated[
        float, _budget("requests to the API, and sockets, of an address", "429 `too_fast`, 4008 `too_fast`")
    ] = 50
    request_burst: Annotated[int, _budget("", "")] = 1000
    work_per_minute: Annotated[
        float, _budget("seconds of processor time for the requests of an address", "429 `too_fast`")
    ] = 20
    misses_per_minute: Annotated[
        float,
        _budget("codes and games of an address that do not exist", "429 `too_fast`, 4008 `too_fast`"),
    ] = 60
    records_per_minute: Annotated[float, _budget("records read by an address", "429 `too_fast`")] = 120
    records_at_once: Annotated[
        int,
        _budget(
            "records, and pages of exports, made at the same time; ten times as many wait",
            "503 `server_full`",
            1,
        ),
    ] = 2
    exports_per_person: Annotated[
        int, _budget("exports of a person sent at the same time", "429 `too_fast`", 1)
    ] = 1
    downloads_at_once: Annotated[
        int, _budget("downloads of public games sent at the same time", "503 `server_full`", 1)
    ] = 8
    downloads_per_address: Annotated[
        int, _budget("downloads of public games sent to an address at the same time", "429 `too_fast`", 1)
    ] = 1
    passwords_at_once: Annotated[
        int, _budget("passwords checked at the same time; ten times as many wait", "503 `server_full`", 1)
    ] = 2
    guests_per_minute: Annotated[
        float, _budget("new guests and accounts of an address", "429 `too_fast`")
    ] = 60
    logins_per_minute: Annotated[
        float, _budget("tries to log in, of an address and for an account", "429 `too_fast`")
    ] = 10

    # --- sockets ---
    sockets: Annotated[
        int,
        _budget(
            "open sockets and streams in all; people with a seat come in all the same", "4429 `too_many`"
        ),
    ] = 20000
    sockets_per_address: Annotated[
        int,
        _budget(
            "sockets and streams of an address; people with a seat come in all the same", "4429 `too_many`"
        ),
    ] = 400
    sockets_per_person: Annotated[
        int, _budget("sockets and streams of a person", "4429 `too_many`, 429 `too_many`")
    ] = 20
    sockets_per_table: Annotated[
        int,
        _budget("sockets of onlookers at a table; whoever has many of them makes way", "4429 `too_many`"),
    ] = 200
    joins_per_minute: Annotated[
        float, _budget("sockets and streams that a person opens", "4008 `too_fast`")
    ] = 120
    message_bytes: Annotated[int, _budget("bytes of a message", "1009, 4006 `bad_message`", 1)] = 8192
    message_seconds: Annotated[
        float, _budget("seconds until a message that comes in pieces is whole", "4003 `slow`", 0.1)
    ] = 10
    fragments: Annotated[int, _budget("fragments of a message", "4005 `flood`", 1)] = 32
    messages_per_second: Annotated[float, _budget("messages of a person, over all sockets", "`too_fast`")] = (
        25
    )
    message_burst: Annotated[int, _budget("", "")] = 60
    frames_per_second: Annotated[
        float,
        _budget(
            "pings, pongs, fragments and pieces on a socket, and messages that were too fast", "4005 `flood`"
        ),
    ] = 60
    frame_burst: Annotated[int, _budget("", "")] = 600
    outbox_bytes: Annotated[
        int, _budget("bytes that wait for a client, the first message apart", "4003 `slow`", 1)
    ] = 262144
    outbox_seconds: Annotated[
        float, _budget("seconds for a first message that is larger than that", "4003 `slow`", 0.1)
    ] = 30
    hints_at_once: Annotated[
        int, _budget("hints worked out at the same time; ten times as many wait", "`too_fast`", 1)
    ] = 2
    chat_per_second: Annotated[
        float, _budget("messages and reactions of a person at a table", "`too_fast`")
    ] = 0.5
    chat_burst: Annotated[int, _budget("", "")] = 5
    table_chat_per_second: Annotated[float, _budget("messages and reactions at a table", "`too_fast`")] = 5
    table_chat_burst: Annotated[int, _budget("", "")] = 40

    # --- what is kept ---
    tables: Annotated[int, _budget("tables in memory", "503 `server_full`")] = 20000
    tables_per_person: Annotated[int, _budget("open tables that a person hosts", "400 `too_many_tables`")] = (
        20
    )
    runs_per_person: Annotated[
        int, _budget("open tables of a person to play against the clock", "400 `too_many_tables`")
    ] = 100
    tables_per_minute: Annotated[float, _budget("new tables of a person", "429 `too_fast`")] = 60
    editions_per_minute: Annotated[
        float, _budget("editions of one's own checked for an address", "429 `too_fast`")
    ] = 60
    options_bytes: Annotated[
        int, _budget("bytes of a table's options, an edition of one's own with them", "400 `bad_request`", 1)
    ] = 16384
    tokens_per_person: Annotated[int, _budget("tokens of a person", "400 `too_many_tokens`")] = 20
    challenges_per_minute: Annotated[float, _budget("challenges that somebody makes", "429 `too_fast`")] = 20
    challenges_open: Annotated[
        int,
        _budget(
            "challenges that somebody has made and nobody has answered; four times as many may wait for somebody",
            "429 `too_many_challenges`",
        ),
    ] = 5
    challenge_seconds: Annotated[
        float, _budget("seconds that a challenge waits for an answer", "`expired`", 1)
    ] = 120
    reviews_per_day: Annotated[
        int,
        _budget("reviews that a person asks for in 24 hours, one after the other", "429 `too_many_reviews`"),
    ] = 50
    reviews_per_minute: Annotated[float, _budget("reviews asked for from an address", "429 `too_fast`")] = 20
    reviews_at_once: Annotated[int, _budget("reviews made at the same time, a process each", "they wait")] = 1
    reviews_waiting: Annotated[
        int, _budget("reviews that wait, and as many that nobody asked for", "503 `server_full`")
    ] = 500
    review_games: Annotated[
        int, _budget("games played out for a decision, by the deepest review", "no `deeper`", 8)
    ] = 20000
    review_seconds: Annotated[
        float, _budget("seconds of processor time for a review", "`cannot_review`", 1)
    ] = 1800
    review_bytes: Annotated[
        int, _budget("bytes of a review that is kept, compressed", "`cannot_review`", 1000)
    ] = 4_000_000
    review_load: Annotated[
        float,
        _budget(
            "programs that may run for each core while games are reviewed by themselves; 0: none are", "—"
        ),
    ] = 0.5
    what_ifs_per_minute: Annotated[
        float, _budget("turns of finished games that a person tries out", "429 `too_fast`")
    ] = 30
    what_ifs_at_once: Annotated[
        int, _budget("turns tried out at the same time; ten times as many wait", "503 `server_full`", 1)
    ] = 1
    seat_grace_seconds: Annotated[
        float, _budget("seconds that the seat of somebody who plays and is gone stays theirs", "`still_here`")
    ] = 30

    # --- how long the absent are waited for ---
    away_seconds: Annotated[
        float,
        _budget(
            "seconds that a game waits for somebody who is gone; then it goes on, or stands still if nobody is there",
            "`2 is away` in the log",
        ),
    ] = 10
    stand_in_seconds: Annotated[
        float,
        _budget(
            "seconds that a turn without a time limit waits for somebody who is gone before anybody may let a bot play on",
            "`still_here`",
        ),
    ] = 60
    listed_minutes: Annotated[
        float, _budget("minutes that a table without anybody stays in the lobby", "it is not listed")
    ] = 2
    gathering_minutes: Annotated[
        float,
        _budget("minutes that a table without anybody and without a game stays open", "4404 `no_such_table`"),
    ] = 30
    playing_hours: Annotated[
        float,
        _budget("hours that a game without anybody stays open; one by post 62 days", "4404 `no_such_table`"),
    ] = 24


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


def page() -> str:
    """All budgets as a table for hosts."""
    rows = ["| Setting | Default | So many … | Told when it runs out |", "|---|---|---|---|"]
    hints: dict[str, Any] = get_type_hints(Limits, include_extras=True)
    names = list(Limits.__struct_fields__)
    usual = Limits()
    for name in names:
        (meta,) = hints[name].__metadata__
        if meta.description:
            burst = next((n for n in names[names.index(name) + 1 :][:1] if n.endswith("_burst")), None)
            default = (
                f"{getattr(usual, name):g}" if getattr(usual, name) < 1 else f"{getattr(usual, name):,.10g}"
            )
            label, value = f"`{name}`", default
            if burst is not None:
                label, value = f"{label}, `{burst}`", f"{value}, {getattr(usual, burst)}"
            rows.append(f"| {label} | {value} | {meta.description} | {meta.extra['told']} |")
    return "\n".join(rows)


def insert(text: str) -> str:
    """A page with the table as it should be."""
    return re.sub(
        r"(<!-- limits[^\n]*-->\n).*?(\n<!-- end of limits -->)",
        lambda found: found[1] + page() + found[2],
        text,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(insert(path.read_text("utf-8")), "utf-8")
