"""The command itself: version, help, and a quick start."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.cli.command import Talk, answer

COMMANDS = [
    "", "play", "sets", "explain", "cubed turns", "cubed best", "edition check", "edition list", "edition show",
    "edition template",
    "replay", "review", "verify", "record convert", "games", "arena",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command: str) -> None:
    shown = answer(*command.split(), "--help")
    assert "Example: " in shown
    assert f"Usage: {f'tercet {command}'.strip()}" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_version_tells_whether_the_kernel_is_compiled() -> None:
    assert re.fullmatch(r"tercet .*, kernel (not )?compiled\n", answer("--version"))


@pytest.mark.parametrize("line", ["sets 1RFD 2RFD 3RFD", "explain 1RO 2RO 3RO", "edition list"])
def test_a_question_imports_nothing_heavy(line: str) -> None:
    asked = (
        "import sys; sys.argv = ['tercet', *sys.argv[1:]]; import atexit, tercet.cli;"
        "atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr)); tercet.cli.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked, *line.split()], capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split())
    assert "tercet.cli.app" in loaded
    assert not loaded & {
        "asyncio",
        "numpy",
        "rich",
        "rich.console",
        "tercet.bots",
        "tercet.study",
        "tercet.cli.play",
    }


def test_no_command_serves_the_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERCET_DATABASE", str(tmp_path / "tercet.db"))
    monkeypatch.setenv("TERCET_PORT", "0")
    monkeypatch.setenv("BROWSER", "true")
    with Talk() as talk:
        address = talk.expect(r"Tercet is at (http\S+)")[1]
        with urlopen(f"{address}/health") as answered:
            assert b'"ok"' in answered.read()
        talk.process.send_signal(signal.SIGINT)
        assert talk.finish() in (0, 130)


def test_play_asks_which_game() -> None:
    with Talk("play") as talk:
        talk.expect("Which game")
        talk.send("9")
        talk.expect("Please type 1")
        talk.send("2")
        talk.expect("Set Cubed: Player, greedy")
        talk.send("quit")
        assert talk.finish() == 0


def test_control_c_is_quiet() -> None:
    with Talk("play", "set", "--seat", "Ann", terminal=True) as talk:
        talk.expect("for help: ")
        talk.process.send_signal(signal.SIGINT)
        assert talk.finish() == 130
        assert "Traceback" not in talk.text


def test_closed_streams_are_no_error() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m tercet play set --seat Ann <&- 2>&1"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "You leave the table" in done.stdout
    done = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m tercet sets 1RFD >&-"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
