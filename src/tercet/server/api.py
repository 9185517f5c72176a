"""The HTTP API: people, tables and games. Bodies and answers are the types of `tercet.server.protocol`."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, Response, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.exceptions import NotAuthorizedException, NotFoundException
from litestar.params import JSONBody, PathParameter, QueryParameter

from tercet import bots, games, record
from tercet.editions.edition import built_in_names
from tercet.server import projections, protocol
from tercet.server.forgetting import forget
from tercet.server.people import PeopleError, Visitor
from tercet.server.protocol import (
    Credentials,
    GameInfo,
    GameSummary,
    Health,
    Me,
    NewGuest,
    NewPassword,
    NewTable,
    NewToken,
    PersonalData,
    Statistics,
    TableCreated,
    TableSummary,
    Token,
)
from tercet.server.records import find_record
from tercet.server.service import Service
from tercet.server.sessions import address
from tercet.server.settings import version

Here = NamedDependency[Service]
Who = NamedDependency[Visitor]
Id = Annotated[str, PathParameter(max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
Code = Annotated[str, PathParameter(max_length=12, pattern=r"^[A-Za-z0-9]+$")]


async def provide_visitor(request: Request[Any, Any, Any], service: Here) -> Visitor:
    """Who is asking; 401 if nobody knows."""
    visitor = await service.sessions.visitor(request.scope)
    if visitor is None:
        raise NotAuthorizedException("say who you are first: POST /api/session")
    return visitor


def _me(visitor: Visitor) -> Me:
    return Me(visitor.id, visitor.name, visitor.account)


async def _with_cookie(service: Service, visitor: Visitor, status: int = 201) -> Response[Me]:
    cookie = service.sessions.cookie_header(await service.people.sign_in(visitor))
    return Response(_me(visitor), status_code=status, headers={"Set-Cookie": cookie})


class PeopleApi(Controller):
    """Guests, accounts, tokens, and one's own data."""

    path = "/api"
    tags = ("people",)

    @post("/session", summary="Come in as a guest")
    async def new_guest(
        self, request: Request[Any, Any, Any], service: Here, data: JSONBody[NewGuest]
    ) -> Response[Me]:
        """Sets the session cookie. The same browser stays the same guest; a new name renames."""
        visitor = await service.sessions.visitor(request.scope)
        if visitor is not None:
            return await _with_cookie(service, await service.people.rename(visitor, data.name))
        if not service.guests.take(address(request.scope)):
            raise PeopleError("too_fast", "too many new guests from your address; wait a minute")
        return await _with_cookie(service, await service.people.new_guest(data.name))

    @get("/session", summary="Who am I?")
    async def who_am_i(self, visitor: Who) -> Me:
        return _me(visitor)

    @patch("/session", summary="Change my name")
    async def rename(self, service: Here, visitor: Who, data: JSONBody[NewGuest]) -> Me:
        return _me(await service.people.rename(visitor, data.name))

    @delete("/session", status_code=200, summary="Go")
    async def go(self, service: Here, visitor: Who) -> Response[Me]:
        """Takes the cookie away. A guest without an account cannot come back."""
        return Response(_me(visitor), headers={"Set-Cookie": service.sessions.cookie_header(None)})

    @delete("/sessions", status_code=200, summary="Log out everywhere")
    async def go_everywhere(self, service: Here, visitor: Who) -> Response[Me]:
        await service.people.end_sessions(visitor)
        return Response(_me(visitor), headers={"Set-Cookie": service.sessions.cookie_header(None)})

    @post("/account", summary="Make the guest an account")
    async def register(
        self, request: Request[Any, Any, Any], service: Here, visitor: Who, data: JSONBody[Credentials]
    ) -> Me:
        """All games that the guest played stay. A new password has at least 8 letters."""
        if not service.guests.take(address(request.scope)):
            raise PeopleError("too_fast", "too many attempts; wait a minute")
        return _me(await service.people.register(visitor, data.name, data.password))

    @patch("/account", summary="Change my password")
    async def change_password(self, service: Here, visitor: Who, data: JSONBody[NewPassword]) -> Response[Me]:
        """Logs out everywhere else."""
        if visitor.account is not None and not service.logins.take(visitor.account.casefold()):
            raise PeopleError("too_fast", "too many attempts; wait a minute")
        await service.people.change_password(visitor, data.password, data.new_password)
        return await _with_cookie(service, visitor, status=200)

    @post("/login", summary="Log in")
    async def log_in(
        self, request: Request[Any, Any, Any], service: Here, data: JSONBody[Credentials]
    ) -> Response[Me]:
        """The account takes over the games of the guest who logs in."""
        for key in (address(request.scope), data.name.casefold()):
            if not service.logins.take(key):
                raise PeopleError("too_fast", "too many attempts; wait a minute")
        guest = await service.sessions.visitor(request.scope)
        await service.rooms.projector.flush()  # what the guest played must be written before it changes hands
        visitor = await service.people.log_in(data.name, data.password, guest)
        service.rooms.merged(dict.fromkeys(visitor.former, visitor.id))
        return await _with_cookie(service, visitor)

    @get("/me/games", summary="My games")
    async def my_games(self, service: Here, visitor: Who) -> list[GameSummary]:
        await service.rooms.projector.flush()
        return await projections.games_of(service.store, visitor.id)

    @get("/me/statistics", summary="My statistics")
    async def my_statistics(self, service: Here, visitor: Who) -> list[Statistics]:
        await service.rooms.projector.flush()
        return await projections.statistics_of(service.store, visitor.id)

    @get("/me/export", summary="All that is kept about me")
    async def export(self, service: Here, visitor: Who) -> PersonalData:
        await service.rooms.projector.flush()
        return PersonalData(
            me=_me(visitor),
            created_time=await service.people.created_time(visitor),
            tokens=await service.people.tokens(visitor),
            games=await projections.games_of(service.store, visitor.id, limit=100_000),
            statistics=await projections.statistics_of(service.store, visitor.id),
        )

    @delete("/me", status_code=200, summary="Forget me")
    async def forget_me(self, service: Here, visitor: Who) -> Response[Me]:
        """Name, account and tokens go; in the records of your games you become a nameless player."""
        await forget(service.store, service.rooms, service.people, visitor)
        return Response(_me(visitor), headers={"Set-Cookie": service.sessions.cookie_header(None)})

    @get("/tokens", summary="My tokens")
    async def tokens(self, service: Here, visitor: Who) -> list[Token]:
        return await service.people.tokens(visitor)

    @post("/tokens", summary="A token for a program")
    async def new_token(self, service: Here, visitor: Who, data: JSONBody[NewToken]) -> Token:
        """The secret is shown this once; send it as ``Authorization: Bearer …``."""
        limit = service.settings.limits.tokens_per_person
        return await service.people.new_token(visitor, data.label, limit)

    @delete("/tokens/{token:str}", status_code=200, summary="Revoke a token")
    async def revoke(self, service: Here, visitor: Who, token: Id) -> list[Token]:
        if not await service.people.revoke(visitor, token):
            raise NotFoundException("you have no such token")
        return await service.people.tokens(visitor)


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
        return await projections.lobby(service.store)

    @post("/tables", summary="A new table")
    async def new_table(self, service: Here, visitor: Who, data: JSONBody[NewTable]) -> TableCreated:
        return TableCreated((await service.rooms.create(visitor, data)).code)

    @get("/tables/{code:str}", summary="A table by its code")
    async def find_table(self, service: Here, code: Code) -> TableSummary:
        """What somebody with the link may see before coming in."""
        room = await service.rooms.find(code.upper())
        if room is None:
            raise NotFoundException("no table has this code, or it is closed")
        return projections.summary(projections.table_row(room.state))

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
    schema = msgspec.json.schema(rules.options_type, schema_hook=lambda _: {"type": ["string", "object"]})
    return GameInfo(
        name=name,  # type: ignore[arg-type]
        min_seats=rules.min_seats,
        max_seats=rules.max_seats,
        bots=[protocol.BotLevel(bot, about) for bot, about in bots.describe(name).items()],
        editions=list(built_in_names()) if name == "cubed" else [],
        options=schema,
    )


@get("/health", tags=["operations"], summary="Is the server well?")
async def health(service: Here) -> Response[Health]:
    well = await service.store.is_available()
    answer = Health(
        "ok" if well else "store_unavailable",
        version(),
        len(service.rooms.rooms),
        service.rooms.sockets,
    )
    return Response(answer, status_code=200 if well else 503)
