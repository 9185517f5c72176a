"""The bodies of the HTTP API: games for two, at least one of them a bot."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from tercet.server.protocol.words import GameName, GameOptions, Name

#: Why a challenge is declined, as far as one wants to say: not at all, not now, not this game, not these options.
Decline = Literal["no", "later", "game", "options"]
DECLINES: tuple[Decline, ...] = get_args(Decline)
Status = Literal["open", "accepted", "declined", "cancelled", "expired"]


class Side(Struct, frozen=True):
    """Who challenges or is challenged. ``program``: it is a bot's account."""

    id: str
    name: str
    account: str | None
    program: bool


class Challenge(Struct, kw_only=True):
    """A game for two that somebody wants to play with somebody; one of them, at least, is a bot. ``table`` is where it is played, once it
    is accepted: both have a seat there. ``reason``: why it was declined."""

    id: str
    status: Status
    challenger: Side
    challenged: Side
    game: GameName
    options: GameOptions
    table: str | None
    reason: Decline | None
    created_time: int
    expires_time: int


class NewChallenge(Struct, forbid_unknown_fields=True, kw_only=True):
    """POST /api/challenges: ``to`` is the login name of an account."""

    to: Name
    game: GameName
    options: GameOptions = {}


class Declining(Struct, forbid_unknown_fields=True):
    """POST /api/challenges/ID/decline."""

    reason: Decline = "no"
