"""The dice game's events as lines of a record, and back. Seats are counted from 1 there.

>>> read_event("1 replaces 2GS#17>e5=1RO#4")
Replaced(seat=0, die=Die(number=17, face=Face('2GS'), wild=False), square=Square('e5'), \
taken=Die(number=4, face=Face('1RO'), wild=False), could_lay=False)
"""

from __future__ import annotations

from typing import assert_never

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
from tercet.games.lines import Form, join, read_line, read_scores, read_seat
from tercet.games.texts import read_numbers


def write_event(event: CubedEvent) -> str:
    match event:
        case Began():
            return f"{event.seat + 1} begins"
        case Drew():
            return f"{event.seat + 1} draws {join(event.dice)}"
        case Threw():
            return f"{event.seat + 1} throws {join(event.dice)}"
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
            return f"{event.seat + 1} {'throws again ' + join(event.dice or ()) if event.dice else 'keeps'}"
        case Ended():
            return f"game over: {join(event.scores)}"
        case SteppedAway():
            return f"{event.seat + 1} is away"
        case CameBack():
            return f"{event.seat + 1} is back"
        case _ as unreachable:
            assert_never(unreachable)


_DICE = r"([\w#]+(?: [\w#]+)*)"
_TURN = r"([\w#*@]+(?: [\w#*@]+)*)"
_COULD = r"( \(could lay\))?"
_FORMS: list[Form[CubedEvent]] = [
    (r"([1-4]) begins", lambda s: Began(read_seat(s))),
    (rf"([1-4]) draws {_DICE}", lambda s, d: Drew(read_seat(s), _dice(d))),
    (r"([1-4]) throws again (\d{1,4}(?: \d{1,4})*)", lambda s, n: Chose(read_seat(s), read_numbers(n))),
    (r"([1-4]) keeps", lambda s: Chose(read_seat(s), ())),
    (r"([1-4]) has chosen", lambda s: Chose(read_seat(s), None)),
    (rf"([1-4]) throws {_DICE}", lambda s, d: Threw(read_seat(s), _dice(d))),
    (r"([1-4]) calls", lambda s: Called(read_seat(s))),
    (r"([1-4]) shows -", lambda s: Missed(read_seat(s), ())),
    (rf"([1-4]) shows {_TURN}", lambda s, t: Missed(read_seat(s), _placements(t))),
    (r"([1-4]) sees none", lambda s: SawNone(read_seat(s))),
    (rf"([1-4]) opens {_TURN} = (\d{{1,4}})", lambda s, t, p: Opened(read_seat(s), _placements(t), int(p))),
    (
        rf"([1-4]) replaces ([\w#]+)>(\w+)=([\w#]+){_COULD}",
        lambda s, d, q, t, c: Replaced(read_seat(s), Die.read(d), Square(q), Die.read(t), bool(c)),
    ),
    (rf"([1-4]) lays {_TURN} = (\d{{1,4}})", lambda s, t, p: Laid(read_seat(s), _placements(t), int(p))),
    (r"([1-4]) drafts -", lambda s: Drafted(read_seat(s), ())),
    (rf"([1-4]) drafts {_TURN}", lambda s, t: Drafted(read_seat(s), _placements(t))),
    (rf"([1-4]) passes{_COULD}", lambda s, c: Passed(read_seat(s), bool(c))),
    (
        r"round (\d{1,6}) over, then (extra roll|rethrow|end)",
        lambda r, then: RoundEnded(int(r), then.replace(" ", "_")),
    ),
    (r"([1-4]) is away", lambda s: SteppedAway(read_seat(s))),
    (r"([1-4]) is back", lambda s: CameBack(read_seat(s))),
    (r"game over: (\d{1,6}(?: \d{1,6})*)", lambda n: Ended(read_scores(n))),
]


def read_event(text: str) -> CubedEvent:
    return read_line(text, _FORMS, "the dice game")


def _dice(text: str) -> tuple[Die, ...]:
    return tuple(Die.read(word) for word in text.split(" "))


def _placements(text: str) -> tuple[Placement, ...]:
    return tuple(Placement.read(word) for word in text.split(" "))
