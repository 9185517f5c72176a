"""Puzzles: a storm of items against the clock, a race through the same ones, boards of dice, and the puzzle of a day."""

from tercet.puzzles.game import Game, rules
from tercet.puzzles.play import (
    Answer,
    Answered,
    Began,
    Begin,
    Ended,
    Item,
    LinedUp,
    Options,
    PuzzleCommand,
    PuzzleEvent,
    Runner,
    State,
    Stop,
    Stopped,
)

__all__ = [
    "Answer",
    "Answered",
    "Began",
    "Begin",
    "Ended",
    "Game",
    "Item",
    "LinedUp",
    "Options",
    "PuzzleCommand",
    "PuzzleEvent",
    "Runner",
    "State",
    "Stop",
    "Stopped",
    "rules",
]
