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

from collections.abc import Sequence
from math import sqrt
from typing import Any, ClassVar, Self

from msgspec import Struct

from tercet import kernel
from tercet.cubed.bots.rollouts import fits
from tercet.cubed.play import State
from tercet.cubed.review import telling
from tercet.cubed.review.measures import game_accuracy, word
from tercet.cubed.review.values import Values
from tercet.cubed.review.watching import Decision, Luck, Moment, Watched, watch
from tercet.cubed.review.what_if import what_if
from tercet.games import Command, Refusal
from tercet.record import Record
from tercet.study import review as contract
from tercet.study.review import ByPlayer, Chart, Line, Progress, ReviewError, Sheet, seated, unwatched

#: Another engine would review a game otherwise: a new number for every change of the measures.
ENGINE = "1"
#: So many games are played out for a decision when nobody says otherwise.
GAMES = 1200
#: The same games are played out in every review, so that it comes out the same.
SEED = 1


class Seat(Struct, frozen=True, kw_only=True):
    """One player's game. Losses and luck are in percentage points of the chance to win.

    ``error_rate``: the mean loss of a decision. ``points_left``: what the turns with most points would have scored beyond
    what was scored. ``adjusted``: the result, 0 to 100, had nobody been lucky.
    """

    decisions: int
    error_rate: float
    word: str
    accuracy: float | None
    small: int
    medium: int
    large: int
    points_left: int
    luck: float
    luck_error: float
    adjusted: float


class Review(contract.Review, frozen=True, kw_only=True):
    """What a game of Set Cubed teaches: the chance to win after every event, every decision, and what luck brought.

    ``games`` are those played out for a decision; where a choice has 0 of them, it was searched in full.
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

    def chart(self) -> Chart:
        return Chart(
            title="The chance to win",
            across="events",
            up="chance to win",
            lines=tuple(
                Line(
                    player.name,
                    tuple((float(moment.line), moment.chances[seat]) for moment in self.moments),
                )
                for seat, player in enumerate(self.players)
            ),
            top=1.0,
            is_share=True,
            steps=True,
        )

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
    marks = [one.mark for one in own]
    error_rate = sum(one.loss for one in own) / len(own) if own else 0.0
    lucky = [one for one in seen.luck if one.seat == seat]
    won = 1 / result.count(max(result)) if result[seat] == max(result) else 0.0
    return Seat(
        decisions=len(own),
        error_rate=error_rate,
        word=word(error_rate),
        accuracy=game_accuracy([one.accuracy for one in own]),
        small=marks.count("small"),
        medium=marks.count("medium"),
        large=marks.count("large"),
        points_left=sum(one.most - (one.chosen.points or 0) for one in own if one.most is not None),
        luck=100 * sum(one.changes[seat] for one in lucky),
        luck_error=100 * sqrt(sum(one.errors[seat] ** 2 for one in lucky)),
        adjusted=100 * (won - sum(one.changes[seat] for one in seen.luck)),
    )
