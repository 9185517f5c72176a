"""All that is kept about somebody, sent a page of games at a time: who has played very many costs the others nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from typing import Any, TypeVar

from tercet.codec import to_json
from tercet.server.limits import TooMuch, over
from tercet.server.news.challenges import challenges_of
from tercet.server.people.people import Visitor
from tercet.server.projections.boards import all_runs_of
from tercet.server.projections.queries import games_of, statistics_of
from tercet.server.protocol import GameSummary, Me
from tercet.server.reviews.kept import asked_by, mark_reviewed
from tercet.server.service import Service

T = TypeVar("T")

#: Seconds until an export looks again whether it may go on.
PAUSE = 0.25


class _LoggedOut(Exception):
    """There is nobody any more to whom this might be sent: it ends in the middle."""


class Export:
    """The answer to one request, a `PersonalData` in pieces.

    Each page waits in the same line as records do, and is paid by the address's work. Between two pages nothing is held:
    whoever takes the answer slowly, or never, keeps nobody else from theirs.
    """

    def __init__(self, service: Service, visitor: Visitor, where: str) -> None:
        self._service = service
        self._visitor = visitor
        self._work = service.rates.work.of(where)

    async def __call__(self, _scope: Any, receive: Any, send: Any) -> None:
        exporting, limits = self._service.rates.exporting, self._service.settings.limits
        if exporting[self._visitor.id] >= limits.exports_per_person:
            over("exports_per_person")
            raise TooMuch("too_fast", "another export of yours is still being sent")
        exporting[self._visitor.id] += 1
        gone = asyncio.create_task(_until_gone(receive))
        try:
            async with aclosing(self._pieces()) as pieces:
                piece = await anext(pieces)  # while it can still be said that the store is away
                await send(
                    {
                        "type": "http.response.start",
                        "status": 200,
                        "headers": [(b"content-type", b"application/json")],
                    }
                )
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                async for piece in pieces:
                    if gone.done():
                        return
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
        except _LoggedOut:
            return
        finally:
            gone.cancel()
            exporting[self._visitor.id] -= 1
            if not exporting[self._visitor.id]:
                del exporting[self._visitor.id]

    async def _pieces(self) -> AsyncGenerator[bytes, None]:
        service, people, visitor = self._service, self._service.people, self._visitor
        async with service.rates.making_records:
            await service.rooms.projector.flush()
            tokens = await people.tokens(visitor)
            service.clock.show(tokens)
            created = service.clock.wall(await people.created_time(visitor))
            statistics = await statistics_of(service.store, visitor.id)
            reviews = await asked_by(service.store, visitor.ids)
            service.clock.show(reviews)
            challenges = await challenges_of(service.store, service.clock, visitor.ids)
            games = await games_of(service.store, visitor.id)
            await mark_reviewed(service.store, games)
        yield (
            b'{"me":%b,"created_time":%d,"tokens":%b,"statistics":%b,"reviews":%b,"challenges":%b,"games":['
            % (
                to_json(Me(visitor.id, visitor.name, visitor.account, visitor.program)),
                created,
                to_json(tokens),
                to_json(statistics),
                to_json(reviews),
                to_json(challenges),
            )
        )
        comma = b""
        while games:
            service.clock.show(games)
            yield comma + to_json(games)[1:-1]
            comma = b","
            last = games[-1].id
            games = await self._next(lambda last=last: self._games_before(last))  # type: ignore[misc]
        yield b'],"runs":['
        comma, after = b"", None
        while runs := await self._next(lambda after=after: all_runs_of(service.store, visitor.id, after)):  # type: ignore[misc]
            after = runs[-1].end_time, runs[-1].game
            service.clock.show(runs)
            yield comma + to_json(runs)[1:-1]
            comma = b","
        yield b"]}"

    async def _games_before(self, game: str) -> list[GameSummary]:
        games = await games_of(self._service.store, self._visitor.id, before=game)
        await mark_reviewed(self._service.store, games)
        return games

    async def _next(self, ask: Callable[[], Awaitable[list[T]]]) -> list[T]:
        """The next page, as soon as it can be paid. Whoever has been logged out meanwhile gets no more."""
        service, visitor = self._service, self._visitor
        while True:
            if not self._work.is_empty:
                with suppress(TooMuch):
                    async with service.rates.making_records:
                        if await service.people.signed_in.over([visitor.session]):
                            raise _LoggedOut
                        return await ask()
            await asyncio.sleep(PAUSE)


async def _until_gone(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
