"""Records: a whole game as text, in the manner of chess's PGN, or as JSON lines.

>>> from tercet import cards, fairness
>>> game = cards.Game(["Ann", "Bo"], seed=fairness.seed_from("an example"))
>>> _ = game.do(cards.Deal(0)), game.do(cards.Call(1), at=2500)
>>> print(write(of(game)))  # doctest: +ELLIPSIS
[Tercet "2"]
[Game "set"]
[Table ""]
[Number "1"]
[CalledOff "0"]
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
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tercet import games
from tercet.codec import from_json, reason, to_json
from tercet.fairness import (
    Promise,
    Terms,
    canonical,
    check_secrets,
    check_seed,
    commit,
    commit_secret,
    terms_of,
)
from tercet.games import Entry, Game, OptionsError, Refused, check_names
from tercet.sets import TercetError, of_kind

VERSION = "2"
#: How many digits of each hash stand in the seal.
_PART = 4
#: No record goes on for 100,000 hours.
TIME_LIMIT = 100_000 * 3_600_000
TABLE_LIMIT = 40
COUNT_LIMIT = 10**6

_TAG = r"[A-Z][A-Za-z0-9]{0,30}"
_OWN_TAG = re.compile(
    r"Tercet|Game|Table|Number|CalledOff|Seat\d+|Options|Edition|Commitment\d*|Secret\d+|Seed|Result|Seal",
    re.ASCII,
)


#: What to give where a record is wanted.
_RECORD = "a record (record.of makes one of a game, record.read of a text)"


class RecordError(TercetError):
    """A text that is not a record; the message says in which line."""


class Record(Struct, frozen=True, kw_only=True):
    """A game, finished or not: what was agreed before it, and all that happened.

    ``terms`` are what the commitments are bound to; ``called_off`` is how often its start was called off before.
    ``commitments`` and ``secrets`` are the seats', empty where nobody added a secret; the secrets are there once they
    have been shown. ``seed`` is there once it has been revealed, ``result`` (the final scores) once the game is over:
    a game with a seed and without a result was broken off. ``seal`` is made of all that and shows a change that the
    rules would allow. ``tags`` are further remarks, such as a date.
    """

    terms: Terms
    options: Any
    called_off: int = 0
    seats: tuple[str, ...]
    commitment: str
    commitments: tuple[str, ...]
    secrets: tuple[str, ...]
    seed: str | None
    result: tuple[int, ...] | None
    log: tuple[Entry[Any], ...]
    seal: str | None = None
    tags: dict[str, str] = {}

    @property
    def game(self) -> str:
        return self.terms.game

    @property
    def rules(self) -> games.Rules[Any, Any, Any, Any]:
        rules: games.Rules[Any, Any, Any, Any] = games.find(self.game).rules
        return rules

    def __str__(self) -> str:
        return write(self)


def of(
    game: Game[Any, Any, Any, Any], tags: dict[str, str] | None = None, *, broken_off: bool = False
) -> Record:
    """The record of a game; with the seed, the result and the seal, if the game is over. One that is ``broken_off`` and will not
    go on has its seed and its seal, too."""
    of_kind(game, Game, "a game")
    return build(
        terms=game.terms,
        options=game.options,
        seats=game.seats,
        commitment=game.commitment,
        commitments=game.commitments,
        secrets=game.secrets,
        seed=game.reveal(broken_off=broken_off) if game.is_over or broken_off else None,
        result=game.scores if game.is_over else None,
        log=game.log,
        tags=tags,
    )


def bot_tags(bots: Mapping[int, str]) -> dict[str, str]:
    """The remarks of a record in which bots sat at these seats.

    >>> bot_tags({1: "casual"})
    {'Bot2': 'casual'}
    """
    return {f"Bot{seat + 1}": bot for seat, bot in sorted(bots.items())}


def build(
    *,
    terms: Terms,
    options: Any,
    called_off: int = 0,
    seats: Sequence[str],
    commitment: str,
    commitments: Sequence[str],
    secrets: Sequence[str],
    seed: str | None,
    result: Sequence[int] | None,
    log: Iterable[Entry[Any]],
    tags: Mapping[str, str] | None = None,
) -> Record:
    """A record from its parts, whoever has them; sealed if nothing more can come, which is so when the seed is known."""
    record = Record(
        terms=terms,
        options=options,
        called_off=called_off,
        seats=tuple(seats),
        commitment=commitment,
        commitments=tuple(commitments),
        secrets=tuple(secrets),
        seed=seed,
        result=None if result is None else tuple(result),
        log=tuple(log),
        tags=_check_tags(dict(tags or {})),
    )
    return record if seed is None else replace(record, seal=seal(record))


def seal(record: Record) -> str:
    """Four hexadecimal digits for the header and for each line, then the whole last hash.

    They are a chain: the SHA-256 hash of the header (all of it but the seal, remarks too, as canonical JSON), then
    of the hash before and the line as it is written. Anyone can make a seal, so it proves nothing about the
    table; it tells when a finished record is no longer what it was, and from which line on, even where the rules
    would allow both: a time, a vote, a name.
    """
    header = msgspec.to_builtins(_header(record))
    del header["seal"]
    block = hashlib.sha256(canonical(header).encode())
    parts = [block.hexdigest()[:_PART]]
    for entry in record.log:
        block = hashlib.sha256(block.digest() + _write_line(record, entry).encode())
        parts.append(block.hexdigest()[:_PART])
    return "".join(parts) + block.hexdigest()


def replay(record: Record) -> Iterator[tuple[Entry[Any], Any]]:
    """Each line of the log with the state after it. Needs no seed: chance is in the events (F3)."""
    of_kind(record, Record, _RECORD)
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

    Every shuffle, draw and throw is computed again, every command is judged again, every deadline is kept.
    What the rules cannot tell, the seal does, if the record has one. That is the first of the three steps of `prove`.
    """
    of_kind(record, Record, _RECORD)
    found = [problem for problem in (_judge(record), _check_seal(record)) if problem is not None]
    return min(found, key=lambda problem: problem.line, default=None)


