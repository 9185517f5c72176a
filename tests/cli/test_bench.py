"""`tercet bench` outside the repository: not offered, and one line for those who ask all the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def outside(repository: Path, *args: str) -> subprocess.CompletedProcess[str]:
    program = (
        "import sys; from pathlib import Path; from tercet.cli import app, main\n"
        "app.BENCHMARKS = Path(sys.argv[1]); main(sys.argv[2:])"
    )
    return subprocess.run(
        [sys.executable, "-c", program, repository / "measure.py", *args],
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_the_repository_it_says_where_the_benchmarks_are(tmp_path: Path) -> None:
    done = outside(tmp_path, "bench")
    assert done.returncode == 2
    assert done.stderr.startswith("tercet: the benchmarks live in the repository")
    assert done.stderr.count("\n") == 1


def test_it_is_offered_only_where_it_can_run(tmp_path: Path) -> None:
    assert "bench " not in outside(tmp_path, "--help").stdout
    (tmp_path / "measure.py").touch()
    assert "bench " in outside(tmp_path, "--help").stdout
