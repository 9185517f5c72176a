"""Bots for the dice game."""

from tercet.cubed.bots.master import Master
from tercet.cubed.bots.simple import DiceBot, Greedy, Random
from tercet.cubed.bots.steady import Expert, Steady

#: The weakest first.
LADDER = (Random, Greedy, Steady, Expert, Master)

__all__ = ["LADDER", "DiceBot", "Expert", "Greedy", "Master", "Random", "Steady"]
