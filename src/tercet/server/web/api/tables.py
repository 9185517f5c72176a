"""Tables and games over HTTP. Playing itself goes over a table's WebSocket."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import Controller, Response, delete, get, post
from litestar.exceptions import NotFoundException
from litestar.params import JSONBody, QueryParameter

from tercet import bots, games, record
from tercet.codec import to_json
from tercet.editions import Edition, EditionError
from tercet.games import OptionsError
from tercet.server import protocol, table
from tercet.server.budgets import over
from tercet.server.ids import new_id, today
from tercet.server.people.people import PeopleError, Visitor
from tercet.server.projections import queries
from tercet.server.projections.boards import has_played
from tercet.server.projections.record import find_record
from tercet.server.projections.rows import table_row
from tercet.server.protocol import (
    CheckedEdition,
    Company,
    EditionText,
    GameInfo,
    NewTable,
    Sitting,
    TableCreated,
    TableSummary,
)
from tercet.server.service import Service
from tercet.server.store import Unavailable
from tercet.server.web.asking import ANY_TOKEN, PLAY, Code, Here, Id, Maybe, Where, Who, check_misses


class TablesApi(Controller):
    """Tables, and the games played there. Playing itself goes over a table's WebSocket."""

    path = "/api"
    tags = ("tables",)

    @get("/games", summary="What can be played", sync_to_thread=False, opt=ANY_TOKEN)
    def catalogue(self) -> list[GameInfo]:
        return [_info(name) for name in games.names()]

    @get("/tables", summary="The lobby", opt=ANY_TOKEN)
    async def lobby(self, service: Here) -> list[TableSummary]:
        """Public tables, the newest first."""
        found = await queries.lobby(service.store)
        for line in found:
            room = service.rooms.rooms.get(line.code)
            line.sitting = [] if room is None else sitting_at(room.state)
        service.clock.show(found)
        return found

    @get("/company", summary="How many people are at tables", sync_to_thread=False, opt=ANY_TOKEN)
    def company(self, service: Here) -> Company:
        """Nobody is named: not everybody at a table wants to be found."""
        return Company(service.rooms.count_people())

    @post("/tables", summary="A new table", opt=PLAY)
    async def new_table(self, service: Here, visitor: Who, data: JSONBody[NewTable]) -> TableCreated:
        visitor.check_player()
        if len(to_json(data.options)) > service.settings.limits.options_bytes:
            over("options_bytes")
            raise OptionsError("options: there is too much in them")
        service.rates.new_tables.check(visitor.id, "you make too many tables; wait a minute")
        return TableCreated((await service.rooms.create(visitor, data)).code)

    @post("/editions", summary="Check an edition", status_code=200, opt=ANY_TOKEN)
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

    @get("/tables/{code:str}", summary="A table by its code", opt=ANY_TOKEN)
    async def find_table(self, where: Where, service: Here, code: Code) -> TableSummary:
        """What somebody with the link may see before coming in."""
        check_misses(service, where)
        room = await service.rooms.find(code.upper(), just_look=True)
        if room is None:
            service.rates.misses.take(where)
            raise NotFoundException("no table has this code, or it is closed")
        found = queries.summary(table_row(room.state, room.version, 0), sitting_at(room.state))
        service.clock.show([found])
        return found

    @delete("/tables/{code:str}", summary="Close a table", opt=PLAY)
    async def close_table(self, where: Where, service: Here, visitor: Who, code: Code) -> None:
        """The table that you host, and with it the game that runs there; its seed is revealed."""
        await _order(service, where, visitor, code, protocol.Close())

    @delete("/tables/{code:str}/seat", summary="Give up a seat", opt=PLAY)
    async def leave_table(self, where: Where, service: Here, visitor: Who, code: Code) -> None:
        """Your seat at somebody's table; in a running game a bot plays on for you."""
        await _order(service, where, visitor, code, protocol.Leave())

    @get("/games/{game:str}/record", summary="The record of a game", opt=ANY_TOKEN)
    async def record(
        self,
        where: Where,
        service: Here,
        maybe: Maybe,
        game: Id,
        form: Annotated[
            str, QueryParameter(pattern="^(text|json)$", description="text or json (JSON lines)")
        ] = "text",
    ) -> Response[str]:
        """Everything that happened; after the end with the seed, so that ``tercet verify`` can check it. That of a puzzle of a day which
        is not over is for those who have played it."""
        check_misses(service, where)
        service.rates.records.check(where, "too many records for your address; wait a minute")
        async with service.rates.making_records:
            await service.rooms.projector.flush()
            found = await find_record(service.store, game, service.clock.wall, today())
            if found is None:
                service.rates.misses.take(where)
                raise NotFoundException("no game has this id")
            await _check_day(service, maybe, found)
            write, kind, ending = (
                (record.write_json, "application/x-ndjson", "jsonl")
                if form == "json"
                else (record.write, "text/plain; charset=utf-8", "txt")
            )
            text = await asyncio.to_thread(write, found)
        headers = {"Content-Disposition": f'attachment; filename="tercet-{game}.{ending}"'}
        return Response(text, media_type=kind, headers=headers)


async def _check_day(service: Service, visitor: Visitor | None, found: record.Record) -> None:
    """Whoever has not played the puzzle of a day does not learn from others how it goes."""
    kind, day = found.tags.get("Run"), found.tags.get("Day")
    if kind is None or day is None or day < today():
        return
    if visitor is None or not await has_played(service.store, visitor.id, kind, day):
        raise PeopleError("day_not_over", "the day is not over: play its puzzle first")


def sitting_at(state: table.State) -> list[Sitting]:
    """Who has a seat, for those who look from outside."""
    return [
        Sitting(number, seat.name, seat.bot, seat.program)
        for number, seat in enumerate(state.seats)
        if seat.person is not None or seat.bot is not None
    ]


async def _order(
    service: Service, where: str, visitor: Visitor, code: str, command: protocol.TableCommand
) -> None:
    """Carry out a command about a table for somebody who is not there."""
    check_misses(service, where)
    room = await service.rooms.find(code.upper())
    if room is None:
        service.rates.misses.take(where)
        raise NotFoundException("no table has this code, or it is closed")
    refusal = await room.manage(visitor, command, new_id())
    if refusal is None or refusal.code == "table_closed":
        return
    if refusal.code == "no_seat":
        raise PeopleError("no_seat", "you have no seat there")
    if refusal.code in ("not_the_host", "kicked"):
        raise PeopleError("not_the_host", "only who hosts a table closes it")
    raise Unavailable


def _info(name: str) -> GameInfo:
    rules = games.find(name).rules
    return GameInfo(
        name=name,
        title=rules.title,
        min_seats=rules.min_seats,
        max_seats=rules.max_seats,
        bots=[protocol.BotLevel(bot, about) for bot, about in bots.describe(name).items()],
        options=list(rules.options_schema()),
        review=games.has_part(name, "review"),
    )
