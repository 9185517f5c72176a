"""The card game's events as lines of a record, and back. Seats are counted from 1 there.

>>> write_event(Took(0, (Card("1RFD"), Card("2RFD"), Card("3RFD")), ()))
'1 takes 1RFD 2RFD 3RFD'
>>> read_event("2 shows nothing")
Missed(seat=1, cards=())
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import assert_never

from tercet.cards.play import (
    Called,
    CardEvent,
    Dealt,
    Ended,
    Missed,
    Opened,
    RoundEnded,
    SawNone,
    Shuffled,
    Took,
    TookBack,
)
from tercet.games import CameBack, SteppedAway
from tercet.sets import Card, NotationError


def write_event(event: CardEvent) -> str:
    match event:
        case Dealt():
            return f"{event.dealer + 1} deals round {event.round}: {_join(event.cards)}"
        case Called():
            return f"{event.seat + 1} calls"
        case Took(dealt=()):
            return f"{event.seat + 1} takes {_join(event.cards)}"
        case Took():
            return f"{event.seat + 1} takes {_join(event.cards)}, new {_join(event.dealt)}"
        case Missed():
            return f"{event.seat + 1} shows {_join(event.cards) or 'nothing'}"
        case SawNone():
            return f"{event.seat + 1} sees none"
        case TookBack():
            return f"{event.seat + 1} looks again"
        case Opened():
            return f"three more: {_join(event.cards)}"
        case Shuffled():
            return f"new places: {_join(event.table)}"
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


_CARDS = r"(\w+(?: \w+)*)"
_FORMS: list[tuple[str, Callable[..., CardEvent]]] = [
    (rf"([1-8]) deals round (\d{{1,3}}): {_CARDS}", lambda s, r, c: Dealt(int(r), _seat(s), _cards(c))),
    (r"([1-8]) calls", lambda s: Called(_seat(s))),
    (rf"([1-8]) takes {_CARDS}", lambda s, c: Took(_seat(s), _cards(c), ())),
    (rf"([1-8]) takes {_CARDS}, new {_CARDS}", lambda s, c, d: Took(_seat(s), _cards(c), _cards(d))),
    (rf"([1-8]) shows {_CARDS}", lambda s, c: Missed(_seat(s), _cards(c))),
    (r"([1-8]) sees none", lambda s: SawNone(_seat(s))),
    (r"([1-8]) looks again", lambda s: TookBack(_seat(s))),
    (rf"three more: {_CARDS}", lambda c: Opened(_cards(c))),
    (rf"new places: {_CARDS}", lambda c: Shuffled(_cards(c))),
    (rf"round over, left: {_CARDS}", lambda c: RoundEnded(_cards(c))),
    (r"([1-8]) is away", lambda s: SteppedAway(_seat(s))),
    (r"([1-8]) is back", lambda s: CameBack(_seat(s))),
    (r"game over: (-?\d{1,6}(?: -?\d{1,6})*)", lambda n: Ended(tuple(map(int, n.split(" "))))),
]


def read_event(text: str) -> CardEvent:
    for pattern, build in _FORMS:
        if found := re.fullmatch(pattern, text, re.ASCII):
            return build(*found.groups())
    raise NotationError(f"{text[:60]!r} is not a line of the card game")


def _join(things: Sequence[object]) -> str:
    return " ".join(map(str, things))


def _seat(text: str) -> int:
    return int(text) - 1


def _cards(text: str) -> tuple[Card, ...]:
    return () if text == "nothing" else tuple(Card(word) for word in text.split(" "))
