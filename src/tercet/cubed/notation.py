"""The dice game's events as lines of a record, and back. Seats are counted from 1 there.

>>> read_event("1 replaces 2GS#17>e5=1RO#4")
Replaced(seat=0, die=Die(number=17, face=Face('2GS'), wild=False), square=Square('e5'), \
taken=Die(number=4, face=Face('1RO'), wild=False), could_lay=False)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, assert_never

from tercet.cubed.placements import Placement, write_turn
from tercet.cubed.play import (
    Began,
    Called,
    Chose,
    CubedEvent,
    Drafted,
    Drew,
    Ended,
    Laid,
    Missed,
    Opened,
    Passed,
    Replaced,
    RoundEnded,
    SawNone,
    Threw,
)
from tercet.editions.dice import Die
from tercet.editions.squares import Square
from tercet.games import CameBack, SteppedAway
from tercet.sets import NotationError


def write_event(event: CubedEvent) -> str:
    match event:
        case Began():
            return f"{event.seat + 1} begins"
        case Drew():
            return f"{event.seat + 1} draws {_join(event.dice)}"
        case Threw():
            return f"{event.seat + 1} throws {_join(event.dice)}"
        case Called():
            return f"{event.seat + 1} calls"
        case Missed():
            return f"{event.seat + 1} shows {write_turn(event.placements)}"
        case SawNone():
            return f"{event.seat + 1} sees none"
        case Opened():
            return f"{event.seat + 1} opens {write_turn(event.placements)} = {event.points}"
        case Replaced():
            could = " (could lay)" if event.could_lay else ""
            return f"{event.seat + 1} replaces {event.die}>{event.square}={event.taken}{could}"
        case Laid():
            return f"{event.seat + 1} lays {write_turn(event.placements)} = {event.points}"
        case Drafted():
            return f"{event.seat + 1} drafts {write_turn(event.placements)}"
        case Passed():
            return f"{event.seat + 1} passes{' (could lay)' if event.could_lay else ''}"
        case RoundEnded():
            return f"round {event.round} over, then {event.then.replace('_', ' ')}"
        case Chose(dice=None):
            return f"{event.seat + 1} has chosen"
        case Chose():
            return f"{event.seat + 1} {'throws again ' + _join(event.dice or ()) if event.dice else 'keeps'}"
        case Ended():
            return f"game over: {_join(event.scores)}"
        case SteppedAway():
            return f"{event.seat + 1} is away"
        case CameBack():
            return f"{event.seat + 1} is back"
        case _ as unreachable:
            assert_never(unreachable)


_DICE = r"([\w#]+(?: [\w#]+)*)"
_TURN = r"([\w#*@]+(?: [\w#*@]+)*)"
_COULD = r"( \(could lay\))?"
_FORMS: list[tuple[str, Callable[..., CubedEvent]]] = [
    (r"([1-4]) begins", lambda s: Began(_seat(s))),
    (rf"([1-4]) draws {_DICE}", lambda s, d: Drew(_seat(s), _dice(d))),
    (r"([1-4]) throws again (\d{1,4}(?: \d{1,4})*)", lambda s, n: Chose(_seat(s), _numbers(n))),
    (r"([1-4]) keeps", lambda s: Chose(_seat(s), ())),
    (r"([1-4]) has chosen", lambda s: Chose(_seat(s), None)),
    (rf"([1-4]) throws {_DICE}", lambda s, d: Threw(_seat(s), _dice(d))),
    (r"([1-4]) calls", lambda s: Called(_seat(s))),
    (r"([1-4]) shows -", lambda s: Missed(_seat(s), ())),
    (rf"([1-4]) shows {_TURN}", lambda s, t: Missed(_seat(s), _placements(t))),
    (r"([1-4]) sees none", lambda s: SawNone(_seat(s))),
    (rf"([1-4]) opens {_TURN} = (\d{{1,4}})", lambda s, t, p: Opened(_seat(s), _placements(t), int(p))),
    (
        rf"([1-4]) replaces ([\w#]+)>(\w+)=([\w#]+){_COULD}",
        lambda s, d, q, t, c: Replaced(_seat(s), Die.read(d), Square(q), Die.read(t), bool(c)),
    ),
    (rf"([1-4]) lays {_TURN} = (\d{{1,4}})", lambda s, t, p: Laid(_seat(s), _placements(t), int(p))),
    (r"([1-4]) drafts -", lambda s: Drafted(_seat(s), ())),
    (rf"([1-4]) drafts {_TURN}", lambda s, t: Drafted(_seat(s), _placements(t))),
    (rf"([1-4]) passes{_COULD}", lambda s, c: Passed(_seat(s), bool(c))),
    (
        r"round (\d{1,6}) over, then (extra roll|rethrow|end)",
        lambda r, then: RoundEnded(int(r), then.replace(" ", "_")),
    ),
    (r"([1-4]) is away", lambda s: SteppedAway(_seat(s))),
    (r"([1-4]) is back", lambda s: CameBack(_seat(s))),
    (r"game over: (\d{1,6}(?: \d{1,6})*)", lambda n: Ended(_numbers(n))),
]


def read_event(text: str) -> CubedEvent:
    for pattern, build in _FORMS:
        if found := re.fullmatch(pattern, text, re.ASCII):
            return build(*found.groups())
    raise NotationError(f"{text[:60]!r} is not a line of the dice game")


def _join(things: Sequence[Any]) -> str:
    return " ".join(map(str, things))


def _seat(text: str) -> int:
    return int(text) - 1


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(" "))


def _dice(text: str) -> tuple[Die, ...]:
    return tuple(Die.read(word) for word in text.split(" "))


def _placements(text: str) -> tuple[Placement, ...]:
    return tuple(Placement.read(word) for word in text.split(" "))
