"""The `tercet` command as people run it: a process with arguments, standard input, or a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import TracebackType
from typing import Self

from tercet.cli import main

COMMAND = [sys.executable, "-m", "tercet"]
ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def run(
    *args: str, stdin: str | bytes = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end; what it printed, as text.

    In this process, as starting another takes a second each time; but in one of its own if it has lines to read, which games
    take from the system itself, or an environment.
    """
    given = stdin.encode() if isinstance(stdin, str) else stdin
    if env is None and not given:
        return _run_here(args)
    done = subprocess.run(
        [*COMMAND, *args],
        input=given,
        capture_output=True,
        timeout=60,
        env={**os.environ, **(env or {})},
        check=False,
    )
    return subprocess.CompletedProcess(args, done.returncode, done.stdout.decode(), done.stderr.decode())


def _run_here(args: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    said, complained = BytesIO(), BytesIO()
    before = sys.stdin, sys.stdout, sys.stderr
    streams = (
        TextIOWrapper(BytesIO(), encoding="utf-8"),
        TextIOWrapper(said, encoding="utf-8"),
        TextIOWrapper(complained, encoding="utf-8", errors="backslashreplace"),
    )
    sys.stdin, sys.stdout, sys.stderr = streams
    try:
        main(list(args))
    except SystemExit as done:
        code = done.code
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
    for stream in streams[1:]:
        stream.flush()
    assert isinstance(code, int)
    return subprocess.CompletedProcess(args, code, said.getvalue().decode(), complained.getvalue().decode())


def answer(*args: str, stdin: str | bytes = "") -> str:
    """What the command prints when all is well."""
    done = run(*args, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


class Talk:
    """The command, running, to talk with: through pipes, or through a terminal of its own."""

    def __init__(self, *args: str, terminal: bool = False) -> None:
        env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80"}
        env.pop("NO_COLOR", None)
        if terminal:
            ours, theirs = pty.openpty()
            self.process = subprocess.Popen(
                [*COMMAND, *args],
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                env=env,
                start_new_session=True,
                # Tests that run in the background are deaf to Ctrl+C, and would hand that on.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
            )
            os.close(theirs)
            self._in = self._out = ours
        else:
            self.process = subprocess.Popen(
                [*COMMAND, *args],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=env,
            )
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self._in, self._out = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.raw = b""
        self._read_to = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdin is None:
            os.close(self._in)
        else:
            self.process.stdin.close()
        if self.process.stdout is not None:
            self.process.stdout.close()

    @property
    def text(self) -> str:
        """All that was printed, without colours."""
        return ANSI.sub("", self.raw.decode(errors="replace")).replace("\r\n", "\n")

    def send(self, line: str) -> None:
        os.write(self._in, f"{line}\n".encode())

    def expect(self, pattern: str, seconds: float = 120) -> re.Match[str]:
        """Wait until this is printed, after what was expected before."""
        end = time.monotonic() + seconds
        while True:
            found = re.compile(pattern).search(self.text, self._read_to)
            if found:
                self._read_to = found.end()
                return found
            if not self._receive(end - time.monotonic()):
                raise AssertionError(f"no {pattern!r} in:\n{self.text[-1500:]}")

    def prompt(self, seconds: float = 120) -> str:
        """Wait until the command asks for a line, or ends; what it printed since."""
        end = time.monotonic() + seconds
        while not re.search(r"(:|…) \n?\Z", self.text[self._read_to :]):
            if not self._receive(end - time.monotonic()):
                assert self.process.wait(timeout=10) is not None, f"no prompt in:\n{self.text[-1500:]}"
                break
        news = self.text[self._read_to :]
        self._read_to = len(self.text)
        return news

    def ask(self, line: str) -> str:
        """Type a line; what is printed up to the next prompt."""
        self.send(line)
        return self.prompt()

    def finish(self, seconds: float = 120) -> int:
        """Read to the end; the exit code."""
        end = time.monotonic() + seconds
        while self._receive(end - time.monotonic()):
            pass
        return self.process.wait(timeout=max(end - time.monotonic(), 1))

    def _receive(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._out], [], [], max(seconds, 0))
        if not ready:
            return False
        try:
            chunk = os.read(self._out, 65536)
        except OSError:  # what a terminal says at its end
            return False
        self.raw += chunk
        return bool(chunk)


def write(folder: Path, name: str, text: str | bytes) -> str:
    """A file for the command to read; its name."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)
