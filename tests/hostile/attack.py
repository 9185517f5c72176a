"""What an attack is: something that a hostile client does, within a bound on count and time, and what it is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from tests.hostile.attacker import Attacker, closing, head

Attack = Callable[[Attacker], Awaitable[str]]
#: Every attack by its name.
ATTACKS: dict[str, Attack] = {}


def attack(run: Attack) -> Attack:
    ATTACKS[run.__name__] = run
    return run


def summary(told: list[Any]) -> str:
    """How often what was told."""
    words = Counter(one if isinstance(one, str) else type(one).__name__ for one in told)
    return ", ".join(f"{word} ({times}×)" if times > 1 else word for word, times in words.most_common(4))


async def status_of(attacker: Attacker, method: str, path: str, body: Any = None, **headers: str) -> str:
    line = await attacker.line()
    async with closing([line]):
        await line.send(head(method, path, body, **headers))
        return await line.told()
