"""Tercet: the games Set, Set Cubed and Scramble, to play, to study, to script and to host."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tercet.sets import (
    WILD,
    Card,
    Face,
    NotationError,
    TercetError,
    explain,
    find_sets,
    has_set,
    is_set,
    third,
)

if TYPE_CHECKING:
    from tercet import bots, cards, cubed, drawing, fairness, games, geometry, record, records, scramble

#: Of the package; pyproject.toml takes it from here.
__version__ = "0.1.0"

__all__ = [
    "WILD",
    "Card",
    "Face",
    "NotationError",
    "TercetError",
    "__version__",
    "bots",
    "cards",
    "cubed",
    "drawing",
    "explain",
    "fairness",
    "find_sets",
    "games",
    "geometry",
    "has_set",
    "is_set",
    "record",
    "records",
    "scramble",
    "third",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """Modules are imported when they are asked for: a question to the command line needs none of them."""
    if name in __all__:
        return import_module(f"tercet.{name}")
    raise AttributeError(f"module 'tercet' has no attribute {name!r}")
