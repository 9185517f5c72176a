"""The other examples of deploy/: settings, the unit for systemd, what an image is built from."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tercet.server.settings import load
from tests.deploy.proxies import DEPLOY, settings

ROOT = DEPLOY.parent


def test_the_settings_are_those_that_the_proxies_ask_for(tmp_path: Path) -> None:
    asked = tmp_path / "asked.toml"
    asked.write_text(settings())
    wanted, written = load(asked, {}), load(DEPLOY / "tercet.toml", {})
    for name in ("path", "hosts", "secure", "proxies"):
        assert getattr(wanted, name) == getattr(written, name)


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    """Only where systemd is installed; the program that the unit starts must exist there."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd is not installed here")
    unit = (DEPLOY / "tercet@.service").read_text("utf-8")
    assert "/opt/tercet/bin/tercet" in unit
    (tmp_path / "tercet@.service").write_text(unit.replace("/opt/tercet/bin/tercet", sys.executable))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", "./tercet@8001.service"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    ours = [line for line in (done.stdout + done.stderr).splitlines() if "tercet" in line]
    assert (done.returncode, ours) == (0, [])
    command = re.search(r"ExecStart=/opt/tercet/bin/tercet (.+)", unit)
    assert command is not None
    assert command[1] == "serve --no-browser --settings /etc/tercet/tercet.toml --port %i"


def test_systemd_is_told_when_the_server_answers(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        command = [sys.executable, "-m", "tercet", "serve", "--no-browser", "--port", "0"]
        environment = os.environ | {"NOTIFY_SOCKET": str(tmp_path / "notify")}
        with subprocess.Popen(
            [*command, "--db", str(tmp_path / "t.db")], stdout=subprocess.DEVNULL, env=environment
        ) as server:
            assert manager.recv(100) == b"READY=1"
            server.terminate()


def test_an_image_is_built_from_what_the_dockerfile_copies_and_no_more() -> None:
    """Nothing that it copies is left out, and nothing that lies about is sent along."""
    ignored = [
        line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line and line[0] != "#"
    ]

    def is_ignored(path: str) -> bool:
        parts = [path, *(str(parent) for parent in Path(path).parents)]
        return any(
            fnmatch(part, pattern) or (pattern.startswith("**/") and fnmatch(Path(part).name, pattern[3:]))
            for part in parts
            for pattern in ignored
        )

    copied = [
        name
        for line in (ROOT / "Dockerfile").read_text("utf-8").splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for name in line.split()[1:-1]
    ]
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a clone")
    for path in listed.stdout.splitlines():
        needed = any(path == name or path.startswith(f"{name}/") for name in copied)
        assert not (needed and is_ignored(path)), path
    for path in (
        ".git/config",
        ".venv/bin/python",
        "src/tercet/kernel/board.so",
        "web/node_modules/x",
        "my.db",
        ".env",
    ):
        assert is_ignored(path), path
