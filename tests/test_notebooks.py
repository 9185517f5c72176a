"""The notebooks run from top to bottom, and show what they say."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "examples" / "notebooks").glob("*.ipynb"))


def show(value: Any) -> str:
    """What a notebook would show of the last line of a cell."""
    for name in ("_repr_html_", "_repr_svg_"):
        if hasattr(value, name):
            return str(getattr(value, name)())
    return repr(value)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    pictures = 0
    for number, cell in enumerate(json.loads(path.read_text("utf-8"))["cells"]):
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "notebooks are kept without what came out of them"
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        where = f"{path.name}, cell {number}"
        exec(compile(tree, where, "exec"), names)
        if isinstance(last, ast.Expr):
            pictures += "<svg" in show(eval(compile(ast.Expression(last.value), where, "eval"), names))
    assert pictures >= 1


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["review-your-games", "sets-and-odds", "write-a-bot"]
