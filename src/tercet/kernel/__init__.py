"""The hot loops of both games, compiled where a C compiler was at hand (`COMPILED`), plain Python elsewhere.

The kernel has no behaviour of its own: what it computes is defined by the rules in `tercet.cards` and
`tercet.cubed`, and tests hold the two equal. It speaks in ints, bytes and arrays only: a card is 0..80, a
face 0..26, 27 is a WILD in hand, and 255 an empty square. The GIL is released while it counts.
"""

from tercet.kernel import search as _search
from tercet.kernel.card_games import play_card_games, sample_tables
from tercet.kernel.dice_games import DiceGames
from tercet.kernel.dice_steps import DiceSteps
from tercet.kernel.extra_roll import ExtraRoll
from tercet.kernel.groups import (
    count_chains,
    count_ghosts,
    count_ghosts_on_each,
    count_ultras,
    count_ultras_on_each,
    has_chain,
    has_ghost,
    has_ultra,
    list_chains,
    list_ghosts,
    list_ultras,
)
from tercet.kernel.hands import HandTables, hand_tables
from tercet.kernel.tables import count_sets, count_sets_on_each, find_set_places, has_set
from tercet.kernel.turns import any_turn, best_turn, first_turns, list_turns, unpack

#: Whether the compiled kernel is in use. The plain one gives the same results, slowly.
COMPILED: bool = not str(_search.__file__).endswith(".py")

__all__ = [
    "COMPILED",
    "DiceGames",
    "DiceSteps",
    "ExtraRoll",
    "HandTables",
    "any_turn",
    "best_turn",
    "count_chains",
    "count_ghosts",
    "count_ghosts_on_each",
    "count_sets",
    "count_sets_on_each",
    "count_ultras",
    "count_ultras_on_each",
    "find_set_places",
    "first_turns",
    "hand_tables",
    "has_chain",
    "has_ghost",
    "has_set",
    "has_ultra",
    "list_chains",
    "list_ghosts",
    "list_turns",
    "list_ultras",
    "play_card_games",
    "sample_tables",
    "unpack",
]
