"""One at a time, in the order in which they came."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import TypeVarTuple

Ts = TypeVarTuple("Ts")


class Turnstile:
    """A lock for callbacks and for coroutines (``async with``) alike.

    >>> turnstile, seen = Turnstile(), []
    >>> turnstile.enter(lambda: seen.append("first"))
    >>> turnstile.enter(lambda: seen.append("second"))
    >>> seen
    ['first']
    >>> turnstile.leave()
    >>> seen
    ['first', 'second']
    """

    __slots__ = ("_is_letting_in", "_taken", "_waiting")

    def __init__(self) -> None:
        self._taken = False
        self._is_letting_in = False
        self._waiting: deque[Callable[[], None]] = deque()

    def enter(self, go: Callable[[*Ts], None], *args: *Ts) -> None:
        """Call this as soon as nobody is in; whoever goes in must `leave`, then or later."""
        if self._taken:
            self._waiting.append(partial(go, *args))
        else:
            self._taken = True
            go(*args)

    def leave(self) -> None:
        """Let the next one in."""
        self._taken = False
        if (
            self._is_letting_in
        ):  # who goes in may leave at once: then the loop below goes on, and none begins inside
            return
        self._is_letting_in = True
        try:
            while self._waiting and not self._taken:
                self._taken = True
                self._waiting.popleft()()
        finally:
            self._is_letting_in = False

    async def __aenter__(self) -> None:
        if not self._taken:
            self._taken = True
            return
        inside: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def go() -> None:
            if inside.cancelled():
                self.leave()
            else:
                inside.set_result(None)

        self._waiting.append(go)
        try:
            await inside
        except asyncio.CancelledError:
            if not inside.cancelled():  # cancelled when already in
                self.leave()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()
