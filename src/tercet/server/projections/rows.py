"""The rows of lobby, my games and statistics, from a table and the log of its game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from tercet.codec import to_json
from tercet.games import Counts, Entry
from tercet.server import table
from tercet.server.ids import now_ms
from tercet.server.table import Finished

Row = dict[str, Any]


class GameRows(Struct):
    """The rows of one game."""

    game: Row
    players: list[Row]


def write_seats(seats: Iterable[int]) -> str:
    return ",".join(map(str, seats))


#: So much of the name of an edition of somebody's own is shown.
SHOWN = 40


def shorten(options: dict[str, Any]) -> dict[str, Any]:
    """Options as a list of tables shows them: of what has a name and much in it, such as an edition, only the name.

    >>> shorten({"rounds": 3, "edition": {"name": "Ours", "dice": [...]}})
    {'rounds': 3, 'edition': 'Ours'}
    """
    return {
        name: str(value.get("name", ""))[:SHOWN] if isinstance(value, dict) else value
        for name, value in options.items()
    }


def table_row(state: table.State) -> Row:
    host = next((seat.name for seat in state.seats if seat.person == state.host), "")
    return {
        "code": state.code,
        "game": state.game,
        "host": state.host,
        "host_name": host,
        "phase": state.phase,
        "public": state.public and state.empty_since is None,
        "options": to_json(shorten(state.options)).decode(),
        "people": len(state.people()),
        "bots": sum(seat.bot is not None for seat in state.seats),
        "open_seats": len(state.open_seats()),
        "created_time": state.time,
        "changed_time": int(now_ms()),
    }


def game_row(state: table.State, waits_for: Sequence[int], finished: Finished | None) -> Row:
    assert state.started is not None
    return {
        "id": state.started.id,
        "code": state.code,
        "game": state.game,
        "practice": state.practice,
        "start_time": state.started.time,
        "end_time": finished.time if finished else None,
        "waits_for": write_seats(waits_for),
    }


def player_rows(
    state: table.State, log: list[Entry[Any]], finished: Finished | None, owners: dict[str, str]
) -> list[Row]:
    """Who plays, by who sits there now; ``owners``: the accounts of guests who logged in later. Whoever has not sat there
    from the beginning has the game in the list, but not in the statistics."""
    assert state.started is not None
    seats = len(state.seats)
    counts = state.rules.count_play(log, seats) if finished else [Counts()] * seats
    return [
        {
            "game": state.started.id,
            "seat": number,
            "person": owners.get(seat.person, seat.person) if seat.person else None,
            "name": seat.name,
            "bot": seat.bot,
            "points": finished.scores[number] if finished else None,
            "won": number in finished.winners if finished else False,
            "sets": count.sets,
            "turns": count.turns,
            "played_ms": log[-1].at if finished and log else 0,
            "counts": state.counts(number),
        }
        for number, (seat, count) in enumerate(zip(state.seats, counts, strict=True))
    ]
