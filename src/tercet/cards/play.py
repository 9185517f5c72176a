"""The words of the card game: options, commands, events, state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from msgspec import Meta, Struct

from tercet.games import CameBack, ComeBack, Command, Event, StepAway, SteppedAway, choose
from tercet.games.race import Call, Called, Ended, PendingCall, SawNone, SeeNone, TakeBack, TookBack
from tercet.games.texts import several
from tercet.sets import Card

if TYPE_CHECKING:
    from tercet.drawing import Picture

#: Each value of each card feature, by its own name: what the simplified game can be cut down to.
Value = Literal[
    "1", "2", "3", "red", "green", "purple", "full", "hatched", "empty", "diamond", "oval", "squiggle"
]


VALUES = get_args(Value)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the table plays. The defaults are the leaflet's game.

    ``rounds``: None means one for each player, so that each has dealt once (K8).
    ``sets``: the game is over when so many SETs have been taken, or when the rounds are (K12).
    ``show_seconds``: how long a player may take to show after the call (K3).
    ``honest_none``: agreeing that there is no SET is refused while there is one (K6).
    ``variant``: another game with the same cards (V1).
    ``only``: the simplified game with just the cards of this value, such as ``red`` (K9).
    ``table``: how many cards lie open; 9 only in the simplified game (K9).
    ``claim``: ``instant`` takes three cards without a call (K10).
    ``auto_deal``: three more are opened as soon as there is no SET (K10).
    ``penalty``: ``point`` costs a point instead of the lock (K10).
    """

    variant: Annotated[Literal["classic", "chain", "ultra", "ghost", "shuffle", "junior"], choose("game")] = (
        "classic"
    )
    only: Annotated[Value | None, choose("game", only_with=({"variant": ("classic",)},))] = None
    table: Annotated[
        Literal[9, 12], choose("game", only_with=({"only": VALUES}, {"variant": ("junior",)}))
    ] = 12
    rounds: Annotated[
        Annotated[int, Meta(ge=1, le=100)] | None, choose("length", suggested=(1, 2, 3, 4, 5, 6, 8, 10))
    ] = None
    sets: Annotated[
        Annotated[int, Meta(ge=1, le=100)] | None, choose("length", suggested=(5, 10, 15, 20))
    ] = None
    claim: Annotated[Literal["call", "instant"], choose("rules")] = "call"
    penalty: Annotated[Literal["lock", "point"], choose("rules")] = "lock"
    auto_deal: Annotated[bool, choose("rules")] = False
    honest_none: Annotated[bool, choose("rules")] = False
    show_seconds: Annotated[int, Meta(ge=3, le=30), choose("time")] = 5


class Deal(Command, frozen=True):
    """The dealer deals the round."""


class Show(Command, frozen=True):
    """The cards of the SET, three of them but in some variants. No cards: nothing to show after all, or not in time (K3)."""

    cards: tuple[Card, ...] = ()

    if TYPE_CHECKING:

        def __init__(self, seat: int, cards: Iterable[Card | str] | str = ()) -> None: ...

    else:
        __post_init__ = several(Card, Card.read, "cards")


CardCommand = Deal | Call | Show | SeeNone | TakeBack | StepAway | ComeBack


class Dealt(Event, frozen=True):
    """A round begins: the dealer laid these cards out."""

    round: int
    dealer: int
    cards: tuple[Card, ...]

    if not TYPE_CHECKING:
        __post_init__ = several(Card, Card.read, "cards")


class Took(Event, frozen=True):
    """A right SET. ``dealt`` fill the gaps, in the order in which the cards lay (K5)."""

    seat: int
    cards: tuple[Card, ...]
    dealt: tuple[Card, ...]

    if not TYPE_CHECKING:
        __post_init__ = several(Card, Card.read, "cards", "dealt")


class Missed(Event, frozen=True):
    """These are no SET; or nothing was shown (K3)."""

    seat: int
    cards: tuple[Card, ...]

    if not TYPE_CHECKING:
        __post_init__ = several(Card, Card.read, "cards")


class Opened(Event, frozen=True):
    """Three more cards."""

    cards: tuple[Card, ...]

    if not TYPE_CHECKING:
        __post_init__ = several(Card, Card.read, "cards")


class RoundEnded(Event, frozen=True):
    """``left`` are the cards that nobody took (K7)."""

    left: tuple[Card, ...]

    if not TYPE_CHECKING:
        __post_init__ = several(Card, Card.read, "left")


class Shuffled(Event, frozen=True):
    """The cards on the table have changed places, and lie like this now (V5)."""

    table: tuple[Card, ...]

    if not TYPE_CHECKING:
        __post_init__ = several(Card, Card.read, "table")


CardEvent = (
    Dealt
    | Called
    | Took
    | Missed
    | SawNone
    | TookBack
    | Opened
    | Shuffled
    | RoundEnded
    | Ended
    | SteppedAway
    | CameBack
)


class Hint(Struct, frozen=True):
    """Some cards of a SET on the table; none if there is no SET."""

    cards: tuple[Card, ...] = ()


class State(Struct, frozen=True, kw_only=True, gc=False):
    """A table between two events. It holds no secret: the deck has no order until a card is turned.

    ``deck`` are the cards not yet turned, sorted. ``locked`` and ``none`` are seats: who is locked
    out, who says that there is no SET; ``away`` are those that nobody waits for (T1). ``taken`` counts SETs, which with penalties are not the points.
    ``last`` is the SET taken last, where the next one needs a card of it (V2).
    """

    options: Options
    seats: int
    phase: Literal["deal", "play", "over"] = "deal"
    round: int = 1
    dealer: int = 0
    table: tuple[Card, ...] = ()
    deck: tuple[Card, ...] = ()
    last: tuple[Card, ...] = ()
    scores: tuple[int, ...]
    taken: tuple[int, ...]
    call: PendingCall | None = None
    locked: frozenset[int] = frozenset()
    none: frozenset[int] = frozenset()
    deal_due: int | None = None
    away: frozenset[int] = frozenset()

    @property
    def rounds(self) -> int:
        return self.options.rounds or self.seats

    @property
    def rows(self) -> tuple[tuple[Card, ...], ...]:
        """The table as it is laid out: three rows, and a column more for cards that were added."""
        across = max(1, -(-len(self.table) // 3))
        return tuple(self.table[place : place + across] for place in range(0, len(self.table), across))

    def __str__(self) -> str:
        rows = ["  ".join(map(str, row)) for row in self.rows]
        return "\n".join(rows or ["(no cards on the table)"])

    def svg(self, **options: Any) -> Picture:
        """The table; options are those of `tercet.drawing.draw_rows`."""
        from tercet.drawing import draw_rows  # noqa: PLC0415

        return draw_rows(self.table, **{"columns": max(1, -(-len(self.table) // 3)), **options})

    def _repr_svg_(self) -> str:
        return self.svg()
