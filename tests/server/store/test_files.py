"""The database is its owner's alone, and a disk that is full is noticed by trying."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

import pytest

from tercet.server.store import StoreError, open_store, store
from tests.server.serving import run, serving

posix = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_a_new_database_and_its_folder_are_private(tmp_path: Path) -> None:
    async def scenario() -> None:
        path = tmp_path / "new" / "data" / "t.db"
        old = os.umask(0o022)
        try:
            opened = await open_store(str(path))
            await opened.append("stream", 0, [])
            assert [mode(path.parent), mode(path.parent.parent)] == [0o700, 0o700]
            files = list(path.parent.iterdir())
            assert {file.name for file in files} >= {"t.db", "t.db-wal", "t.db-shm"}
            assert {mode(file) for file in files} == {0o600}
            await opened.close()
        finally:
            os.umask(old)

    run(scenario())


@posix
def test_a_database_that_others_could_read_is_taken_from_them(tmp_path: Path) -> None:
    async def scenario() -> None:
        shared, own = tmp_path / "shared", tmp_path / "own"
        for folder in (shared, own):
            folder.mkdir()
            folder.chmod(0o755)
            for ending in ("", "-wal", "-shm"):
                file = folder / f"t.db{ending}"
                file.touch()
                file.chmod(0o644)
        (shared / "something else").touch()
        for folder in (shared, own):
            await (await open_store(str(folder / "t.db"))).close()
            assert mode(folder / "t.db") == 0o600
        assert mode(own) == 0o700
        assert mode(shared) == 0o755  # it is not ours alone

    run(scenario())


@posix
def test_a_folder_or_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    """A slip in --db must not close the folder of somebody else's files."""
    folder, note = tmp_path / "srv", tmp_path / "srv" / "note.txt"
    folder.mkdir()
    note.write_text("no database")
    folder.chmod(0o755)
    note.chmod(0o644)
    for place, why in ((folder, "it is a folder; say which file in it"), (note, "file is not a database")):
        with pytest.raises(StoreError, match=why):
            run(open_store(str(place)))
    assert [mode(folder), mode(note), note.read_text()] == [0o755, 0o644, "no database"]


@posix
def test_a_database_that_cannot_be_made_leaves_no_file(tmp_path: Path) -> None:
    code = (
        "import asyncio, resource, signal, sys\n"
        "from tercet.server.store import open_store\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "asyncio.run(open_store(sys.argv[1]))\n"
    )
    place = tmp_path / "t.db"
    command = [sys.executable, "-B", "-c", code, str(place)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert f"StoreError: cannot open the database {place}: " in done.stderr
    assert not any(tmp_path.iterdir())


def health(url: str) -> tuple[int, dict[str, str]]:
    try:
        with build_opener(ProxyHandler({})).open(f"{url}/health", timeout=10) as answer:
            return answer.status, json.loads(answer.read())
    except HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def test_health_says_what_is_wrong_when_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As soon as lines could not be written; and it is well again when they could."""

    async def scenario() -> None:
        monkeypatch.setattr(store, "TRY_SECONDS", 0.0)
        async with serving(tmp_path / "t.db") as server:
            status, answer = await asyncio.to_thread(health, server.url)
            assert (status, answer["status"], answer["detail"]) == (200, "ok", "")
            server.service.store._log.trouble = "database or disk is full"
            status, answer = await asyncio.to_thread(health, server.url)
            assert (status, answer["status"]) == (503, "cannot_write")
            assert answer["detail"] == "database or disk is full"
            await (await server.client("Ann")).create_table("set")
            status, answer = await asyncio.to_thread(health, server.url)
            assert (status, answer["status"], answer["detail"]) == (200, "ok", "")

    run(scenario())


_FULL = """
import asyncio, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from tercet.server.store import Line, Unavailable, open_store, store
store.TRY_SECONDS = 0

async def main():
    opened = await open_store(sys.argv[1])
    assert await opened.trouble() is None
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
    try:
        for number in range(1, 200):
            await opened.append("stream", number - 1, [Line(number, 0, "x" * 20_000)])
        print("it never got full")
    except Unavailable:
        print(await opened.trouble())
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await opened.append("other", 0, [Line(1, 0, "there is room again")])
    print(await opened.trouble())
    await opened.close()

asyncio.run(main())
"""


@posix
def test_a_disk_that_is_full_is_noticed_by_trying(tmp_path: Path) -> None:
    """Files that may not grow are as good as a disk that is full."""
    done = subprocess.run(
        [sys.executable, "-c", _FULL, str(tmp_path / "t.db")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    trouble, after = done.stdout.splitlines()
    assert "full" in trouble or "disk" in trouble
    assert after == "None"


@posix
def test_opening_a_database_again_keeps_the_locks_of_the_first(tmp_path: Path) -> None:
    """Else another process that comes and goes would delete the log of changes beneath it."""

    async def scenario() -> None:
        path = tmp_path / "t.db"
        first = await open_store(str(path))
        await (await open_store(str(path))).close()
        code = (
            "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM log').fetchall()"
        )
        for _ in range(2):
            command = (sys.executable, "-c", code, str(path))
            await (await asyncio.create_subprocess_exec(*command)).wait()
            assert Path(f"{path}-wal").exists()
        await first.close()

    run(scenario())
