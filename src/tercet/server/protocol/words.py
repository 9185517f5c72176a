"""What the messages are made of: limits, names, and the JSON of the games."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Raw

from tercet.games import NAME_LIMIT

VERSION = 1
CHAT_LIMIT = 200
#: The longest text of an edition, its remarks included.
EDITION_LIMIT = 40_000
#: What can be said with one tap.
REACTIONS = ("well_played", "wow", "oops", "hurry", "thinking", "thanks", "hello", "bye")

#: PostgreSQL keeps no text with a NUL in it, and nobody needs one. (Messages over a socket are looked through as a
#: whole: see `holds_nul`.)
NO_NUL = r"^[^\x00]*$"

Name = Annotated[str, Meta(min_length=1, max_length=NAME_LIMIT, pattern=NO_NUL)]
Password = Annotated[str, Meta(min_length=1, max_length=200)]
CommandId = Annotated[str, Meta(min_length=1, max_length=40)]
SeatNumber = Annotated[int, Meta(ge=0, le=9)]
PersonId = Annotated[str, Meta(min_length=1, max_length=32)]
BotName = Annotated[str, Meta(min_length=1, max_length=32)]
#: A commitment or a secret.
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
#: One of `tercet.games.names`; a name that none of them has is refused where a table is made.
GameName = Annotated[str, Meta(min_length=1, max_length=40, extra={"typescript": "GameName"})]
#: One of the kinds of runs (`tercet.games.runs`); a name that none has is refused where a run is begun.
RunName = Annotated[str, Meta(min_length=1, max_length=40, extra={"typescript": "RunName"})]
#: Why a run is on no board; None for one that is.
RunReason = Annotated[str, Meta(extra={"typescript": "RunReason"})]
#: A day in UTC.
Day = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]
#: What a token may do: look at what is its person's; sit down and play; challenge, and answer challenges.
Scope = Literal["read", "play", "challenge"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
Quality = Literal["offline", "poor", "fair", "good"]

# What one of the games knows, as the JSON that its own types make.
GameCommand = Annotated[Raw, Meta(extra={"typescript": "GameCommand"})]
TriedCommand = Annotated[dict[str, Any], Meta(extra={"typescript": "GameCommand"})]
GameOptions = Annotated[dict[str, Any], Meta(extra={"typescript": "GameOptions"})]
GameState = Annotated[Any, Meta(extra={"typescript": "GameState"})]
GameEntry = Annotated[Any, Meta(extra={"typescript": "GameEntry"})]
PuzzleData = Annotated[Any, Meta(extra={"typescript": "PuzzleItem"})]
GameHint = Annotated[Any, Meta(extra={"typescript": "GameHint"})]
GameReview = Annotated[Any, Meta(extra={"typescript": "GameReview"})]
GameJudged = Annotated[Any, Meta(extra={"typescript": "GameJudged"})]
#: A code of `refusals.FAILURES`.
Code = Annotated[str, Meta(extra={"typescript": "FailureCode"})]
Refusal = Annotated[
    dict[str, Any], Meta(extra={"typescript": "{ code: RefusalCode; [detail: string]: unknown }"})
]

EditionData = Annotated[dict[str, Any], Meta(extra={"typescript": "Edition"})]
EditionProblem = Annotated[
    dict[str, Any], Meta(extra={"typescript": "{ code: EditionProblem; [detail: string]: unknown }"})
]


def holds_nul(text: str | bytes) -> bool:
    """Whether one of the texts in this JSON, which can be read, holds a NUL.

    >>> [holds_nul(text) for text in (b'{"id": "a"}', rb'{"id": "a\\u0000"}', r'{"id": "\\\\u0000"}')]
    [False, True, False]
    """
    if isinstance(text, bytes):
        if b"\\u0000" not in text:
            return False
        text = text.decode()
    return "\\u0000" in text and "\\u0000" in text.replace("\\\\", "")


def snake(name: str) -> str:
    """``StandIn`` is ``stand_in`` in JSON."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
