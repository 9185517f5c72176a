"""The HTTP API: people, tables, headers, limits; and what Schemathesis makes of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Ok
from sqlalchemy import delete, select, update

from tercet import cards, games, record
from tercet.client import Client, ClientError, Refusal
from tercet.server.projections.rebuild import rebuild
from tercet.server.protocol import Hint, Ready, Sit
from tercet.server.store import Store, open_store, schema
from tercet.sets import find_sets
from tests.server.serving import Serving, run, serving


def fetch(url: str, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
    with build_opener(ProxyHandler({})).open(Request(url, headers=headers or {}), timeout=10) as answer:
        return answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read()


def test_the_same_browser_is_the_same_guest(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            client = await server.client("Ann")
            first = client.me
            second = await client.sign_in("Anna")
            assert first is not None
            assert (second.id, second.name) == (first.id, "Anna")
            with pytest.raises(ClientError) as unknown:
                await Client(server.url).request("GET", "/api/session")
            assert unknown.value.code == "not_signed_in"
            assert await Client(server.url).request("GET", "/api/session?or_nobody=true") is None
            for name in ("", "   ", "x" * 41, "\u200b"):
                with pytest.raises(ClientError) as bad:
                    await client.sign_in(name)
                assert bad.value.code in ("bad_request", "bad_name")

    run(scenario())


async def play_one(server: Serving, client: Client) -> str:
    """A short game alone, to its end; its id."""
    code = await client.create_table("set", options={"only": "red", "auto_deal": True})
    async with client.join(code) as table:
        await table.manage(Ready())
        await table.until(lambda: table.game is not None)
        while not table.is_over:
            await table.play(cards.Call(0))
            await table.play(cards.Show(0, find_sets(table.state.table)[0]))
        await table.until(lambda: table.table.last is not None)
        assert table.game is not None
        return table.game


def test_an_account_takes_over_the_guests_games(database: str) -> None:
    async def scenario() -> None:
        async with serving(database) as server:
            ann = await server.client("Ann")
            first = await play_one(server, ann)
            credentials = {"name": "Ann", "password": "correct horse"}
            me = await ann.request("POST", "/api/account", credentials)
            assert me["account"] == "Ann"
            assert [game.id for game in await ann.my_games()] == [first]

            elsewhere = await server.client("Somebody")
            second = await play_one(server, elsewhere)
            running = await elsewhere.create_table("set", bots=["beginner"])
            async with elsewhere.join(running) as table:
                await table.manage(Ready())
                await table.until(lambda: table.game is not None)
            await elsewhere.log_in("ann", "correct horse")
            while not {game.id for game in await elsewhere.my_games()} >= {first, second}:
                await asyncio.sleep(0.05)  # lists follow the log, a moment later
            async with elsewhere.join(running) as table:
                assert table.seat == 0  # the seat that the guest had taken
                await table.play(cards.Call(0))
            (statistics,) = await elsewhere.request("GET", "/api/me/statistics")
            assert (statistics["games"], statistics["wins"]) == (2, 2)
            assert statistics["sets"] == statistics["points"] > 10

    run(scenario())


async def refusal(asked: Awaitable[Any]) -> str:
    with pytest.raises(ClientError) as refused:
        await asked
    return refused.value.code


def test_why_there_is_no_account(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")

            def register(client: Client, name: str, password: str) -> Awaitable[Any]:
                return client.request("POST", "/api/account", {"name": name, "password": password})

            assert await refusal(register(ann, "Ann", "7letter")) == "password_too_short"
            assert await refusal(register(ann, " \u200b", "correct horse")) == "bad_name"
            await register(ann, "Ann", "correct horse")
            assert await refusal(register(ann, "Anna", "correct horse")) == "registered_already"
            assert await refusal(register(bo, "  ANN ", "battery staple")) == "name_taken"
            assert await refusal(bo.log_in("Ann", "short")) == "wrong_password"
            assert await refusal(bo.log_in("Nobody", "correct horse")) == "wrong_password"

    run(scenario())


def test_a_new_password_ends_all_other_sessions(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")

            def change(old: str, new: str) -> Awaitable[Any]:
                return ann.request("PATCH", "/api/account", {"password": old, "new_password": new})

            assert await refusal(change("anything", "battery staple")) == "no_account"
            await ann.request("POST", "/api/account", {"name": "Ann", "password": "correct horse"})
            elsewhere = Client(server.url)
            await elsewhere.log_in("Ann", "correct horse")
            assert await refusal(change("wrong horse", "battery staple")) == "wrong_old_password"
            assert await refusal(change("correct horse", "short")) == "password_too_short"
            await change("correct horse", "battery staple")
            assert (await ann.request("GET", "/api/session"))["account"] == "Ann"
            assert await refusal(elsewhere.request("GET", "/api/session")) == "not_signed_in"
            assert await refusal(elsewhere.log_in("Ann", "correct horse")) == "wrong_password"
            await elsewhere.log_in("Ann", "battery staple")

    run(scenario())


def test_export_and_deletion_of_ones_own_data(database: str) -> None:
    async def scenario() -> None:
        async with serving(database) as server:
            ann = await server.client("Ann Unmistakable")
            bo = await server.client("Bo")
            code = await ann.create_table(
                "set", people=2, options={"only": "red", "auto_deal": True, "rounds": 1}
            )
            async with ann.join(code) as first, bo.join(code) as second:
                await second.manage(Sit())
                await asyncio.gather(first.manage(Ready()), second.manage(Ready()))
                await second.until(lambda: second.game is not None)
                while not second.is_over:
                    await second.play(cards.Call(1))
                    await second.play(cards.Show(1, find_sets(second.state.table)[0]))
                await second.until(lambda: second.table.last is not None)
            exported = await ann.request("GET", "/api/me/export")
            assert exported["me"]["name"] == "Ann Unmistakable"
            assert len(exported["games"]) == 1
            await ann.request("DELETE", "/api/me")
            with pytest.raises(ClientError):
                await ann.request("GET", "/api/session")
            (game,) = await bo.my_games()
            assert [player.name for player in game.players] == ["Player 1", "Bo"]
            text = await bo.record(game.id)
            assert "Unmistakable" not in text
            assert record.verify(record.read(text)) is None
            assert record.read(text).seal is not None
            assert "Unmistakable" not in json.dumps(await bo.request("GET", "/api/me/export"))

    run(scenario())


def test_tokens_act_for_an_account_until_revoked(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            token = await ann.new_token("my robot")
            robot = Client(server.url, token=str(token.secret))
            assert (await robot.request("GET", "/api/session"))["name"] == "Ann"
            code = await robot.create_table("set", bots=["casual"])
            async with robot.join(code) as table:
                assert table.you.name == "Ann"
            listed = await ann.request("GET", "/api/tokens")
            assert [(found["label"], "secret" in found) for found in listed] == [("my robot", False)]
            await ann.request("DELETE", f"/api/tokens/{token.id}")
            with pytest.raises(ClientError):
                await robot.request("GET", "/api/session")

    run(scenario())


def test_tables_that_cannot_be(tmp_path: Path) -> None:
    person, bot = {"kind": "person"}, {"kind": "bot", "bot": "casual"}
    wrong: list[dict[str, Any]] = [
        {"game": "chess", "seats": [person]},
        {"game": "set", "seats": []},
        {"game": "set", "seats": [person] * 9},
        {"game": "cubed", "seats": [person]},
        {"game": "set", "seats": [bot]},
        {"game": "set", "seats": [person, {"kind": "bot", "bot": "nobody"}]},
        {"game": "set", "seats": [person], "options": {"table": 9}},
        {"game": "set", "seats": [person], "options": {"show_seconds": 1}},
        {"game": "set", "seats": [person], "options": {"nonsense": 1}},
        {"game": "cubed", "seats": [person, person], "options": {"edition": "none"}},
        {"game": "cubed", "seats": [person, person], "options": {"edition": {"size": [3, 3]}}},
        {"game": "set", "seats": [person], "nonsense": True},
        {},
    ]

    async def scenario() -> None:
        async with serving(tmp_path / "t.db", limits={"tables_per_person": 2}) as server:
            ann = await server.client("Ann")
            for body in wrong:
                with pytest.raises(ClientError) as refused:
                    await ann.request("POST", "/api/tables", body)
                assert refused.value.code in ("bad_request", "no_seat"), body
            with pytest.raises(
                ClientError, match=f"no game is called 'chess'; there are {', '.join(games.names())}"
            ):
                await ann.create_table("chess")
            for _ in range(2):
                await ann.create_table("set")
            with pytest.raises(ClientError) as many:
                await ann.create_table("set")
            assert many.value.code == "too_many_tables"

    run(scenario())


def test_the_lobby_shows_public_tables_only(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            await ann.create_table("set")
            public = await ann.create_table("set", public=True, people=2, bots=["quick"])
            (found,) = await ann.lobby()
            assert (found.code, found.host, found.seats, found.open_seats) == (public, "Ann", 3, 1)
            assert [(one.seat, one.name, one.bot) for one in found.sitting] == [
                (0, "Ann", None),
                (2, "Quick", "quick"),
            ]
            nobody = Client(server.url)
            assert (await nobody.request("GET", f"/api/tables/{public.lower()}"))["code"] == public
            with pytest.raises(ClientError) as missing:
                await nobody.request("GET", "/api/tables/XXXXXX")
            assert missing.value.code == "not_found"

    run(scenario())


def test_company_counts_who_is_at_a_table_and_names_nobody(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann, ben = await server.client("Ann"), await server.client("Ben")
            nobody = Client(server.url)
            assert await nobody.request("GET", "/api/company") == {"people": 0}
            code = await ann.create_table("set", people=2)
            async with ann.join(code), ann.join(code), ben.join(code):
                assert await nobody.request("GET", "/api/company") == {"people": 2}

    run(scenario())


def test_the_name_of_a_bot_is_without_how_it_plays(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            await ann.create_table("set", public=True, bots=["beginner:gentle"])
            (found,) = await ann.lobby()
            assert [(one.name, one.bot) for one in found.sitting] == [
                ("Ann", None),
                ("Beginner", "beginner:gentle"),
            ]

    run(scenario())


def test_hints_are_for_practice(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            for practice in (False, True):
                code = await ann.create_table("set", practice=practice, options={"auto_deal": True})
                async with ann.join(code) as table:
                    await table.manage(Ready())
                    await table.until(lambda: table.game is not None)
                    heard: list[Any] = []
                    table.listeners.append(heard.append)
                    asked = table._ask({"type": "ask_hint", "strength": 2})
                    if practice:
                        task = asyncio.create_task(asked)
                        await table.until(lambda: any(isinstance(message, Hint) for message in heard))  # noqa: B023
                        task.cancel()
                        (hint,) = [message for message in heard if isinstance(message, Hint)]
                        assert len(hint.hint["cards"]) == 2
                        assert any(
                            set(hint.hint["cards"]) <= set(map(str, three))
                            for three in find_sets(table.state.table)
                        )
                    else:
                        with pytest.raises(Refusal, match="not_practice"):
                            await asked

    run(scenario())


def test_headers_health_and_metrics(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            for path in (
                "/",
                "/t/ABCDEF",
                "/api/games",
                "/health",
                "/metrics",
                "/api/docs",
                "/api/schema/openapi.json",
            ):
                status, headers, body = await asyncio.to_thread(fetch, server.url + path)
                assert status == 200
                assert body
                policy = headers["content-security-policy"]
                assert "script-src 'self'" in policy
                assert "unsafe-eval" not in policy
                assert headers["x-content-type-options"] == "nosniff"
                assert "server" not in headers or "uvicorn" in headers["server"]
            _, headers, _ = await asyncio.to_thread(fetch, server.url + "/")
            etag = headers["etag"]
            assert etag
            ann = await server.client("Ann")
            cookie = ann.headers()["Cookie"]
            assert cookie.startswith("tercet=")
            metrics = (await asyncio.to_thread(fetch, server.url + "/metrics"))[2].decode()
            assert "tercet_tables" in metrics
            assert "Ann" not in metrics

    run(scenario())


@pytest.mark.parametrize(
    ("path", "body", "headers", "status", "code"),
    [
        ("/api/session", b"[" * 50_000, {}, 400, "bad_request"),
        ("/api/session", b'{"name":' * 5_000, {}, 400, "bad_request"),
        ("/api/session", b"", {}, 400, "bad_request"),
        ("/api/session", b'{"name":"\xff\xfe"}', {}, 400, "bad_request"),
        ("/api/session", b"x" * 70_000, {}, 413, "too_large"),
        ("/api/session", b'{"name":"Ann"}', {"Origin": "http://["}, 403, "other_origin"),
        ("/metrics", b"", {}, 405, "wrong_method"),
        ("/api/docs", b"", {}, 405, "wrong_method"),
    ],
)
def test_hostile_requests_get_a_plain_answer(
    tmp_path: Path, path: str, body: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            kind = {"Content-Type": "application/json"}
            request = Request(server.url + path, body, kind | headers, method="POST")
            with pytest.raises(HTTPError) as failed:
                await asyncio.to_thread(build_opener(ProxyHandler({})).open, request, timeout=10)
            with failed.value as answer:
                assert answer.code == status
                assert json.loads(answer.read())["code"] == code
                assert answer.headers["x-content-type-options"] == "nosniff"

    run(scenario())


def test_the_session_cookie_is_out_of_reach_for_scripts_and_other_sites(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", secure=True) as server:
            request = Request(
                server.url + "/api/session",
                b'{"name":"Ann"}',
                {"Content-Type": "application/json"},
                method="POST",
            )

            def post() -> str:
                with build_opener(ProxyHandler({})).open(request, timeout=10) as answer:
                    return str(answer.headers["Set-Cookie"])

            cookie = await asyncio.to_thread(post)
            assert {"HttpOnly", "SameSite=Lax", "Secure", "Path=/"} <= set(cookie.split("; "))

    run(scenario())


def test_logins_are_slowed_down(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", limits={"logins_per_minute": 3}) as server:
            codes = []
            for _ in range(5):
                with pytest.raises(ClientError) as refused:
                    await Client(server.url).log_in("Ann", "wrong password")
                codes.append(refused.value.code)
            assert codes == ["wrong_password"] * 3 + ["too_fast"] * 2

    run(scenario())


async def rows(store: Store) -> list[list[Any]]:
    """All that is projected."""
    async with store.reading() as connection:
        found = []
        for projection in (schema.tables, schema.games, schema.players, schema.sums):
            kept = [column for column in projection.c if column.name != "changed_time"]
            query = select(*kept).order_by(*projection.primary_key.columns)
            found.append([tuple(row) for row in await connection.execute(query)])
        return found


def test_rebuilding_the_projections_changes_nothing(database: str) -> None:
    async def scenario() -> None:
        async with serving(database) as server:
            ann = await server.client("Ann")
            await play_one(server, ann)
            code = await ann.create_table("cubed", people=1, bots=["greedy"])
            async with ann.join(code) as table:
                await table.manage(Ready())
                await table.until(lambda: table.game is not None)
        store = await open_store(database)
        before = await rows(store)
        assert await rebuild(store) == (2, 2, [])
        assert await rows(store) == before
        await store.close()

    run(scenario())


def test_an_end_that_a_crash_kept_from_being_written_is_written_at_the_next_start(database: str) -> None:
    async def scenario() -> None:
        async with serving(database) as server:
            await play_one(server, await server.client("Ann"))
        store = await open_store(database)
        right = await rows(store)
        async with store.writing() as connection:
            await connection.execute(update(schema.tables).values(phase="playing"))
            await connection.execute(update(schema.games).values(end_time=None))
            await connection.execute(update(schema.players).values(points=None, won=False, sets=0))
            await connection.execute(delete(schema.sums))
        async with serving(database):
            while await rows(store) != right:
                await asyncio.sleep(0.05)
        await store.close()

    run(scenario())


@pytest.mark.parametrize("examples", [8, pytest.param(200, marks=pytest.mark.long)])
def test_schemathesis_finds_no_server_error(tmp_path: Path, examples: int) -> None:
    async def scenario() -> None:
        limits = {"guests_per_minute": 1e6, "logins_per_minute": 2, "tables_per_person": 30}
        async with serving(tmp_path / "t.db", limits=limits) as server:
            ann = await server.client("Ann")
            await asyncio.to_thread(check_all, server.url, ann.headers()["Cookie"])

    def check_all(url: str, cookie: str) -> None:
        described = schemathesis.openapi.from_url(f"{url}/api/schema/openapi.json")
        for result in described.get_all_operations():
            assert isinstance(result, Ok)
            operation = result.ok()
            if operation.method.lower() == "delete" and operation.path in ("/api/me", "/api/sessions"):
                continue  # they would end the session that the others need
            if operation.path == "/api/events":
                continue  # its answer has no end

            @settings(
                max_examples=examples,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                database=None,
                derandomize=True,
            )
            @given(case=operation.as_strategy())
            def check(case: Any) -> None:
                answer = case.call(headers={"Cookie": cookie})
                assert answer.status_code < 500, (case, answer.text)

            check()

    run(scenario(), seconds=40 * examples)
