"""Starting the server: settings, the message at the door, and what is said when it cannot start."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tercet.server.run import greeting, qr_code
from tercet.server.settings import data_folder, load
from tercet.server.store import open_store
from tests.server.processes import ServerProcess
from tests.server.serving import run


def test_the_command_line_counts_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "tercet.toml"
    file.write_text('host = "0.0.0.0"\nport = 1\norigins = ["https://a.example"]\n[limits]\nchat_burst = 7\n')
    environment = {"TERCET_PORT": "2", "TERCET_SECURE": "true", "TERCET_LIMITS_SOCKETS": "9"}
    settings = load(file, environment, database="x.db", host=None)
    assert (settings.host, settings.port, settings.database) == ("0.0.0.0", 2, "x.db")
    assert settings.secure
    assert settings.origins == ("https://a.example",)
    assert (settings.limits.chat_burst, settings.limits.sockets) == (7, 9)
    assert load(file, environment, port=3).port == 3
    assert (
        load(None, {"TERCET_ORIGINS": "https://a.example,https://b.example"}).origins[1]
        == "https://b.example"
    )


def test_the_message_at_the_door() -> None:
    alone = greeting("127.0.0.1", 8000, "/home/ann/tercet.db")
    assert "http://localhost:8000" in alone
    assert "--host 0.0.0.0" in alone
    named = greeting("192.0.2.7", 8000, "postgresql://ann:secret@db/tercet")
    assert "http://192.0.2.7:8000" in named
    assert "secret" not in named
    assert qr_code("http://192.0.2.7:8000") in named
    assert data_folder().name.lower() == "tercet"


@pytest.mark.parametrize(
    ("host", "here"), [("localhost", "localhost"), ("127.0.0.2", "127.0.0.2"), ("::1", "[::1]")]
)
def test_a_server_for_this_machine_shows_no_code_for_others(host: str, here: str) -> None:
    said = greeting(host, 8000, "t.db")
    assert f"Tercet is at http://{here}:8000\n" in said
    assert "Only this machine" in said
    assert "In your network" not in said


def test_an_empty_variable_is_none_at_all() -> None:
    assert load(None, {"TERCET_HOST": "", "TERCET_LIMITS_SOCKETS": ""}) == load(None, {})


def tercet(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from tercet.cli import main; main()", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, env=dict(os.environ)
    )


def test_what_hinders_the_server_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        busy = tercet("serve", "--no-browser", "--port", port, "--db", str(tmp_path / "t.db"))
    folder = tercet("serve", "--no-browser", "--port", "0", "--db", str(tmp_path))
    host = tercet("serve", "--no-browser", "--host", "a..b", "--db", str(tmp_path / "t.db"))
    for failed, word in (
        (busy, "cannot listen"),
        (folder, "cannot open the database"),
        (host, "choose another with --host"),
    ):
        assert failed.returncode == 2
        assert word in failed.stderr
        assert len(failed.stderr.strip().splitlines()) == 1


def test_a_second_server_on_the_same_file_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    """Without a bus they would not hear of each other, and take each other's people for gone."""
    database = str(tmp_path / "t.db")
    serve = ("serve", "--no-browser", "--port", "0", "--db", database)

    async def scenario() -> None:
        first = ServerProcess(database)
        await first.start()
        second = await asyncio.to_thread(tercet, *serve)
        why = f"another server has the database {database} open: stop it, choose another file with --db"
        assert (second.returncode, second.stderr) == (2, f"tercet: {why}, or give both the same --bus\n")
        first.kill()
        await first.start()
        first.kill()

    run(scenario())


async def _make(database: str) -> None:
    await (await open_store(database)).close()


def test_backup_restore_and_rebuild_by_command(tmp_path: Path) -> None:
    database, copy, file = (str(tmp_path / name) for name in ("a.db", "b.db", "a.backup.gz"))
    for early in (("backup", file), ("rebuild",), ("restore", file)):
        refused = tercet(*early, "--db", database)
        assert (refused.returncode, refused.stderr.startswith("tercet: there is no")) == (2, True)
    assert not any(tmp_path.iterdir())
    asyncio.run(_make(database))
    assert tercet("rebuild", "--db", database).stdout == "0 tables, 0 games\n"
    assert tercet("backup", file, "--db", database).returncode == 0
    kept = Path(file).read_bytes()
    again = tercet("backup", file, "--db", database)
    assert (again.returncode, again.stderr) == (
        2,
        f"tercet: there is a file {file} already: choose another name, or overwrite it with --force\n",
    )
    assert Path(file).read_bytes() == kept
    assert tercet("backup", file, "--db", database, "--force").returncode == 0
    nowhere = tercet("backup", str(tmp_path / "no" / "a.gz"), "--db", database)
    assert nowhere.stderr == f"tercet: there is no folder {tmp_path / 'no'}\n"
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".gz") == ["a.backup.gz"]
    assert tercet("restore", file, "--db", copy).returncode == 0
    there = sorted(tmp_path.iterdir())
    Path(file).write_bytes(kept[:-9])  # it broke off on the way
    for new in ("c.db", "b.db"):
        for wrong, why in ((database, "is not a backup"), (file, "is not a backup: Compressed file ended")):
            done = tercet("restore", wrong, "--db", str(tmp_path / new))
            assert done.returncode == 2
            assert why in done.stderr
    assert sorted(tmp_path.iterdir()) == there, "nothing is left behind, and nothing taken away"


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_server_says_goodbye_and_nothing_else(tmp_path: Path, sent: signal.Signals) -> None:
    command = [sys.executable, "-m", "tercet", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(
        [*command, "--db", str(tmp_path / "t.db")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        for line in server.stdout:
            if "stops it" in line:
                break
        for _ in range(2):  # a hasty finger, or a shell that tells the whole group
            server.send_signal(sent)
        said, failed = server.communicate(timeout=60)
    assert (server.returncode, said.split(".")[0], failed) == (0, "Stopped", "")
