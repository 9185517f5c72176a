"""Who plays when no human does.

>>> from random import Random
>>> names("set")
['beginner', 'casual', 'regular', 'quick', 'champion']
>>> make("cubed", "greedy", 0, Random(1))
<greedy at seat 0>
"""

from tercet.bots.bot import (
    DEFAULT_TIME_LIMIT,
    GENTLE,
    GENTLE_MS,
    Bot,
    BotError,
    describe,
    find,
    make,
    names,
    register,
    unregister,
    usual,
)
from tercet.bots.driver import play

__all__ = [
    "DEFAULT_TIME_LIMIT",
    "GENTLE",
    "GENTLE_MS",
    "Bot",
    "BotError",
    "describe",
    "find",
    "make",
    "names",
    "play",
    "register",
    "unregister",
    "usual",
]
