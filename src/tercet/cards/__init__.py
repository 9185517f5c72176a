"""The card game, known as Set: 81 cards, everybody at once."""

from tercet.cards.game import Game, rules
from tercet.cards.play import (
    CardCommand,
    CardEvent,
    Deal,
    Dealt,
    Hint,
    Missed,
    Opened,
    Options,
    RoundEnded,
    Show,
    Shuffled,
    State,
    Took,
)
from tercet.cards.variants import VARIANTS, Variant, variant_of
from tercet.games.race import Call, Called, Ended, SawNone, SeeNone, TakeBack, TookBack

__all__ = [
    "VARIANTS",
    "Call",
    "Called",
    "CardCommand",
    "CardEvent",
    "Deal",
    "Dealt",
    "Ended",
    "Game",
    "Hint",
    "Missed",
    "Opened",
    "Options",
    "RoundEnded",
    "SawNone",
    "SeeNone",
    "Show",
    "Shuffled",
    "State",
    "TakeBack",
    "Took",
    "TookBack",
    "Variant",
    "rules",
    "variant_of",
]
