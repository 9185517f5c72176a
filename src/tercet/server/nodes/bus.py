"""The bus: how nodes that share a database tell each other that there is something new.

Only news goes over it, never an event: those are read from the log. A note may be lost, come late or come twice, so
nothing may depend on it but how soon somebody looks. A node that is alone has no bus.
"""

from __future__ import annotations

from typing import Protocol
from urllib.parse import urlsplit

from tercet.extras import needs
from tercet.sets import TercetError

SCHEMES = ("redis", "rediss", "unix")


class BusError(TercetError):
    """A bus that cannot be used; the message says which and why."""


class Listener(Protocol):
    """Hears the notes of one topic."""

    def tune_in(self) -> None:
        """From now on notes are heard; some may have been missed before. Called again after every gap."""

    def hear(self, note: bytes) -> None:
        """A note has come, perhaps one's own."""


class Bus(Protocol):
    """Notes by topic, to every node that listens, the publisher too."""

    @property
    def is_up(self) -> bool:
        """Whether notes come and go at the moment, as far as is known."""

    def publish(self, topic: str, note: bytes) -> None:
        """Send a note if that is possible. Never waits, never fails."""

    def subscribe(self, topic: str, listener: Listener) -> None:
        """Let a listener hear a topic; each topic has one at a time."""

    def unsubscribe(self, topic: str) -> None: ...

    async def close(self) -> None: ...


def is_address(text: str) -> bool:
    """Whether a bus can be at this address."""
    scheme, found, _ = text.partition("://")
    return bool(found) and scheme in SCHEMES


async def open_bus(address: str, space: str) -> Bus:
    """The bus at ``redis://…`` (also ``rediss://…``, ``unix://…``); `BusError` if it cannot be reached.

    ``space`` keeps the notes of one database apart from those of others on the same Redis.
    """
    if not is_address(address):
        raise BusError(
            f"cannot use the bus {without_password(address)}: the address begins with redis://, rediss:// or unix://"
        )
    with needs("server"):
        from tercet.server.nodes.redis_bus import RedisBus  # noqa: PLC0415
    return await RedisBus.open(address, space)


def without_password(address: str) -> str:
    """The address as it may be shown.

    >>> without_password("redis://:secret@cache:6379/0")
    'redis://cache:6379/0'
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return "of the settings"
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()