Verdict = Literal["proved", "wrong", "open"]


class Step(Struct, frozen=True):
    """One of the three things that can be proved: it is, or it is not, or it stays open; and why."""

    verdict: Verdict
    what: str
    line: int = 0


class Proof(Struct, frozen=True):
    """How much of a game can be proved (F4).

    ``itself``: the record is consistent. ``promised``: it is what was promised before play, as the client kept it.
    ``secret``: that client's own secret is in it, so that nobody could choose the luck. ``state`` says what kind of
    record it is; one without a seal, and one of a game that is not finished, is not the whole proof.
    """

    state: Literal["finished", "broken_off", "unfinished", "unsealed"]
    itself: Step
    promised: Step
    secret: Step

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.itself, self.promised, self.secret

    @property
    def is_wrong(self) -> bool:
        return any(step.verdict == "wrong" for step in self.steps)


def prove(record: Record, promise: Promise | None = None) -> Proof:
    """Check a record in three steps; the last two need what a client that was there has kept."""
    of_kind(record, Record, _RECORD)
    if record.seed is None:
        itself = Step("open", "the game is not finished: its seed is still secret")
    elif (problem := verify(record)) is not None:
        itself = Step("wrong", str(problem), problem.line)
    else:
        itself = Step(
            "proved", "every card and throw follows from the seed and the secrets, every move from the rules"
        )
    if promise is None:
        kept = Step("open", "no promise was kept, or none was given")
        return Proof(_state(record), itself, kept, kept)
    return Proof(_state(record), itself, _compare(record, promise), _find_secret(record, promise))


def _state(record: Record) -> Literal["finished", "broken_off", "unfinished", "unsealed"]:
    if record.seed is None:
        return "unfinished"
    if record.seal is None:
        return "unsealed"
    return "broken_off" if record.result is None else "finished"


def _compare(record: Record, promise: Promise) -> Step:
    """Whether the record is what was promised."""
    terms, promised = record.terms, promise.terms
    for what, found, known in [
        ("the table", terms.table, promised.table),
        ("the number of the game", terms.number, promised.number),
        ("the game", terms.game, promised.game),
        ("the options", terms.options, promised.options),
        ("the seed's commitment", record.commitment, promise.commitment),
        ("the list of the seats' commitments", record.commitments, promise.commitments),
        ("how often the start was called off", record.called_off, promise.called_off),
    ]:
        if found != known:
            return Step("wrong", f"{what} is not what was promised before play")
    return Step("proved", "seed and secrets are those that everybody committed to before play")


def _find_secret(record: Record, promise: Promise) -> Step:
    """Whether the secret of the one who kept the promise is where it belongs."""
    seat = promise.seat
    if seat is None or not promise.secret:
        return Step("open", "whoever kept the promise had no seat, and so no secret")
    if seat >= len(record.secrets) or record.secrets[seat] != promise.secret:
        return Step("wrong", f"your own secret is not in it, at seat {seat + 1}")
    if record.commitments[seat] != commit_secret(promise.secret, record.terms):
        return Step("wrong", f"the commitment of seat {seat + 1} is not to your secret")
    return Step("proved", "your own secret is in it")


