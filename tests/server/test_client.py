"""What the client says to whoever writes a program with it, before anything reaches a server or when nothing does."""

from __future__ import annotations

import inspect
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tercet import cards
from tercet.client import Client, ClientError, Ready, Refusal, RemoteTable, SyncClient, SyncTable
from tercet.server.protocol.refusals import REFUSAL_REASONS, SERVER_REFUSALS
from tercet.sets import TercetError
from tests.server.serving import run, serving

#: What is of the wrong kind, said at a table, and what it is told: the line stays open.
WRONG: list[tuple[Callable[[Any], Any], str]] = [
    (lambda table: table.play(5), "give a command of the game, such as one of table.legal, not 5"),
    (lambda table: table.play("call"), "give a command of the game, such as one of table.legal, not 'call'"),
    (
        lambda table: table.manage(cards.Call(0)),
        r"give a command about the table, such as Ready\(\), not Call",
    ),
    (lambda table: table.manage(Ready), r"give a command about the table, such as Ready\(\), not <class"),
    (lambda table: table.say(5), "give a text to say, not 5"),
]


def test_what_is_said_wrongly_at_a_table_is_told_there_and_ends_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            serving(tmp_path / "t.db") as server,
            Client(server.url, promises=None) as client,
        ):
            await client.sign_in("Ann")
            code = await client.create_table("set", bots=["champion"])
            async with client.join(code) as table:
                for wrong, told in WRONG:
                    with pytest.raises(TercetError, match=told):
                        await wrong(table)
                with pytest.raises(Refusal, match=r"^no_game: No game is running here: it begins when"):
                    await table.play(cards.Deal(0))
                await table.say("still here")
            with pytest.raises(TercetError, match="no game is called 'chess'; there are set"):
                await anext(client.events(["chess"]))
            below = Client(server.url + "/elsewhere", promises=None)
            with pytest.raises(
                ClientError, match=r"there is no Tercet at .*/elsewhere.*: is the path right\?"
            ):
                await below.sign_in("Ann")

    run(scenario())


def test_addresses_and_tokens_of_the_wrong_kind() -> None:
    with pytest.raises(
        TercetError, match="give the address of a server, as in 'http://localhost:8000', not 5"
    ):
        SyncClient(5)  # type: ignore[arg-type]
    with pytest.raises(TercetError, match="give the token as a text"):
        SyncClient("http://localhost:8000", token=5)  # type: ignore[arg-type]
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with (
            SyncClient(url) as client,
            pytest.raises(ClientError, match=rf"^cannot reach {url}: \[Errno \d+\] Connection refused$"),
        ):
            client.sign_in("Ann")


def test_every_refusal_of_a_table_has_words() -> None:
    assert set(REFUSAL_REASONS) == set(SERVER_REFUSALS)


@pytest.mark.parametrize(("ours", "theirs"), [(SyncClient, Client), (SyncTable, RemoteTable)])
def test_without_await_there_is_the_same_with_the_same_words(ours: type, theirs: type) -> None:
    awaited = {name for name, method in inspect.getmembers(theirs) if inspect.iscoroutinefunction(method)}
    public = {name for name in awaited if not name.startswith("_")}
    assert public <= set(dir(ours))
    assert all(inspect.getdoc(getattr(ours, name)) for name in public)


#: What somebody sends who writes programs by hand, and the whole sentence that comes back.
MISFITS: list[tuple[str, str, Any, str]] = [
    ("POST", "/api/session", {"nme": "Ann"}, "there is no 'nme'; did you mean 'name'?"),
    ("POST", "/api/session", {"name": 5}, "name: give a text, not a whole number"),
    ("POST", "/api/session", [], "give an object, not a list"),
    ("POST", "/api/tables", {"game": "set"}, "'seats' is missing"),
    ("POST", "/api/tables", {"game": "set", "seats": [{"kind": "bott"}]}, "seats[0].kind: 'bott' is not known; did you mean 'bot'?"),
    ("POST", "/api/tokens", {"label": "x", "scopes": ["read", "fly"]}, "scopes[1]: 'fly' is not known; there are challenge, play, read"),
    ("POST", "/api/tokens", {"label": "x", "days": -1}, "days: give a whole number of at least 1"),
    ("GET", "/api/shared/set?form=xml", None, "form: this text does not have the form it should (the form of the records: text, or json (JSON lines))"),
    ("GET", "/api/events?games=set,chess", None, "no game is called 'chess'; there are set, cubed, scramble, puzzles"),
    ("GET", "/api/nothing", None, "there is nothing at this address; /api/docs lists what there is"),
]  # fmt: skip


def test_what_does_not_fit_is_told_with_what_would(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", share_games=True) as server:
            client = Client(server.url, promises=None)
            await client.sign_in("Ann")
            for method, path, body, told in MISFITS:
                with pytest.raises(ClientError) as raised:
                    await client.request(method, path, body)
                assert str(raised.value) == told, path
            async with client.join(await client.create_table("set", bots=["champion"])) as table:
                with pytest.raises(
                    TimeoutError, match=f"table {table.code}: what was waited for has not come"
                ):
                    await table.until(lambda: table.game is not None, 0.01)
                await table.begin()
                message = {"type": "play", "id": "1", "command": {"do": "cal", "seat": 0}}
                answer = await client.request("POST", f"/api/tables/{table.code}/commands", message)
                told = answer["refusal"]
                assert told == {
                    "code": "bad_command",
                    "why": "do: 'cal' is not known; did you mean 'call'?",
                }

    run(scenario())
