"""What the messages are made of: limits, names, and the JSON of the games."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from msgspec import Meta, Raw

from tercet.games import NAME_LIMIT

VERSION = 1
CHAT_LIMIT = 200
#: What can be said with one tap.
REACTIONS = ("well_played", "wow", "oops", "hurry", "thinking", "thanks", "hello", "bye")

Name = Annotated[str, Meta(min_length=1, max_length=NAME_LIMIT)]
Password = Annotated[str, Meta(min_length=1, max_length=200)]
CommandId = Annotated[str, Meta(min_length=1, max_length=40)]
SeatNumber = Annotated[int, Meta(ge=0, le=7)]
PersonId = Annotated[str, Meta(min_length=1, max_length=32)]
BotName = Annotated[str, Meta(min_length=1, max_length=32)]
#: A commitment or a secret.
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
#: One of `tercet.games.names`; a name that none of them has is refused where a table is made.
GameName = Annotated[str, Meta(min_length=1, max_length=40, extra={"typescript": "GameName"})]
Quality = Literal["offline", "poor", "fair", "good"]

# What one of the games knows, as the JSON that its own types make.
GameCommand = Annotated[Raw, Meta(extra={"typescript": "GameCommand"})]
GameOptions = Annotated[dict[str, Any], Meta(extra={"typescript": "GameOptions"})]
GameState = Annotated[Any, Meta(extra={"typescript": "GameState"})]
GameEntry = Annotated[Any, Meta(extra={"typescript": "GameEntry"})]
GameHint = Annotated[Any, Meta(extra={"typescript": "GameHint"})]
Refusal = Annotated[
    dict[str, Any], Meta(extra={"typescript": "{ code: RefusalCode; [detail: string]: unknown }"})
]


def snake(name: str) -> str:
    """``StandIn`` is ``stand_in`` in JSON."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
