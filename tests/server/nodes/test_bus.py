"""The bus itself: notes come to those who listen, and it comes back when Redis was away."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from tercet.client import Client
from tercet.server.nodes.bus import Bus, BusError, open_bus, without_password
from tests.server.processes import ValkeyProcess, free_port
from tests.server.serving import run, serving
from tests.server.test_run import tercet


class Ear:
    """Hears notes, and counts how often it was tuned in."""

    def __init__(self) -> None:
        self.notes: list[bytes] = []
        self.tuned = 0

    def tune_in(self) -> None:
        self.tuned += 1

    def hear(self, note: bytes) -> None:
        self.notes.append(note)


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


async def tuned(bus: Bus, topic: str) -> Ear:
    ear = Ear()
    bus.subscribe(topic, ear)
    await until(lambda: ear.tuned > 0)
    return ear


def test_notes_come_to_all_who_listen_to_the_topic(valkey: ValkeyProcess) -> None:
    async def scenario() -> None:
        one, two, other = [await open_bus(valkey.url, space) for space in ("a", "a", "b")]
        here, there = await tuned(one, "table"), await tuned(two, "table")
        apart, elsewhere = await tuned(other, "table"), await tuned(two, "chair")
        for number in range(1000):
            one.publish("table", b"%d" % number)
        other.publish("table", b"mine")
        await until(lambda: len(there.notes) == len(here.notes) == 1000 and apart.notes == [b"mine"])
        assert there.notes == here.notes == [b"%d" % number for number in range(1000)]
        two.unsubscribe("table")
        again = await tuned(two, "stool")  # by then the topic before is given up
        one.publish("table", b"unheard")
        one.publish("stool", b"heard")
        await until(lambda: again.notes == [b"heard"])
        assert len(there.notes) == 1000
        assert elsewhere.notes == []
        for bus in (one, two, other):
            await bus.close()

    run(scenario())


@pytest.mark.parametrize("how", ["kill", "hang"])
def test_the_bus_comes_back_by_itself(valkey: ValkeyProcess, how: str) -> None:
    async def scenario() -> None:
        one, two = await open_bus(valkey.url, "a"), await open_bus(valkey.url, "a")
        ear = await tuned(two, "table")
        await until(lambda: one.is_up)
        (valkey.kill if how == "kill" else valkey.hang)()
        await until(lambda: not one.is_up and not two.is_up)
        one.publish("table", b"lost")
        late = Ear()
        two.subscribe("late", late)
        (valkey.start if how == "kill" else valkey.go_on)()
        await until(lambda: one.is_up and ear.tuned == 2 and late.tuned == 1)
        one.publish("table", b"back")
        one.publish("late", b"too")
        await until(lambda: late.notes == [b"too"])
        assert ear.notes == [b"back"]
        await one.close()
        await two.close()

    run(scenario())


def test_the_host_is_told_that_the_bus_is_away_and_back(
    valkey: ValkeyProcess, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db", bus=valkey.url) as server:
            client = Client(server.url)

            async def health_says(bus: str) -> None:
                while (health := await client.request("GET", "/health"))["bus"] != bus:
                    await asyncio.sleep(0.02)
                assert health["status"] == "ok"

            await health_says("up")
            for _ in range(2):
                valkey.kill()
                await health_says("away")
                valkey.start()
                await health_says("up")

    run(scenario())
    said = [record.getMessage().partition(";")[0] for record in caplog.records if record.name == "tercet.bus"]
    assert said == ["the bus is away", "the bus is back"] * 2


def test_a_bus_that_lets_nobody_listen_is_told_of_once(
    valkey: ValkeyProcess, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        redis: Any = Redis.from_url(valkey.url)
        await redis.execute_command("ACL", "SETUSER", "default", "resetchannels")
        bus = await open_bus(valkey.url, "a")
        await until(lambda: bool(caplog.records))
        assert not bus.is_up
        await redis.execute_command("ACL", "SETUSER", "default", "allchannels")
        await until(lambda: bus.is_up)
        await bus.close()
        await redis.aclose()

    run(scenario())
    assert [record.__dict__.get("reason") for record in caplog.records] == ["NoPermissionError", None]


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nonsense",
        "http://host",
        "redis://host:port",
        "redis://host:99999",
        "redis://[::1",
        "redis://h?db=x",
    ],
)
def test_a_bad_address_is_named(address: str) -> None:
    with pytest.raises(BusError, match="the bus"):
        run(open_bus(address, "a"))


def test_a_bus_that_cannot_be_reached_is_said_in_one_line_without_its_password() -> None:
    address = f"redis://:secret@127.0.0.1:{free_port()}"
    with pytest.raises(BusError, match="cannot reach the bus redis://127"):
        run(open_bus(address, "a"))
    assert "secret" not in without_password(address + "/0?password=secret")
    with socket.socket() as silent:  # takes the connection, and says nothing
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(BusError, match="cannot reach the bus"):
            run(open_bus(f"redis://127.0.0.1:{silent.getsockname()[1]}", "a"))


def test_the_server_does_not_start_without_its_bus(tmp_path: object) -> None:
    address = f"redis://127.0.0.1:{free_port()}"
    failed = tercet("serve", "--no-browser", "--port", "0", "--db", f"{tmp_path}/t.db", "--bus", address)
    assert failed.returncode == 2
    assert "cannot reach the bus" in failed.stderr
    assert len(failed.stderr.strip().splitlines()) == 1
