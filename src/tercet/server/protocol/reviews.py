"""The bodies of the HTTP API: reviews of finished games."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tercet.server.protocol.words import Code, GameJudged, GameName, GameReview, Refusal, TriedCommand


class Making(Struct, frozen=True):
    """A review that is being made. ``ahead``: so many are made before; None once it has begun. Then ``done`` of ``total`` steps
    are behind it (0 of 0 while that is not known)."""

    ahead: int | None
    done: int = 0
    total: int = 0


class ReviewState(Struct, kw_only=True):
    """GET /api/games/ID/review: what there is of the review of a game, for whoever may see its record.

    ``review`` is the finished one. ``making``: one is being made, the first or a deeper one; look again in some seconds, or hear
    ``review_news`` at the table. ``problem``: there is none, and none can be made, for this reason (but after ``review_failed``
    it may be asked for once more). With none of the three, it can be asked for. ``games``: so many were played out for a decision, None for a game in which none are; ``deeper``: whether a
    review by more of them can be asked for. ``left``: how many reviews you may still ask for today, None if nobody knows you.
    """

    id: str
    game: GameName
    review: GameReview | None = None
    made_time: int | None = None
    games: int | None = None
    making: Making | None = None
    problem: Code | None = None
    deeper: bool = False
    left: int | None = None


class AskForReview(Struct, forbid_unknown_fields=True):
    """POST /api/games/ID/review: have a finished game reviewed; ``deeper``: once more, with four times as many games played
    out. What is there or being made already is not made again, and does not count."""

    deeper: bool = False


class WhatIf(Struct, forbid_unknown_fields=True):
    """POST /api/games/ID/review/what-if: what another command would have been worth than the one in this line of the log, which
    is a decision of the review. Whose ``seat`` it is does not matter: it is taken as theirs who decided there."""

    line: Annotated[int, Meta(ge=1, le=1_000_000)]
    command: TriedCommand


class Judged(Struct):
    """What the command would have been worth; or why the rules do not allow it."""

    game: GameName
    judged: GameJudged | None = None
    refusal: Refusal | None = None


class AskedReview(Struct):
    """A review that you asked for lately."""

    game: str
    asked_time: int
