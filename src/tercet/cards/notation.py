"""The card game's events as lines of a record, and back. Seats are counted from 1 there.

>>> write_event(Took(0, (Card("1RFD"), Card("2RFD"), Card("3RFD")), ()))
'1 takes 1RFD 2RFD 3RFD'
>>> read_event("2 shows nothing")
Missed(seat=1, cards=())
"""

from __future__ import annotations

from tercet.cards.play import CardEvent, Dealt, Missed, Opened, RoundEnded, Shuffled, Took
from tercet.games import race
from tercet.games.lines import Form, join, read_line, read_scores, read_seat
from tercet.games.race import Ended
from tercet.sets import Card


def write_event(event: CardEvent) -> str:
    match event:
        case Dealt():
            return f"{event.dealer + 1} deals round {event.round}: {join(event.cards)}"
        case Took(dealt=()):
            return f"{event.seat + 1} takes {join(event.cards)}"
        case Took():
            return f"{event.seat + 1} takes {join(event.cards)}, new {join(event.dealt)}"
        case Missed():
            return f"{event.seat + 1} shows {join(event.cards) or 'nothing'}"
        case Opened():
            return f"three more: {join(event.cards)}"
        case Shuffled():
            return f"new places: {join(event.table)}"
        case RoundEnded():
            return f"round over, left: {join(event.left) or 'nothing'}"
        case Ended():
            return f"game over: {join(event.scores)}"
        case _:
            return race.write_event(event)


_CARDS = r"(\w+(?: \w+)*)"
_FORMS: list[Form[CardEvent]] = [
    (rf"([1-8]) deals round (\d{{1,3}}): {_CARDS}", lambda s, r, c: Dealt(int(r), read_seat(s), _cards(c))),
    (rf"([1-8]) takes {_CARDS}", lambda s, c: Took(read_seat(s), _cards(c), ())),
    (rf"([1-8]) takes {_CARDS}, new {_CARDS}", lambda s, c, d: Took(read_seat(s), _cards(c), _cards(d))),
    (rf"([1-8]) shows {_CARDS}", lambda s, c: Missed(read_seat(s), _cards(c))),
    (rf"three more: {_CARDS}", lambda c: Opened(_cards(c))),
    (rf"new places: {_CARDS}", lambda c: Shuffled(_cards(c))),
    (rf"round over, left: {_CARDS}", lambda c: RoundEnded(_cards(c))),
    (r"game over: (-?\d{1,6}(?: -?\d{1,6})*)", lambda n: Ended(read_scores(n))),
    *race.FORMS,
]


def read_event(text: str) -> CardEvent:
    return read_line(text, _FORMS, "the card game")


def _cards(text: str) -> tuple[Card, ...]:
    return () if text == "nothing" else tuple(Card(word) for word in text.split(" "))
