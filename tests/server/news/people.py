"""People and bots of the tests."""

from __future__ import annotations

from collections.abc import Sequence

from tercet.client import Client
from tercet.server.protocol import SCOPES, Scope
from tests.server.serving import Serving

PASSWORD = "correct horse"


async def account(server: Serving, name: str) -> Client:
    """Somebody with an account."""
    client = await server.client(name)
    await client.request("POST", "/api/account", {"name": name, "password": PASSWORD})
    return client


async def program(server: Serving, name: str, scopes: Sequence[Scope] = SCOPES) -> Client:
    """A bot's account, by its token."""
    owner = await account(server, name)
    await owner.become_bot()
    return Client(server.url, token=str((await owner.new_token("program", scopes)).secret))
