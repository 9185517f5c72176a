"""The front door: what uvicorn must call for it to hold, and what it counts.

When a test of the first half fails after an upgrade, read `GuardedProtocol` again beside uvicorn's new source.
"""

from __future__ import annotations

import asyncio
import inspect
import re
from importlib.metadata import requires, version
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from tercet.server.budgets import source
from tercet.server.limits import Limits
from tercet.server.protocol import Failure
from tercet.server.run import configure
from tercet.server.settings import load
from tercet.server.web import guard
from tercet.server.web.app import App
from tercet.server.web.guard import Door, GuardedProtocol
from tercet.server.web.sessions import read_cookie
from tests.server.serving import run, serving

ROOT = Path(__file__).parents[3]
#: What is read or set on a connection, as it is before anybody has connected.
ATTRIBUTES: dict[str, Any] = {"cycle": None, "transport": None, "client": None, "headers": None}
#: What is called before or in the place of uvicorn's own.
OVERRIDDEN = (
    "connection_made",
    "connection_lost",
    "data_received",
    "handle_websocket_upgrade",
    "on_message_begin",
    "on_header",
    "on_headers_complete",
    "on_message_complete",
    "on_response_complete",
    "send_400_response",
    "timeout_keep_alive_handler",
    "pause_writing",
    "resume_writing",
    "_start_asgi_task",
)


@pytest.fixture
def protocol() -> HttpToolsProtocol:
    async def app(scope: Any, receive: Any, send: Any) -> None: ...

    async def make() -> HttpToolsProtocol:
        return HttpToolsProtocol(uvicorn.Config(app), ServerState(), {})

    return asyncio.run(make())


@pytest.mark.parametrize("package", ["uvicorn", "httptools"])
def test_the_versions_are_pinned(package: str) -> None:
    pin = f"{package}=={version(package)}"
    assert any(line.startswith(pin) for line in requires("tercet") or []), f"pyproject.toml: no {pin}"
    assert pin in (ROOT / "requirements/server.in").read_text("utf-8").split()


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_uvicorn_keeps_the_state_of_a_connection_there(protocol: HttpToolsProtocol, name: str) -> None:
    assert getattr(protocol, name) == ATTRIBUTES[name]


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_uvicorn_calls_it_by_this_name(name: str) -> None:
    own = getattr(HttpToolsProtocol, name, None)
    assert own is not None, f"uvicorn's HTTP protocol has no {name} any more"
    assert list(inspect.signature(own).parameters) == list(
        inspect.signature(getattr(GuardedProtocol, name)).parameters
    )


def test_uvicorn_asks_for_what_is_overridden() -> None:
    """Some of it is called by the parser, the rest by uvicorn itself."""
    text = inspect.getsource(HttpToolsProtocol)
    for name in (
        "handle_websocket_upgrade",
        "send_400_response",
        "timeout_keep_alive_handler",
        "_start_asgi_task",
    ):
        assert f"self.{name}" in text.replace(f"def {name}", "")
    assert "HttpParserError" in inspect.getsource(HttpToolsProtocol.data_received)
    assert "self.on_response_complete" in inspect.getsource(HttpToolsProtocol.on_headers_complete)
    cycle = inspect.getsource(__import__("uvicorn").protocols.http.httptools_impl.RequestResponseCycle)
    for name in ("disconnected", "message_event", "response_started", "response_complete"):
        assert f"self.{name}" in cycle


def test_the_server_is_started_with_it(tmp_path: Path) -> None:
    settings = load(environment={}, database=str(tmp_path / "t.db"), limits={"idle_seconds": 7})
    config = configure(App(settings), settings)
    config.load()
    assert config.timeout_keep_alive == 7
    made = asyncio.run(_make(config))
    assert isinstance(made, GuardedProtocol)


async def _make(config: uvicorn.Config) -> Any:
    return config.http_protocol_class(config=config, server_state=ServerState(), app_state={})  # type: ignore[call-arg]


