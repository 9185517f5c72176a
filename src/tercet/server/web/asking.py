"""What a handler of the API is given: the service, who is asking, and what of the path can be relied on."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException
from litestar.handlers import BaseRouteHandler
from litestar.params import PathParameter

from tercet.server.budgets import TooMuch
from tercet.server.people.people import Visitor, check_scopes
from tercet.server.protocol import SCOPES
from tercet.server.service import Service
from tercet.server.web.sessions import address

Here = NamedDependency[Service]
Who = NamedDependency[Visitor]
#: Where the request comes from, for counting.
Where = NamedDependency[str]
#: Who is asking, if anybody knows.
Maybe = NamedDependency[Visitor | None]
Id = Annotated[str, PathParameter(max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
Code = Annotated[str, PathParameter(max_length=12, pattern=r"^[A-Za-z0-9]+$")]

#: What a token must allow for a route, one of these: its ``opt``. Every route of the API says it.
READ, PLAY, CHALLENGE = ({"scopes": (scope,)} for scope in SCOPES)
ANY_TOKEN, NO_TOKEN = {"scopes": SCOPES}, {"scopes": ()}

_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


async def provide_visitor(request: Request[Any, Any, Any], service: Here) -> Visitor:
    """Who is asking; 401 if nobody knows."""
    return known(await service.sessions.visitor(request.scope))


def known(visitor: Visitor | None) -> Visitor:
    """Who is asking; 401 if nobody knows."""
    if visitor is None:
        raise NotAuthorizedException("say who you are first: POST /api/session")
    return visitor


async def provide_maybe(request: Request[Any, Any, Any], service: Here) -> Visitor | None:
    """Who is asking, if anybody knows."""
    return await service.sessions.visitor(request.scope)


def provide_where(request: Request[Any, Any, Any]) -> str:
    return address(request.scope)


def check_misses(service: Service, where: str) -> None:
    """`TooMuch` for somebody who guesses codes or ids: cheap, before anything is looked up."""
    if service.rates.misses.is_empty(where):
        raise TooMuch("too_fast", "you have asked for too much that does not exist; wait a minute")


async def only_from_our_site(
    connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler
) -> None:
    """A page of another site may change nothing here."""
    service: Service = connection.app.state.service
    scope = connection.scope
    if scope.get("method") not in _SAFE_METHODS and not service.sessions.is_same_origin(scope):
        raise PermissionDeniedException(service.sessions.why_not(scope))


async def within_scope(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """A token does what it was made for; one that is none is told so, wherever it comes."""
    scopes = handler.opt.get("scopes")
    if scopes is None or not any(name == b"authorization" for name, _ in connection.scope["headers"]):
        return
    service: Service = connection.app.state.service
    visitor = await service.sessions.visitor(connection.scope)
    if visitor is not None:
        check_scopes(visitor, scopes)