def _check_seal(record: Record) -> Problem | None:
    if record.seal is None or record.seal == (right := seal(record)):
        return None
    if len(record.seal) != len(right):
        return Problem(0, _other_length(record.seal, len(record.log)))
    place = next(place for place, digit in enumerate(right) if digit != record.seal[place])
    line = min(place // _PART, len(record.log))
    what = _quote(record, record.log[line - 1]) if line else "what stands here"
    return Problem(line, f"{what} was changed: it does not fit the seal")


def _judge(record: Record) -> Problem | None:
    if record.seed is None:
        return Problem(0, "the seed is not revealed, so nothing can be checked yet")
    if commit(record.seed, record.terms) != record.commitment:
        return Problem(0, "the seed is not the one that the table committed to")
    for seat, secret in enumerate(record.secrets):
        if record.commitments[seat] != (commit_secret(secret, record.terms) if secret else ""):
            return Problem(0, f"the secret of seat {seat + 1} is not the one that it committed to")
    game = games.find(record.game)(
        record.seats, seed=record.seed, options=record.options, secrets=record.secrets
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
            return Problem(entry.seq, f"{_quote(record, entry)} is refused: {refused}")
        for expected in happened:
            written = record.log[done] if done < len(record.log) else None
            if written is None:
                return Problem(expected.seq, f"is missing: {_quote(record, expected)}")
            if written != expected:
                return Problem(written.seq, f"{_quote(record, written)} should be {_quote(record, expected)}")
            done += 1
    if record.result is not None and not game.is_over:
        what = f"the log ends here, before the result {_write_result(record.result)}: the end of the record is missing"
        return Problem(len(record.log), what)
    if record.result != (game.scores if game.is_over else None):
        return Problem(0, f"the result {_write_result(record.result)} is not what the log leads to")
    return None


def _quote(record: Record, entry: Entry[Any]) -> str:
    return f"'{write_time(entry.at)} {record.rules.write_event(entry.event)}'"


def write(record: Record) -> str:
    """The record as text for people."""
    of_kind(record, Record, _RECORD)
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
    of_kind(record, Record, _RECORD)
    lines = [
        canonical(msgspec.to_builtins(_header(record))),
        *(to_json(entry).decode() for entry in record.log),
    ]
    return "".join(line + "\n" for line in lines)


def _header(record: Record) -> _Header:
    return _Header(
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


def read(text: str, first_line: int = 1) -> Record:
    """A record from either form of it; `RecordError` says what is wrong and where. ``first_line``: where in its file the text begins."""
    of_kind(text, str, "the text of a record")
    return (_read_json if text.lstrip().startswith("{") else _read_text)(text, first_line)


class _Header(Struct, forbid_unknown_fields=True, kw_only=True):
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


def _read_json(text: str, first_line: int) -> Record:
    first_line += text[: text.index("{")].count("\n")
    first, *rest = text.strip().split("\n")
    try:
        _check_is_record(_strict(first))
        header = from_json(first, _Header)
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
    found = re.fullmatch(rf'\[({_TAG}) (".*")\]', line)
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


def _read_header(tags: dict[str, str]) -> _Header:
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
        return _Header(
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
        raise RecordError(_other_length(text, lines))
    return text


def _other_length(seal: str, lines: int) -> str:
    """What is wrong with a seal that is not as long as one of so many lines."""
    sealed, odd = divmod(len(seal) - 64, _PART)
    if odd or sealed < 1 or not re.fullmatch(r"[0-9a-f]*", seal):
        return f"the seal is not one of a record of {lines} lines"
    missing = "its end is missing" if sealed - 1 > lines else "something was added"
    return f"the record has {lines} lines and was sealed with {sealed - 1}: {missing}"


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
        seats = len(header.seats)
        rules.check_seats(seats)
        options = _read_options(rules, header)
        rules.start(options, seats)
        if len(header.commitments) != seats or len(header.secrets) != seats:
            raise RecordError("one commitment and one secret a seat, empty where there is none")
        if not header.table.isprintable() or len(header.table) > TABLE_LIMIT:
            raise RecordError(f"a table's name has at most {TABLE_LIMIT} printable characters")
        if not (1 <= header.number <= COUNT_LIMIT and 0 <= header.called_off <= COUNT_LIMIT):
            raise RecordError("games are numbered from 1, and starts are called off 0 times or more")
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
            seal=None if header.seal is None else _check_seal_form(header.seal, len(log)),
            tags=_check_tags(header.tags),
        )
    except TercetError as error:
        raise RecordError(f"header: {reason(error)}") from None


def _read_options(rules: games.Rules[Any, Any, Any, Any], header: _Header) -> Any:
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
