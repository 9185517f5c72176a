"""What a game is, how one is played, and which there are."""

from tercet.games.absence import (
    CameBack,
    ComeBack,
    OfTable,
    StepAway,
    SteppedAway,
    away_after,
    come_or_go,
    counted,
    have_all,
)
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
)

__all__ = [
    "NAME_LIMIT",
    "AnyRules",
    "CameBack",
    "ComeBack",
    "Command",
    "Counts",
    "Due",
    "Entry",
    "Event",
    "Game",
    "Happening",
    "OfTable",
    "Option",
    "OptionsError",
    "Outcome",
    "Refusal",
    "Refused",
    "Rules",
    "StepAway",
    "SteppedAway",
    "advance_then_do",
    "away_after",
    "check_names",
    "choose",
    "come_or_go",
    "counted",
    "find",
    "has_part",
    "have_all",
    "names",
    "part",
]
