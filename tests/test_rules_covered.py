"""Every numbered line of docs/rules.md has a test that names it, and no test names a line that is not there.

A test names the lines it checks at the start of its name: ``test_c18_bonus_counts_once``, ``test_k3_k4_lone_player``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
RULES = TESTS.parent / "docs" / "rules.md"

HEADING = re.compile(r"^#### ([SKVCMZTF]\d+)\b.*\{ #([a-z0-9]+) \}$")


def rule_lines() -> list[str]:
    matches = [HEADING.match(line) for line in RULES.read_text(encoding="utf-8").splitlines()]
    return [match[1] for match in matches if match]


def lines_named(test: str) -> list[str]:
    """The lines that a test's name begins with.

    >>> lines_named("test_k3_k4_lone_player"), lines_named("test_c18"), lines_named("test_a_c4_cable")
    (['K3', 'K4'], ['C18'], [])
    """
    words = test.split("_")[1:]
    lines = []
    for word in words:
        if not re.fullmatch(r"[skvcmztf]\d+", word):
            break
        lines.append(word.upper())
    return lines


def all_tests() -> Iterator[tuple[str, str]]:
    """Every test function in this folder, with the file it is in."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield path.relative_to(TESTS).as_posix(), node.name


def test_every_rule_line_has_a_test() -> None:
    named = {line for _, test in all_tests() for line in lines_named(test)}
    missing = [line for line in rule_lines() if line not in named]
    assert not missing, f"no test names: {' '.join(missing)}"


def test_every_line_named_by_a_test_exists() -> None:
    lines = set(rule_lines())
    unknown = [f"{path}::{test}" for path, test in all_tests() if not lines.issuperset(lines_named(test))]
    assert not unknown, f"not a line of docs/rules.md: {' '.join(unknown)}"


@pytest.mark.parametrize(
    ("letter", "count"), [("S", 8), ("K", 12), ("V", 6), ("C", 21), ("M", 4), ("Z", 10), ("T", 5), ("F", 5)]
)
def test_the_rules_page_is_complete(letter: str, count: int) -> None:
    assert [line for line in rule_lines() if line[0] == letter] == [f"{letter}{n + 1}" for n in range(count)]


def test_every_rule_line_has_its_own_address() -> None:
    headings = re.findall(r"^#### .*$", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    matches = [HEADING.match(heading) for heading in headings]
    assert all(match and match[2] == match[1].lower() for match in matches), headings
