"""People over HTTP: guests, accounts, tokens, and one's own data."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Controller, Request, Response, delete, get, patch, post
from litestar.exceptions import NotFoundException
from litestar.openapi import ResponseSpec
from litestar.params import JSONBody, QueryParameter

from tercet.server.logged.table import seated_at
from tercet.server.people.erasure import erase
from tercet.server.people.people import PeopleError, Visitor, account_key, check_scopes
from tercet.server.projections.queries import PAGE, games_of, mark_running, statistics_of, waiting_tables
from tercet.server.protocol import (
    Credentials,
    GameSummary,
    Me,
    NewGuest,
    NewPassword,
    NewToken,
    PersonalData,
    Statistics,
    TableSummary,
    Token,
)
from tercet.server.reviews.kept import mark_reviewed
from tercet.server.service import Service
from tercet.server.web.api.export import Export
from tercet.server.web.asking import ANY_TOKEN, NO_TOKEN, PLAY, READ, Here, Id, Maybe, Where, Who, known
from tercet.server.web.sessions import address


def _me(visitor: Visitor) -> Me:
    return Me(visitor.id, visitor.name, visitor.account, visitor.program)


async def _with_cookie(service: Service, visitor: Visitor) -> Response[Me]:
    cookie = service.sessions.cookie_header(await service.people.sign_in(visitor))
    return Response(_me(visitor), status_code=201, headers={"Set-Cookie": cookie})


async def _tokens(service: Service, visitor: Visitor) -> list[Token]:
    found = await service.people.tokens(visitor)
    service.clock.show(found)
    return found


class PeopleApi(Controller):
    """Guests, accounts, tokens, and one's own data."""

    path = "/api"
    tags = ("people",)

    @post("/session", summary="Come in as a guest", opt=PLAY)
    async def new_guest(
        self, request: Request[Any, Any, Any], service: Here, data: JSONBody[NewGuest]
    ) -> Response[Me]:
        """Sets the session cookie. The same browser stays the same guest; a new name renames. A token gets no cookie."""
        visitor = await service.sessions.visitor(request.scope)
        if visitor is not None:
            visitor = await service.people.rename(visitor, data.name)
            cookie = None if visitor.by_token else service.sessions.cookie(request.scope)
            kept = {"Set-Cookie": service.sessions.cookie_header(cookie)} if cookie else {}
            return Response(_me(visitor), status_code=201, headers=kept)
        if not service.guests.take(address(request.scope)):
            raise PeopleError("too_fast", "too many new guests from your address; wait a minute")
        return await _with_cookie(service, await service.people.new_guest(data.name))

    @get("/session", summary="Who am I?", opt=ANY_TOKEN)
    async def who_am_i(
        self,
        maybe: Maybe,
        or_nobody: Annotated[bool, QueryParameter(description="answer null if nobody knows you")] = False,
    ) -> Me | None:
        """A page asks for null: what fails would stand in the browser's console."""
        return None if maybe is None and or_nobody else _me(known(maybe))

    @patch("/session", summary="Change my name", opt=PLAY)
    async def rename(self, service: Here, visitor: Who, data: JSONBody[NewGuest]) -> Me:
        return _me(await service.people.rename(visitor, data.name))

    @delete("/session", status_code=200, summary="Go", opt=ANY_TOKEN)
    async def go(self, service: Here, visitor: Who) -> Response[Me]:
        """Ends this session. A guest without an account cannot come back."""
        await service.people.end_session(visitor)
        return Response(_me(visitor), headers={"Set-Cookie": service.sessions.cookie_header(None)})

    @delete("/sessions", status_code=200, summary="Log out everywhere", opt=NO_TOKEN)
    async def go_everywhere(self, service: Here, visitor: Who) -> Response[Me]:
        """Ends all sessions, those of programs too: every token is revoked."""
        await service.people.end_sessions(visitor)
        return Response(_me(visitor), headers={"Set-Cookie": service.sessions.cookie_header(None)})

    @post("/account", summary="Make the guest an account", opt=NO_TOKEN)
    async def register(
        self, request: Request[Any, Any, Any], service: Here, visitor: Who, data: JSONBody[Credentials]
    ) -> Response[Me]:
        """All games that the guest played stay. A new password has at least 8 letters. Sets a new session cookie: the
        guest's own sessions and tokens end."""
        if not service.guests.take(address(request.scope)):
            raise PeopleError("too_fast", "too many attempts; wait a minute")
        async with service.rates.checking_passwords:
            registered = await service.people.register(visitor, data.name, data.password)
        return await _with_cookie(service, registered)

    @patch("/account", summary="Change my password", opt=NO_TOKEN)
    async def change_password(
        self, request: Request[Any, Any, Any], service: Here, visitor: Who, data: JSONBody[NewPassword]
    ) -> Me:
        """Logs out everywhere else, and revokes all tokens."""
        if visitor.account is not None and not service.logins.may_try(
            visitor.account, address(request.scope), visitor.session
        ):
            raise PeopleError("too_fast", "too many attempts; wait a minute")
        async with service.rates.checking_passwords:
            await service.people.change_password(visitor, data.password, data.new_password)
        return _me(visitor)

    @post("/account/bot", summary="Make the account a bot's", status_code=200, opt=NO_TOKEN)
    async def become_bot(self, service: Here, visitor: Who) -> Me:
        """For good: from then on it plays by tokens alone, is shown as a bot, and is on no board. Only for an account that nobody has
        played with and that has no seat."""
        await service.rooms.projector.flush()
        await service.people.check_unplayed(visitor)
        for person in visitor.ids:
            async for codes in seated_at(service.store, person, PAGE):
                for code in codes:
                    room = await service.rooms.find(code)
                    if room is not None and room.identity(visitor) in room.state.people():
                        raise PeopleError("seated_already", f"give up your seat at table {code} first")
        return _me(await service.people.become_program(visitor))

    @post("/login", summary="Log in", opt=ANY_TOKEN)
    async def log_in(
        self, request: Request[Any, Any, Any], service: Here, data: JSONBody[Credentials]
    ) -> Response[Me]:
        """The account takes over the games of the guest who logs in."""
        guest = await service.sessions.visitor(request.scope)
        if guest is not None and guest.by_token:
            guest = None
        is_own = guest is not None and guest.account and account_key(guest.account) == account_key(data.name)
        session = guest.session if guest is not None and is_own else None
        if not service.logins.may_try(data.name, address(request.scope), session):
            raise PeopleError("too_fast", "too many attempts; wait a minute")
        await service.rooms.projector.flush()  # what the guest played must be written before it changes hands
        try:
            async with service.rates.checking_passwords:
                visitor = await service.people.log_in(data.name, data.password, guest)
        except PeopleError:
            service.logins.failed(data.name)
            raise
        service.logins.succeeded(data.name, address(request.scope))
        return await _with_cookie(service, visitor)

    @get("/me/games", summary="My games", opt=READ)
    async def my_games(
        self,
        service: Here,
        visitor: Who,
        before: Annotated[
            str | None,
            QueryParameter(max_length=40, description="the id of the last game that is known already"),
        ] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=200, description="how many at most")] = PAGE,
        running: Annotated[bool, QueryParameter(description="only games that still go on")] = False,
    ) -> list[GameSummary]:
        """The latest first, a page at a time: ask for those ``before`` the last one for the next page."""
        await service.rooms.projector.flush()
        found = await games_of(service.store, visitor.id, limit, before, running=running)
        await mark_running(service.store, found, visitor.ids)
        await mark_reviewed(service.store, found)
        service.clock.show(found)
        return found

    @get("/me/tables", summary="My tables that wait", opt=READ)
    async def my_tables(self, service: Here, visitor: Who) -> list[TableSummary]:
        """Tables that you host and at which no game has begun yet, the newest first, listed ones or not."""
        await service.rooms.projector.flush()
        found = await waiting_tables(service.store, visitor.ids)
        service.clock.show(found)
        return found

    @get("/me/statistics", summary="My statistics", opt=READ)
    async def my_statistics(self, service: Here, visitor: Who) -> list[Statistics]:
        await service.rooms.projector.flush()
        return await statistics_of(service.store, visitor.id)

    @get(
        "/me/export",
        summary="All that is kept about me",
        responses={200: ResponseSpec(PersonalData, description="sent in pieces")},
        opt=READ,
    )
    async def export(self, where: Where, service: Here, visitor: Who) -> Export:
        service.rates.records.check(where, "too many exports; wait a minute")
        return Export(service, visitor, where)

    @delete("/me", status_code=200, summary="Forget me", opt=NO_TOKEN)
    async def forget_me(self, service: Here, visitor: Who) -> Response[Me]:
        """Name, account and tokens go; in the records of your games you become a nameless player."""
        await erase(service.store, service.rooms, service.people, visitor)
        return Response(_me(visitor), headers={"Set-Cookie": service.sessions.cookie_header(None)})

    @get("/tokens", summary="My tokens", opt=READ)
    async def tokens(self, service: Here, visitor: Who) -> list[Token]:
        return await _tokens(service, visitor)

    @post("/tokens", summary="A token for a program", opt=NO_TOKEN)
    async def new_token(self, service: Here, visitor: Who, data: JSONBody[NewToken]) -> Token:
        """It may do what its scopes say. The secret is shown this once; send it as ``Authorization: Bearer …``. A token makes no other tokens and no
        cookies, and does not change the account."""
        limit = service.settings.limits.tokens_per_person
        token = await service.people.new_token(visitor, data.label, limit, data.scopes, data.days)
        service.clock.show([token])
        return token

    @delete("/tokens/{token:str}", status_code=200, summary="Revoke a token", opt=ANY_TOKEN)
    async def revoke(self, service: Here, visitor: Who, token: Id) -> list[Token]:
        """Ends it at once, with all sockets and streams that it has opened."""
        if token != visitor.session:
            check_scopes(visitor, ())
        if not await service.people.revoke(visitor, token):
            raise NotFoundException("you have no such token")
        return await _tokens(service, visitor)
