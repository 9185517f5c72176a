"""`tercet bench` outside the repository: one line, no traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_without_the_repository_it_says_where_the_benchmarks_are(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tercet.cli import bench, main\n"
        "bench.REPOSITORY = Path(sys.argv[1]); main(['bench'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("tercet: the benchmarks live in the repository")
    assert done.stderr.count("\n") == 1
