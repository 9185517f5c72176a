"""The words of the dice game: options, commands, events, state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct, field

from tercet.cubed.placements import Placement, read_turn
from tercet.cubed.position import Position
from tercet.editions.dice import Die
from tercet.editions.edition import Edition
from tercet.editions.squares import Square
from tercet.games import CameBack, ComeBack, Command, Event, StepAway, SteppedAway, choose, have_all
from tercet.games.texts import read_numbers, several, single
from tercet.sets import Face

if TYPE_CHECKING:
    from tercet.drawing import Picture

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR

Limit = Annotated[int, Meta(ge=5, le=30 * DAY)]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the table plays.

    ``edition``: the board, the dice and the rule for wilds (C1, C20).
    ``show_seconds``: how long the caller of the opening SET may take to show it (C3).
    ``extra_seconds``: the limit for the extra roll, None for no limit (C14).
    ``turn_seconds``: the limit for a turn, after which the dice are laid that lie there for now, and it counts as a
    pass if none do; None for no limit (C7).
    """

    edition: Annotated[Edition, choose("game")] = field(default_factory=lambda: Edition.named("house"))
    show_seconds: Annotated[int, Meta(ge=3, le=30), choose("time")] = 5
    extra_seconds: Annotated[Limit | None, choose("time", suggested=(30, MINUTE, DAY))] = None
    turn_seconds: Annotated[
        Limit | None, choose("time", suggested=(30, MINUTE, 2 * MINUTE, DAY, 3 * DAY, 7 * DAY))
    ] = None

    @property
    def is_by_post(self) -> bool:
        """Whether there is an hour or more for a turn or the extra roll, so that nobody need stay at the table (T1)."""
        return max(self.turn_seconds or 0, self.extra_seconds or 0) >= HOUR


class Begin(Command, frozen=True):
    """Everyone draws and throws: the opening race."""


class Call(Command, frozen=True):
    """ "Set!" (C3)."""


class Show(Command, frozen=True):
    """The opening SET, laid on the logo. No dice: nothing to show after all, or not in time."""

    placements: tuple[Placement, ...] = ()

    if TYPE_CHECKING:

        def __init__(self, seat: int, placements: Iterable[Placement | str] | str = ()) -> None: ...

    else:
        __post_init__ = several(Placement, read_turn, "placements")


class SeeNone(Command, frozen=True):
    """ "I see none" (C4)."""


class Replace(Command, frozen=True):
    """Put a die of your own in place of a wild on the board and throw the wild (C21)."""

    die: int
    square: Square

    if TYPE_CHECKING:

        def __init__(self, seat: int, die: int, square: Square | str) -> None: ...

    else:
        __post_init__ = single(Square, Square, "square")


class Lay(Command, frozen=True):
    """Lay one to three dice."""

    placements: tuple[Placement, ...]

    if TYPE_CHECKING:

        def __init__(self, seat: int, placements: Iterable[Placement | str] | str) -> None: ...

    else:
        __post_init__ = several(Placement, read_turn, "placements")


class Draft(Command, frozen=True):
    """Dice that lie there for now: they are laid if the time runs out. None to take them back (C7)."""

    placements: tuple[Placement, ...] = ()

    if TYPE_CHECKING:

        def __init__(self, seat: int, placements: Iterable[Placement | str] | str = ()) -> None: ...

    else:
        __post_init__ = several(Placement, read_turn, "placements")


class Pass(Command, frozen=True):
    """Lay nothing."""


class Choose(Command, frozen=True):
    """The numbers of the dice to throw once more; none to keep them all (C14)."""

    dice: tuple[int, ...] = ()

    if TYPE_CHECKING:

        def __init__(self, seat: int, dice: Iterable[int | str] | str = ()) -> None: ...

    else:
        __post_init__ = several(int, read_numbers, "dice")


CubedCommand = Begin | Call | Show | SeeNone | Replace | Lay | Draft | Pass | Choose | StepAway | ComeBack


class Began(Event, frozen=True):
    seat: int


class Drew(Event, frozen=True):
    """Dice drawn from the bag, and what they show."""

    seat: int
    dice: tuple[Die, ...]

    if not TYPE_CHECKING:
        __post_init__ = several(Die, Die.read_all, "dice")


class Threw(Event, frozen=True):
    """Dice thrown again, and what they show now."""

    seat: int
    dice: tuple[Die, ...]

    if not TYPE_CHECKING:
        __post_init__ = several(Die, Die.read_all, "dice")


class Called(Event, frozen=True):
    seat: int


class Missed(Event, frozen=True):
    """These are no SET; or nothing was shown. No further call until the next throw (C3)."""

    seat: int
    placements: tuple[Placement, ...]

    if not TYPE_CHECKING:
        __post_init__ = several(Placement, read_turn, "placements")


class SawNone(Event, frozen=True):
    seat: int


class Opened(Event, frozen=True):
    """The opening SET lies on the logo (C5)."""

    seat: int
    placements: tuple[Placement, ...]
    points: int

    if not TYPE_CHECKING:
        __post_init__ = several(Placement, read_turn, "placements")


_REPLACED_DICE = single(Die, Die.read, "die", "taken")
_REPLACED_SQUARE = single(Square, Square, "square")


class Replaced(Event, frozen=True):
    """``die`` lies where the wild lay; the wild was thrown and is ``taken`` into the hand.

    ``could_lay``: whether the player could have laid a die before.
    """

    seat: int
    die: Die
    square: Square
    taken: Die
    could_lay: bool

    def __post_init__(self) -> None:
        _REPLACED_DICE(self)
        _REPLACED_SQUARE(self)


