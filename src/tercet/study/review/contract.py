"""What a review is, whatever the game: rows for programs, lines, tables and a chart for people, JSON both ways.

A game that can be reviewed has a module ``review`` in its package, loaded when it is asked for, with a subclass of `Review`
under that very name:

    class Review(contract.Review, frozen=True, kw_only=True):
        @classmethod
        def of(cls, record, games=None, progress=unwatched): ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import msgspec
from msgspec import Struct

from tercet import codec, games
from tercet.bots.bot import GENTLE
from tercet.games import Command, Refusal
from tercet.record import Problem, Record, verify
from tercet.sets import TercetError, of_kind
from tercet.study.review.words import count

#: More games than this are not played out for a decision.
GAMES_LIMIT = 1_000_000
#: Is told how many steps of a review are done, and how many there are.
Progress = Callable[[int, int], None]


def unwatched(done: int, total: int) -> None:
    """The progress of a review at which nobody looks."""


class ReviewError(TercetError):
    """A game that cannot be reviewed; the message says why, ``code`` in a word."""

    code = "cannot_review"


class NoReview(ReviewError):
    """A game of a kind that has no review."""

    code = "no_review"


class Unfinished(ReviewError):
    """A game that goes on."""

    code = "not_finished"


class BrokenOff(Unfinished):
    """A game that was broken off."""

    code = "broken_off"


class NoWhatIf(ReviewError):
    """A line of a game, or a game, in which nothing else could have been done."""

    code = "no_what_if"


class Untrue(ReviewError):
    """A record that is not consistent."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"the record is not consistent: {problem}")
        self.problem = problem


class Sheet(Struct, frozen=True):
    """A table for people: texts under headings; the columns in ``numbers`` are set right."""

    title: str
    headings: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    numbers: tuple[str, ...] = ()

    def by_threes(self) -> list[Sheet]:
        """Several sheets where more than four players have a column each after the first, so that none is too wide.

        >>> wide = Sheet("Players", ("", *"abcde"), (("points", *"12345"),))
        >>> [sheet.lines for sheet in wide.by_threes()]
        [(('points', '1', '2', '3'),), (('points', '4', '5'),)]
        """
        if len(self.headings) <= 5:
            return [self]
        return [
            Sheet(
                self.title,
                (self.headings[0], *self.headings[at : at + 3]),
                tuple((line[0], *line[at : at + 3]) for line in self.lines),
                self.numbers,
            )
            for at in range(1, len(self.headings), 3)
        ]


class Line(Struct, frozen=True):
    """One player's line in a chart."""

    player: str
    points: tuple[tuple[float, float], ...]


class Mark(Struct, frozen=True):
    """A mistake of this player (its place among the lines), at this point of the chart."""

    player: int
    x: float
    y: float
    size: str


class Chart(Struct, frozen=True):
    """How the game went, a line a player: points over time, or the chance to win.

    ``top``: the highest that can be, where there is such a thing; ``is_share``: 0.5 is written as 50 %. ``steps``: a value
    holds until the next one. ``marks``: the mistakes on it.
    """

    title: str
    across: str
    up: str
    lines: tuple[Line, ...]
    top: float | None = None
    is_share: bool = False
    steps: bool = False
    marks: tuple[Mark, ...] = ()

    @property
    def begin(self) -> float:
        return min((x for line in self.lines for x, _ in line.points), default=0.0)

    @property
    def end(self) -> float:
        return max((x for line in self.lines for x, _ in line.points), default=0.0)

    @property
    def heading(self) -> str:
        """
        >>> def heading(end: float) -> str:
        ...     return Chart(
        ...         "The race", "minutes", "points", (Line("Ann", ((0.0, 0.0), (end, 2.0))),)
        ...     ).heading
        >>> heading(3.25), heading(1.01), heading(0.4)
        ('The race, over 3.2 minutes', 'The race, over 1 minute', 'The race, over 24 seconds')
        """
        return f"{self.title}, over {self.length}"

    @property
    def length(self) -> str:
        end = round(self.end, 1)
        if self.across == "minutes" and end < 1:
            return count(round(60 * self.end), "second")
        return count(end, self.across.removesuffix("s"))


class Scene(Struct, frozen=True):
    """A moment of the game that is worth looking at: what it is, a line about it, and pictures (SVG) with a word each."""

    title: str
    text: str
    pictures: tuple[tuple[str, str], ...]


class ByPlayer(Struct, frozen=True):
    """Several reviews of one game, a row a player: as data, and as a table for people."""

    rows: tuple[dict[str, Any], ...]
    sheet: Sheet

    def _repr_html_(self) -> str:
        from tercet.study.review.page import sheet_html  # noqa: PLC0415

        return sheet_html(self.sheet)


class Player(Struct, frozen=True, kw_only=True):
    """Who sat at a seat. ``bot``: its name, if it was one. ``before``: those who sat there earlier in this game; such a seat
    counts for nobody."""

    name: str
    bot: str | None = None
    before: tuple[str, ...] = ()

    @property
    def counts(self) -> bool:
        return not self.before

    @property
    def summed_as(self) -> tuple[str, str | None]:
        """By what games are summed up: the site calls a bot Regular that is regular in the terminal."""
        return (self.name if self.bot is None else self.name.casefold(), self.bot)

    @property
    def shown(self) -> str:
        """The name, and whether it is a bot's."""
        return self.name if self.bot is None else f"{self.name} (bot)"

    @property
    def is_gentle(self) -> bool:
        """Whether it is a bot that waited for people, who were new to the game."""
        return self.bot is not None and GENTLE in self.bot.split(":")[1:]


