"""A record as text for people, or as JSON lines."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec import Struct

from tercet.codec import to_json
from tercet.fairness import canonical
from tercet.games import Entry
from tercet.record.record import RECORD, VERSION, Record
from tercet.sets import of_kind


def write(record: Record) -> str:
    """The record as text for people."""
    of_kind(record, Record, RECORD)
    tags = {"Tercet": VERSION, "Game": record.game, "Table": record.terms.table}
    tags |= {"Number": str(record.terms.number), "CalledOff": str(record.called_off)}
    tags |= {f"Seat{number}": name for number, name in enumerate(record.seats, 1)}
    tags["Options"] = record.terms.options
    if (edition := _edition(record)) is not None:
        tags["Edition"] = canonical(edition)
    tags["Commitment"] = record.commitment
    tags |= {f"Commitment{number}": text for number, text in enumerate(record.commitments, 1) if text}
    tags |= {f"Secret{number}": text for number, text in enumerate(record.secrets, 1) if text}
    if record.seed is not None:
        tags["Seed"] = record.seed
    tags["Result"] = write_result(record.result)
    if record.seal is not None:
        tags["Seal"] = record.seal
    header = [
        f"[{name} {json.dumps(text, ensure_ascii=False)}]" for name, text in (tags | record.tags).items()
    ]
    lines = [write_line(record, entry) for entry in record.log]
    return "\n".join([*header, "", *lines, ""])


def write_json(record: Record) -> str:
    """The record as JSON lines: the header, then one line an event."""
    of_kind(record, Record, RECORD)
    lines = [
        canonical(msgspec.to_builtins(header_of(record))),
        *(to_json(entry).decode() for entry in record.log),
    ]
    return "".join(line + "\n" for line in lines)


class Header(Struct, forbid_unknown_fields=True, kw_only=True):
    tercet: str
    game: str
    table: str
    number: int
    called_off: int
    seats: tuple[str, ...]
    options: dict[str, Any]
    edition: dict[str, Any] | None
    commitment: str
    commitments: tuple[str, ...]
    secrets: tuple[str, ...]
    seed: str | None
    result: tuple[int, ...] | None
    seal: str | None = None
    tags: dict[str, str] = {}


def header_of(record: Record) -> Header:
    return Header(
        tercet=VERSION,
        game=record.game,
        table=record.terms.table,
        number=record.terms.number,
        called_off=record.called_off,
        seats=record.seats,
        options=json.loads(record.terms.options),
        edition=_edition(record),
        commitment=record.commitment,
        commitments=record.commitments,
        secrets=record.secrets,
        seed=record.seed,
        result=record.result,
        seal=record.seal,
        tags=record.tags,
    )


def _edition(record: Record) -> dict[str, Any] | None:
    """All of the edition that the options only name."""
    named = record.rules.named_options(record.options)
    said = json.loads(record.terms.options)
    return next((value.whole() for key, value in named.items() if isinstance(said.get(key), str)), None)


def write_line(record: Record, entry: Entry[Any]) -> str:
    return f"{entry.seq}. {write_time(entry.at)} {record.rules.write_event(entry.event)}"


def write_result(result: tuple[int, ...] | None) -> str:
    return "*" if result is None else " ".join(map(str, result))


def write_time(at: int) -> str:
    """Milliseconds as hours, minutes and seconds.

    >>> write_time(3_723_004)
    '1:02:03.004'
    """
    seconds, milliseconds = divmod(at, 1000)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{milliseconds:03}"
