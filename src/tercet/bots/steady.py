"""A bot that weighs points against what they open for the others."""

from __future__ import annotations

from collections.abc import Sequence

from tercet.bots.bot import register
from tercet.bots.dice import Greedy
from tercet.bots.sight import WILD, Sight, Turn, left_in_hand
from tercet.cubed.play import Lay, Pass, Replace, State

#: So many of the turns with most points are looked at more closely.
CANDIDATES = 40
#: So many hands are imagined for the others.
IMAGINED_HANDS = 8
#: What the others' next turn costs, and what a wild kept is worth, in points.
OPENED = 0.6
WILD_KEPT = 3.0


@register
class Steady(Greedy):
    name = "steady"
    about = "weighs points against what they open for the others"

    def play_turn(self, view: State, time_limit: float) -> Replace | Lay | Pass:
        sight, hand = Sight.of(view), self.faces(view)
        exchange = self.best_exchange(view, sight, hand)
        if exchange is not None:
            return exchange
        turns = sight.turns(hand)[:CANDIDATES]
        if not turns:
            return Pass(self.seat)
        imagined = self._imagine()
        best = max(turns, key=lambda turn: self._value(sight, hand, turn, imagined))
        return self.lay(view, sight, best.puts)

    def _value(self, sight: Sight, hand: Sequence[int], turn: Turn, imagined: Sequence[Sequence[int]]) -> float:
        after = sight.after(turn.puts)
        opened = sum(map(after.best_score, imagined)) / len(imagined)
        return turn.score + WILD_KEPT * left_in_hand(hand, turn.puts).count(WILD) - OPENED * opened

    def _imagine(self) -> list[list[int]]:
        return [[self.random.randrange(WILD) for _ in range(5)] for _ in range(IMAGINED_HANDS)]