class Review(Struct, frozen=True, kw_only=True):
    """What can be learnt from a finished game. Every game has its own.

    ``engine`` is the version of what reviewed it: a review by another is made again.
    """

    #: The engine that reviews now.
    current: ClassVar[str]
    #: So many games are played out for a decision when nobody says otherwise; None where none are.
    usual_games: ClassVar[int | None] = None
    #: What `what_if` answers; None where there is nothing to ask.
    judged: ClassVar[type[Struct] | None] = None

    game: str
    engine: str
    players: tuple[Player, ...]
    result: tuple[int, ...]

    @classmethod
    def of(cls, record: Record, games: int | None = None, progress: Progress = unwatched) -> Self:
        """The review of a record that `review` has checked. ``games``: how many are played out for a decision, by those
        that play any out; None is as many as usual."""
        raise NotImplementedError

    @classmethod
    def what_if(
        cls,
        record: Record,
        line: int,  # noqa: ARG003
        command: Command,  # noqa: ARG003
        games: int | None = None,  # noqa: ARG003
    ) -> Struct | Refusal:
        """What another command in the place of this line of the log would have been worth, as the ``judged`` of this kind of
        review; or why the rules do not allow it. `ReviewError` where nothing can be asked."""
        raise NoWhatIf(f"there is nothing to try out in {record.rules.title}")

    def rows(self) -> list[dict[str, Any]]:
        """Flat rows of plain values, ready for a DataFrame."""
        raise NotImplementedError

    def summary(self) -> list[str]:
        """What matters most, in a few lines."""
        raise NotImplementedError

    def sheets(self) -> list[Sheet]:
        """Everything that is worth reading, as tables."""
        raise NotImplementedError

    def chart(self) -> Chart:
        """How the game went."""
        raise NotImplementedError

    def scenes(self, record: Record) -> list[Scene]:
        """The costliest mistakes in pictures, from the record that was reviewed."""
        return []

    @classmethod
    def by_player(cls, reviews: Sequence[Self]) -> ByPlayer:
        """Several games together, player by player; seats that changed hands count for nobody. A review that is given twice counts once."""
        raise NotImplementedError

    def __repr__(self) -> str:
        names = ", ".join(player.name for player in self.players)
        return f"<review of {self.game}: {names}; {' : '.join(map(str, self.result))}>"

    def _repr_html_(self) -> str:
        from tercet.study.review.page import fragment  # noqa: PLC0415

        return fragment(self)


def seated(record: Record) -> tuple[Player, ...]:
    """Who sat where, by what the record remarks on it."""
    return tuple(
        Player(name=name, bot=record.tags.get(f"Bot{number}"), before=_before(record.tags, number))
        for number, name in enumerate(record.seats, 1)
    )


def _before(tags: Mapping[str, str], number: int) -> tuple[str, ...]:
    """Anybody can write a remark: one that is not a list of names is a name itself."""
    text = tags.get(f"Before{number}")
    if text is None:
        return ()
    try:
        return msgspec.json.decode(text, type=tuple[str, ...])
    except msgspec.DecodeError:
        return (text,)


def reviewed_games() -> list[str]:
    """The games that have a review."""
    return [name for name in games.names() if games.has_part(name, "review")]


def review_type(game: str) -> type[Review]:
    """The kind of review that this game has; `ReviewError` if it has none."""
    part = games.part(game, "review")
    if part is None:
        raise NoReview(
            f"{games.find(game).rules.title} has no review; there is one for {', '.join(reviewed_games())}"
        )
    kind: type[Review] = part.Review
    return kind


def review(record: Record, games: int | None = None, progress: Progress = unwatched) -> Review:
    """What can be learnt from this game; `ReviewError` if it has no review, is not finished or is not true."""
    return _kind(record, games).of(record, games, progress)


def what_if(record: Record, line: int, command: Command, games: int | None = None) -> Struct | Refusal:
    """What another command would have been worth than the one in this line of the log; a refusal if the rules do not allow
    it, `ReviewError` if it cannot be said."""
    return _kind(record, games).what_if(record, line, command, games)


def _kind(record: Record, number: int | None) -> type[Review]:
    """How this record is reviewed, if it can be, by so many games."""
    of_kind(record, Record, "a record (record.read makes one of the text of a file, record.of of a game)")
    if number is not None:
        of_kind(number, int, "a number of games")
        if not 1 <= number <= GAMES_LIMIT:
            raise ReviewError(f"1 to {GAMES_LIMIT} games are played out for a decision, not {number}")
    kind = review_type(record.game)
    if record.result is None:
        if record.seed is None:
            raise Unfinished("the game is not finished")
        raise BrokenOff("the game was broken off before its end")
    if record.seed is None:
        raise ReviewError("the seed is missing, so nobody can check what happened")
    if (problem := verify(record)) is not None:
        raise Untrue(problem)
    return kind


class _Named(Struct):
    game: str


def write(review: Review) -> str:
    """The review as JSON; `read` reads it back."""
    return codec.to_json(review).decode()


def read(text: str) -> Review:
    """A review from its JSON; `ReviewError` says what is wrong with it."""
    try:
        kind = review_type(codec.from_json(text, _Named).game)
        found: Review = codec.from_json(text, kind)
    except (msgspec.DecodeError, TercetError) as error:
        raise ReviewError(f"this is no review: {codec.reason(error)}") from None
    return found
