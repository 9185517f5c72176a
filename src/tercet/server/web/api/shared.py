"""All finished games of public tables for everybody, where the host allows it: one file of many records, sent one by one."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncGenerator
from typing import Annotated, Literal

from litestar import Controller, get
from litestar.exceptions import NotFoundException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, QueryParameter

from tercet import games, record
from tercet.server.budgets import TooMuch, over
from tercet.server.projections.queries import game_place, shared_games
from tercet.server.projections.record import find_record
from tercet.server.service import Service
from tercet.server.web.api.sending import Sending
from tercet.server.web.asking import ANY_TOKEN, Here, Where

#: Ends of games are before this, in milliseconds.
_BEYOND = 2**53

Name = Annotated[str, PathParameter(max_length=40, description="which game, as in `set`")]
Month = Annotated[
    str | None,
    QueryParameter(
        pattern=r"^2[0-9]{3}-(0[1-9]|1[0-2])$",
        description="those that ended in this month, as in 2026-11, in UTC; all without it",
    ),
]
After = Annotated[
    str | None,
    QueryParameter(
        max_length=40,
        pattern=r"^[A-Za-z0-9_-]+$",
        description="go on after the game of this id (tag Id), as when a download broke off",
    ),
]
Form = Annotated[
    str,
    QueryParameter(
        pattern="^(text|json)$", description="the form of the records: text, or json (JSON lines)"
    ),
]


class SharedApi(Controller):
    """Games for those who study them, where the host shares them."""

    path = "/api/shared"
    tags = ("shared games",)

    @get(
        "/{game:str}",
        summary="All finished games of public tables",
        opt=ANY_TOKEN,
        responses={
            200: ResponseSpec(str, description="records one after the other", media_type="text/plain")
        },
    )
    async def shared(
        self,
        where: Where,
        service: Here,
        game: Name,
        month: Month = None,
        after: After = None,
        form: Form = "text",
    ) -> Download:
        """Records, the first that ended first, as ``tercet games`` reads them. A server shares them only if its host has said so
        (``share_games``). Names of people who have deleted their account are not in them."""
        if not service.settings.share_games:
            raise NotFoundException("this server does not share its games")
        if game not in games.names():
            raise NotFoundException(f"there is no such game: {', '.join(games.names())}")
        service.rates.records.check(where, "too many records for your address; wait a minute")
        if after is not None and await game_place(service.store, after) is None:
            raise NotFoundException("no game has the id after which to go on")
        return Download(service, where, game, month, after, "json" if form == "json" else "text")


class Download(Sending):
    """Records, sent one by one as they are made."""

    def __init__(
        self,
        service: Service,
        where: str,
        game: str,
        month: str | None,
        after: str | None,
        form: Literal["text", "json"],
    ) -> None:
        super().__init__(service, where)
        self._where, self._game, self._month, self._after, self._form = where, game, month, after, form
        ending = "txt" if form == "text" else "jsonl"
        name = "-".join(["tercet", game, *([month] if month else [])])
        self.headers = [
            (b"content-type", b"text/plain; charset=utf-8" if form == "text" else b"application/x-ndjson"),
            (b"content-disposition", f'attachment; filename="{name}.{ending}"'.encode()),
        ]

    def begin(self) -> None:
        downloading, limits = self._service.rates.downloading, self._service.settings.limits
        if downloading[self._where] >= limits.downloads_per_address:
            over("downloads_per_address")
            raise TooMuch("too_fast", "another download of games is still being sent to your address")
        if downloading.total() >= limits.downloads_at_once:
            over("downloads_at_once")
            raise TooMuch("server_full", "many are downloading games just now; try again later")
        downloading[self._where] += 1

    def end(self) -> None:
        downloading = self._service.rates.downloading
        downloading[self._where] -= 1
        if not downloading[self._where]:
            del downloading[self._where]

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        service, after = self._service, self._after
        clock = service.clock
        begin, end = clock.around(*_bounds(self._month))
        await service.rooms.projector.flush()
        while page := await self.page(shared_games, service.store, self._game, begin, end, after):
            for game, time in page:
                if self._month is not None and _month_of(clock.wall(time)) != self._month:
                    continue
                if piece := await self.page(self._record, game):
                    yield piece
            after = page[-1][0]

    async def _record(self, game: str) -> bytes:
        found = await find_record(self._service.store, game, self._service.clock.wall)
        if found is None or found.result is None:
            return b""
        if self._form == "json":
            return (await asyncio.to_thread(record.write_json, found)).encode()
        return (await asyncio.to_thread(record.write, found) + "\n").encode()


def _bounds(month: str | None) -> tuple[int, int]:
    """The milliseconds between which a month lies."""
    if month is None:
        return 0, _BEYOND
    begin = dt.datetime.strptime(month, "%Y-%m").replace(tzinfo=dt.UTC)
    end = (begin + dt.timedelta(days=32)).replace(day=1)
    return int(begin.timestamp() * 1000), int(end.timestamp() * 1000)


def _month_of(wall: int) -> str:
    return dt.datetime.fromtimestamp(wall / 1000, dt.UTC).strftime("%Y-%m")
