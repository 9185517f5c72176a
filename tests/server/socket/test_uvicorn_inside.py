"""The fast path reads inner attributes of uvicorn and websockets: the versions are pinned, and these must be there.

When this fails after an upgrade, read `TableProtocol` and `UvicornSocket` again beside the new sources.
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
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from tercet.server.socket import transport

ROOT = Path(__file__).parents[3]
#: What is read or set on a connection, as it is before anybody has connected.
ATTRIBUTES: dict[str, Any] = {
    "close_sent": False,
    "read_paused": False,
    "handshake_initiated": False,
    "transport": None,
}
#: What is called before or in the place of uvicorn's own.
OVERRIDDEN = ("data_received", "connection_lost", "pause_writing", "handle_connect")


@pytest.fixture
def protocol() -> WebSocketsSansIOProtocol:
    async def app(scope: Any, receive: Any, send: Any) -> None: ...

    async def make() -> WebSocketsSansIOProtocol:
        return WebSocketsSansIOProtocol(uvicorn.Config(app, ws_max_size=77), ServerState(), {})

    return asyncio.run(make())


@pytest.mark.parametrize("package", ["uvicorn", "websockets"])
def test_the_versions_are_pinned(package: str) -> None:
    pin = f"{package}=={version(package)}"
    assert any(line.startswith(pin) for line in requires("tercet") or []), (
        f"pyproject.toml does not say {pin}"
    )
    assert pin in (ROOT / "requirements/server.in").read_text("utf-8").split()


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_uvicorn_keeps_the_state_of_a_connection_there(protocol: WebSocketsSansIOProtocol, name: str) -> None:
    assert hasattr(protocol, name), f"uvicorn's WebSocket protocol has no {name} any more"
    assert getattr(protocol, name) == ATTRIBUTES[name]


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_uvicorn_calls_it_by_this_name(name: str) -> None:
    own = getattr(WebSocketsSansIOProtocol, name, None)
    assert own is not None, f"uvicorn's WebSocket protocol has no {name} any more"
    ours = getattr(transport.TableProtocol, name)
    assert list(inspect.signature(own).parameters) == list(inspect.signature(ours).parameters)


def test_messages_that_nobody_has_received_wait_in_the_queue(protocol: WebSocketsSansIOProtocol) -> None:
    assert protocol.queue.qsize() == 0
    assert protocol.conn.parser_exc is None
    assert protocol.config.ws_max_size == 77


def test_the_scope_has_extensions_when_the_handshake_is_in_order() -> None:
    source = inspect.getsource(WebSocketsSansIOProtocol.handle_connect)
    assert "self.scope" in source
    assert "extensions" in source


def test_nothing_else_is_read_from_inside() -> None:
    """What `TableProtocol` and `UvicornSocket` use of a connection is what is checked here."""
    source = inspect.getsource(transport.TableProtocol) + inspect.getsource(transport.UvicornSocket)
    used = set(re.findall(r"(?:self|protocol|_protocol)\.([a-z][a-z_]*)", source))
    own = {"hear", "ended", "scope", "limits", "meter", "deadline", "release", "count_frame", "_receive"}
    own |= {"is_between", "is_deaf", "write"}
    assert used - own <= {*ATTRIBUTES, "conn", "queue", "config", "loop"}
