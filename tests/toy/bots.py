"""Who counts when no person does."""

from __future__ import annotations

from tercet.bots import DEFAULT_TIME_LIMIT, Bot

from .game import Begin, Say, State, ToyCommand


class Counter(Bot[State, ToyCommand]):
    name, game, about = "counter", "toy", "can count"

    def choose(self, view: State, time_limit: float = DEFAULT_TIME_LIMIT) -> ToyCommand | None:
        if view.turn != self.seat or view.phase == "over":
            return None
        return Begin(self.seat) if view.phase == "start" else Say(self.seat, view.number + 1)


LADDER = (Counter,)
