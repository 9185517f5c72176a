"""Tercet: the games Set and Set Cubed, to play, to study, to script and to host."""

from tercet import cards, cubed
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

__all__ = [
    "WILD",
    "Card",
    "Face",
    "NotationError",
    "TercetError",
    "cards",
    "cubed",
    "explain",
    "find_sets",
    "has_set",
    "is_set",
    "third",
]
