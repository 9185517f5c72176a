"""Scramble: all dice are thrown on the table, everybody at once takes SETs from it."""

from tercet.games.race import Call, Called, Ended, SawNone, SeeNone, TakeBack, TookBack
from tercet.scramble.game import Game, rules
from tercet.scramble.play import (
    Hint,
    Missed,
    Options,
    RoundEnded,
    ScrambleCommand,
    ScrambleEvent,
    Show,
    State,
    Throw,
    Thrown,
    Took,
)

__all__ = [
    "Call",
    "Called",
    "Ended",
    "Game",
    "Hint",
    "Missed",
    "Options",
    "RoundEnded",
    "SawNone",
    "ScrambleCommand",
    "ScrambleEvent",
    "SeeNone",
    "Show",
    "State",
    "TakeBack",
    "Throw",
    "Thrown",
    "Took",
    "TookBack",
    "rules",
]
