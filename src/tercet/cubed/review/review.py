"""The review of one dice game, and of several together.

>>> from random import Random
>>> from tercet import bots, cubed, fairness, record
>>> game = cubed.Game(["Ann", "Bo"], seed=fairness.seed_from("a review"))
>>> bots.play(game, [bots.make("cubed", "random", 0, Random(1)), bots.make("cubed", "greedy", 1, Random(2))])
>>> from tercet.study.review import read, review, write
>>> seen = review(record.of(game), games=8)
>>> seen.games, read(write(seen)) == seen
(8, True)
>>> ann, bo = seen.seats
>>> ann.points_left > bo.points_left
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, ClassVar, Self

from msgspec import Struct

from tercet import kernel
from tercet.cubed.bots.rollouts import fits
from tercet.cubed.play import State
from tercet.cubed.review import telling
from tercet.cubed.review.measures import error_rate, game_accuracy, plays_like
from tercet.cubed.review.scenes import scenes
from tercet.cubed.review.values import Values
from tercet.cubed.review.watching import Decision, Luck, Moment, Watched, watch
from tercet.cubed.review.what_if import what_if
from tercet.games import Command, Refusal
from tercet.record import Record
from tercet.study import review as contract
from tercet.study.review import (
    ByPlayer,
    Chart,
    Line,
    Mark,
    Progress,
    ReviewError,
    Scene,
    Sheet,
    seated,
    unwatched,
)

#: Another engine would review a game otherwise: a new number for every change of the measures.
ENGINE = "5"
#: So many games are played out for a decision when nobody says otherwise.
GAMES = 1200
#: The same games are played out in every review, so that it comes out the same.
SEED = 1


class Seat(Struct, frozen=True, kw_only=True):
    """One player's game. Losses and luck are in percentage points of the chance to win.

    ``decisions``: all of them; ``counted``: those that could matter, by which the player is judged. ``error_rate``: the mean loss of one, with
    its standard error ``rate_error``, None while there are too few. ``plays_like``: the bot that loses about as much, or two (the
    weaker first) between which the player is, or none, if nobody can tell. ``points_left``: what the turns with most points would have scored beyond
    what was scored.

    The account of a game: ``start``, the chance to win before the first decision; ``luck`` of their own draws and throws with its
    standard error, and ``others_luck``; ``given`` away by their own decisions; ``gifts``, what those of the others gave; and
    ``rest``, what the best choices were worth beyond those of the greedy players who play games out, and noise. ``start`` + ``luck`` +
    ``others_luck`` - ``given`` + ``gifts`` + ``rest`` is the result, 0 to 100; ``adjusted`` is the result without all luck.
    """

    decisions: int
    counted: int
    error_rate: float | None
    rate_error: float | None
    plays_like: tuple[str, ...]
    accuracy: float | None
    small: int
    medium: int
    large: int
    points_left: int
    start: float
    luck: float
    luck_error: float
    others_luck: float
    given: float
    gifts: float
    rest: float
    adjusted: float


class Review(contract.Review, frozen=True, kw_only=True):
    """What a game of Set Cubed teaches: the chance to win after every event, every decision, and what luck brought.

    ``games`` are those played out for a decision, shared among its choices; where a choice has 0 of them, it was searched in full.
    """

    current: ClassVar[str] = ENGINE
    usual_games: ClassVar[int | None] = GAMES
    judged: ClassVar[type[Struct] | None] = Decision

    games: int
    seats: tuple[Seat, ...]
    moments: tuple[Moment, ...]
    decisions: tuple[Decision, ...]
    luck: tuple[Luck, ...]

    @classmethod
    def of(cls, record: Record, games: int | None = None, progress: Progress = unwatched) -> Self:
        start = _start(record)
        games = GAMES if games is None else games
        seen = watch(start, record.log, Values(start, games, SEED), progress)
        result = record.result or ()
        return cls(
            game=record.game,
            engine=ENGINE,
            players=seated(record),
            result=result,
            games=games,
            seats=tuple(_measure(seat, seen, result) for seat in range(len(record.seats))),
            moments=seen.moments,
            decisions=seen.decisions,
            luck=seen.luck,
        )

    @classmethod
    def what_if(
        cls, record: Record, line: int, command: Command, games: int | None = None
    ) -> Decision | Refusal:
        start = _start(record)
        return what_if(start, record, line, command, Values(start, games or GAMES, SEED))

    def rows(self) -> list[dict[str, Any]]:
        """A row for each decision."""
        return [
            {
                "player": self.players[one.seat].name,
                "line": one.line,
                "round": one.round,
                "kind": one.kind,
                "chosen": one.chosen.text,
                "chance": one.chosen.value,
                "best": one.best.text,
                "best_chance": one.best.value,
                "loss": one.loss,
                "error": one.error,
                "estimate": one.estimate,
                "counts": one.counts,
                "mark": one.mark,
                "accuracy": one.accuracy,
                "points": one.chosen.points,
                "best_points": one.best.points,
                "most_points": one.most,
                "games": one.chosen.games,
            }
            for one in self.decisions
        ]

    def summary(self) -> list[str]:
        return telling.summary(self)

    def sheets(self) -> list[Sheet]:
        return telling.sheets(self)

    def scenes(self, record: Record) -> list[Scene]:
        return scenes(self, record)

    def chart(self) -> Chart:
        return Chart(
            title="The chance to win",
            across="lines",
            up="chance to win",
            lines=tuple(
                Line(player.name, tuple(self._curve(seat))) for seat, player in enumerate(self.players)
            ),
            top=1.0,
            is_share=True,
            steps=True,
            marks=tuple(
                Mark(one.seat, float(one.line), one.chosen.value, one.mark)
                for one in self.decisions
                if one.mark is not None
            ),
        )

    def _curve(self, seat: int) -> Iterator[tuple[float, float]]:
        """The chance to win from line to line; where somebody decided, it falls from that of the best."""
        for moment in self.moments:
            if moment.before is not None:
                yield float(moment.line), moment.before[seat]
            yield float(moment.line), moment.chances[seat]

    @classmethod
    def by_player(cls, reviews: Sequence[Self]) -> ByPlayer:
        return telling.by_player(reviews)


def _start(record: Record) -> State:
    """How the game began, if it can be played out."""
    if not fits(record.options.edition):
        raise ReviewError(
            "boards of more than 26 rows or columns and more than 250 dice are too much to review"
        )
    if not kernel.COMPILED:
        raise ReviewError(
            "games are played out for a review, and without the compiled kernel that takes hours"
        )
    start: State = record.rules.start(record.options, len(record.seats))
    return start


def _measure(seat: int, seen: Watched, result: tuple[int, ...]) -> Seat:
    own = [one for one in seen.decisions if one.seat == seat]
    judged = [one for one in own if one.counts]
    rate = error_rate([one.estimate for one in judged], [one.error for one in judged])
    marks = [one.mark for one in own]
    luck, others_luck = (
        100 * sum(one.changes[seat] for one in seen.luck if (one.seat == seat) == is_own)
        for is_own in (True, False)
    )
    changed = list(zip(seen.decisions, seen.changes, strict=True))
    given, gifts = (
        100 * sum(sign * changes[seat] for one, changes in changed if (one.seat == seat) == is_own)
        for is_own, sign in ((True, -1), (False, 1))
    )
    won = 100 / result.count(max(result)) if result[seat] == max(result) else 0.0
    before = seen.moments[0].before
    start = 100 / len(result) if before is None else 100 * before[seat]
    return Seat(
        decisions=len(own),
        counted=len(judged),
        error_rate=rate.value,
        rate_error=rate.error,
        plays_like=plays_like(*rate),
        accuracy=game_accuracy([one.loss for one in judged]),
        small=marks.count("small"),
        medium=marks.count("medium"),
        large=marks.count("large"),
        points_left=sum(one.most - (one.chosen.points or 0) for one in own if one.most is not None),
        start=start,
        luck=luck,
        luck_error=100 * sqrt(sum(one.errors[seat] ** 2 for one in seen.luck if one.seat == seat)),
        others_luck=others_luck,
        given=given,
        gifts=gifts,
        rest=won - (start + luck + others_luck - given + gifts),
        adjusted=won - luck - others_luck,
    )
