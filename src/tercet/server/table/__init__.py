"""A table as a decider: who sits where, who is host, and when a game begins and ends.

A table's truth is its log, as a game's is. The seed of the coming game stands in that log, so `show` decides
what leaves the server: the commitment before and during the game, the seed only after it.
"""

from tercet.server.table.decide import check_options, decide
from tercet.server.table.evolve import begin, evolve, show
from tercet.server.table.words import (
    AnyTableEvent,
    Asking,
    Began,
    BotSat,
    Changed,
    Closed,
    Finished,
    HostChanged,
    Kicked,
    Opened,
    SaidReady,
    Sat,
    SeatAdded,
    SeatRemoved,
    Sitter,
    StartedGame,
    State,
    Stood,
)

__all__ = [
    "AnyTableEvent",
    "Asking",
    "Began",
    "BotSat",
    "Changed",
    "Closed",
    "Finished",
    "HostChanged",
    "Kicked",
    "Opened",
    "SaidReady",
    "Sat",
    "SeatAdded",
    "SeatRemoved",
    "Sitter",
    "StartedGame",
    "State",
    "Stood",
    "begin",
    "check_options",
    "decide",
    "evolve",
    "show",
]
