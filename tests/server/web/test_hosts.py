"""By which names the server may be called (DNS rebinding), and which pages may use it (Origin)."""

from __future__ import annotations

import asyncio
import http.client
import json
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tercet.server.settings import SettingsError, load
from tercet.server.web import wrong_name
from tests.server.serving import run, serving

WEB = Path(__file__).parents[3] / "web"


def ask(
    url: str, host: str, headers: dict[str, str] | None = None, path: str = "/api/session"
) -> tuple[int, Any]:
    """The status of a request under this name, and its code if it failed."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    sent = {"Content-Type": "application/json", "Host": host, **(headers or {})}
    connection.request("POST" if path == "/api/session" else "GET", path, json.dumps({"name": "Ann"}), sent)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    try:
        return answer.status, json.loads(content).get("code")
    except ValueError:
        return answer.status, None


def test_only_names_of_this_server_are_answered(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", hosts=("club.example",)) as server:
            port = urlsplit(server.url).port

            async def status(host: str, **more: Any) -> tuple[int, Any]:
                return await asyncio.to_thread(ask, server.url, host, **more)

            for host in (
                f"127.0.0.1:{port}",
                "localhost",
                "192.168.1.7:8000",
                "[::1]",
                "Club.Example",
                "club.example:80",
            ):
                assert (await status(host))[0] == 201, host
            for host in (
                "evil.example",
                f"evil.example:{port}",
                "club.example.evil.example",
                "127.0.0.1.evil.example",
            ):
                for path in ("/api/session", "/", "/api/docs", "/api/tables", "/metrics"):
                    assert await status(host, path=path) == (421, "wrong_host"), (host, path)
                assert (await status(host, path="/health"))[0] == 200
            address = f"ws://127.0.0.1:{port}/api/tables/ABCDEF/socket"
            async with connect(address, additional_headers={"Host": "evil.example"}, proxy=None) as socket:
                with pytest.raises(ConnectionClosed):
                    await socket.recv()
                assert (socket.close_code, socket.close_reason) in (
                    (4421, "wrong_host"),
                    (4401, "not_signed_in"),
                )

    run(scenario())


def answered(url: str, method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, str]:
    parts = urlsplit(url)
    assert parts.hostname is not None
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)) as connection:
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


OTHER_ORIGIN = (
    "a page at 'https://club.example' may not use this server, which was called '127.0.0.1:8000': let the"
    " proxy pass on Host and X-Forwarded-Proto, or set TERCET_ORIGINS"
)
WRONG_HOST = (
    "this server does not know that name; if it is yours, say so in its settings:"
    " hosts = ['club.example'], or TERCET_HOSTS=club.example"
)


def test_whoever_is_turned_away_is_told_what_must_be_set(tmp_path: Path) -> None:
    """Programs in exact words; browsers by a page in their language, as the site says it."""

    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            for headers, failure in (
                (
                    {"Host": "127.0.0.1:8000", "Origin": "https://club.example"},
                    ("other_origin", OTHER_ORIGIN),
                ),
                ({"Host": "club.example"}, ("wrong_host", WRONG_HOST)),
            ):
                _, text = await asyncio.to_thread(
                    answered, server.url, "POST", "/api/session", '{"name": "Ann"}', **headers
                )
                assert (json.loads(text)["code"], json.loads(text)["detail"]) == failure
            for language, sentence in wrong_name.SENTENCES.items():
                texts = json.loads((WEB / "messages" / f"{language}.json").read_text("utf-8"))
                assert sentence == texts["failed_wrong_host"], language
                status, text = await asyncio.to_thread(
                    answered,
                    server.url,
                    "GET",
                    "/t/ABCDEF",
                    Host="<b>.example:80",
                    Accept="text/html,*/*;q=0.8",
                    Accept_Language=f"{language}-XX,en;q=0.5",
                )
                said = sentence.format(
                    host='<code dir="ltr">&lt;b&gt;.example</code>',
                    setting='<code dir="ltr">TERCET_HOSTS=&lt;b&gt;.example</code>',
                )
                assert (status, said in text, f'<html lang="{language}"' in text) == (421, True, True), text

    run(scenario())


def test_a_star_lets_any_name_in(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", hosts=("*",)) as server:
            assert (await asyncio.to_thread(ask, server.url, "any.example"))[0] == 201

    run(scenario())


@pytest.mark.parametrize(
    "wrong", ["https://club.example", "club.example:80", "Club.example", "", "*.example"]
)
def test_a_name_is_written_as_a_name(wrong: str) -> None:
    with pytest.raises(SettingsError, match="hosts"):
        load(environment={}, hosts=(wrong,))


def test_names_come_from_the_environment() -> None:
    assert load(environment={"TERCET_HOSTS": "a.example,b.example"}).hosts == ("a.example", "b.example")


HTTPS, HTTP = {"Origin": "https://club.example"}, {"Origin": "http://club.example"}
FORWARDED = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}


@pytest.mark.parametrize(
    ("settings", "headers", "allowed"),
    [
        ({}, HTTP, True),
        ({}, HTTPS, True),  # a proxy in front of which we were not told
        ({"secure": True}, HTTPS, True),
        ({"secure": True}, HTTP, False),
        ({"proxies": ("127.0.0.1",)}, {**HTTPS, **FORWARDED}, True),
        ({"proxies": ("127.0.0.1",)}, {**HTTP, **FORWARDED}, False),
        ({"proxies": ("127.0.0.1",)}, {**HTTP, **FORWARDED, "X-Forwarded-Proto": "http"}, True),
        ({}, {"Origin": "https://club.example:444"}, False),
        ({}, {"Origin": "https://club.example:443"}, True),
        ({}, {"Origin": "ftp://club.example"}, False),
        ({}, {"Origin": "null"}, False),
        ({"secure": True, "origins": ("http://club.example",)}, HTTP, True),
    ],
)
def test_the_scheme_of_a_page_counts(
    tmp_path: Path, settings: dict[str, Any], headers: dict[str, str], allowed: bool
) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", hosts=("club.example",), **settings) as server:
            status, code = await asyncio.to_thread(ask, server.url, "club.example", headers)
            assert (status, code) == ((201, None) if allowed else (403, "other_origin"))

    run(scenario())
