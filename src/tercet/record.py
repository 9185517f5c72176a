"""Records: a whole game as text, in the manner of chess's PGN, or as JSON lines.

>>> from tercet import cards, fairness
>>> game = cards.Game(["Ann", "Bo"], seed=fairness.seed_from("an example"))
>>> _ = game.do(cards.Deal(0)), game.do(cards.Call(1), at=2500)
>>> print(write(of(game)))  # doctest: +ELLIPSIS
[Tercet "1"]
[Game "set"]
[Seat1 "Ann"]
[Seat2 "Bo"]
[Options "{}"]
[Commitment "..."]
[Result "*"]
<BLANKLINE>
1. 0:00:00.000 1 deals round 1: ...
2. 0:00:02.500 2 calls
<BLANKLINE>
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tercet import games
from tercet.codec import from_json, reason, to_json
from tercet.fairness import check_seed, commit
from tercet.games import Entry, Game, Refused, check_entropy, check_names
from tercet.sets import TercetError

VERSION = "1"
#: How many digits of each hash stand in the seal.
_PART = 4
#: No record goes on for 100,000 hours.
TIME_LIMIT = 100_000 * 3_600_000

_TAG = r"[A-Z][A-Za-z0-9]{0,30}"
_OWN_TAG = re.compile(r"Tercet|Game|Seat\d+|Options|Commitment|Entropy\d+|Seed|Result|Seal", re.ASCII)


class RecordError(TercetError):
    """A text that is not a record; the message says in which line."""


class Record(Struct, frozen=True, kw_only=True):
    """A game, finished or not: what was agreed before it, and all that happened.

    ``seed`` is there once it has been revealed, ``result`` (the final scores) once the game is over.
    ``seal`` is made of all that and shows a change that the rules would allow. ``tags`` are further
    remarks, such as a date.
    """

    game: str
    options: Any
    seats: tuple[str, ...]
    commitment: str
    entropy: tuple[str, ...]
    seed: str | None
    result: tuple[int, ...] | None
    log: tuple[Entry[Any], ...]
    seal: str | None = None
    tags: dict[str, str] = {}

    @property
    def rules(self) -> games.Rules[Any, Any, Any, Any]:
        rules: games.Rules[Any, Any, Any, Any] = games.find(self.game).rules
        return rules


def of(game: Game[Any, Any, Any, Any], tags: dict[str, str] | None = None) -> Record:
    """The record of a game; with the seed, the result and the seal, if the game is over."""
    return build(
        game=game.rules.name,
        options=game.options,
        seats=game.seats,
        commitment=game.commitment,
        entropy=game.entropy,
        seed=game.reveal() if game.is_over else None,
        result=game.scores if game.is_over else None,
        log=game.log,
        tags=tags,
    )


def build(
    *,
    game: str,
    options: Any,
    seats: Sequence[str],
    commitment: str,
    entropy: Sequence[str],
    seed: str | None,
    result: Sequence[int] | None,
    log: Iterable[Entry[Any]],
    tags: Mapping[str, str] | None = None,
) -> Record:
    """A record from its parts, whoever has them; sealed if the game is over, which it is when there is a result."""
    record = Record(
        game=game,
        options=options,
        seats=tuple(seats),
        commitment=commitment,
        entropy=tuple(entropy),
        seed=seed,
        result=None if result is None else tuple(result),
        log=tuple(log),
        tags=_check_tags(dict(tags or {})),
    )
    return record if result is None else replace(record, seal=seal(record))


def seal(record: Record) -> str:
    """Four hexadecimal digits for the header and for each line, then the whole last hash.

    They are a chain: the SHA-256 hash of the header's JSON, then of the hash before and the line as it is
    written. Anyone can make a seal, so it proves nothing about the table; it tells when a finished record is
    no longer what it was, and from which line on, even where the rules would allow both: a time, a vote, a name.
    """
    header = _header(replace(record, seal=None, tags={}))
    block = hashlib.sha256(to_json(header))
    parts = [block.hexdigest()[:_PART]]
    for entry in record.log:
        block = hashlib.sha256(block.digest() + _write_line(record, entry).encode())
        parts.append(block.hexdigest()[:_PART])
    return "".join(parts) + block.hexdigest()


def replay(record: Record) -> Iterator[tuple[Entry[Any], Any]]:
    """Each line of the log with the state after it. Needs no seed: chance is in the events (F3)."""
    rules = record.rules
    state = rules.start(record.options, len(record.seats))
    for entry in record.log:
        try:
            state = rules.evolve(state, entry.event, entry.at)
        except (ValueError, LookupError, AssertionError, TypeError):
            raise RecordError(f"line {entry.seq} cannot follow the lines before it") from None
        yield entry, state


class Problem(Struct, frozen=True):
    """What is wrong with a record, and where: the number of a log line, or 0 for the header."""

    line: int
    what: str

    def __str__(self) -> str:
        return f"{f'line {self.line}' if self.line else 'header'}: {self.what}"


def verify(record: Record) -> Problem | None:
    """Play the whole game again from the seed; the first thing that differs, or None if nothing does.

    Every shuffle, draw and throw is computed anew, every command is judged anew, every deadline is kept.
    What the rules cannot tell, the seal does, if the record has one.
    """
    found = [problem for problem in (_judge(record), _check_seal(record)) if problem is not None]
    return min(found, key=lambda problem: problem.line, default=None)


def _check_seal(record: Record) -> Problem | None:
    if record.seal is None or record.seal == (right := seal(record)):
        return None
    if len(record.seal) != len(right):
        return Problem(0, f"the seal is not one of a record of {len(record.log)} lines")
    place = next(place for place, digit in enumerate(right) if digit != record.seal[place])
    line = min(place // _PART, len(record.log))
    what = _quote(record, record.log[line - 1]) if line else "what stands here"
    return Problem(line, f"{what} was changed: it does not fit the seal")


def _judge(record: Record) -> Problem | None:
    if record.seed is None:
        return Problem(0, "the seed is not revealed, so nothing can be checked yet")
    if commit(record.seed) != record.commitment:
        return Problem(0, "the seed is not the one that the table committed to")
    game = games.find(record.game)(
        record.seats, seed=record.seed, options=record.options, entropy=record.entropy
    )
    done = 0
    while done < len(record.log):
        entry = record.log[done]
        if entry.at < game.clock:
            return Problem(entry.seq, "the time runs backwards")
        command = record.rules.cause(entry.event)
        if command is None:
            return Problem(entry.seq, f"nothing brought about {_quote(record, entry)}")
        try:
            happened = game.do(command, entry.at)
        except Refused as refused:
            return Problem(entry.seq, f"{_quote(record, entry)} is refused: {refused.refusal.data}")
        for expected in happened:
            written = record.log[done] if done < len(record.log) else None
            if written is None:
                return Problem(expected.seq, f"is missing: {_quote(record, expected)}")
            if written != expected:
                return Problem(written.seq, f"{_quote(record, written)} should be {_quote(record, expected)}")
            done += 1
    if record.result != (game.scores if game.is_over else None):
        return Problem(0, f"the result {_write_result(record.result)} is not what the log leads to")
    return None


def _quote(record: Record, entry: Entry[Any]) -> str:
    return f"'{write_time(entry.at)} {record.rules.write_event(entry.event)}'"


def write(record: Record) -> str:
    """The record as text for people."""
    tags = {"Tercet": VERSION, "Game": record.game}
    tags |= {f"Seat{number}": name for number, name in enumerate(record.seats, 1)}
    tags["Options"] = json.dumps(record.rules.describe_options(record.options), ensure_ascii=False)
    tags["Commitment"] = record.commitment
    tags |= {f"Entropy{number}": text for number, text in enumerate(record.entropy, 1) if text}
    if record.seed is not None:
        tags["Seed"] = record.seed
    tags["Result"] = _write_result(record.result)
    if record.seal is not None:
        tags["Seal"] = record.seal
    header = [
        f"[{name} {json.dumps(text, ensure_ascii=False)}]" for name, text in (tags | record.tags).items()
    ]
    lines = [_write_line(record, entry) for entry in record.log]
    return "\n".join([*header, "", *lines, ""])


def _write_line(record: Record, entry: Entry[Any]) -> str:
    return f"{entry.seq}. {write_time(entry.at)} {record.rules.write_event(entry.event)}"


def write_json(record: Record) -> str:
    """The record as JSON lines: the header, then one line an event."""
    return "".join(to_json(line).decode() + "\n" for line in (_header(record), *record.log))


def _header(record: Record) -> _Header:
    return _Header(
        tercet=VERSION,
        game=record.game,
        seats=record.seats,
        options=record.rules.describe_options(record.options),
        commitment=record.commitment,
        entropy=record.entropy,
        seed=record.seed,
        result=record.result,
        seal=record.seal,
        tags=record.tags,
    )


def read(text: str) -> Record:
    """A record from either form of it; `RecordError` says what is wrong and where."""
    return _read_json(text) if text.lstrip().startswith("{") else _read_text(text)


class _Header(Struct, forbid_unknown_fields=True, kw_only=True):
    tercet: str
    game: str
    seats: tuple[str, ...]
    options: dict[str, Any]
    commitment: str
    entropy: tuple[str, ...]
    seed: str | None
    result: tuple[int, ...] | None
    seal: str | None = None
    tags: dict[str, str] = {}


def _read_json(text: str) -> Record:
    first, *rest = text.strip().split("\n")
    try:
        header = from_json(first, _Header)
        kind = games.find(header.game).rules.entry_type
    except (msgspec.DecodeError, TercetError) as error:
        raise RecordError(f"line 1 of the file: {reason(error)}") from None
    return _build(header, [_at_line(number, from_json, line, kind) for number, line in enumerate(rest, 2)])


def _read_text(text: str) -> Record:
    tags: dict[str, str] = {}
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(map(str.strip, text.split("\n")), 1):
        if line.startswith("["):
            name, value = _at_line(number, _read_tag, line)
            if name in tags:
                raise RecordError(f"line {number} of the file: a second tag {name}")
            tags[name] = value
        elif line:
            lines.append((number, line))
    if "Tercet" not in tags:
        raise RecordError('this is no record: a record begins with [Tercet "1"]')
    header = _read_header(tags)
    rules = _at_line(1, games.find, header.game).rules
    return _build(header, [_at_line(number, _read_line, line, rules) for number, line in lines])


def _at_line(number: int, reader: Callable[..., Any], *given: Any) -> Any:
    """What the reader makes of it; an error that names the line of the file."""
    try:
        return reader(*given)
    except (msgspec.DecodeError, TercetError) as error:
        raise RecordError(f"line {number} of the file: {reason(error)}") from None


def _read_tag(line: str) -> tuple[str, str]:
    found = re.fullmatch(rf'\[({_TAG}) (".*")\]', line)
    try:
        value = json.loads(found[2]) if found else None
    except ValueError:
        value = None
    if found is None or value is None:
        raise RecordError(f'{line[:40]!r} is not a tag: write it as [Name "value"]')
    return found[1], value


def _read_header(tags: dict[str, str]) -> _Header:
    """The header that the tags spell; what is not its own stays a remark."""
    left = dict(tags)

    def numbered(name: str) -> dict[int, str]:
        found = {int(tag[len(name) :]): tag for tag in left if re.fullmatch(rf"{name}[1-9]\d?", tag)}
        return {number: left.pop(tag) for number, tag in found.items()}

    try:
        seats, entropy = numbered("Seat"), numbered("Entropy")
        if sorted(seats) != list(range(1, len(seats) + 1)):
            raise RecordError("header: the seats are not numbered 1, 2, 3, …")
        if entropy and max(entropy) > len(seats):
            raise RecordError(f"header: Entropy{max(entropy)} is of no seat")
        result = left.pop("Result")
        return _Header(
            tercet=left.pop("Tercet"),
            game=left.pop("Game"),
            seats=tuple(seats[number] for number in sorted(seats)),
            options=_read_options(left.pop("Options")),
            commitment=left.pop("Commitment"),
            entropy=tuple(entropy.get(number, "") for number in range(1, len(seats) + 1)),
            seed=left.pop("Seed", None),
            result=_read_result(result),
            seal=left.pop("Seal", None),
            tags=left,
        )
    except KeyError as error:
        raise RecordError(f"header: the tag {error.args[0]} is missing") from None


def _read_options(text: str) -> dict[str, Any]:
    try:
        options = json.loads(text)
    except (ValueError, RecursionError):
        options = None
    if not isinstance(options, dict):
        raise RecordError("header: Options is not a JSON object")
    return options


def _write_result(result: tuple[int, ...] | None) -> str:
    return "*" if result is None else " ".join(map(str, result))


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


def write_time(at: int) -> str:
    """Milliseconds as hours, minutes and seconds.

    >>> write_time(3_723_004)
    '1:02:03.004'
    """
    seconds, milliseconds = divmod(at, 1000)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{milliseconds:03}"


def _check_tags(tags: dict[str, str]) -> dict[str, str]:
    """Remarks that can be written in both forms of a record."""
    for name, text in tags.items():
        if not re.fullmatch(_TAG, name) or _OWN_TAG.fullmatch(name):
            raise RecordError(f"{name[:40]!r} cannot be the name of a remark: a word such as Date or Place")
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            raise RecordError(f"the remark {name} is not readable text")
    return tags


def _check_seal_form(text: str, lines: int) -> str:
    if not re.fullmatch(r"[0-9a-f]*", text) or len(text) != _PART * (lines + 1) + 64:
        raise RecordError(f"the seal is not one of a record of {lines} lines")
    return text


def _build(header: _Header, log: list[Entry[Any]]) -> Record:
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
        rules.check_seats(len(header.seats))
        options = rules.read_options(header.options)
        rules.start(options, len(header.seats))
        return Record(
            game=header.game,
            options=options,
            seats=check_names(header.seats),
            commitment=header.commitment,
            entropy=check_entropy(header.entropy, len(header.seats)),
            seed=None if header.seed is None else check_seed(header.seed),
            result=header.result,
            log=tuple(log),
            seal=None if header.seal is None else _check_seal_form(header.seal, len(log)),
            tags=_check_tags(header.tags),
        )
    except TercetError as error:
        raise RecordError(f"header: {reason(error)}") from None
