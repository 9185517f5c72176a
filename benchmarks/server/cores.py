"""A server on one core and its load on another, so that neither measures the other."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def pinned(*cores: int) -> list[str]:
    """The words that put a command on one core, or some, where the system can."""
    return ["taskset", "-c", ",".join(map(str, cores))] if shutil.which("taskset") else []


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(
    command: Sequence[str], port: int, folder: Path | None = None, cores: Sequence[int] = (0,)
) -> Iterator[int]:
    """This command on core 0, or on others, until the end of the block, listening on its port; its process number."""
    server = subprocess.Popen([*pinned(*cores), *command], stdout=subprocess.DEVNULL, cwd=folder)
    try:
        for _ in range(3000):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if server.poll() is not None:
                raise SystemExit(f"the server ended at once: {' '.join(command)}")
            time.sleep(0.1)
        yield server.pid
    finally:
        server.terminate()
        server.wait(30)


@contextmanager
def serving(
    module: str, *arguments: str, folder: Path | None = None, cores: Sequence[int] = (0,)
) -> Iterator[int]:
    """A server of this folder, or of another checkout, on a free port of core 0, or of others; the port."""
    port = free_port()
    command = [python_of(folder), "-m", f"benchmarks.server.{module}", str(port), *arguments]
    with running(command, port, folder, cores):
        yield port


def python_of(folder: Path | None) -> str:
    """The Python of this folder, or of another checkout that has been set up."""
    return sys.executable if folder is None else str(folder / ".venv" / "bin" / "python")


def measure(module: str, *arguments: object, folder: Path | None = None) -> dict[str, Any]:
    """What a load of this folder, or of another checkout, on core 1 has measured."""
    command = [*pinned(1), python_of(folder), "-m", f"benchmarks.server.{module}", *map(str, arguments)]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=folder).stdout
    found: dict[str, Any] = json.loads(output.splitlines()[-1])
    return found


def cpu_seconds(process: Path | None) -> float:
    """The processor time so far of a process under /proc, with all its threads."""
    if process is None:
        return 0.0
    fields = (process / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
