"""Long answers, sent a page at a time: whoever asks for very much costs the others nothing.

Each page waits in the same line as records do, and is paid by the address's work. Between two pages nothing is held:
whoever takes the answer slowly, or never, keeps nobody else from theirs.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from typing import Any, ParamSpec, TypeVar

from tercet.server.budgets import TooMuch
from tercet.server.service import Service

P = ParamSpec("P")
T = TypeVar("T")

#: Seconds until an answer looks again whether it may go on.
PAUSE = 0.25


class _Unwanted(Exception):
    """There is nobody any more to whom this might be sent: it ends in the middle."""


class Sending(ABC):
    """The answer to one request, in pieces."""

    headers: list[tuple[bytes, bytes]]

    def __init__(self, service: Service, where: str) -> None:
        self._service = service
        self._work = service.rates.work.of(where)

    @abstractmethod
    def begin(self) -> None:
        """Count this one; `TooMuch` if there are too many."""

    @abstractmethod
    def end(self) -> None:
        """It is not sent any more."""

    @abstractmethod
    def pieces(self) -> AsyncGenerator[bytes, None]:
        """What is sent, one after the other; none of them is empty."""

    async def __call__(self, _scope: Any, receive: Any, send: Any) -> None:
        self.begin()
        gone = asyncio.create_task(_until_gone(receive))
        try:
            async with aclosing(self.pieces()) as pieces:
                piece = await anext(pieces, b"")  # while it can still be said that the store is away
                await send({"type": "http.response.start", "status": 200, "headers": self.headers})
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                async for piece in pieces:
                    if gone.done():
                        return
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
        except _Unwanted:
            return
        finally:
            gone.cancel()
            self.end()

    async def is_wanted(self) -> bool:
        """Before each page: whether it may still be sent."""
        return True

    async def page(self, ask: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
        """The next page, as soon as it can be paid."""
        while True:
            if not self._work.is_empty:
                with suppress(TooMuch):
                    async with self._service.rates.making_records:
                        if not await self.is_wanted():
                            raise _Unwanted
                        return await ask(*args, **kwargs)
            await asyncio.sleep(PAUSE)


async def _until_gone(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
