"""All finished games of public tables, where the host shares them."""

from __future__ import annotations

import asyncio
import datetime as dt
import re
from pathlib import Path

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from benchmarks.growth.fill import fill
from tercet import cards, record, records
from tercet.cli.app import app
from tercet.client import Client, ClientError
from tercet.record import Record
from tercet.server.projections.queries import PAGE
from tercet.server.projections.rebuild import rebuild
from tercet.server.store import open_store, schema
from tercet.sets import find_sets
from tests.server.serving import Serving, run, seated, serving

ONE_SET = {"sets": 1, "claim": "instant"}


async def download(server: Serving, path: str) -> str:
    """What somebody gets who has not even said who they are."""
    return (await Client(server.url)._send("GET", f"/api/shared/{path}", None)).decode()


def ids_in(text: str) -> list[str]:
    return [found.tags["Id"] for found in records.read_all(text.splitlines())]


async def play_one(server: Serving, names: list[str], *, public: bool) -> None:
    """A game that is over with its first SET."""
    async with seated(server, "set", names, public=public, options=ONE_SET) as tables:
        while not tables[0].is_over:
            state = tables[0].state
            if found := find_sets(state.table):
                await tables[0].play(cards.Show(0, found[0]))
            else:
                for seat, table in enumerate(tables):
                    await table.play(cards.SeeNone(seat))
        await tables[1].until(lambda: tables[1].is_over)


def test_nothing_is_shared_unless_the_host_says_so(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            with pytest.raises(ClientError, match="does not share its games") as error:
                await download(server, "set")
            assert error.value.code == "not_found"

    run(scenario())


def test_finished_public_games_are_shared_and_no_others(database: str) -> None:
    """They verify, private ones and running ones are not among them, and who deletes their account is not named."""

    async def scenario() -> None:
        async with serving(database, share_games=True) as server:
            await play_one(server, ["Ann Unmistakable", "Bo"], public=True)
            await play_one(server, ["Cy", "Di"], public=False)
            async with seated(server, "set", ["Eve", "Flo"], public=True) as (eve, _):
                text = await download(server, "set")
                (found,) = records.read_all(text.splitlines())
                assert found.seats == ("Ann Unmistakable", "Bo")
                assert found.result is not None
                assert record.verify(found) is None
                assert await download(server, "cubed") == ""
                (again,) = records.read_all((await download(server, "set?form=json")).splitlines())
                assert record.write(again) + "\n" == text
                for wrong in ("chess", "set?month=november", "set?after=%27", "set?form=parquet"):
                    with pytest.raises(ClientError):
                        await download(server, wrong)
                assert not eve.is_over

    run(scenario())


def test_who_is_deleted_is_not_named(database: str) -> None:
    async def scenario() -> None:
        async with serving(database, share_games=True) as server:
            async with seated(
                server, "set", ["Ann Unmistakable", "Bo"], public=True, options=ONE_SET
            ) as tables:
                ann = tables[0]
                while not ann.is_over:
                    if found := find_sets(ann.state.table):
                        await ann.play(cards.Show(0, found[0]))
                    else:
                        for seat, table in enumerate(tables):
                            await table.play(cards.SeeNone(seat))
                assert "Unmistakable" in await download(server, "set")
                await ann._client.request("DELETE", "/api/me")
            text = await download(server, "set")
            assert "Unmistakable" not in text
            (found_one,) = records.read_all(text.splitlines())
            assert found_one.seats == ("Player 1", "Bo")
            assert record.verify(found_one) is None

    run(scenario())


def test_a_file_of_many_by_month_and_from_where_it_broke_off(database: str) -> None:
    """Every game once, the first that ended first; `tercet games` reads the file."""

    async def scenario() -> str:
        await fill(database, 320, pool=1)
        store = await open_store(database)
        await rebuild(store)
        async with store.reading() as connection:
            games = schema.games
            query = select(games.c.id, games.c.end_time).where(games.c.game == "set")
            ended = {row.id: row.end_time for row in await connection.execute(query)}
        await store.close()
        in_order = sorted(ended, key=lambda found: (ended[found], found))
        months: dict[str, list[str]] = {}
        for found in in_order:
            month = dt.datetime.fromtimestamp(ended[found] / 1000, dt.UTC).strftime("%Y-%m")
            months.setdefault(month, []).append(found)
        async with serving(database, share_games=True) as server:
            text = await download(server, "set")
            assert ids_in(text) == in_order
            assert len(in_order) > PAGE, "more than one page"
            assert len(months) > 2
            for month in list(months)[:2]:
                assert ids_in(await download(server, f"set?month={month}")) == months[month]
            assert await download(server, "set?month=2001-01") == ""
            assert ids_in(await download(server, f"set?after={in_order[PAGE]}")) == in_order[PAGE + 1 :]
            with pytest.raises(ClientError, match="no game has the id"):
                await download(server, "set?after=nobody")
        return text

    text = run(scenario())
    counted = CliRunner().invoke(app, ["games", "-", "--game", "set", "--finished", "--count"], input=text)
    assert counted.output == f"{len(re.findall(r'^.Tercet ', text, re.MULTILINE))}\n"


def test_one_at_a_time_for_an_address(database: str) -> None:
    async def scenario() -> None:
        await fill(database, 400, pool=1)
        store = await open_store(database)
        await rebuild(store)
        await store.close()
        async with serving(database, share_games=True) as server:
            host, port = "127.0.0.1", int(server.url.rpartition(":")[2])
            reader, writer = await asyncio.open_connection(host, port, limit=1024)
            writer.write(b"GET /api/shared/set HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert b" 200 " in await reader.readline()
            with pytest.raises(ClientError, match="still being sent"):
                await download(server, "set")
            writer.transport.abort()
            while server.service.rates.downloading:
                await asyncio.sleep(0.02)
            assert ids_in(await download(server, "set"))

    run(scenario())


def test_a_record_read_by_its_id_is_the_same(tmp_path: Path) -> None:
    async def scenario() -> tuple[Record, Record]:
        async with serving(tmp_path / "t.db", share_games=True) as server:
            await play_one(server, ["Ann", "Bo"], public=True)
            (shared,) = records.read_all((await download(server, "set")).splitlines())
            path = f"/api/games/{shared.tags['Id']}/record"
            own = record.read((await Client(server.url)._send("GET", path, None)).decode())
            return shared, own

    shared, own = run(scenario())
    assert shared == own
