"""Who plays when no human does.

>>> from random import Random
>>> names("set")
['beginner', 'casual', 'regular', 'quick', 'champion']
>>> make("cubed", "greedy", 0, Random(1))
<greedy at seat 0>
"""

from tercet.bots.bot import (
    DEFAULT_TIME_LIMIT,
    Bot,
    BotError,
    describe,
    find,
    make,
    names,
    register,
    unregister,
)
from tercet.bots.cards import CardBot, Level
from tercet.bots.dice import DiceBot, Greedy, Random
from tercet.bots.master import Master
from tercet.bots.steady import Expert, Steady
from tercet.bots.table import play

__all__ = [
    "DEFAULT_TIME_LIMIT",
    "Bot",
    "BotError",
    "CardBot",
    "DiceBot",
    "Expert",
    "Greedy",
    "Level",
    "Master",
    "Random",
    "Steady",
    "describe",
    "find",
    "make",
    "names",
    "play",
    "register",
    "unregister",
]
