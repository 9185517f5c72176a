"""The record of a game that is here, or of its parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from tercet.fairness import Terms
from tercet.games import Entry, Game
from tercet.record.record import Record, check_tags
from tercet.record.sealing import seal
from tercet.sets import of_kind


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
        tags=check_tags(dict(tags or {})),
    )
    return record if seed is None else replace(record, seal=seal(record))


def bot_tags(bots: Mapping[int, str]) -> dict[str, str]:
    """The remarks of a record in which bots sat at these seats.

    >>> bot_tags({1: "casual"})
    {'Bot2': 'casual'}
    """
    return {f"Bot{seat + 1}": bot for seat, bot in sorted(bots.items())}
