"""Every code with which the server says no stands in one list, and nothing stands there that it never says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import tercet.server
from tercet import games
from tercet.server.protocol import refusals
from tercet.server.web import failures

SOURCE = Path(tercet.server.__file__).parent


def calls(name: str) -> Iterator[ast.expr]:
    """The first argument of every call of this name in the server's source."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == name
                and node.args
            ):
                yield node.args[0]


def codes(*names: str) -> set[str]:
    """The codes that are written down in these calls."""
    return {str(first.value) for name in names for first in calls(name) if isinstance(first, ast.Constant)}


def test_every_refusal_of_the_server_is_listed() -> None:
    assert codes("Refusal") == set(refusals.SERVER_REFUSALS)


def test_every_failure_of_a_request_is_listed() -> None:
    said = codes("PeopleError", "TooMuch", "NotReviewed", "Failure") | set(failures.CODES.values())
    assert said == set(refusals.FAILURES)
    assert set(failures.STATUS) <= said


def test_no_code_is_listed_twice() -> None:
    for listed in (refusals.SERVER_REFUSALS, refusals.FAILURES):
        assert len(set(listed)) == len(listed)


def test_a_code_is_a_word() -> None:
    everything = {*refusals.SERVER_REFUSALS, *refusals.FAILURES, *refusals.CLOSE_CODES}
    for name in games.names():
        everything |= set(games.find(name).rules.refusals)
    assert all(code.replace("_", "").isalpha() and code.islower() for code in everything)
