"""The review of one game of Set, and of several games together.

>>> from random import Random
>>> from tercet import bots, cards, fairness, record
>>> game = cards.Game(["Ann", "Bo"], seed=fairness.seed_from("a review"), options={"rounds": 1})
>>> bots.play(game, [bots.make("set", "regular", 0, Random(1)), bots.make("set", "casual", 1, Random(2))])
>>> from tercet.study.review import read, review, write
>>> seen = review(record.of(game))
>>> print(seen.summary()[0])
Ann found 17 SETs, 7.6 a minute of looking. Speed 0.83 (0.64 to 1.08): a typical SET in 6.3 s.
>>> {key: seen.rows()[0][key] for key in ("player", "cards", "went", "by", "looked")}
{'player': 'Ann', 'cards': '1RED 1REO 1RES', 'went': 'taken', 'by': 'Ann', 'looked': 2.881}
>>> read(write(seen)) == seen
True
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any, ClassVar, Self

from msgspec import Struct
from msgspec.structs import replace

from tercet.cards.review import telling
from tercet.cards.review.measures import Pace, Speed, Strength, consistency, measure_speed, pace, strengths
from tercet.cards.review.scenes import scenes
from tercet.cards.review.watching import FalseNone, Life, Watched, WrongCall, watch
from tercet.record import Record
from tercet.study import review as contract
from tercet.study.review import ByPlayer, Chart, Line, Progress, Scene, Sheet, seated, unwatched
from tercet.study.speed import Estimate

#: Another engine would review a game otherwise: a new number for every change of the measures.
ENGINE = "2"
#: A SET is a quick find in less than this part of the time that the player usually needs.
QUICK = 1 / 3


class Sought(Struct, frozen=True, array_like=True):
    """One SET (its place among the lives) during one look: for how many seconds, how hard it was to find in this look, and
    whether it was found; a share of 1 where only likely."""

    life: int
    seconds: float
    difficulty: float
    found: float


class Seat(Struct, frozen=True, kw_only=True):
    """One player's game. ``looked``: the seconds in which something could be found, and they could call it and were there.

    ``missed``: SETs that lay there for longer than this player usually needs, and that they did not take; ``quick``: SETs taken in
    less than a third of that. ``consistency``: 0 to 100, None after fewer than three finds. ``sought``: all that the speed is
    estimated from.

    ``waited``: it is a gentle bot, which leaves people their time: it has no speed, missed nothing and was never quick.
    """

    found: int
    looked: float
    waited: bool
    speed: Estimate | None
    missed: int
    quick: int
    wrong: int
    false_none: int
    consistency: float | None
    pace: tuple[Pace, ...]
    strengths: tuple[Strength, ...]
    sought: tuple[Sought, ...]

    @property
    def per_minute(self) -> float | None:
        return 60 * self.found / self.looked if self.looked else None


class Review(contract.Review, frozen=True, kw_only=True):
    """What a game of Set teaches. ``seats`` are the measures of each player, ``lives`` every SET that lay on a table, in the order
    in which they went, ``scores`` the points after each change with its time."""

    current: ClassVar[str] = ENGINE

    variant: str
    seats: tuple[Seat, ...]
    lives: tuple[Life, ...]
    wrong: tuple[WrongCall, ...]
    false_none: tuple[FalseNone, ...]
    scores: tuple[tuple[int, tuple[int, ...]], ...]
    milliseconds: int

    @classmethod
    def of(cls, record: Record, games: int | None = None, progress: Progress = unwatched) -> Self:  # noqa: ARG003
        seen, players, end = watch(record), seated(record), record.log[-1].at
        measured = [
            None if player.is_gentle else measure_speed([look for look in seen.looks if look.seat == seat])
            for seat, player in enumerate(players)
        ]
        seen = seen._replace(lives=[_judge(life, seen, measured) for life in seen.lives])
        seats = []
        for seat, speed in enumerate(measured):
            seats.append(_measure(seat, speed, seen, end))
            progress(seat + 1, len(players))
        return cls(
            game=record.game,
            engine=ENGINE,
            players=players,
            result=record.result or (),
            variant=record.options.variant if record.options.only is None else record.options.only,
            seats=tuple(seats),
            lives=tuple(seen.lives),
            wrong=tuple(seen.wrong),
            false_none=tuple(seen.false_none),
            scores=tuple(seen.scores),
            milliseconds=end,
        )

    def rows(self) -> list[dict[str, Any]]:
        """A row for each SET and each player."""
        return [
            {
                "player": player.name,
                "round": life.round,
                "cards": " ".join(map(str, life.cards)),
                "differing": life.differing,
                "difficulty": life.difficulty,
                "appeared": life.appeared / 1000,
                "gone": life.gone / 1000,
                "went": life.went,
                "by": None if life.by is None else self.players[life.by].name,
                "looked": life.looked[seat],
                "expected": life.expected[seat],
                "taken": life.went == "taken" and life.by == seat,
                "missed": seat in life.missed,
                "quick": life.by == seat and life.quick,
            }
            for life in self.lives
            for seat, player in enumerate(self.players)
        ]

    def summary(self) -> list[str]:
        return telling.summary(self)

    def sheets(self) -> list[Sheet]:
        return telling.sheets(self)

    def scenes(self, record: Record) -> list[Scene]:
        return scenes(self, record)

    def chart(self) -> Chart:
        # the last score holds until the end of the game
        race = (*self.scores, *((self.milliseconds, scores) for _, scores in self.scores[-1:]))
        return Chart(
            title="The race",
            across="minutes",
            up="points",
            lines=tuple(
                Line(player.name, tuple((at / 60_000, float(scores[seat])) for at, scores in race))
                for seat, player in enumerate(self.players)
            ),
            steps=True,
        )

    @classmethod
    def by_player(cls, reviews: Sequence[Self]) -> ByPlayer:
        return telling.by_player(reviews)


def _judge(life: Life, seen: Watched, speeds: Sequence[Speed | None]) -> Life:
    """What a life was beside the usual time of each player.

    It was missed by those who looked at it for longer than that, and did not take it. Whoever broke it from the first table on
    which it lay has chosen, and missed nothing. Nobody was quick to find what they had denied.
    """
    expected = tuple(None if one is None else life.difficulty / one.estimate.factor for one in speeds)
    looked = tuple(map(_looked, repeat(life), life.looked, speeds))
    chose = life.by if life.went == "taken" or life.tables == 1 else None
    missed = (
        seat
        for seat, usual in enumerate(expected)
        if usual is not None and looked[seat] > usual and seat != chose
    )
    quick = False
    if life.went == "taken" and life.by is not None and (usual := expected[life.by]) is not None:
        denied = any(one.seat == life.by and life.appeared <= one.at < life.gone for one in seen.false_none)
        quick = life.looked[life.by] < QUICK * usual and not denied
    return replace(life, expected=expected, looked=looked, missed=tuple(missed), quick=quick)


def _looked(life: Life, seconds: float, speed: Speed | None) -> float:
    """For how many of these seconds a player looked at a life, and was not somewhere else."""
    if speed is None or not speed.away:
        return seconds
    group = frozenset(life.cards)
    away = (
        look.seconds
        for look in speed.away
        if look.round == life.round and life.appeared < look.at <= life.gone and group in look.difficulty
    )
    return round(seconds - sum(away), 3)


def _measure(seat: int, speed: Speed | None, seen: Watched, end: int) -> Seat:
    finds = [life.gone for life in seen.lives if life.went == "taken" and life.by == seat]
    places = {(life.round, frozenset(life.cards)): place for place, life in enumerate(seen.lives)}
    looks = [look for look in seen.looks if look.seat == seat] if speed is None else speed.looks
    searches = () if speed is None else speed.searches
    return Seat(
        found=len(finds),
        looked=sum(look.seconds for look in looks if look.difficulty),
        waited=speed is None,
        speed=None if speed is None else speed.estimate,
        missed=sum(seat in life.missed for life in seen.lives),
        quick=sum(life.quick and life.by == seat for life in seen.lives),
        wrong=sum(one.seat == seat for one in seen.wrong),
        false_none=sum(one.seat == seat for one in seen.false_none),
        consistency=None if speed is None else consistency(looks),
        pace=pace(looks, finds, end),
        strengths=()
        if speed is None
        else strengths(((group, search) for (_, group), search in searches), speed.estimate),
        sought=tuple(
            Sought(places[sighting], search.seconds, round(search.difficulty, 3), round(search.found, 3))
            for sighting, search in searches
        ),
    )
