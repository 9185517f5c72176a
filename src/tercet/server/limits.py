"""Limits on everything that a client could do too much of."""

from __future__ import annotations

import time
from typing import Annotated

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0)]
Bytes = Annotated[int, Meta(ge=1)]
Rate = Annotated[float, Meta(ge=0)]


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The defaults suit a machine that serves some thousand players.

    Messages and chat are counted for each connection, sockets and tables for each person, logins and new guests
    for each address. ``outbox_bytes``: how much may wait for a slow client before it is cut off.
    ``seat_grace_seconds``: so long after the last sign of somebody who plays, they are taken to be on the way back.
    """

    message_bytes: Bytes = 8192
    body_bytes: Bytes = 65536
    messages_per_second: Rate = 25
    message_burst: Count = 60
    chat_per_second: Rate = 0.5
    chat_burst: Count = 5
    outbox_bytes: Bytes = 262144
    sockets: Count = 20000
    sockets_per_person: Count = 20
    sockets_per_table: Count = 200
    tables: Count = 20000
    tables_per_person: Count = 20
    tokens_per_person: Count = 20
    guests_per_minute: Rate = 60
    logins_per_minute: Rate = 10
    seat_grace_seconds: Rate = 30


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
    """A bucket for each key, such as an address."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._rate = per_second
        self._burst = burst
        self._buckets: dict[str, Bucket] = {}

    def take(self, key: str) -> bool:
        if len(self._buckets) > 10_000:
            self._buckets = {k: bucket for k, bucket in self._buckets.items() if not bucket.is_full}
        if key not in self._buckets:
            self._buckets[key] = Bucket(self._rate, self._burst)
        return self._buckets[key].take()

    def is_empty(self, key: str) -> bool:
        """Whether one more would not be allowed now; nothing is taken."""
        return key in self._buckets and self._buckets[key].is_empty
