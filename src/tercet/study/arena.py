"""Bots against each other, so that luck cancels out as far as it can.

A *group* of games is played with the same luck and every rotation of the seats: two games for two
players, four for four. As every chance has a label ("die 17 throw 3"), the same seed gives the same dice to
whoever sits there. A group is one observation; groups are independent of each other, and group number i of
a seed is the same in whatever process it is played.
"""

from __future__ import annotations

import math
import sys
import traceback
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from tercet import bots, games, record
from tercet.bots import BotError
from tercet.confidence import LEAST, Mean
from tercet.fairness import seed_from
from tercet.games import NAME_LIMIT, OptionsError, Refused

#: The bots are called even when the win rate is known to be so near to what is fair.
EVEN = 0.02


@dataclass(frozen=True)
class Match:
    """Who plays what. ``bots`` are one name a seat; ``options`` are plain data, as in a record.

    ``modules`` are imported first, each by its name or by its file: they may register bots of their own. Without a time limit the games are the same
    on every machine; with one, bots that think until it is over may play otherwise on another.
    """

    game: str
    bots: tuple[str, ...]
    options: tuple[tuple[str, Any], ...] = ()
    seed: str = "arena"
    time_limit: float = math.inf
    modules: tuple[str, ...] = ()
    #: Whether the groups bring the records of their games.
    recorded: bool = False

    @property
    def players(self) -> list[str]:
        """The bots as players, told apart where two have one name."""
        return [
            name if self.bots.count(name) == 1 else f"{name} {place}"
            for place, name in enumerate(self.bots, 1)
        ]

    def check(self) -> None:
        """`TercetError` if this cannot be played."""
        load_modules(self.modules)
        rules = games.find(self.game).rules
        if len(self.bots) < 2:
            raise OptionsError("an arena needs two bots or more")
        rules.check_seats(len(self.bots))
        rules.start(rules.read_options(dict(self.options)), len(self.bots))
        for name in self.bots:
            bots.find(self.game, name)


@dataclass(frozen=True)
class Group:
    """What came out of one group: for each rotation the points of each bot, in the order of ``Match.bots``."""

    number: int
    scores: tuple[tuple[int, ...], ...]
    records: tuple[str, ...] = ()

    def win_rate(self, bot: int) -> float:
        """The part of the games that this bot won; equal points share the win."""
        won = sum((s[bot] == max(s)) / s.count(max(s)) for s in self.scores)
        return won / len(self.scores)

    def margin(self, bot: int) -> float:
        """The mean of its points less those of the others."""
        others = len(self.scores[0]) - 1
        return sum(s[bot] - (sum(s) - s[bot]) / others for s in self.scores) / len(self.scores)

    def points(self, bot: int) -> float:
        return sum(s[bot] for s in self.scores) / len(self.scores)


def play_group(match: Match, number: int) -> Group:
    """Play all rotations with the same chance. A seat's own chance is the same whoever sits there."""
    load_modules(match.modules)
    kind = games.find(match.game)
    options = kind.rules.read_options(dict(match.options))
    seats = len(match.bots)
    scores, records = [], []
    for turn in range(seats):
        who = [(seat + turn) % seats for seat in range(seats)]
        game = kind(
            [match.players[bot][:NAME_LIMIT] for bot in who],
            seed=seed_from(f"{match.seed} {number}"),
            options=options,
        )
        players = [
            bots.make(match.game, match.bots[bot], seat, Random(f"{match.seed} {number} {seat}"))
            for seat, bot in enumerate(who)
        ]
        try:
            bots.play(game, players, match.time_limit)
        except Exception as error:  # whatever a bot of one's own does wrong
            raise BotError(_say(error)) from error
        scores.append(tuple(game.scores[who.index(bot)] for bot in range(seats)))
        if match.recorded:
            tags = {"Arena": f"{match.seed} {number} {turn + 1}"}
            tags |= record.bot_tags({seat: match.bots[bot] for seat, bot in enumerate(who)})
            records.append(record.write(record.of(game, tags)))
    return Group(number, tuple(scores), tuple(records))


