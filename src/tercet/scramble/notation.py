"""Scramble's events as lines of a record, and back. Seats are counted from 1 there.

>>> read_event("1 takes 1RO#3 2RO#17 W#40").dice[2]
Die(number=40, face=Face('W'), wild=False)
>>> write_event(Missed(1, ()))
'2 shows nothing'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import assert_never

from tercet.editions import Die
from tercet.games import CameBack, SteppedAway
from tercet.scramble.play import (
    Called,
    Ended,
    Missed,
    RoundEnded,
    SawNone,
    ScrambleEvent,
    Thrown,
    Took,
    TookBack,
)
from tercet.sets import NotationError


def write_event(event: ScrambleEvent) -> str:
    match event:
        case Thrown():
            return f"{event.thrower + 1} throws round {event.round}: {_join(event.dice)}"
        case Called():
            return f"{event.seat + 1} calls"
        case Took():
            return f"{event.seat + 1} takes {_join(event.dice)}"
        case Missed():
            return f"{event.seat + 1} shows {_join(event.dice) or 'nothing'}"
        case SawNone():
            return f"{event.seat + 1} sees none"
        case TookBack():
            return f"{event.seat + 1} looks again"
        case RoundEnded():
            return f"round over, left: {_join(event.left) or 'nothing'}"
        case Ended():
            return f"game over: {_join(event.scores)}"
        case SteppedAway():
            return f"{event.seat + 1} is away"
        case CameBack():
            return f"{event.seat + 1} is back"
        case _ as unreachable:
            assert_never(unreachable)


_DICE = r"(\w+#\d{1,4}(?: \w+#\d{1,4})*)"
_FORMS: list[tuple[str, Callable[..., ScrambleEvent]]] = [
    (rf"([1-8]) throws round (\d{{1,2}}): {_DICE}", lambda s, r, d: Thrown(int(r), _seat(s), _dice(d))),
    (r"([1-8]) calls", lambda s: Called(_seat(s))),
    (rf"([1-8]) takes {_DICE}", lambda s, d: Took(_seat(s), _dice(d))),
    (rf"([1-8]) shows {_DICE}", lambda s, d: Missed(_seat(s), _dice(d))),
    (r"([1-8]) shows nothing", lambda s: Missed(_seat(s), ())),
    (r"([1-8]) sees none", lambda s: SawNone(_seat(s))),
    (r"([1-8]) looks again", lambda s: TookBack(_seat(s))),
    (rf"round over, left: {_DICE}", lambda d: RoundEnded(_dice(d))),
    (r"round over, left: nothing", lambda: RoundEnded(())),
    (r"([1-8]) is away", lambda s: SteppedAway(_seat(s))),
    (r"([1-8]) is back", lambda s: CameBack(_seat(s))),
    (r"game over: (\d{1,6}(?: \d{1,6})*)", lambda n: Ended(tuple(map(int, n.split(" "))))),
]


def read_event(text: str) -> ScrambleEvent:
    for pattern, build in _FORMS:
        if found := re.fullmatch(pattern, text, re.ASCII):
            return build(*found.groups())
    raise NotationError(f"{text[:60]!r} is not a line of Scramble")


def _join(things: Sequence[object]) -> str:
    return " ".join(map(str, things))


def _seat(text: str) -> int:
    return int(text) - 1


def _dice(text: str) -> tuple[Die, ...]:
    return tuple(map(Die.read, text.split(" ")))
