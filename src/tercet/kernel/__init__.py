"""The hot loops of both games, compiled where a C compiler was at hand (`COMPILED`), plain Python elsewhere.

The kernel has no behaviour of its own: what it computes is defined by the rules in `tercet.cards` and
`tercet.cubed`, and tests hold the two equal. It speaks in ints, bytes and arrays only: a card is 0..80, a
face 0..26, 27 is a WILD in hand, and 255 an empty square.
"""

from tercet.kernel import turns as _turns
from tercet.kernel.turns import any_turn, best_turn, list_turns, unpack

#: Whether the compiled kernel is in use. The plain one gives the same results, slowly.
COMPILED: bool = not str(_turns.__file__).endswith(".py")

__all__ = ["COMPILED", "any_turn", "best_turn", "list_turns", "unpack"]
