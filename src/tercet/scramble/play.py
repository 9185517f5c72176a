"""The words of Scramble: options, commands, events, state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct, field

from tercet.editions import Die, Edition
from tercet.games import CameBack, ComeBack, Command, Event, StepAway, SteppedAway, choose
from tercet.games.race import Call, Called, Ended, PendingCall, SawNone, SeeNone, TakeBack, TookBack
from tercet.games.texts import read_numbers, several

if TYPE_CHECKING:
    from tercet.drawing import Picture

#: So many dice are thrown: the first of an edition that has more (M1).
DICE = 42


def read_dice(text: str) -> tuple[int, ...]:
    """The numbers of dice, alone or after their faces, as the notation writes them. Which face a die shows is not asked.

    >>> read_dice("1RO#3 17 W#40")
    (3, 17, 40)
    """
    return tuple(
        number
        for word in text.replace(",", " ").split()
        for number in ((Die.read(word).number,) if "#" in word else read_numbers(word))
    )


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the table plays.

    ``edition``: the dice; its board is not used (M1).
    ``claim``: ``instant`` takes three dice without a call (M2).
    ``auto_end``: the round is over as soon as no SET is left; otherwise when all agree that there is none (M4).
    ``show_seconds``: how long a player may take to show after the call (M2).
    """

    edition: Annotated[Edition, choose("game")] = field(default_factory=lambda: Edition.named("house"))
    rounds: Annotated[int, Meta(ge=1, le=10), choose("length")] = 5
    claim: Annotated[Literal["call", "instant"], choose("rules")] = "call"
    auto_end: Annotated[bool, choose("rules")] = True
    show_seconds: Annotated[int, Meta(ge=3, le=30), choose("time")] = 5


class Throw(Command, frozen=True):
    """The thrower throws all dice: the round begins."""


class Show(Command, frozen=True):
    """The three dice of the SET, by their numbers. No dice: nothing to show after all, or not in time (M2)."""

    dice: tuple[int, ...] = ()

    if TYPE_CHECKING:

        def __init__(self, seat: int, dice: Iterable[int | str] | str = ()) -> None: ...

    else:
        __post_init__ = several(int, read_dice, "dice")


ScrambleCommand = Throw | Call | Show | SeeNone | TakeBack | StepAway | ComeBack


class Thrown(Event, frozen=True):
    """A round begins: so the dice came to lie, place by place."""

    round: int
    thrower: int
    dice: tuple[Die, ...]

    if not TYPE_CHECKING:
        __post_init__ = several(Die, Die.read_all, "dice")


class Took(Event, frozen=True):
    """A right SET: its dice leave the table (M3)."""

    seat: int
    dice: tuple[Die, ...]

    if not TYPE_CHECKING:
        __post_init__ = several(Die, Die.read_all, "dice")


class Missed(Event, frozen=True):
    """These are no SET; or nothing was shown (M2)."""

    seat: int
    dice: tuple[Die, ...]

    if not TYPE_CHECKING:
        __post_init__ = several(Die, Die.read_all, "dice")


class RoundEnded(Event, frozen=True):
    """``left`` are the dice that nobody took (M4)."""

    left: tuple[Die, ...]

    if not TYPE_CHECKING:
        __post_init__ = several(Die, Die.read_all, "left")


ScrambleEvent = (
    Thrown | Called | Took | Missed | SawNone | TookBack | RoundEnded | Ended | SteppedAway | CameBack
)


class Hint(Struct, frozen=True):
    """Some dice of a SET on the table, by their numbers; none if there is no SET."""

    dice: tuple[int, ...] = ()


class State(Struct, frozen=True, kw_only=True, gc=False):
    """A table between two events. It holds no secret: no die is thrown before it can be seen.

    ``dice`` are the places of the table with what lies there: None where a die was taken. ``taken`` counts the SETs
    of this round. ``locked`` and ``none`` are seats: who is locked out, who says that no SET is left; ``away`` are those
    that nobody waits for (T1).
    """

    options: Options
    seats: int
    phase: Literal["deal", "play", "over"] = "deal"
    round: int = 1
    thrower: int = 0
    dice: tuple[Die | None, ...] = ()
    scores: tuple[int, ...]
    taken: tuple[int, ...]
    call: PendingCall | None = None
    locked: frozenset[int] = frozenset()
    none: frozenset[int] = frozenset()
    throw_due: int | None = None
    away: frozenset[int] = frozenset()

    @property
    def lying(self) -> tuple[Die, ...]:
        """The dice that are still on the table."""
        return tuple([die for die in self.dice if die is not None])

    def __str__(self) -> str:
        places = [f"{die or '.'!s:>6}" for die in self.dice]
        rows = [" ".join(places[start : start + 7]) for start in range(0, len(places), 7)]
        return "\n".join(rows or ["(no dice on the table)"])

    def svg(self, **options: Any) -> Picture:
        """The table; options are those of `tercet.drawing.draw_rows`."""
        from tercet.drawing import draw_rows  # noqa: PLC0415

        return draw_rows(self.dice, **{"columns": 7, "size": 50, **options})

    def _repr_svg_(self) -> str:
        return self.svg()
