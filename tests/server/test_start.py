"""F1 over sockets: everybody's client does its part by itself, quickly; a start that hangs is called off, also after a restart."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import pytest

from tercet import record
from tercet.client import Client, RemoteTable
from tercet.fairness import read_promise
from tercet.server.protocol import Close, Ready, Sit, TableCommand
from tests.server.serving import run, seated, serving

#: The module: in the package its name is that of the function.
DECIDE = sys.modules["tercet.server.table.decide"]


class Silent(RemoteTable):
    """A client that commits but hides its secret, or says nothing at all."""

    is_silent = True

    def _answer(self, command: TableCommand) -> None:
        if not self.is_silent:
            super()._answer(command)


def test_f1_a_start_takes_well_under_a_second(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            clients = [await server.client(name) for name in ("Ann", "Bo", "Cy", "Di")]
            code = await clients[0].create_table("set", people=4)
            async with (
                clients[0].join(code) as a,
                clients[1].join(code) as b,
                clients[2].join(code) as c,
                clients[3].join(code) as d,
            ):
                for table in (b, c, d):
                    await table.manage(Sit())
                for table in (a, b, c):
                    await table.manage(Ready())
                before = time.perf_counter()
                await d.manage(Ready())
                await d.until(lambda: d.game is not None)
                took = time.perf_counter() - before
                print(f"\nfrom the last ready to the game, four people: {took * 1000:.0f} ms")
                assert took < 5
                assert len({promise.commitments for t in (a, b, c, d) if (promise := t.promise)}) == 1

    run(scenario())


def test_f1_a_silent_client_calls_the_start_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DECIDE, "START_MS", 700)

    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")
            code = await ann.create_table("set", people=2)
            async with ann.join(code) as host, Silent(bo, code) as guest:
                await guest.manage(Sit())
                await host.manage(Ready())
                first = host.table.commitment
                await guest.manage(Ready())
                await host.until(lambda: host.table.called_off == 1)
                assert host.table.playing is None
                assert host.table.commitment != first
                assert [seat.ready for seat in host.table.seats] == [True, False]
                monkeypatch.setattr(DECIDE, "START_MS", 10_000)
                guest.is_silent = False
                await guest.manage(Ready())
                await host.until(lambda: host.game is not None)
                assert host.game is not None
                assert record.read(await ann.record(host.game)).called_off == 1
                assert host.promise is not None
                assert host.promise.called_off == 1

    run(scenario())


def test_f1_the_deadline_of_a_start_survives_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DECIDE, "START_MS", 1500)

    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            client = await server.client("Ann")
            code = await client.create_table("set", bots=["beginner"])
            async with Silent(client, code) as table:
                await table.manage(Ready())
                await table.until(lambda: table.table.start is not None)
            headers = client.headers()
        async with serving(tmp_path / "t.db") as server:
            again = Client(server.url)
            again._cookie = headers["Cookie"]
            async with Silent(again, code) as table:
                await table.until(lambda: table.table.called_off == 1)
                assert table.table.start is None
                assert not table.table.seats[0].ready
                monkeypatch.setattr(DECIDE, "START_MS", 10_000)
                table.is_silent = False
                await table.manage(Ready())
                await table.until(lambda: table.game is not None)

    run(scenario())


def test_f1_two_windows_of_one_person(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            client = await server.client("Ann")
            code = await client.create_table("set", bots=["beginner"])
            async with client.join(code) as one, client.join(code) as two:
                await one.manage(Ready())
                await asyncio.gather(*(t.until(lambda t=t: t.game is not None) for t in (one, two)))  # type: ignore[misc]
                proofs = [t.promise.secret for t in (one, two) if t.promise is not None]
                assert sorted(map(bool, proofs)) == [False, True]

    run(scenario())


def test_f2_f4_a_closed_game_reveals_its_seed_and_the_promise_is_in_a_file(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            client = Client(server.url, promises=tmp_path / "promises")
            await client.sign_in("Ann")
            code = await client.create_table("cubed", bots=["random"])
            async with client.join(code) as table:
                await table.manage(Ready())
                await table.until(lambda: table.game is not None)
                assert table.game is not None
                running = record.prove(record.read(await client.record(table.game)))
                assert (running.state, running.itself.verdict) == ("unfinished", "open")
                await table.manage(Close())
            closed = record.read(await client.record(table.game))
            assert closed.seed is not None
            (file,) = (tmp_path / "promises").glob("*.json")
            assert file.name.endswith(f"-{code}-1.json")
            assert file.stat().st_mode & 0o077 == 0
            proof = record.prove(closed, read_promise(file.read_bytes()))
            assert proof.state == "broken_off"
            assert [step.verdict for step in proof.steps] == ["proved"] * 3, proof

    run(scenario())


def test_f2_no_secret_and_no_seed_is_told_before_its_time(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server, seated(server, "set", ["Ann", "Bo"]) as tables:
            room = server.service.rooms.rooms[tables[0].code]
            assert room.state.started is not None
            for table in tables:
                shown = repr(table.table)
                assert room.state.seed not in shown
                assert not any(secret in shown for secret in room.state.started.secrets)

    run(scenario())
