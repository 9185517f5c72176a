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

from tercet.record.making import bot_tags, build, of
from tercet.record.proof import Problem, Proof, Step, prove, verify
from tercet.record.reading import read
from tercet.record.record import VERSION, Record, RecordError, replay
from tercet.record.sealing import seal
from tercet.record.writing import write, write_json, write_time

__all__ = [
    "VERSION",
    "Problem",
    "Proof",
    "Record",
    "RecordError",
    "Step",
    "bot_tags",
    "build",
    "of",
    "prove",
    "read",
    "replay",
    "seal",
    "verify",
    "write",
    "write_json",
    "write_time",
]
