"""Tables and games over HTTP. Playing itself goes over a table's WebSocket."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import Controller, Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import JSONBody, QueryParameter

from tercet import bots, games, record
from tercet.codec import to_json
from tercet.editions import Edition, EditionError
from tercet.games import OptionsError
from tercet.server import protocol
from tercet.server.limits import over
from tercet.server.projections import queries
from tercet.server.projections.record import find_record
from tercet.server.projections.rows import table_row
from tercet.server.protocol import (
    CheckedEdition,
    EditionText,
    GameInfo,
    NewTable,
    TableCreated,
    TableSummary,
)
from tercet.server.web.asking import Code, Here, Id, Where, Who, check_misses


class TablesApi(Controller):
    """Tables, and the games played there. Playing itself goes over a table's WebSocket."""

    path = "/api"
    tags = ("tables",)

    @get("/games", summary="What can be played", sync_to_thread=False)
    def catalogue(self) -> list[GameInfo]:
        return [_info(name) for name in games.names()]

    @get("/tables", summary="The lobby")
    async def lobby(self, service: Here) -> list[TableSummary]:
        """Public tables, the newest first."""
        found = await queries.lobby(service.store)
        service.clock.show(found)
        return found

    @post("/tables", summary="A new table")
    async def new_table(self, service: Here, visitor: Who, data: JSONBody[NewTable]) -> TableCreated:
        if len(to_json(data.options)) > service.settings.limits.options_bytes:
            over("options_bytes")
            raise OptionsError("options: there is too much in them")
        service.rates.new_tables.check(visitor.id, "you make too many tables; wait a minute")
        return TableCreated((await service.rooms.create(visitor, data)).code)

    @post("/editions", summary="Check an edition", status_code=200)
    async def check_edition(self, where: Where, service: Here, data: JSONBody[EditionText]) -> CheckedEdition:
        """A board and dice of your own, to be played with: what they are, or what is wrong with them."""
        service.rates.editions.check(where, "too many editions for your address; wait a minute")
        try:
            edition = await asyncio.to_thread(Edition.read, data.text)
        except EditionError as error:
            return CheckedEdition(problem={"code": error.code, **error.details}, detail=str(error))
        whole = edition.whole()
        if len(to_json({"edition": whole})) > service.settings.limits.options_bytes:
            over("options_bytes")
            return CheckedEdition(
                problem={"code": "too_large"}, detail="the edition is too large for a table"
            )
        return CheckedEdition(edition=whole)

    @get("/tables/{code:str}", summary="A table by its code")
    async def find_table(self, where: Where, service: Here, code: Code) -> TableSummary:
        """What somebody with the link may see before coming in."""
        check_misses(service, where)
        room = await service.rooms.find(code.upper(), just_look=True)
        if room is None:
            service.rates.misses.take(where)
            raise NotFoundException("no table has this code, or it is closed")
        found = queries.summary(table_row(room.state))
        service.clock.show([found])
        return found

    @get("/games/{game:str}/record", summary="The record of a game")
    async def record(
        self,
        where: Where,
        service: Here,
        game: Id,
        form: Annotated[
            str, QueryParameter(pattern="^(text|json)$", description="text or json (JSON lines)")
        ] = "text",
    ) -> Response[str]:
        """Everything that happened; after the end with the seed, so that ``tercet verify`` can check it."""
        check_misses(service, where)
        service.rates.records.check(where, "too many records for your address; wait a minute")
        async with service.rates.making_records:
            await service.rooms.projector.flush()
            found = await find_record(service.store, game, service.clock.wall)
            if found is None:
                service.rates.misses.take(where)
                raise NotFoundException("no game has this id")
            write, kind, ending = (
                (record.write_json, "application/x-ndjson", "jsonl")
                if form == "json"
                else (record.write, "text/plain; charset=utf-8", "txt")
            )
            text = await asyncio.to_thread(write, found)
        headers = {"Content-Disposition": f'attachment; filename="tercet-{game}.{ending}"'}
        return Response(text, media_type=kind, headers=headers)


def _info(name: str) -> GameInfo:
    rules = games.find(name).rules
    return GameInfo(
        name=name,
        title=rules.title,
        min_seats=rules.min_seats,
        max_seats=rules.max_seats,
        bots=[protocol.BotLevel(bot, about) for bot, about in bots.describe(name).items()],
        options=list(rules.options_schema()),
    )
