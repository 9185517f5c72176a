"""A table as a decider: who sits where, who is host, and when a game begins and ends.

A table's truth is its log, as a game's is. The seed of the coming game stands in that log, so `show` decides
what leaves the server: the commitment before and during the game, the seed only after it.
"""

from tercet.server.table.decide import START_MS, call_off, check_options, decide
from tercet.server.table.evolve import begin, evolve, show
from tercet.server.table.words import (
    Allowed,
    AnyTableEvent,
    Asking,
    Began,
    BotSat,
    CalledOff,
    Changed,
    Closed,
    Committed,
    Finished,
    HostChanged,
    Kicked,
    Opened,
    Revealed,
    SaidReady,
    Sat,
    SeatAdded,
    SeatRemoved,
    Sitter,
    StartBegan,
    StartedGame,
    Starting,
    State,
    Stood,
)

__all__ = [
    "START_MS",
    "Allowed",
    "AnyTableEvent",
    "Asking",
    "Began",
    "BotSat",
    "CalledOff",
    "Changed",
    "Closed",
    "Committed",
    "Finished",
    "HostChanged",
    "Kicked",
    "Opened",
    "Revealed",
    "SaidReady",
    "Sat",
    "SeatAdded",
    "SeatRemoved",
    "Sitter",
    "StartBegan",
    "StartedGame",
    "Starting",
    "State",
    "Stood",
    "begin",
    "call_off",
    "check_options",
    "decide",
    "evolve",
    "show",
]
