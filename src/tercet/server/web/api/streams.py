"""Streams of lines (NDJSON), for programs that speak HTTP and nothing else: one's own news, and a table; commands go by POST."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import parse_qs

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.exceptions import NotFoundException
from litestar.openapi import ResponseSpec
from litestar.params import QueryParameter

from tercet.codec import reason
from tercet.games import find
from tercet.server.budgets import TooMuch, over
from tercet.server.people.people import PeopleError, Visitor
from tercet.server.protocol import Accepted, ClientMessage, Hello, Pong, Welcome
from tercet.server.protocol.words import holds_nul
from tercet.server.service import Service
from tercet.server.socket.entrance import TABLE_SCOPES, TurnedAway
from tercet.server.socket.inbox import decode
from tercet.server.socket.lines import LineSocket
from tercet.server.store import Unavailable
from tercet.server.web.asking import ANY_TOKEN, Code, Here, Where, Who, check_misses
from tercet.sets import TercetError

_LINES = "a message a line, and an empty line every few seconds"


class StreamsApi(Controller):
    """Streams that stay open, a message a line. They end with ``bye`` when the token or cookie does with which they were opened."""

    path = "/api"
    tags = ("streams",)

    @get(
        "/events",
        summary="My news",
        responses={
            200: ResponseSpec(
                Hello, description=f"{_LINES}: hello, challenge_news, game_began, game_ended, bye"
            )
        },
        opt=ANY_TOKEN,
    )
    async def events(
        self,
        where: Where,
        service: Here,
        visitor: Who,
        games: Annotated[
            str | None,
            QueryParameter(max_length=200, description="what a bot plays, by commas; else everything"),
        ] = None,
    ) -> Stream:
        """Challenges, and games that begin and end. A bot that listens here can be challenged."""
        for name in (games or "").split(","):
            if name:
                find(name)
        return Stream(service, visitor, where, None)

    @get(
        "/tables/{code:str}/stream",
        summary="A table",
        responses={200: ResponseSpec(Welcome, description=f"{_LINES}: what a table's socket says")},
        opt={"scopes": TABLE_SCOPES},
    )
    async def stream(
        self,
        where: Where,
        service: Here,
        visitor: Who,
        code: Code,
        game: Annotated[
            str | None, QueryParameter(max_length=40, description="the game of which you know something")
        ] = None,
        seen: Annotated[
            int, QueryParameter(ge=0, le=999_999_999, description="the last event that you know of it")
        ] = 0,
    ) -> Stream:
        """What a table's WebSocket says, without pings. Whoever has this open is at the table."""
        return Stream(service, visitor, where, code.upper())

    @post(
        "/tables/{code:str}/commands",
        summary="Say something at a table",
        status_code=200,
        responses={200: ResponseSpec(Accepted, description="accepted, refused or hint")},
        opt={"scopes": TABLE_SCOPES},
    )
    async def command(
        self, request: Request[Any, Any, Any], where: Where, service: Here, visitor: Who, code: Code
    ) -> Response[bytes]:
        """The body is what one would say over the WebSocket, such as ``{"type": "play", "id": "1", "command": {…}}``, and the answer is
        what one would be told: also a refusal is answered by 200."""
        check_misses(service, where)
        body = await request.body()
        if len(body) > service.settings.limits.message_bytes:
            over("message_bytes")
            raise PeopleError("too_large", "the command is too long")
        try:
            message = decode(body)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise TercetError(f"that is not a message for a table: {reason(error, ClientMessage)}") from None
        if isinstance(message, Pong) or holds_nul(body):
            raise TercetError(
                "that is not a message for a table: say play, manage, say, react, mute or ask_hint"
            )
        try:
            answer = await service.entrance.carry_out(visitor, code.upper(), message)
        except TurnedAway as away:
            raise _failure(away.reason) from None
        if answer is None:
            service.rates.misses.take(where)
            raise NotFoundException(NO_TABLE)
        return Response(answer, media_type="application/json")


NO_TABLE = "no table has this code, or it is closed"


class Stream:
    """The answer to one request, for as long as somebody reads it."""

    def __init__(self, service: Service, visitor: Visitor, where: str, code: str | None) -> None:
        self._service = service
        self._visitor = visitor
        self._where = where
        self._code = code

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        entrance = self._service.entrance
        try:
            entrance.check(self._visitor, self._where, self._code)
        except TurnedAway as away:
            raise _failure(away.reason) from None
        query = parse_qs(scope["query_string"].decode("ascii", "replace"))
        socket = LineSocket(receive, send)
        try:
            reason = await entrance.host(socket, self._visitor, self._where, self._code, query)
        finally:
            await socket.stop()
        if reason is not None and not socket.has_begun:
            raise _failure(reason)


def _failure(reason: str) -> Exception:
    match reason:
        case "kicked":
            return PeopleError("kicked", "the host of this table has sent you away")
        case "no_such_table":
            return NotFoundException(NO_TABLE)
        case "store_unavailable":
            return Unavailable()
        case "too_fast":
            return TooMuch(
                "too_fast", "you open too many streams, or ask for tables that do not exist; wait a minute"
            )
        case _:
            return TooMuch(
                "too_many",
                "too many sockets and streams are open, of yours, of your address or at this table",
            )
