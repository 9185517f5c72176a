"""Tables and games over HTTP. Playing itself goes over a table's WebSocket."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller, Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import JSONBody, QueryParameter

from tercet import bots, games, record
from tercet.server import protocol
from tercet.server.projections import queries
from tercet.server.projections.record import find_record
from tercet.server.projections.rows import table_row
from tercet.server.protocol import GameInfo, NewTable, TableCreated, TableSummary
from tercet.server.web.asking import Code, Here, Id, Who


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
        return await queries.lobby(service.store)

    @post("/tables", summary="A new table")
    async def new_table(self, service: Here, visitor: Who, data: JSONBody[NewTable]) -> TableCreated:
        return TableCreated((await service.rooms.create(visitor, data)).code)

    @get("/tables/{code:str}", summary="A table by its code")
    async def find_table(self, service: Here, code: Code) -> TableSummary:
        """What somebody with the link may see before coming in."""
        room = await service.rooms.find(code.upper())
        if room is None:
            raise NotFoundException("no table has this code, or it is closed")
        return queries.summary(table_row(room.state, room.version, 0))

    @get("/games/{game:str}/record", summary="The record of a game")
    async def record(
        self,
        service: Here,
        game: Id,
        form: Annotated[
            str, QueryParameter(pattern="^(text|json)$", description="text or json (JSON lines)")
        ] = "text",
    ) -> Response[str]:
        """Everything that happened; after the end with the seed, so that ``tercet verify`` can check it."""
        await service.rooms.projector.flush()
        found = await find_record(service.store, game)
        if found is None:
            raise NotFoundException("no game has this id")
        text, kind, ending = (
            (record.write_json(found), "application/x-ndjson", "jsonl")
            if form == "json"
            else (record.write(found), "text/plain; charset=utf-8", "txt")
        )
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
