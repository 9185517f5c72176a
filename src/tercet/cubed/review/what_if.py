"""What another turn would have been worth, in a position of a game that is over."""

from __future__ import annotations

from typing import get_args

from msgspec.structs import replace

from tercet.cubed.evolve import evolve
from tercet.cubed.play import State
from tercet.cubed.review.values import Decided, Values
from tercet.cubed.review.watching import Decision, decide
from tercet.fairness import Seeded, seed_from
from tercet.games import Command, Refusal
from tercet.record import Record
from tercet.study.review import NoWhatIf


def what_if(start: State, record: Record, line: int, command: Command, values: Values) -> Decision | Refusal:
    """The command in the place of what was decided in this line, by whoever decided it, as a decision of theirs."""
    state = start
    for entry in record.log:
        if entry.seq == line:
            break
        state = evolve(state, entry.event, entry.at)
    else:
        raise NoWhatIf(f"the record has no line {line}")
    if not isinstance(entry.event, get_args(Decided)):
        raise NoWhatIf(f"nobody decided anything in line {line}")
    # What it would have thrown is not asked: a throw is judged by its mean.
    chance = Seeded(record.seed or seed_from("a turn"))
    outcome = record.rules.decide(state, replace(command, seat=entry.event.seat), entry.at, chance)
    if isinstance(outcome, Refusal):
        return outcome
    done = outcome[0]
    if not isinstance(done, get_args(Decided)):
        raise NoWhatIf("only what would have been a turn, an opening or an extra roll can be judged")
    compared = values.compare(state, done)
    if compared is None:
        raise NoWhatIf(f"in line {line} nothing else could have been done")
    return decide(state, line, done, compared)
