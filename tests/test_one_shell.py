"""Nothing that serves, shows or records games knows one of them: only the catalogue names them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import tercet
from tercet.games import catalogue

SOURCE = Path(tercet.__file__).parent
PLACES = ("bots", "cli", "client", "games", "record", "server", "study", "terminal")
#: The one list of all games.
CATALOGUE = SOURCE / "games" / "catalogue.py"


def files() -> Iterator[Path]:
    for place in PLACES:
        yield from sorted((SOURCE / place).rglob("*.py"))


def imported(node: ast.AST) -> list[str]:
    """The modules that this statement imports, in full; also when the name is computed at run time."""
    match node:
        case ast.Import():
            return [name.name for name in node.names]
        case ast.ImportFrom():
            return [f"{node.module}.{name.name}" for name in node.names]
        case ast.Constant(value=str(text)) if text.startswith("tercet."):
            return [text]
        case _:
            return []


def knowledge(path: Path) -> Iterator[str]:
    """Where in this file a game is known, and by what."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for name in imported(node):
            if any(f"{name}.".startswith(f"{package}.") for package in catalogue.GAMES.values()):
                yield f"{path}:{node.lineno} imports {name}"  # type: ignore[attr-defined]
        if isinstance(node, ast.Constant) and node.value in catalogue.GAMES:
            yield f"{path}:{node.lineno} says {node.value!r}"


def test_no_shell_knows_a_game() -> None:
    found = [line for path in files() if path != CATALOGUE for line in knowledge(path)]
    assert not found, "\n".join(found)


def test_the_guard_sees_what_it_should(tmp_path: Path) -> None:
    file = tmp_path / "shell.py"
    file.write_text(
        "from tercet import cards\nimport tercet.cubed.game\nfrom tercet.cubed import rules\n"
        "if game == 'set': import_module('tercet.cards.bots')\nfrom tercet.cardsharp import x\n"
    )
    assert [line.partition(" ")[0].rpartition(":")[2] for line in knowledge(file)] == [
        "1",
        "2",
        "3",
        "4",
        "4",
    ]
    assert CATALOGUE in set(files())


#: What asks about positions of another game knows that one.
MADE_OF = {"tercet.puzzles": ("tercet.cubed",)}


@pytest.mark.parametrize("package", catalogue.GAMES.values())
def test_a_game_knows_no_other(package: str) -> None:
    known = (package, *MADE_OF.get(package, ()))
    others = [other for other in catalogue.GAMES.values() if other not in known]
    found = []
    for path in sorted(Path(str(import_module(package).__file__)).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            found += [
                f"{path}:{node.lineno} imports {name}"  # type: ignore[attr-defined]
                for name in imported(node)
                if any(f"{name}.".startswith(f"{other}.") for other in others)
            ]
    assert not found, "\n".join(found)
