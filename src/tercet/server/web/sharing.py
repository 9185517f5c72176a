"""How requests share the processor: a few begin at a time, every address gets its share, and what each costs is counted."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from time import thread_time
from types import coroutine
from typing import Any

#: So many requests begin in one round of the loop. Between two rounds all that came at the tables is done.
AT_A_TIME = 2


class FairQueue:
    """Where requests wait to begin. One of each address begins before the second of any."""

    def __init__(self, at_a_time: int = AT_A_TIME) -> None:
        self._at_a_time = at_a_time
        self._begun = 0
        #: By address, whoever is next first.
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def wait(self, address: str) -> None:
        """Come back when a request of this address may begin."""
        if self._begun < self._at_a_time and not self._waiting:
            self._count()
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(place)
        await place

    def _count(self) -> None:
        self._begun += 1
        if self._begun == 1:
            asyncio.get_running_loop().call_soon(self._next_round)

    def _next_round(self) -> None:
        self._begun = 0
        while self._waiting and self._begun < self._at_a_time:
            address = next(iter(self._waiting))
            places = self._waiting.pop(address)
            place = places.popleft()
            if places:
                self._waiting[address] = places
            if not place.done():  # else nobody waits there any more
                place.set_result(None)
                self._count()


@coroutine
def metered(work: Coroutine[Any, Any, None], spend: Callable[[float], None]) -> Generator[Any, Any, None]:
    """Do this work; ``spend`` is told the seconds of processor time that each step of it took in this thread."""
    error: BaseException | None = None
    while True:
        began = thread_time()
        try:
            waits_for = work.send(None) if error is None else work.throw(error)
        except StopIteration:
            return
        finally:
            spend(thread_time() - began)
        try:
            yield waits_for
            error = None
        except GeneratorExit:
            work.close()
            raise
        except BaseException as thrown:
            error = thrown
