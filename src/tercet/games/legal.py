"""What is allowed now, as a small view of a game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Generic

from tercet.games.rules import AnyRules, C


class Legal(Generic[C]):
    """The commands that the rules allow now, worked out as they are asked for.

    Cards and dice that are shown may be a miss: they are allowed all the same. ``in`` tells of any command, in whatever
    order its cards stand; iteration lists each once, and leaves out what moves nothing: drafts, and what only
    the table says. ``of`` is the same for one seat.

    >>> from tercet import cards, fairness
    >>> game = cards.Game(["Ann", "Bo"], seed=fairness.seed_from("an example"))
    >>> list(game.legal)
    [Deal(seat=0)]
    >>> _ = game.do(cards.Deal(0))
    >>> game.legal.count(), cards.Call(1) in game.legal, cards.Show(1) in game.legal
    (4, True, False)
    >>> list(game.legal.of(1))
    [Call(seat=1), SeeNone(seat=1)]
    """

    __slots__ = ("_at", "_rules", "_seats", "_state")

    def __init__(self, rules: AnyRules, state: Any, at: int, seats: tuple[int, ...]) -> None:
        self._rules, self._state, self._at, self._seats = rules, state, at, seats

    def of(self, seat: int) -> Legal[C]:
        """What this seat may do."""
        return Legal(self._rules, self._state, self._at, (seat,) if seat in self._seats else ())

    def __iter__(self) -> Iterator[C]:
        for seat in self._seats:
            yield from self._rules.moves(self._state, seat)

    def __contains__(self, command: object) -> bool:
        rules = self._rules
        return (
            isinstance(command, rules.commands)
            and command.seat in self._seats
            and rules.allows(self._state, command, self._at)
        )

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def count(self) -> int:
        """How many there are; `len` is not offered, as `list` would then count them first."""
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        few = [repr(command) for command in islice(self, 4)]
        return f"<Legal: {', '.join([*few[:3], '…'] if len(few) > 3 else few) or 'nothing'}>"
