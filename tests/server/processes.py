"""A server in a process of its own, that can be killed."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

_CODE = """
import sys
from tercet.server.run import run
from tercet.server.settings import load
run(load(environment={}, port=int(sys.argv[1]), database=sys.argv[2], workers=1))
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class ServerProcess:
    """``tercet serve`` on a port that stays the same over restarts."""

    def __init__(self, database: Path | str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._database = str(database)
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Start, and wait until the server answers."""
        arguments = [sys.executable, "-c", _CODE, str(self.port), self._database]
        self._process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
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

    def kill(self) -> None:
        """kill -9."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> bool:
        """As a service manager would; whether it ended in good order."""
        assert self._process is not None
        self._process.terminate()
        return self._process.wait(30) in (0, -signal.SIGTERM)
