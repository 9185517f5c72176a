"""What a token may do, and what it is told when it may not: on every route and every socket."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from litestar.routes import HTTPRoute
from sqlalchemy import update
from websockets.asyncio.client import connect

from tercet.client import Client, ClientError, Ready, Refusal
from tercet.server.protocol import SCOPES
from tercet.server.protocol.refusals import CLOSE_CODES
from tercet.server.settings import load
from tercet.server.store import schema
from tercet.server.web.app import App
from tests.server.news.lines import Lines
from tests.server.news.people import account
from tests.server.serving import Serving, run, serving

NEW = "make a new one on the page Account, or by POST /api/tokens"
ONE_THAT_MAY = "make one that may on the page Account, or by POST /api/tokens"
NO_SUCH = (401, "bad_token", f"there is no such token; {NEW}")
OVER = (401, "token_ended", f"this token was revoked, or its time is up; {NEW}")
COOKIE_ONLY = (403, "not_by_token", "a token cannot do this; log in with a browser")


def lacks(has: str, needs: str) -> tuple[int, str, str]:
    return 403, "missing_scope", f"this token may {has}, and not {needs}; {ONE_THAT_MAY}"


#: What comes in the header Authorization, the request, and the whole answer.
CASES: list[tuple[str, str, str, Any, tuple[int, str, str]]] = [
    ("Bearer nonsense", "GET", "/api/session", None, NO_SUCH),
    ("Bearer nonsense", "GET", "/api/tables", None, NO_SUCH),
    ("Bearer nonsense", "GET", "/api/events", None, NO_SUCH),
    ("Bearer nonsense", "GET", "/api/tables/ABCDEF/stream", None, NO_SUCH),
    ("Bearer ", "GET", "/api/session", None, NO_SUCH),
    ("Bearer tercet_é", "GET", "/api/me/games", None, NO_SUCH),
    (
        "Basic QW5uOkFubg==",
        "GET",
        "/api/session",
        None,
        (401, "bad_token", "the header Authorization must be: Bearer TOKEN"),
    ),
    ("REVOKED", "GET", "/api/session", None, OVER),
    ("REVOKED", "POST", "/api/tables", {"game": "set", "seats": [{"kind": "person"}]}, OVER),
    ("REVOKED", "GET", "/api/events", None, OVER),
    ("EXPIRED", "GET", "/api/session", None, OVER),
    ("EXPIRED", "GET", "/api/tables/ABCDEF/stream", None, OVER),
    ("read", "POST", "/api/tables", {"game": "set", "seats": [{"kind": "person"}]}, lacks("read", "play")),
    ("read", "PATCH", "/api/session", {"name": "Bo"}, lacks("read", "play")),
    ("read", "POST", "/api/runs", {"kind": "sprint"}, lacks("read", "play")),
    ("read", "DELETE", "/api/tables/ABCDEF", None, lacks("read", "play")),
    ("read", "POST", "/api/challenges", {"to": "Bo", "game": "set"}, lacks("read", "challenge")),
    ("read", "POST", "/api/challenges/x/accept", None, lacks("read", "challenge")),
    ("play", "GET", "/api/me/games", None, lacks("play", "read")),
    ("play", "GET", "/api/me/export", None, lacks("play", "read")),
    ("play", "GET", "/api/tokens", None, lacks("play", "read")),
    ("challenge", "GET", "/api/tables/ABCDEF/stream", None, lacks("challenge", "read or play")),
    ("challenge", "GET", "/api/me/statistics", None, lacks("challenge", "read")),
    ("play challenge", "GET", "/api/me/runs?kind=sprint", None, lacks("play and challenge", "read")),
    ("read play challenge", "POST", "/api/tokens", {"label": "another"}, COOKIE_ONLY),
    ("read play challenge", "POST", "/api/account/bot", None, COOKIE_ONLY),
    ("read play challenge", "DELETE", "/api/sessions", None, COOKIE_ONLY),
    ("read play challenge", "DELETE", "/api/me", None, COOKIE_ONLY),
]


async def tokens(server: Serving) -> dict[str, str]:
    """The headers of the table above."""
    ann = await account(server, "Ann")
    made = {" ".join(scopes): scopes for scopes in ([s] for s in SCOPES)}
    made |= {"play challenge": ["play", "challenge"], "read play challenge": list(SCOPES)}
    headers = {name: f"Bearer {(await ann.new_token(name, scopes)).secret}" for name, scopes in made.items()}
    for name, days in (("REVOKED", None), ("EXPIRED", 1)):
        token = await ann.new_token(name, days=days)
        headers[name] = f"Bearer {token.secret}"
        if days is None:
            await ann.request("DELETE", f"/api/tokens/{token.id}")
        else:
            async with server.service.store.writing() as connection:
                mine = schema.sessions.c.id == token.id
                await connection.execute(update(schema.sessions).where(mine).values(expires_time=1))
    return headers


class Header(Client):
    """A client that sends this header."""

    def __init__(self, url: str, header: str) -> None:
        super().__init__(url)
        self._header = header

    def headers(self) -> dict[str, str]:
        return {"Authorization": self._header}


def test_each_is_told_what_is_wrong_and_what_to_do(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            known = await tokens(server)
            for header, method, path, body, (status, code, detail) in CASES:
                with pytest.raises(ClientError) as failure:
                    await Header(server.url, known.get(header, header)).request(method, path, body)
                said = (failure.value.status, failure.value.code, str(failure.value))
                assert said == (status, code, detail), (header, method, path)

    run(scenario())


def test_sockets_say_the_same(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            known = await tokens(server)
            code = await (await server.client("Bo")).create_table("set", people=2)
            table, own = f"/api/tables/{code}/socket", "/api/events/socket"
            for header, path, reason in (
                ("Bearer nonsense", table, "bad_token"),
                ("Bearer nonsense", own, "bad_token"),
                ("Basic x", own, "bad_token"),
                ("REVOKED", table, "token_ended"),
                ("EXPIRED", own, "token_ended"),
                ("challenge", table, "missing_scope"),
            ):
                address = server.url.replace("http", "ws") + path
                headers = {"Authorization": known.get(header, header)}
                async with connect(address, additional_headers=headers, proxy=None) as socket:
                    await socket.wait_closed()
                    assert (socket.close_code, socket.close_reason) == (CLOSE_CODES[reason], reason)

    run(scenario())


def test_who_may_only_read_looks_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await account(server, "Ann")
            code = await ann.create_table("set")
            token = str((await ann.new_token("eyes", ["read"])).secret)
            eyes = Client(server.url, token=token)
            async with eyes.join(code) as table:
                for doing in (table.manage(Ready()), table.say("hello")):
                    with pytest.raises(Refusal) as no:
                        await doing
                    assert no.value.data == {"code": "missing_scope", "scope": "play"}
                command = {"type": "manage", "id": "1", "command": {"do": "ready"}}
                answer = await eyes.request("POST", f"/api/tables/{code}/commands", command)
                assert answer["refusal"] == {"code": "missing_scope", "scope": "play"}
                assert not table.table.seats[0].ready

    run(scenario())


def test_every_route_of_the_api_says_what_a_token_needs() -> None:
    app = App(load(environment={}, database=":memory:"))
    for route in app.api.routes:
        if route.path.startswith("/api/") and not route.path.startswith(("/api/schema", "/api/docs")):
            assert isinstance(route, HTTPRoute)
            for handler in route.route_handlers:
                if "OPTIONS" not in handler.http_methods:
                    assert "scopes" in handler.opt, route.path


def test_a_token_of_bad_scopes_is_not_made(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await account(server, "Ann")
            bad: list[dict[str, Any]] = [
                {"scopes": []},
                {"scopes": ["everything"]},
                {"scopes": "play"},
                {"scopes": ["play"] * 11},
                {"days": 0},
                {"days": 3651},
                {"days": "soon"},
            ]
            for wanted in bad:
                with pytest.raises(ClientError) as no:
                    await ann.request("POST", "/api/tokens", {"label": "x", **wanted})
                assert no.value.code == "bad_request", wanted
            token = await ann.new_token("twice", ["play", "play", "read"], days=30)
            assert token.scopes == ("read", "play")
            assert token.expires_time == token.created_time + 30 * 86_400_000
            (listed,) = await ann.request("GET", "/api/tokens")
            assert listed["scopes"] == ["read", "play"]
            assert listed["expires_time"] == token.expires_time

    run(scenario())


def test_what_an_expired_token_opened_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tercet.server.people.signed_in.DAY_MS", 1500)

    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await account(server, "Ann")
            token = await ann.new_token("short", days=1)
            async with Lines(server.url, "/api/events", token=str(token.secret)) as lines:
                assert await lines.next("hello")
                assert await asyncio.wait_for(lines.next("bye"), 30) == {
                    "type": "bye",
                    "reason": "signed_out",
                }

    run(scenario())


def test_a_command_that_is_none_is_told_why(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            code = await ann.create_table("set")
            for body, why in (
                (
                    {"type": "dance"},
                    "that is not a message for a table: type: 'dance' is not known",
                ),
                ({"type": "pong", "number": 1}, "that is not a message for a table: say play, manage"),
                ([], "that is not a message for a table: give an object, not a list"),
                (
                    {"type": "say", "id": "1", "text": "\0"},
                    "that is not a message for a table: say play, manage",
                ),
            ):
                with pytest.raises(ClientError) as no:
                    await ann.request("POST", f"/api/tables/{code}/commands", body)
                assert (no.value.code, str(no.value)[: len(why)]) == ("bad_request", why)
            ready = {"type": "manage", "id": "1", "command": {"do": "ready"}}
            with pytest.raises(ClientError) as missing:
                await ann.request("POST", "/api/tables/NOSUCH/commands", ready)
            assert missing.value.code == "not_found"
            unknown = await ann.request(
                "POST",
                f"/api/tables/{code}/commands",
                json.loads('{"type":"play","id":"1","command":{"do":"call"}}'),
            )
            assert unknown == {"type": "refused", "id": "1", "refusal": {"code": "no_game"}}

    run(scenario())
