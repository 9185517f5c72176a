"""Every way in against every way out: whatever was opened with a session that has ended is closed within a second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tercet.client import Client, ClientError, RemoteTable
from tercet.server.people.people import People
from tercet.server.protocol import Ready, Sit
from tercet.server.store import open_store
from tests.server.conftest import new_database
from tests.server.news.lines import Lines
from tests.server.processes import ValkeyProcess
from tests.server.serving import Serving, run, serving

PASSWORD = "correct horse"

WAYS_IN = ("own cookie", "cookie", "token", "token's token")
#: What each way out closes; the others stay open.
CLOSES = {
    "log out": {"cookie"},
    "everywhere": set(WAYS_IN),
    "password": {"cookie", "token", "token's token"},
    "revoke": {"token", "token's token"},
    "delete": set(WAYS_IN),
    #: A ban exists at a table only: there nobody is let in again, but everybody stays signed in.
    "kick": set(WAYS_IN),
}


def copy_of(client: Client, url: str | None = None) -> Client:
    """The same cookie or token, kept by somebody who does not hear when it is taken away."""
    copy = Client(url or client.url, token=client._token)
    copy._cookie = client._cookie
    return copy


async def is_in(client: Client) -> bool:
    try:
        await client.request("GET", "/api/session")
    except ClientError as error:
        if error.code not in ("not_signed_in", "token_ended", "bad_token"):
            raise
        return False
    return True


async def took_until(condition: Callable[[], Awaitable[bool]], limit: float) -> float:
    begun = time.monotonic()
    while not await condition():
        assert time.monotonic() - begun < limit, "still open"
        await asyncio.sleep(0.02)
    return time.monotonic() - begun


async def baseline(client: Client) -> float:
    """How long a request takes on this machine just now."""
    begun = time.monotonic()
    for _ in range(3):
        await client.request("GET", "/api/session")
    return (time.monotonic() - begun) / 3


class Nodes(NamedTuple):
    """Servers that share a database."""

    name: str
    database: str
    bus: str | None
    size: int


@pytest.fixture
def nodes(request: pytest.FixtureRequest, tmp_path: Path) -> Nodes:
    kind, count = request.param
    database = str(tmp_path / "t.db")
    if kind == "PostgreSQL":
        database = new_database(request.getfixturevalue("postgres"), f"ways_{tmp_path.name}")
    bus = str(request.getfixturevalue("valkey").url) if count > 1 else None
    return Nodes(f"{kind}, nodes: {count}", database, bus, count)


@pytest.fixture(scope="module")
def table_of_ways() -> Iterator[list[str]]:
    """Printed when all is done: how many milliseconds after each way out each way in was closed, at the latest."""
    heading = [f"| | {' | '.join(WAYS_IN)} |", f"|---|{'---|' * len(WAYS_IN)}"]
    rows: list[str] = []
    yield rows
    print("", *heading, *rows, sep="\n")


@pytest.mark.parametrize(
    "nodes",
    [("SQLite", 1), ("SQLite", 2), pytest.param(("PostgreSQL", 2), marks=pytest.mark.long)],
    indirect=True,
    ids=["one node", "two nodes", "two nodes with PostgreSQL"],
)
@pytest.mark.parametrize("way_out", CLOSES)
def test_ways_in_against_ways_out(way_out: str, nodes: Nodes, table_of_ways: list[str]) -> None:
    async def scenario() -> None:
        async with AsyncExitStack() as stack:
            servers = [
                await stack.enter_async_context(serving(nodes.database, bus=nodes.bus))
                for _ in range(nodes.size)
            ]
            if nodes.bus is not None:
                await took_until(lambda: _know_each_other(servers), 20)
            host, ann = await servers[-1].client("Host"), await servers[0].client("Ann")
            await ann.request("POST", "/api/account", {"name": "Ann", "password": PASSWORD})
            other = Client(servers[0].url)
            await other.log_in("Ann", PASSWORD)
            token = await ann.new_token("robot")
            robot = Client(servers[0].url, token=str(token.secret))
            ins = {
                "own cookie": copy_of(ann),
                "cookie": copy_of(other),
                "token": robot,
                "token's token": await _minted(servers[0], token.id, ann),
            }
            code = await host.create_table("set", people=2)
            at_table = await stack.enter_async_context(host.join(code))
            sockets: dict[str, list[RemoteTable]] = {
                name: [
                    await stack.enter_async_context(copy_of(client, server.url).join(code))
                    for server in servers
                ]
                for name, client in ins.items()
            }
            streams = {
                name: [
                    await stack.enter_async_context(Lines.of(copy_of(client, server.url), path))
                    for server in servers
                    for path in ("/api/events", f"/api/tables/{code}/stream")
                ]
                for name, client in ins.items()
            }
            for name, client in ins.items():
                for server in servers:
                    assert await is_in(copy_of(client, server.url))
                for stream in streams[name]:
                    assert (await stream.next())["type"] in ("hello", "welcome")
            limit = 1 + 10 * await baseline(ann)

            match way_out:
                case "log out":
                    await other.request("DELETE", "/api/session")
                case "everywhere":
                    await ann.request("DELETE", "/api/sessions")
                case "password":
                    change = {"password": PASSWORD, "new_password": "battery staple"}
                    await ann.request("PATCH", "/api/account", change)
                case "revoke":
                    await ann.request("DELETE", f"/api/tokens/{token.id}")
                case "delete":
                    await ann.request("DELETE", "/api/me")
                case "kick":
                    assert ann.me is not None
                    await at_table.manage(kick(ann.me.id))

            begun = time.monotonic()
            took: dict[str, float] = {}

            async def see_it_closed(name: str) -> None:
                for table in sockets[name]:
                    reason = await asyncio.wait_for(_goodbye(table), limit)
                    assert reason == ("kicked" if way_out == "kick" else "signed_out")
                for stream in streams[name]:
                    if way_out != "kick" or stream.is_of_table:  # a ban is a table's
                        assert await asyncio.wait_for(stream.next("bye"), limit) is not None
                        assert await asyncio.wait_for(stream.line(), limit) is None
                took[name] = 1000 * (time.monotonic() - begun)
                for server in servers:
                    client = copy_of(ins[name], server.url)
                    if way_out == "kick":
                        with pytest.raises(ClientError, match="kicked"):
                            await client.join(code).__aenter__()
                    else:
                        await took_until(lambda: _is_out(client), limit)  # noqa: B023

            await asyncio.gather(*map(see_it_closed, CLOSES[way_out]))
            cells = (f"{took[name]:.0f} ms" if name in took else "stays" for name in WAYS_IN)
            table_of_ways.append(f"| {way_out} ({nodes.name}) | {' | '.join(cells)} |")
            for name in set(WAYS_IN) - CLOSES[way_out]:
                for server in servers:
                    assert await is_in(copy_of(ins[name], server.url)), name
                for table in sockets[name]:
                    await table.say("still here")

    run(scenario(), 120)


def test_sockets_close_on_another_node_also_while_the_bus_is_away(
    tmp_path: Path, valkey: ValkeyProcess
) -> None:
    async def scenario() -> None:
        database = tmp_path / "t.db"
        async with serving(database, bus=valkey.url) as one, serving(database, bus=valkey.url) as two:
            await took_until(lambda: _know_each_other([one, two]), 20)
            ann = await one.client("Ann")
            code = await ann.create_table("set", people=2)
            async with copy_of(ann, two.url).join(code) as table:
                valkey.kill()
                await took_until(lambda: _is_alone(two), 30)
                await ann.request("DELETE", "/api/session")
                assert await asyncio.wait_for(_goodbye(table), 20) == "signed_out"

    run(scenario(), 120)


async def _is_alone(node: Serving) -> bool:
    return node.service.rooms.nodes is not None and not node.service.rooms.nodes.is_heard


async def _know_each_other(nodes: list[Serving]) -> bool:
    return all(node.service.rooms.nodes is not None and node.service.rooms.nodes.count == 2 for node in nodes)


async def _is_out(client: Client) -> bool:
    return not await is_in(client)


async def _goodbye(table: RemoteTable) -> str:
    while True:
        try:
            await table.changed()
        except ClientError as error:
            return error.code


async def _minted(node: Serving, token: str, ann: Client) -> Client:
    """A token that a token has made: that cannot be any more, but there may be some from before."""
    assert ann.me is not None
    signed_in = node.service.people.signed_in
    made = await signed_in.new_token(ann.me.id, "robot's robot", token, 20)
    assert made is not None
    return Client(node.url, token=str(made.secret))


def test_a_token_makes_nothing_that_could_outlive_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            await ann.request("POST", "/api/account", {"name": "Ann", "password": PASSWORD})
            token = await ann.new_token("robot")
            robot = Client(server.url, token=str(token.secret))
            refused: list[tuple[str, str, Any]] = [
                ("POST", "/api/tokens", {"label": "another"}),
                ("PATCH", "/api/account", {"password": PASSWORD, "new_password": "battery staple"}),
                ("DELETE", "/api/sessions", None),
                ("DELETE", "/api/me", None),
            ]
            for method, path, body in refused:
                with pytest.raises(ClientError) as no:
                    await robot.request(method, path, body)
                assert no.value.code == "not_by_token", path
            renamed = await robot.sign_in("Anna")  # allowed, but brings no cookie
            assert renamed.name == "Anna"
            assert robot._cookie is None
            assert len(await ann.request("GET", "/api/tokens")) == 1
            await robot.request("DELETE", f"/api/tokens/{token.id}")  # it may end itself
            assert not await is_in(robot)

    run(scenario())


def test_a_cookie_from_before_registration_does_not_open_the_account(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            before = copy_of(ann)
            robot = Client(server.url, token=str((await ann.new_token("robot")).secret))
            code = await ann.create_table("set")
            async with before.join(code) as table:
                await ann.request("POST", "/api/account", {"name": "Ann", "password": PASSWORD})
                assert await _goodbye(table) == "signed_out"
            assert not await is_in(before)
            assert not await is_in(robot)
            assert await is_in(ann)
            async with ann.join(code) as table:
                assert table.table.host == table.you.id

    run(scenario())


def test_logging_in_ends_how_the_guest_was_known(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            await ann.request("POST", "/api/account", {"name": "Ann", "password": PASSWORD})
            guest = await server.client("Somebody")
            before = copy_of(guest)
            await guest.log_in("Ann", PASSWORD)
            assert not await is_in(before)
            again = copy_of(guest)
            await guest.log_in("Ann", PASSWORD)
            assert not await is_in(again)
            assert await is_in(guest)
            assert await is_in(ann)

    run(scenario())


def test_a_kicked_guest_does_not_come_back_by_logging_in(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            host, mal = await server.client("Host"), await server.client("Mal")
            account = Client(server.url)
            await account.sign_in("Mallory")
            await account.request("POST", "/api/account", {"name": "Mallory", "password": PASSWORD})
            code = await host.create_table("set", people=3)
            async with host.join(code) as table:
                async with mal.join(code) as other:
                    await other.manage(Sit())
                    assert mal.me is not None
                    await table.manage(kick(mal.me.id))
                    assert await _goodbye(other) == "kicked"
                await mal.log_in("Mallory", PASSWORD)
                for client in (mal, account):
                    with pytest.raises(ClientError) as no:
                        async with client.join(code):
                            pass
                    assert no.value.code in ("kicked", "not_signed_in")
                    await client.log_in("Mallory", PASSWORD)

    run(scenario())


def kick(person: str) -> Any:
    from tercet.server.protocol import Kick

    return Kick(person)


def test_the_database_opens_nothing(tmp_path: Path) -> None:
    """What is kept of a cookie or a token is no cookie and no token."""

    async def scenario() -> None:
        store = await open_store(str(tmp_path / "t.db"))
        people = await People.open(store)
        ann = await people.new_guest("Ann")
        cookie = await people.sign_in(ann)
        token = await people.new_token(ann, "robot", 9)
        await store.close()
        for file in tmp_path.iterdir():
            content = file.read_bytes()
            assert cookie.encode() not in content
            assert str(token.secret).encode() not in content

    run(scenario())


def test_the_fifty_first_browser_ends_the_one_used_longest_ago(tmp_path: Path) -> None:
    async def scenario() -> None:
        store = await open_store(str(tmp_path / "t.db"))
        people = await People.open(store)
        ann = await people.new_guest("Ann")
        cookies = [await people.sign_in(ann) for _ in range(50)]
        await asyncio.sleep(0.01)
        assert await people.by_cookie(cookies[0]) is not None  # just used
        cookies.append(await people.sign_in(ann))
        good = [await people.by_cookie(cookie) is not None for cookie in cookies]
        assert good.count(False) == 1
        assert good[0]
        assert good[-1]
        await store.close()

    run(scenario())


def test_ready_is_heard_before_the_goodbye(tmp_path: Path) -> None:
    """After the session has ended nothing of what the socket still says is done."""

    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            code = await ann.create_table("set", people=2)
            async with copy_of(ann).join(code) as table:
                await ann.request("DELETE", "/api/session")
                with pytest.raises(ClientError):
                    await table.manage(Ready())
            room = await server.service.rooms.find(code)
            assert room is not None
            assert not room.state.seats[0].ready

    run(scenario())
