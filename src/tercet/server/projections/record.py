"""The record of a game from its logs, finished or not."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from tercet.fairness import commit
from tercet.record import Record, bot_tags, build
from tercet.server import table
from tercet.server.logged.game import LoggedGame
from tercet.server.logged.table import retell, stream_of
from tercet.server.logged.visibility import see
from tercet.server.projections.queries import game_place
from tercet.server.store import Store
from tercet.study.review import Player


class _Played(NamedTuple):
    """The table at the end of a game, or so far; how it was finished, and whether the table was closed before."""

    table: table.State
    finished: table.Finished | None
    is_closed: bool


async def _find_played(store: Store, game_id: str) -> _Played | None:
    code = await game_place(store, game_id)
    if code is None:
        return None
    played: table.State | None = None
    finished: table.Finished | None = None
    is_closed = False
    for event, before, after in retell(await store.read(stream_of(code))):
        if isinstance(event, table.Finished) and before.started and before.started.id == game_id:
            finished = event
            break
        if isinstance(event, table.Closed) and played is not None:
            is_closed = True
            break
        if after.started and after.started.id == game_id:
            played = after  # those who sat down in the middle of the game are named, too
    return None if played is None else _Played(played, finished, is_closed)


async def find_players(store: Store, game_id: str) -> tuple[Player, ...]:
    """Who sat where in this game, as the table's log names them now."""
    found = await _find_played(store, game_id)
    if found is None:
        return ()
    played = found.table
    return tuple(
        Player(name=name, bot=bot, before=tuple(sitter.name for sitter in sitters[:-1]))
        for name, bot, sitters in zip(played.names, played.bots, played.sitters, strict=True)
    )


async def find_record(
    store: Store, game_id: str, wall: Callable[[int], int] = int, today: str = ""
) -> Record | None:
    """The record of this game; before its end without the seed and without what is still hidden. One that
    was closed in the middle reveals its seed, too; one of the puzzle of a day only if that is before ``today``. ``wall`` says
    what date people had at a moment."""
    found = await _find_played(store, game_id)
    if found is None or found.table.started is None:
        return None
    played, finished, is_closed = found
    assert played.started is not None
    game = LoggedGame(played)
    await game.catch_up(store)
    is_open = finished is None and not is_closed
    log = list(see(game.rules, game.log, None)) if is_open else game.log
    started = datetime.fromtimestamp(wall(played.started.time) / 1000, UTC)
    at = played.run
    run = {} if at is None else {"Run": at.kind, **({"Day": at.day} if at.day else {})}
    is_secret = is_open or (at is not None and at.day is not None and at.day >= today)
    bots = bot_tags({seat: bot for seat, bot in enumerate(played.bots) if bot is not None})
    earlier = {
        remark: value
        for seat, sitters in enumerate(played.sitters, 1)
        if len(sitters) > 1
        for remark, value in (
            (f"Before{seat}", json.dumps([sitter.name for sitter in sitters[:-1]], ensure_ascii=False)),
            (f"Until{seat}", json.dumps([sitter.after for sitter in sitters[1:]])),
        )
    }
    return build(
        terms=played.terms,
        options=game.options,
        called_off=played.started.called_off,
        seats=played.names,
        commitment=commit(played.seed, played.terms),
        commitments=played.started.commitments,
        secrets=game.secrets,
        seed=None if is_secret else played.seed,
        result=finished.scores if finished else None,
        log=log,
        tags={"Date": started.strftime("%Y-%m-%d"), "Id": game_id, **run, **bots, **earlier},
    )
