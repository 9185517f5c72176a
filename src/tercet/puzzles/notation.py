"""The events of puzzles as lines of a record, and back. Seats and places are counted from 1 there.

>>> print(
...     write_event(
...         Answered(0, 3, True, 1, (0, 2, 5), None, Item(asked="is_set", shown=("1RFD", "2RFD", "3RFD")))
...     )
... )
1 answers 3: 1 3 6, right for 1; next is_set of cards (0 ms): 1RFD 2RFD 3RFD
>>> read_event("2 stops: time")
Stopped(seat=1, why='time')
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, assert_never

import msgspec

from tercet.codec import from_json, to_json
from tercet.cubed import State as DiceState
from tercet.cubed import read_turn, write_turn
from tercet.games.lines import Form, join, read_line, read_scores, read_seat
from tercet.puzzles.play import Answered, Began, Ended, Item, LinedUp, PuzzleEvent, Stopped
from tercet.sets import NotationError


def write_event(event: PuzzleEvent) -> str:
    match event:
        case LinedUp():
            return "line up"
        case Began():
            return f"begin with {_write_item(event.first)}"
        case Answered():
            right = "right" if event.right else "wrong"
            next_one = "" if event.next is None else f"; next {_write_item(event.next)}"
            said = _write_said(event)
            return f"{event.seat + 1} answers {event.number}: {said}, {right} for {event.points}{next_one}"
        case Stopped():
            return f"{event.seat + 1} stops: {event.why}"
        case Ended():
            return f"game over: {join(event.scores)}"
        case _ as unreachable:
            assert_never(unreachable)


def _write_said(event: Answered) -> str:
    if event.picks is not None:
        return " ".join(str(place + 1) for place in event.picks)
    return "something" if event.placements is None else write_turn(event.placements)


def _write_item(item: Item | None) -> str:
    if item is None:
        return "something"
    if item.position is not None:
        return f"{item.asked} in {to_json(item.position).decode()}"
    choices = f" from {' '.join(item.choices)}" if item.choices else ""
    return f"{item.asked} of {item.of} ({item.difficulty} ms): {' '.join(item.shown)}{choices}"


_SEAT = r"([1-9]|10)"
_FORMS: list[Form[PuzzleEvent]] = [
    (r"line up", LinedUp),
    (r"begin with (.+)", lambda item: Began(_read_item(item))),
    (
        rf"{_SEAT} answers (\d{{1,5}}): (.+?), (right|wrong) for (\d{{1,4}})(?:; next (.+))?",
        lambda seat, number, said, right, points, item: Answered(
            read_seat(seat),
            int(number),
            right == "right",
            int(points),
            *_read_said(said),
            None if item is None else _read_item(item),
        ),
    ),
    (rf"{_SEAT} stops: (solved|time|enough)", lambda seat, why: Stopped(read_seat(seat), why)),
    (r"game over: (\d{1,6}(?: \d{1,6})*)", lambda n: Ended(read_scores(n))),
]


def read_event(text: str) -> PuzzleEvent:
    return read_line(text, _FORMS, "puzzles")


def _read_said(text: str) -> tuple[Any, Any]:
    if text == "something":
        return None, None
    if re.fullmatch(r"\d{1,2}(?: \d{1,2})*", text, re.ASCII):
        return tuple(int(place) - 1 for place in text.split(" ")), None
    return None, read_turn(text)


_SYMBOLS = r"([0-9A-Z]+(?: [0-9A-Z]+)*)"
_ITEM = re.compile(
    rf"(third|is_set|find|find_all) of (cards|dice) \((\d{{1,7}}) ms\): {_SYMBOLS}(?: from {_SYMBOLS})?",
    re.ASCII,
)


def _read_item(text: str) -> Item | None:
    if text == "something":
        return None
    if text.startswith("best_turn in "):
        try:
            position = from_json(text.removeprefix("best_turn in "), DiceState)
        except (msgspec.DecodeError, ValueError) as error:
            raise NotationError(f"not a position of dice: {str(error)[:60]}") from None
        return Item(asked="best_turn", of="dice", position=position)
    found = _ITEM.fullmatch(text)
    if found is None:
        raise NotationError(f"{text[:60]!r} is not an item")
    asked, of, difficulty, shown, choices = found.groups()
    make: Callable[..., Item] = Item
    return make(
        asked=asked,
        of=of,
        shown=tuple(shown.split(" ")),
        choices=tuple(choices.split(" ")) if choices else (),
        difficulty=int(difficulty),
    )
