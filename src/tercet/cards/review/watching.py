"""A recorded game watched from beginning to end: the life of every SET, and who looked for how long.

A seat looks while cards lie there and nobody has called, and while it is not locked out, not away, and has not said that
there is no SET. A look ends with whatever happens next: what follows is a new look, at a new table or once more at the
same one. A look that ended in a wrong call was a find that went wrong if the cards were almost a SET, or if none were shown;
otherwise it was a guess, which says nothing about how fast somebody is.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from msgspec import Struct

from tercet.cards.play import Missed, State, Took
from tercet.cards.variants import Cards, variant_of
from tercet.difficulty import SECOND_LOOK, differing_features, difficulties
from tercet.games import Entry
from tercet.games.race import Called, SawNone
from tercet.record import Record, replay
from tercet.sets import Card

#: Who looks at the same table for longer than this, with nothing happening, no longer looks. Milliseconds.
LOOK_LIMIT = 120_000

Group = frozenset[Card]


class Life(Struct, frozen=True, kw_only=True):
    """A SET on the table, from when it lay there until it did not.

    ``since`` and ``until`` are lines of the record, ``appeared`` and ``gone`` milliseconds. ``went``: it was taken, it was
    broken when somebody took another with one of its cards (in Chain, any other), or it was left when the round ended; ``by`` is that seat.
    ``difficulty``: the seconds that a player of speed 1 needs for it, as it lay at last. ``tables``: on so many it lay, one
    after the other. ``looked``: the seconds for which each seat looked. What follows is known when the speeds are: ``expected``,
    the seconds that each seat usually needs for it, None for one whose speed is not measured; the seats by which it was ``missed``;
    whether it was a ``quick`` find.
    """

    round: int
    cards: Cards
    differing: int
    difficulty: float
    since: int
    until: int
    appeared: int
    gone: int
    went: Literal["taken", "broken", "left"]
    by: int | None
    tables: int
    looked: tuple[float, ...]
    expected: tuple[float | None, ...] = ()
    missed: tuple[int, ...] = ()
    quick: bool = False


class WrongCall(Struct, frozen=True, kw_only=True):
    """A call after which the cards were no SET, or none were shown. ``broken``: the features because of which."""

    seat: int
    line: int
    at: int
    cards: Cards
    broken: tuple[str, ...]


class FalseNone(Struct, frozen=True, kw_only=True):
    """ "I see none", said while so many SETs lay there, of which this was the easiest."""

    seat: int
    line: int
    at: int
    sets: int
    easiest: Cards


class Look(NamedTuple):
    """One seat at one table of a round, until something happened at ``at``. ``before``: for how many seconds it had looked at this table
    already. ``pace``: the part of the usual time that this look takes. ``difficulty``: of every SET that lay there. ``found``: the one that
    this seat called. ``ended``: whether in a call, and in which kind of one."""

    seat: int
    round: int
    at: int
    seconds: float
    before: float
    pace: float
    difficulty: dict[Group, float]
    found: Group | None = None
    ended: Literal["otherwise", "right", "almost", "guess"] = "otherwise"


class Watched(NamedTuple):
    lives: list[Life]
    looks: list[Look]
    wrong: list[WrongCall]
    false_none: list[FalseNone]
    #: After each change: when, and the scores.
    scores: list[tuple[int, tuple[int, ...]]]


def watch(record: Record) -> Watched:
    """Everything that can be seen in a game."""
    watcher = _Watcher(len(record.seats))
    state = record.rules.start(record.options, len(record.seats))
    for entry, after in replay(record):
        watcher.see(state, entry, after)
        state = after
    return watcher.seen


class _Lying:
    """A SET that lies there now."""

    def __init__(self, cards: Cards, line: int, at: int, seats: int) -> None:
        self.cards, self.line, self.at = cards, line, at
        self.tables = 0
        self.looked = [0.0] * seats


class _Watcher:
    def __init__(self, seats: int) -> None:
        self.seen = Watched([], [], [], [], [(0, (0,) * seats)])
        self._seats = seats
        self._lying: dict[Group, _Lying] = {}
        self._difficulty: dict[Group, float] = {}
        self._on_table = [0.0] * seats
        self._is_second_look = False
        self._at = 0
        #: The look that ended in the call that is not yet answered: its place among all.
        self._caller: int | None = None

    def see(self, before: State, entry: Entry[Any], after: State) -> None:
        """What happens, between these two states."""
        event, at = entry.event, entry.at
        self._end_looks(before, event, at)
        match event:
            case Took():
                self._answer("right", frozenset(event.cards))
            case Missed():
                broken = variant_of(before.options).explain(event.cards).broken if event.cards else ()
                self._answer("almost" if len(broken) <= 1 else "guess")
                self.seen.wrong.append(
                    WrongCall(
                        seat=event.seat,
                        line=entry.seq,
                        at=at,
                        cards=event.cards,
                        broken=tuple(one if isinstance(one, str) else one.feature for one in broken),
                    )
                )
            case SawNone() if self._lying:
                easiest = min(self._lying, key=self._difficulty.__getitem__)
                self.seen.false_none.append(
                    FalseNone(
                        seat=event.seat,
                        line=entry.seq,
                        at=at,
                        sets=len(self._lying),
                        easiest=self._lying[easiest].cards,
                    )
                )
            case _:
                pass
        if (after.table, after.last) != (before.table, before.last):
            self._change_table(before, entry, after)
        if after.scores != before.scores:
            self.seen.scores.append((at, after.scores))
        self._at = at

    def _end_looks(self, state: State, event: Any, at: int) -> None:
        """What each seat did since the last line: it looked, or it could not."""
        seconds = min(at - self._at, LOOK_LIMIT) / 1000
        if state.phase != "play" or state.call is not None or not seconds:
            return
        pace = SECOND_LOOK if self._is_second_look else 1.0
        for seat in range(self._seats):
            if seat in state.locked or seat in state.away or seat in state.none:
                continue
            look = Look(seat, state.round, at, seconds, self._on_table[seat], pace, self._difficulty)
            self.seen.looks.append(look)
            self._on_table[seat] += seconds
            for lying in self._lying.values():
                lying.looked[seat] += seconds
            if isinstance(event, Called | Took | Missed) and event.seat == seat:
                self._caller = len(self.seen.looks) - 1
        self._is_second_look = True

    def _answer(self, ended: Literal["right", "almost", "guess"], found: Group | None = None) -> None:
        """The look that ended in a call was a find, or a mistake."""
        place, self._caller = self._caller, None
        if place is not None:
            self.seen.looks[place] = self.seen.looks[place]._replace(found=found, ended=ended)

    def _change_table(self, before: State, entry: Entry[Any], after: State) -> None:
        variant = variant_of(after.options)
        groups = {frozenset(group): group for group in variant.groups(after.table, after.last)}
        for group in [group for group in self._lying if group not in groups]:
            self._bury(group, before, entry)
        for group, cards in groups.items():
            if group not in self._lying:
                self._lying[group] = _Lying(cards, entry.seq, entry.at, self._seats)
            self._lying[group].tables += 1
        hard = difficulties(after.table, groups.values(), variant.effort)
        self._difficulty = {group: hard[cards] for group, cards in groups.items()}
        self._on_table = [0.0] * self._seats
        self._is_second_look = False

    def _bury(self, group: Group, before: State, entry: Entry[Any]) -> None:
        lying, event = self._lying.pop(group), entry.event
        by = event.seat if isinstance(event, Took) else None
        is_taken = isinstance(event, Took) and frozenset(event.cards) == group
        self.seen.lives.append(
            Life(
                round=before.round,
                cards=lying.cards,
                differing=differing_features(lying.cards),
                difficulty=self._difficulty[group],
                since=lying.line,
                until=entry.seq,
                appeared=lying.at,
                gone=entry.at,
                went="taken" if is_taken else "broken" if by is not None else "left",
                by=by,
                tables=lying.tables,
                looked=tuple(lying.looked),
            )
        )
