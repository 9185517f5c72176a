"""Names that nobody else has, and the time."""

from __future__ import annotations

import secrets
import time
from datetime import UTC, datetime

#: No vowels and nothing that looks like something else, so that a code is easy to say and spells nothing.
CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ23456789"
CODE_LENGTH = 6

#: What the monotonic clock lacks to the server's time; until `set_time` that is the machine's.
_started = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000


def new_id() -> str:
    """An id that nobody can guess."""
    return secrets.token_urlsafe(12)


def new_game_id() -> str:
    """An id that nobody can guess, and that comes after those of earlier games: then the lines of new games, which are
    many, are written side by side."""
    return f"{int(now_ms()):011x}{new_id()}"


def new_code() -> str:
    """A table's code, such as ``K7QXRM``."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def new_seed() -> str:
    """A seed for a game."""
    return secrets.token_hex(32)


def set_time(now: int) -> None:
    """From now on the server's time goes on from here (`tercet.server.clock`)."""
    global _started  # noqa: PLW0603
    _started = now - time.monotonic_ns() // 1_000_000


def now_ms() -> float:
    """Milliseconds since 1970 on the server's own clock, which never goes back."""
    return _started + time.monotonic_ns() / 1_000_000


def today() -> str:
    """The day in UTC, by the clock on the wall."""
    return datetime.now(UTC).date().isoformat()
