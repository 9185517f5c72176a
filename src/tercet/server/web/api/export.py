"""All that is kept about somebody, sent a page of games at a time: who has played very many costs the others nothing."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from tercet.codec import to_json
from tercet.server.budgets import TooMuch, over
from tercet.server.news.challenges import challenges_of
from tercet.server.people.people import Visitor
from tercet.server.projections.boards import all_runs_of
from tercet.server.projections.queries import games_of, statistics_of
from tercet.server.protocol import GameSummary, Me
from tercet.server.reviews.kept import asked_by, mark_reviewed
from tercet.server.service import Service
from tercet.server.web.api.sending import Sending


class Export(Sending):
    """The answer to one request, a `PersonalData` in pieces. Whoever has been logged out meanwhile gets no more."""

    headers = [(b"content-type", b"application/json")]  # noqa: RUF012

    def __init__(self, service: Service, visitor: Visitor, where: str) -> None:
        super().__init__(service, where)
        self._visitor = visitor

    def begin(self) -> None:
        exporting, limits = self._service.rates.exporting, self._service.settings.limits
        if exporting[self._visitor.id] >= limits.exports_per_person:
            over("exports_per_person")
            raise TooMuch("too_fast", "another export of yours is still being sent")
        exporting[self._visitor.id] += 1

    def end(self) -> None:
        exporting = self._service.rates.exporting
        exporting[self._visitor.id] -= 1
        if not exporting[self._visitor.id]:
            del exporting[self._visitor.id]

    async def is_wanted(self) -> bool:
        return not await self._service.people.signed_in.over([self._visitor.session])

    async def pieces(self) -> AsyncGenerator[bytes, None]:
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
            games = await self.page(self._games_before, games[-1].id)
        yield b'],"runs":['
        comma, after = b"", None
        while runs := await self.page(all_runs_of, service.store, visitor.id, after):
            after = runs[-1].end_time, runs[-1].game
            service.clock.show(runs)
            yield comma + to_json(runs)[1:-1]
            comma = b","
        yield b"]}"

    async def _games_before(self, game: str) -> list[GameSummary]:
        games = await games_of(self._service.store, self._visitor.id, before=game)
        await mark_reviewed(self._service.store, games)
        return games
