"""A record from its text, in either form. What does not belong there is refused with its line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import msgspec

from tercet import games
from tercet.codec import from_json, reason, to_json
from tercet.fairness import check_secrets, check_seed, terms_of
from tercet.games import Entry, OptionsError, check_names, check_table
from tercet.record.record import TAG, VERSION, Record, RecordError, check_tags
from tercet.record.sealing import check_seal_form
from tercet.record.writing import Header
from tercet.sets import TercetError, of_kind

#: No record goes on for 100,000 hours.
TIME_LIMIT = 100_000 * 3_600_000
CALLED_OFF_LIMIT = 10**6


def read(text: str, first_line: int = 1) -> Record:
    """A record from either form of it; `RecordError` says what is wrong and where. ``first_line``: where in its file the text begins."""
    of_kind(text, str, "the text of a record")
    return (_read_json if text.lstrip().startswith("{") else _read_text)(text, first_line)


def _read_json(text: str, first_line: int) -> Record:
    first_line += text[: text.index("{")].count("\n")
    first, *rest = text.strip().split("\n")
    try:
        _check_is_record(_strict(first))
        header = from_json(first, Header)
        kind = games.find(header.game).rules.entry_type
    except (msgspec.DecodeError, TercetError) as error:
        raise RecordError(f"line {first_line} of the file: {reason(error)}") from None
    lines = enumerate(rest, first_line + 1)
    return _build(header, [_at_line(number, _read_entry, line, kind) for number, line in lines])


def _check_is_record(found: dict[str, Any]) -> None:
    """Other JSON of ours is told by its name, and so is a game that is not ours, whatever else is wrong."""
    if "tercet" in found:
        if isinstance(game := found.get("game"), str):
            games.find(game)
        return
    if "engine" in found and "players" in found:
        raise RecordError("this is a review, not a record")
    if "terms" in found and "commitment" in found:
        raise RecordError("this is what was promised before play, not a record")
    raise RecordError('this is no record: the JSON of one begins with {"tercet": "2"')


def _read_entry(line: str, kind: Any) -> Any:
    """An event that says nothing beside what is read of it."""
    entry = from_json(line, kind)
    if _strict(line) != json.loads(to_json(entry)):
        raise RecordError("there is something in this line that does not belong there")
    return entry


def _strict(line: str) -> Any:
    """The JSON of a line, in which no key stands twice."""

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in found]
        if len(set(keys)) < len(keys):
            raise RecordError(
                f"the key {next(key for key in keys if keys.count(key) > 1)[:40]!r} stands there twice"
            )
        return dict(found)

    try:
        return json.loads(line, object_pairs_hook=pairs)
    except RecordError:
        raise
    except (ValueError, RecursionError) as error:
        raise RecordError(f"JSON is malformed: {reason(error)}") from None


def _read_text(text: str, first_line: int) -> Record:
    tags: dict[str, str] = {}
    lines: list[tuple[int, str]] = []
    stripped = [line.strip() for line in text.split("\n")]
    if not any(line.startswith("[Tercet ") for line in stripped):
        raise RecordError('this is no record: a record begins with [Tercet "2"]')
    for number, line in enumerate(stripped, first_line):
        if line.startswith("["):
            name, value = _at_line(number, _read_tag, line)
            if name in tags:
                raise RecordError(f"line {number} of the file: a second tag {name}")
            tags[name] = value
        elif line:
            lines.append((number, line))
    rules = _read_game(tags)
    return _build(_read_header(tags), [_at_line(number, _read_line, line, rules) for number, line in lines])


def _at_line(number: int, reader: Callable[..., Any], *given: Any) -> Any:
    """What the reader makes of it; an error that names the line of the file."""
    try:
        return reader(*given)
    except (msgspec.DecodeError, TercetError) as error:
        raise RecordError(f"line {number} of the file: {reason(error)}") from None


def _read_tag(line: str) -> tuple[str, str]:
    found = re.fullmatch(rf'\[({TAG}) (".*")\]', line)
    try:
        value = json.loads(found[2]) if found else None
    except ValueError:
        value = None
    if found is None or value is None:
        raise RecordError(f'{line[:40]!r} is not a tag: write it as [Name "value"]')
    return found[1], value


def _read_game(tags: dict[str, str]) -> games.Rules[Any, Any, Any, Any]:
    """The rules of the game. They come first: the tags of an unknown game may be others."""
    if "Game" not in tags:
        raise RecordError("header: the tag Game is missing")
    try:
        rules: games.Rules[Any, Any, Any, Any] = games.find(tags["Game"]).rules
    except TercetError as error:
        raise RecordError(f"header: {error}") from None
    return rules


def _read_header(tags: dict[str, str]) -> Header:
    """The header that the tags spell; what is not its own stays a remark."""
    left = dict(tags)

    def numbered(name: str) -> dict[int, str]:
        found = {int(tag[len(name) :]): tag for tag in left if re.fullmatch(rf"{name}[1-9]\d?", tag)}
        return {number: left.pop(tag) for number, tag in found.items()}

    try:
        seats, commitments, secrets = numbered("Seat"), numbered("Commitment"), numbered("Secret")
        if sorted(seats) != list(range(1, len(seats) + 1)):
            raise RecordError("header: the seats are not numbered 1, 2, 3, …")
        for name, of_seats in (("Commitment", commitments), ("Secret", secrets)):
            if of_seats and max(of_seats) > len(seats):
                raise RecordError(f"header: {name}{max(of_seats)} is of no seat")
        places = range(1, len(seats) + 1)
        result = left.pop("Result")
        return Header(
            tercet=left.pop("Tercet"),
            game=left.pop("Game"),
            seats=tuple(seats[number] for number in sorted(seats)),
            table=left.pop("Table"),
            number=_read_count("Number", left.pop("Number")),
            called_off=_read_count("CalledOff", left.pop("CalledOff")),
            options=_read_object("Options", left.pop("Options")),
            edition=_read_object("Edition", left.pop("Edition")) if "Edition" in left else None,
            commitment=left.pop("Commitment"),
            commitments=tuple(commitments.get(number, "") for number in places),
            secrets=tuple(secrets.get(number, "") for number in places),
            seed=left.pop("Seed", None),
            result=_read_result(result),
            seal=left.pop("Seal", None),
            tags=left,
        )
    except KeyError as error:
        raise RecordError(f"header: the tag {error.args[0]} is missing") from None


def _read_object(name: str, text: str) -> dict[str, Any]:
    try:
        data = _strict(text)
    except RecordError as error:
        raise RecordError(f"header: {name}: {error}") from None
    if not isinstance(data, dict):
        raise RecordError(f"header: {name} is not a JSON object")
    return data


def _read_count(name: str, text: str) -> int:
    if not re.fullmatch(r"0|[1-9]\d{0,6}", text, re.ASCII):
        raise RecordError(f"header: {name} {text[:20]!r} is not a number")
    return int(text)


def _read_result(text: str) -> tuple[int, ...] | None:
    if text == "*":
        return None
    if not re.fullmatch(r"-?\d{1,6}( -?\d{1,6})*", text, re.ASCII):
        raise RecordError(f"header: Result {text[:20]!r} is neither * nor points such as 12 9")
    return tuple(map(int, text.split(" ")))


def _read_line(line: str, rules: games.Rules[Any, Any, Any, Any]) -> Entry[Any]:
    found = re.fullmatch(r"(\d{1,7})\. (\d{1,5}):(\d\d):(\d\d)\.(\d{3}) (.*)", line, re.ASCII)
    if found is None:
        raise RecordError(f"{line[:40]!r} is not a move: write it as 12. 0:01:07.250 and what happened")
    hours, minutes, seconds, milliseconds = map(int, found.groups()[1:5])
    at = ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
    return Entry(int(found[1]), at, rules.read_event(found[6]))


def _build(header: Header, log: list[Entry[Any]]) -> Record:
    """The record, if all that stands in the header can be."""
    if header.tercet != VERSION:
        raise RecordError(
            f"header: version {header.tercet[:10]!r} of the format is unknown, this is {VERSION}"
        )
    for number, entry in enumerate(log, 1):
        if entry.seq != number:
            raise RecordError(f"move {entry.seq} stands where move {number} belongs")
        if not 0 <= entry.at < TIME_LIMIT:
            raise RecordError(f"move {number}: no game has a time of {entry.at} ms")
    try:
        rules = games.find(header.game).rules
        seats = len(header.seats)
        rules.check_seats(seats)
        options = _read_options(rules, header)
        rules.start(options, seats)
        if len(header.commitments) != seats or len(header.secrets) != seats:
            raise RecordError("one commitment and one secret a seat, empty where there is none")
        check_table(header.table, header.number)
        if not 0 <= header.called_off <= CALLED_OFF_LIMIT:
            raise RecordError("starts are called off 0 times or more")
        for commitment in (header.commitment, *filter(None, header.commitments)):
            if not re.fullmatch(r"[0-9a-f]{64}", commitment):
                raise RecordError("a commitment is 64 hexadecimal digits in lower case")
        return Record(
            terms=terms_of(header.game, header.options, header.table, header.number),
            options=options,
            called_off=header.called_off,
            seats=check_names(header.seats),
            commitment=header.commitment,
            commitments=header.commitments,
            secrets=check_secrets(header.secrets, seats),
            seed=None if header.seed is None else check_seed(header.seed),
            result=header.result,
            log=tuple(log),
            seal=None if header.seal is None else check_seal_form(header.seal, len(log)),
            tags=check_tags(header.tags),
        )
    except TercetError as error:
        raise RecordError(f"header: {reason(error)}") from None


def _read_options(rules: games.Rules[Any, Any, Any, Any], header: Header) -> Any:
    """The options, with the edition as the record itself has it, whatever that name means today."""
    usual = rules.named_options(rules.options_type())
    named = next((key for key in usual if isinstance(header.options.get(key), str)), None)
    if any(key not in header.options for key in usual):
        raise OptionsError(f"the options do not name the {', '.join(usual)}")
    if (named is None) != (header.edition is None):
        raise OptionsError("an edition that is only named stands in the record as well, and no other")
    if named is None:
        return rules.read_options(header.options)
    options = rules.read_options({**header.options, named: header.edition})
    edition = getattr(options, named)
    if header.options[named] != f"{edition.name}:{edition.fingerprint}":
        raise OptionsError(f"{header.options[named][:60]!r} is not the {named} that stands in the record")
    return options
