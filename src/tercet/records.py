"""Many games in one file, read one at a time: records one after the other, in either form.

>>> from tercet import cards, fairness, record
>>> game = cards.Game(["Ann", "Bo"], seed=fairness.seed_from("an example"))
>>> text = record.write(record.of(game)) + record.write_json(record.of(game))
>>> [found.seats for found in read_all(text.splitlines())]
[('Ann', 'Bo'), ('Ann', 'Bo')]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tercet import record
from tercet.codec import to_data
from tercet.fairness import canonical
from tercet.record import Record, RecordError
from tercet.sets import KindError, of_kind

#: No game has as many lines; whoever sends more sends no record.
LINES_LIMIT = 200_000


def read_all(lines: Iterable[str]) -> Iterator[Record]:
    """Each record of a file, or of any lines, as soon as it is whole; `RecordError` says which game is wrong and where."""
    if isinstance(lines, str) or not isinstance(lines, Iterable):
        raise KindError(f"give the lines of a file, as in open(name) or text.splitlines(), not {lines!r:.40}")
    return _read_each(lines)


def _read_each(lines: Iterable[str]) -> Iterator[Record]:
    for number, (start, text) in enumerate(cut(lines), 1):
        try:
            found = record.read(text, start)
        except RecordError as error:
            raise RecordError(f"game {number}, which begins in line {start}: {error}") from None
        yield found


def cut(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The text of each record, and the line in which it begins."""
    start, held = 1, list[str]()
    for number, line in enumerate(lines, 1):
        of_kind(line, str, "lines of text (a file is opened without 'b')")
        if begins(line):
            if any(map(str.strip, held)):
                yield start, "\n".join(held)
            start, held = number, []
        held.append(line.rstrip("\r\n"))
        if len(held) > LINES_LIMIT:
            raise RecordError(f"the game that begins in line {start} has more than {LINES_LIMIT} lines")
    if any(map(str.strip, held)):
        yield start, "\n".join(held)


def begins(line: str) -> bool:
    """Whether this is the first line of a record: its first tag, or a JSON header."""
    line = line.lstrip()
    if line.startswith("["):
        return line.startswith("[Tercet ")
    return line.startswith("{") and not line.startswith('{"seq"') and '"tercet":' in line


def row(found: Record) -> dict[str, Any]:
    """A whole game as one flat row, for JSON lines and tables of data: the same columns for every game.

    ``moves`` are the lines of the log as they are written, ``times`` their milliseconds, ``winners`` are seats from 0, and
    ``options`` and ``tags`` are JSON texts.
    """
    of_kind(found, Record, "a record (record.of makes one of a game, record.read of a text)")
    result = found.result
    return {
        "game": found.game,
        "table": found.terms.table,
        "number": found.terms.number,
        "seats": list(found.seats),
        "result": None if result is None else list(result),
        "winners": []
        if result is None
        else [seat for seat, score in enumerate(result) if score == max(result)],
        "finished": result is not None,
        "options": found.terms.options,
        "seed": found.seed,
        "commitment": found.commitment,
        "secrets": list(found.secrets),
        "duration_ms": found.log[-1].at if found.log else 0,
        "times": [entry.at for entry in found.log],
        "moves": [found.rules.write_event(entry.event) for entry in found.log],
        "tags": canonical(to_data(found.tags)),
    }
