"""What the Makefile puts in place, asked without doing it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.package.installed import ROOT, bare


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_layers_installed_side_by_side_do_not_take_each_other_away(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    [stamps] = re.findall(r"^STAMPS := (.+)$", _make(tmp_path, "-p", "help"), re.MULTILINE)
    layers = [f"{stamps}/{name}.layer" for name in ("dev", "docs")]

    said = _make(tmp_path, "-n", f"TOGETHER={' '.join(layers)}", *layers)

    named = [set(names.split()) for names in re.findall(r"pip sync [^$]*\$\(for layer in ([^$]*)", said)]
    assert len(named) >= len(layers)
    assert all(names == {"dev", "docs"} for names in named), named


def _make(folder: Path, *words: str) -> str:
    """What make says that it would do."""
    ended = subprocess.run(
        ["make", "-s", *words], cwd=folder, env=bare(), capture_output=True, text=True, check=True
    )
    return ended.stdout
