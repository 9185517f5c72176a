"""What the page on the command line shows is what the command says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
SESSIONS = re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("session", SESSIONS)
def test_the_examples_of_the_page(session: str, tmp_path: Path) -> None:
    for step in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, _, expected = step.partition("\n")
        script = f'tercet() {{ "{sys.executable}" -m tercet "$@"; }}; {command}'
        done = subprocess.run(
            ["/bin/sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        pattern = re.escape(expected).replace(re.escape("…\n"), "(.*\n)*")
        assert re.fullmatch(pattern, done.stdout), done.stdout


def test_the_page_has_examples() -> None:
    assert len(SESSIONS) >= 2
