"""The Tab key: `tercet --show-completion` in a real bash."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import run

BASH = shutil.which("bash")
ASK = """
eval "$(tercet --show-completion)"
COMP_WORDS=($1) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE="$1"
[ "${1% }" != "$1" ] && COMP_WORDS+=("") && COMP_CWORD=$((COMP_CWORD + 1))
_tercet_completion tercet
printf '%s\\n' "${COMPREPLY[@]}"
"""


def press_tab(typed: str) -> list[str]:
    """What bash offers after that."""
    assert BASH is not None
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [BASH, "--norc", "-c", ASK, "bash", typed],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": path},
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(BASH is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("tercet pl", ["play"]),
        ("tercet re", ["replay", "review", "record", "restore", "rebuild"]),
        ("tercet play ", ["set", "cubed", "scramble", "puzzles"]),
        ("tercet edition ch", ["check"]),
        ("tercet play --pra", ["--practice"]),
        ("tercet nothing", []),
    ],
)
def test_tab_offers(typed: str, offered: list[str]) -> None:
    assert press_tab(typed) == offered


def test_asking_for_names_imports_no_command() -> None:
    asked = {"_TERCET_COMPLETE": "complete_bash", "COMP_WORDS": "tercet ", "COMP_CWORD": "1"}
    done = run(env={**asked, "PYTHONPROFILEIMPORTTIME": "1"})
    assert done.returncode == 0
    assert done.stdout.split()[:2] == ["play", "sprint"]
    assert "tercet.cli.play" not in done.stderr
