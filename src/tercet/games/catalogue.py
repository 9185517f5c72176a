"""All games there are.

A game is a package with a `Game` in it. Its further parts are modules of that package, loaded when they are asked
for: ``bots`` (who plays it), ``terminal`` (how it is played at a keyboard), ``odds``, ``review`` (what a finished
game teaches), ``commands`` (commands of its own).

>>> names()
['set', 'cubed', 'scramble', 'puzzles']
>>> find("set").rules.title
'Set'
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from tercet.games.game import Game
from tercet.games.rules import OptionsError
from tercet.sets import of_kind

#: The package of each game by its name, in the order in which they are offered.
GAMES = {
    "set": "tercet.cards",
    "cubed": "tercet.cubed",
    "scramble": "tercet.scramble",
    "puzzles": "tercet.puzzles",
}

#: The environment variable with further packages, separated by commas.
PLUGINS = "TERCET_PLUGINS"


@cache
def _packages() -> dict[str, str]:
    """The package of each game, those from outside included."""
    further = [package.strip() for package in os.environ.get(PLUGINS, "").split(",")]
    return GAMES | {_name_in(package): package for package in further if package}


def _name_in(package: str) -> str:
    """The name of the game in a package from outside."""
    try:
        return str(import_module(package).Game.rules.name)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise OptionsError(f"{PLUGINS}: {package:.60} is no package with a game in it: {error}") from None


def names() -> list[str]:
    """The names of all games."""
    return list(_packages())


def find(name: str) -> type[Game[Any, Any, Any, Any]]:
    """The game of this name."""
    game: type[Game[Any, Any, Any, Any]] = import_module(package(name)).Game
    return game


def part(name: str, what: str) -> ModuleType | None:
    """A further part of this game; None if it has no such part."""
    return import_module(f"{package(name)}.{what}") if has_part(name, what) else None


def has_part(name: str, what: str) -> bool:
    """Whether this game has such a part; imports nothing of it."""
    found = find_spec(package(name))
    folders = found.submodule_search_locations if found is not None else None
    return folders is not None and PathFinder.find_spec(f"{package(name)}.{what}", folders) is not None


def package(name: str) -> str:
    """The package of the game of this name."""
    of_kind(name, str, f"the name of a game, such as {next(iter(GAMES))!r}")
    packages = _packages()
    if name not in packages:
        raise OptionsError(f"no game is called {name[:20]!r}; there are {', '.join(packages)}")
    return packages[name]
