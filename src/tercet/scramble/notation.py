"""Scramble's events as lines of a record, and back. Seats are counted from 1 there.

>>> read_event("1 takes 1RO#3 2RO#17 W#40").dice[2]
Die(number=40, face=Face('W'), wild=False)
>>> write_event(Missed(1, ()))
'2 shows nothing'
"""

from __future__ import annotations

from tercet.editions import Die
from tercet.games import race
from tercet.games.lines import Form, join, read_line, read_scores, read_seat
from tercet.games.race import Ended
from tercet.scramble.play import Missed, RoundEnded, ScrambleEvent, Thrown, Took


def write_event(event: ScrambleEvent) -> str:
    match event:
        case Thrown():
            return f"{event.thrower + 1} throws round {event.round}: {join(event.dice)}"
        case Took():
            return f"{event.seat + 1} takes {join(event.dice)}"
        case Missed():
            return f"{event.seat + 1} shows {join(event.dice) or 'nothing'}"
        case RoundEnded():
            return f"round over, left: {join(event.left) or 'nothing'}"
        case Ended():
            return f"game over: {join(event.scores)}"
        case _:
            return race.write_event(event)


_DICE = r"(\w+#\d{1,4}(?: \w+#\d{1,4})*)"
_FORMS: list[Form[ScrambleEvent]] = [
    (rf"([1-8]) throws round (\d{{1,2}}): {_DICE}", lambda s, r, d: Thrown(int(r), read_seat(s), _dice(d))),
    (rf"([1-8]) takes {_DICE}", lambda s, d: Took(read_seat(s), _dice(d))),
    (rf"([1-8]) shows {_DICE}", lambda s, d: Missed(read_seat(s), _dice(d))),
    (r"([1-8]) shows nothing", lambda s: Missed(read_seat(s), ())),
    (rf"round over, left: {_DICE}", lambda d: RoundEnded(_dice(d))),
    (r"round over, left: nothing", lambda: RoundEnded(())),
    (r"game over: (\d{1,6}(?: \d{1,6})*)", lambda n: Ended(read_scores(n))),
    *race.FORMS,
]


def read_event(text: str) -> ScrambleEvent:
    return read_line(text, _FORMS, "Scramble")


def _dice(text: str) -> tuple[Die, ...]:
    return tuple(map(Die.read, text.split(" ")))
