"""A game of a few lines: count to ten, in turn. It shows that nothing but its own folder makes a game.

TERCET_PLUGINS=tests.toy adds it to the others.
"""

from .game import Began, Begin, Ended, Game, Options, Said, Say, State, ToyCommand, ToyEvent, rules

__all__ = [
    "Began",
    "Begin",
    "Ended",
    "Game",
    "Options",
    "Said",
    "Say",
    "State",
    "ToyCommand",
    "ToyEvent",
    "rules",
]
