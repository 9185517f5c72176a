"""What a bot is, and how to find one by name.

Each game has a ladder of bots, the weakest first: ``LADDER`` in its ``bots`` module. For a bot of your own, write a class
with a ``name``, the ``game`` that it plays and one line ``about`` it, and `register` it:

>>> from tercet import cubed
>>> @register
... class Timid(Bot[cubed.State, cubed.CubedCommand]):
...     name, game, about = "timid", "cubed", "passes whenever it may"
...
...     def choose(self, view, time_limit=DEFAULT_TIME_LIMIT):
...         return cubed.Pass(self.seat) if view.turn == self.seat else None
>>> "timid" in names("cubed")
True
>>> unregister(Timid)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from time import monotonic
from typing import Any, ClassVar, Generic, TypeVar

from tercet import games
from tercet.games import Command
from tercet.sets import KindError, TercetError, of_kind

#: Seconds that a bot may think about one choice when nobody says otherwise.
DEFAULT_TIME_LIMIT = 2.0
#: The most games to play out that one can ask for.
EFFORT_LIMIT = 1_000_000

#: How a bot for somebody's first game is asked for: after its name and a colon.
GENTLE = "gentle"
#: A gentle bot leaves the first race of a game to people for so many milliseconds.
GENTLE_MS = 60_000

S = TypeVar("S")
C = TypeVar("C", bound=Command)


class BotError(TercetError):
    """A bot that does not exist, or that nobody can make."""


class Deadline:
    """When a bot must have chosen."""

    def __init__(self, seconds: float) -> None:
        self._at = monotonic() + seconds

    @property
    def is_over(self) -> bool:
        return monotonic() >= self._at


class Bot(ABC, Generic[S, C]):
    """One bot at one seat of one game.

    A bot gets only what a player may know: the view of its own seat (``rules.view(state, seat)``). Its chance is
    the ``random`` it is made with, so that the same bot with the same chance plays the same game.

    Whoever runs a table asks like this: when the view changes, call `delay`, wait so long, then call `choose`;
    when the view changed in the meantime, ask again from the start.
    """

    #: How the bot is called, the game it plays, and one line about it for people who choose one.
    name: ClassVar[str]
    game: ClassVar[str]
    about: ClassVar[str]
    #: How many games a bot that plays games out in its mind may play out for one choice; None if it plays none.
    effort: int | None = None
    #: Plays with somebody new: lets people go first in a race, and takes its time.
    gentle: bool = False

    def __init__(self, seat: int, random: Random) -> None:
        self.seat = seat
        self.random = random

    @abstractmethod
    def choose(self, view: S, time_limit: float = DEFAULT_TIME_LIMIT) -> C | None:
        """What to do now, within so many seconds; None while there is nothing to do on this view."""

    def delay(self, view: S) -> int:
        """The milliseconds that this bot takes at a table before it would act on this view."""
        return 0

    def __repr__(self) -> str:
        return f"<{self.name} at seat {self.seat}>"


B = TypeVar("B", bound=type[Bot[Any, Any]])

_known: dict[str, dict[str, type[Bot[Any, Any]]]] = {}


def _bots(game: str) -> dict[str, type[Bot[Any, Any]]]:
    of_kind(game, str, "the name of a game, such as 'set'")
    if game not in _known:
        part = games.part(game, "bots")
        _known[game] = {bot.name: bot for bot in part.LADDER} if part is not None else {}
    return _known[game]


def register(bot: B) -> B:
    """Make a bot known by its name, after those of the game's own ladder; a class decorator."""
    of_kind(bot, type, "a class, as in @bots.register above class Thrifty(Greedy)")
    for said in ("name", "game", "about"):
        if not isinstance(getattr(bot, said, None), str):
            raise KindError(f"{bot.__name__} has no {said}: say it in the class, as in {said} = '…'")
    if not callable(getattr(bot, "choose", None)):
        raise KindError(f"{bot.__name__} has no method choose: it says what the bot does")
    _bots(bot.game)[bot.name] = bot
    return bot


def unregister(bot: type[Bot[Any, Any]]) -> None:
    """Forget a bot again."""
    _bots(bot.game).pop(bot.name, None)


def names(game: str) -> list[str]:
    """The bots that play this game, the weakest first."""
    return list(_bots(game))


def usual(game: str) -> str:
    """Who sits opposite when nobody is named: the second on the ladder."""
    return names(game)[:2][-1]


def find(game: str, name: str) -> type[Bot[Any, Any]]:
    """The bot of this name. ``master:400`` is a master that plays out no more than 400 games for one choice, and
    ``beginner:gentle`` a beginner that leaves people the time for their first game."""
    of_kind(name, str, f"the name of a bot, such as {usual(game)!r}")
    plain, colon, effort = name.partition(":")
    if plain not in names(game):
        raise BotError(f"no bot for {game} is called {plain[:20]!r}; there are {', '.join(names(game))}")
    bot = _bots(game)[plain]
    if not colon or effort == GENTLE:
        return bot
    if bot.effort is None:
        raise BotError(f"{plain} plays out no games, so there is no number to give it")
    if not (effort.isascii() and effort.isdigit() and 0 < int(effort[:9]) <= EFFORT_LIMIT):
        raise BotError(f"{name[:30]!r}: after the colon goes a number of games from 1 to {EFFORT_LIMIT}")
    return bot


def make(game: str, name: str, seat: int, random: Random) -> Bot[Any, Any]:
    """A bot of this name for one seat of one game."""
    of_kind(seat, int, "a seat, from 0")
    of_kind(random, Random, "the source of its luck, as in Random(1)")
    bot = find(game, name)(seat, random)
    how = name.partition(":")[2]
    if how == GENTLE:
        bot.gentle = True
    elif how:
        bot.effort = int(how)
    return bot


def describe(game: str) -> dict[str, str]:
    """A line about each bot, by its name."""
    return {name: find(game, name).about for name in names(game)}
