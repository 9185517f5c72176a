"""How much of a recorded game can be proved."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from tercet import games
from tercet.fairness import Promise, commit, commit_secret
from tercet.games import Entry, Refused
from tercet.record.record import RECORD, Record
from tercet.record.sealing import PART, other_length, seal
from tercet.record.writing import write_result, write_time
from tercet.sets import of_kind

Verdict = Literal["proved", "wrong", "open"]


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
    of_kind(record, Record, RECORD)
    found = [problem for problem in (_judge(record), _check_seal(record)) if problem is not None]
    return min(found, key=lambda problem: problem.line, default=None)


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
    of_kind(record, Record, RECORD)
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
        return Problem(0, other_length(record.seal, len(record.log)))
    place = next(place for place, digit in enumerate(right) if digit != record.seal[place])
    line = min(place // PART, len(record.log))
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
        what = f"the log ends here, before the result {write_result(record.result)}: the end of the record is missing"
        return Problem(len(record.log), what)
    if record.result != (game.scores if game.is_over else None):
        return Problem(0, f"the result {write_result(record.result)} is not what the log leads to")
    return None


def _quote(record: Record, entry: Entry[Any]) -> str:
    return f"'{write_time(entry.at)} {record.rules.write_event(entry.event)}'"
