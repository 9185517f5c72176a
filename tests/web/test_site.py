"""The site's own types and tests, which need Node and no browser."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.catalogues import WEB


@pytest.mark.parametrize("script", ["check", "test"])
def test_npm_run(script: str) -> None:
    tools = Path(sys.executable).parent
    ended = subprocess.run(
        ["npm", "run", script],
        cwd=WEB,
        env=os.environ | {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
