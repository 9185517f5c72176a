"""What a game is, how one is played, and which there are."""

from tercet.games.catalogue import find, has_part, names, part
from tercet.games.game import (
    NAME_LIMIT,
    Game,
    Outcome,
    advance_then_do,
    check_names,
)
from tercet.games.options import Option, choose
from tercet.games.rules import (
    AnyRules,
    Command,
    Counts,
    Due,
    Entry,
    Event,
    Happening,
    OptionsError,
    Refusal,
    Refused,
    Rules,
    tally,
)

__all__ = [
    "NAME_LIMIT",
    "AnyRules",
    "Command",
    "Counts",
    "Due",
    "Entry",
    "Event",
    "Game",
    "Happening",
    "Option",
    "OptionsError",
    "Outcome",
    "Refusal",
    "Refused",
    "Rules",
    "advance_then_do",
    "check_names",
    "choose",
    "find",
    "has_part",
    "names",
    "part",
    "tally",
]