def find_game(names: Sequence[str]) -> str:
    """The first game of which these are bots."""
    plain = {name.partition(":")[0] for name in names}
    for game in games.names():
        if plain <= set(bots.names(game)):
            return game
    known = {bot for game in games.names() for bot in bots.names(game)}
    if strange := sorted(plain - known):
        there = "; ".join(
            f"for {game} {', '.join(bots.names(game))}" for game in games.names() if bots.names(game)
        )
        raise BotError(
            f"no bot is called {' or '.join(strange)}; one of your own is loaded by --load FILE, and there are {there}"
        )
    raise BotError(f"no game has bots called {' and '.join(sorted(plain))}: they play different games")


def load_modules(modules: Sequence[str]) -> None:
    """Import each, by its name or by its file, for the bots that it registers."""
    for module in modules:
        try:
            _load(module)
        except Exception as error:
            raise BotError(f"cannot load bots from {module!r}: {_say(error)}") from None


def _load(module: str) -> None:
    if not module.endswith(".py"):
        import_module(module)
        return
    path = Path(module).resolve()
    name = f"bots in {path}"
    if name in sys.modules:
        return
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    found = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(found)
    except BaseException:
        del sys.modules[name]
        raise


def _say(error: Exception) -> str:
    """An error of somebody's bot on one line: who, what, and where in the bot."""
    who = "".join(f"{note}: " for note in getattr(error, "__notes__", ()))
    if isinstance(error, ImportError | OSError | SyntaxError):
        return f"{who}{error}"
    if isinstance(error, Refused):
        return f"{who}the rules refuse what it does: {error}"
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{who}{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"


class Tally:
    """What is known after some groups. Bots of the same name count together."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.names = list(dict.fromkeys(match.bots))
        self.win_rate = {name: Mean() for name in self.names}
        self.margin = {name: Mean() for name in self.names}
        self.points = {name: Mean() for name in self.names}
        self.groups = 0

    @property
    def games(self) -> int:
        return self.groups * len(self.match.bots)

    @property
    def fair(self) -> float:
        """The win rate of a seat among equals."""
        return 1 / len(self.match.bots)

    def add(self, group: Group) -> None:
        self.groups += 1
        for name in self.names:
            seats = [seat for seat, bot in enumerate(self.match.bots) if bot == name]
            for mean, value in (
                (self.win_rate, group.win_rate),
                (self.margin, group.margin),
                (self.points, group.points),
            ):
                mean[name].add(sum(map(value, seats)) / len(seats))

    @property
    def verdict(self) -> str | None:
        """``stronger``, ``weaker`` or ``even``: the first bot beside a fair win rate; None while it is open."""
        interval = self.win_rate[self.names[0]].interval
        if interval.low > self.fair:
            return "stronger"
        if interval.high < self.fair:
            return "weaker"
        if self.fair - EVEN < interval.low and interval.high < self.fair + EVEN:
            return "even"
        return None

    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "game": self.match.game,
            "bots": list(self.match.bots),
            "options": dict(self.match.options),
            "seed": self.match.seed,
            "groups": self.groups,
            "games": self.games,
            "fair": self.fair,
            "verdict": self.verdict,
            "results": {name: self._result(name) for name in self.names},
        }

    def _result(self, name: str) -> dict[str, Any]:
        result = {}
        for what, means in (("win_rate", self.win_rate), ("margin", self.margin), ("points", self.points)):
            mean = means[name]
            interval = list(mean.interval) if mean.count >= LEAST else None
            if interval and what == "win_rate":
                interval = [max(interval[0], 0.0), min(interval[1], 1.0)]
            result[what] = {
                "mean": mean.mean,
                "interval": interval,
                "standard_error": mean.standard_error if mean.count > 1 else None,
            }
        return result


def run(match: Match, groups: int, workers: int = 1) -> Generator[Group, None, None]:
    """Groups 1 to ``groups`` in order, played by so many processes. Close the iterator to stop early."""
    match.check()
    if workers <= 1:
        yield from (play_group(match, number) for number in range(1, groups + 1))
        return
    # a few groups a worker are ahead, never all of them: memory stays the same for any number of groups
    ahead: deque[Future[Group]] = deque()
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        for number in range(1, groups + 1):
            ahead.append(pool.submit(play_group, match, number))
            if len(ahead) >= 4 * workers:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def settle(tally: Tally, groups: int, workers: int = 1, *, early: bool = True) -> Iterator[Group]:
    """Play and count until the question is settled or the groups are over; each group once it is counted."""
    played = run(tally.match, groups, workers)
    try:
        for group in played:
            tally.add(group)
            yield group
            if early and tally.verdict is not None:
                return
    finally:
        played.close()