def test_nothing_else_is_read_from_inside() -> None:
    text = inspect.getsource(GuardedProtocol)
    used = set(re.findall(r"self\.([a-z_]+)", text))
    own = set(re.findall(r"def ([a-z_]+)", text)) | {
        "door", "release", "excess", "answered", "is_in_head", "head_bytes", "deadline", "unread",
    }  # fmt: skip
    inside = {*ATTRIBUTES, "loop", "pipeline", "_unset_keepalive_if_required"}
    assert used - own <= inside
    assert all(hasattr(HttpToolsProtocol, name) for name in ("_unset_keepalive_if_required",))


# --- what it counts ---


def test_connections_are_counted_by_address_and_an_ipv6_network_is_one() -> None:
    door = Door(Limits(connections_per_address=2), proxies=("10.0.0.1", "192.168.0.0/16"))
    first = door.enter("2001:db8::1")
    assert not isinstance(first, Failure)
    assert not isinstance(door.enter("2001:db8::2"), Failure)
    third = door.enter("2001:db8::3")
    assert isinstance(third, Failure)
    assert third.code == "too_many"
    assert not isinstance(door.enter("2001:db8:0:1::"), Failure)
    first()
    assert not isinstance(door.enter("2001:db8::3"), Failure)
    for _ in range(5):  # a proxy's connections are many people's
        assert not isinstance(door.enter("10.0.0.1"), Failure)
        assert not isinstance(door.enter("192.168.7.7"), Failure)


def test_when_the_server_is_full_the_oldest_idle_connection_makes_way() -> None:
    class Idle:
        def __init__(self) -> None:
            self.gone = False

        def make_way(self) -> None:
            self.gone = True
            door.idle.pop(self)  # type: ignore[call-overload]

    door = Door(Limits(connections=2))
    door.enter("192.0.2.1")
    door.enter("192.0.2.2")
    assert isinstance(door.enter("192.0.2.3"), Failure)
    old, new = Idle(), Idle()
    door.idle |= {old: None, new: None}  # type: ignore[dict-item]
    assert not isinstance(door.enter("192.0.2.3"), Failure)
    assert (old.gone, new.gone) == (True, False)


def test_addresses() -> None:
    assert source("fe80::1%eth0") == source("fe80::2")
    assert source("unknown") == "unknown"


def test_cookies_take_as_long_as_they_are_long() -> None:
    """Python's own reader took five seconds for this one."""
    assert read_cookie('a="' + "\\" * 40_000 + '"; tercet=x') == "x"
    assert read_cookie("tercet") == ""


def test_what_the_door_says_has_a_code(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", limits={"header_bytes": 300}) as server:
            host, port = server.url.removeprefix("http://").split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\nA: " + b"a" * 400)
            answer = await reader.readuntil(b"}")
            assert answer.startswith(b"HTTP/1.1 431 ")
            assert b'{"code":"too_large"' in answer
            writer.close()

    run(scenario())


def test_a_body_may_come_in_pieces_and_connections_are_used_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            host, port = server.url.removeprefix("http://").split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            body = b'{"name": "Ann"}'
            whole = (
                b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n" % len(body)
            ) + body
            for pieces in (
                [whole],
                [whole[:30], whole[30:]],
                [whole[:-5], whole[-5:]],
                [whole + whole[:50], whole[50:]],
            ):
                for piece in pieces:
                    writer.write(piece)
                    await writer.drain()
                    await asyncio.sleep(0.02)
                for _ in range(2 if len(pieces[0]) > len(whole) else 1):
                    head = await reader.readuntil(b"\r\n\r\n")
                    assert head.startswith(b"HTTP/1.1 201 ")
                    length = int(re.findall(rb"content-length: (\d+)", head)[0])
                    await reader.readexactly(length)
            writer.close()

    run(scenario())


def test_every_status_of_the_door_is_one_of_a_failure() -> None:
    from tercet.server.protocol.refusals import FAILURES

    assert set(guard.STATUS) <= set(FAILURES)