class Laid(Event, frozen=True):
    seat: int
    placements: tuple[Placement, ...]
    points: int

    if not TYPE_CHECKING:
        __post_init__ = several(Placement, read_turn, "placements")


class Drafted(Event, frozen=True):
    """Dice lie there for now. Nobody else may know which."""

    seat: int
    placements: tuple[Placement, ...]

    if not TYPE_CHECKING:
        __post_init__ = several(Placement, read_turn, "placements")


class Passed(Event, frozen=True):
    """``could_lay``: whether there was a die to be laid (C12)."""

    seat: int
    could_lay: bool


class RoundEnded(Event, frozen=True):
    """``then``: the extra roll, a throw of all dice without one (C12), or the end of the game."""

    round: int
    then: Literal["extra_roll", "rethrow", "end"]


class Chose(Event, frozen=True):
    """Which dice a player throws once more. None where the reader may not know yet."""

    seat: int
    dice: tuple[int, ...] | None

    if not TYPE_CHECKING:
        __post_init__ = several(int, read_numbers, "dice")


class Ended(Event, frozen=True):
    scores: tuple[int, ...]


CubedEvent = (
    Began
    | Drew
    | Threw
    | Called
    | Missed
    | SawNone
    | Opened
    | Replaced
    | Laid
    | Drafted
    | Passed
    | RoundEnded
    | Chose
    | Ended
    | SteppedAway
    | CameBack
)


class Hint(Struct, frozen=True):
    """Where to look: numbers of dice in hand that are a SET, or placements of the turn with the most points."""

    dice: tuple[int, ...] = ()
    placements: tuple[Placement, ...] = ()


class PendingCall(Struct, frozen=True, gc=False):
    """Who called, and until when the SET must be shown."""

    seat: int
    until: int


class State(Struct, frozen=True, kw_only=True, gc=False):
    """A table between two events. Only ``choices`` and ``draft`` are secret: what others answer to the extra roll, until
    it is over and they are gone; and what lies there for now of the turn that somebody else has.

    ``bag`` are the numbers of the dice not yet drawn, sorted: they have no order until they are drawn.
    ``board`` has one entry a cell, by row. ``throws`` counts how often each die was thrown.
    ``turn`` is the seat to move, ``until`` when its time, or that of the extra roll, runs out.
    ``draft`` is what is laid then, and ``drafts`` how often it was changed.
    ``laid`` and ``could_lay``: whether in this round anybody laid a die, or could have.
    ``idle_rounds``: how many rounds in a row somebody could have laid a die and nobody did; those that end in a
    forced re-throw, ``rethrows`` of them in a row, neither count nor break that row. ``away`` are the seats that nobody
    waits for but in their turn (T1).
    """

    options: Options
    seats: int
    phase: Literal["start", "opening", "turn", "extra_roll", "over"] = "start"
    round: int = 1
    bag: tuple[int, ...]
    hands: tuple[tuple[Die, ...], ...]
    board: tuple[Die | None, ...]
    scores: tuple[int, ...]
    throws: tuple[int, ...]
    call: PendingCall | None = None
    barred: frozenset[int] = frozenset()
    none: frozenset[int] = frozenset()
    first: int | None = None
    turn: int | None = None
    until: int | None = None
    draft: tuple[Placement, ...] = ()
    drafts: int = 0
    laid: bool = False
    could_lay: bool = False
    idle_rounds: int = 0
    rethrows: int = 0
    answered: frozenset[int] = frozenset()
    choices: tuple[tuple[int, ...] | None, ...] = ()
    away: frozenset[int] = frozenset()

    @property
    def all_answered(self) -> bool:
        """Whether nobody's answer to the extra roll is waited for."""
        return have_all(self.seats, self.away, self.answered)

    def position(self, seat: int) -> Position:
        """The board, and the hand of this seat."""
        return Position.of(self.options.edition, self.board, [die.face for die in self.hands[seat]])

    def in_order(self) -> tuple[int, ...]:
        """The seats clockwise from the first player; from the first seat while there is none."""
        first = self.first or 0
        return (*range(first, self.seats), *range(first))

    def die_in_hand(self, seat: int, number: int) -> Die | None:
        return next((die for die in self.hands[seat] if die.number == number), None)

    def die_on(self, square: Square) -> Die | None:
        layout = self.options.edition.layout
        return self.board[layout.cell(square)] if square in layout else None

    @property
    def lying(self) -> dict[Square, tuple[Face, bool]]:
        """What lies on the board: the face, and whether a wild stands for it."""
        square = self.options.edition.layout.square
        return {square(cell): (die.face, die.wild) for cell, die in enumerate(self.board) if die is not None}

    def __str__(self) -> str:
        board = self.options.edition.layout.text(self.lying)
        hands = [f"{seat}: {' '.join(map(str, hand)) or 'empty'}" for seat, hand in enumerate(self.hands, 1)]
        return "\n".join([board, *hands])

    def svg(self, **options: Any) -> Picture:
        """The board, with the hand of the one whose turn it is; options are those of `tercet.drawing.draw_board`."""
        from tercet.drawing import draw_board  # noqa: PLC0415

        hand = () if self.turn is None else self.hands[self.turn]
        return draw_board(self.options.edition.layout, self.lying, **{"hand": hand, **options})

    def _repr_svg_(self) -> str:
        return self.svg()
