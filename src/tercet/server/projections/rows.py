"""The rows of lobby, my games and statistics, from a table and the log of its game."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from tercet.codec import to_json
from tercet.games import Counts, Entry
from tercet.games.runs import Measured, find_run, measure
from tercet.server import table
from tercet.server.table import Finished

Row = dict[str, Any]


class GameRows(Struct):
    """The rows of one game."""

    game: Row
    players: list[Row]
    runs: list[Row] = []


#: What a player's row adds to the sums of the person, in the order of the columns.
SUMMED = ("games", "wins", "points", "sets", "turns", "played_ms")


def summed(player: Row) -> tuple[int, ...]:
    """What the row of a finished game adds to the sums of the person."""
    return (1, int(player["won"]), player["points"], player["sets"], player["turns"], player["played_ms"])


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


def table_row(state: table.State, version: int, changed_time: int) -> Row:
    """``version`` is the number of the last event that the row tells of."""
    host = next((seat.name for seat in state.seats if seat.person == state.host), "")
    return {
        "code": state.code,
        "game": state.game,
        "host": state.host,
        "host_name": host,
        "phase": state.phase,
        "public": state.public and state.empty_since is None,
        "options": to_json(shorten(state.options)).decode(),
        "people": sum(seat.person is not None and not seat.program for seat in state.seats),
        "bots": sum(seat.bot is not None or seat.program for seat in state.seats),
        "open_seats": len(state.open_seats()),
        "created_time": state.time,
        "changed_time": changed_time,
        "version": version,
        "run": None if state.run is None else state.run.kind,
        "day": None if state.run is None else state.run.day,
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
        "public": state.public and state.run is None,
    }


class Played(Struct):
    """What the log of a finished game says for the statistics: what each seat did, and when the last move was."""

    counts: Sequence[Counts]
    milliseconds: int
    measured: Sequence[Measured] = ()

    @classmethod
    def of(cls, state: table.State, log: list[Entry[Any]]) -> Played:
        counts = state.rules.count_play(log, len(state.seats))
        measured: list[Measured] = []
        if state.run is not None:
            run, options = find_run(state.run.kind), state.rules.read_options(state.options)
            measured = [measure(run, options, log, seat) for seat in range(len(state.seats))]
        return cls(counts, log[-1].at if log else 0, measured)


def player_rows(state: table.State, finished: Finished | None, played: Played | None) -> list[Row]:
    """Who plays, by who sits there now, and for whom a bot does; ``played`` is for a finished game. Whoever has not sat there from the beginning, or
    played against the clock, which has its own boards, has the game in the list, but not in the statistics."""
    assert state.started is not None
    counts = played.counts if played else [Counts()] * len(state.seats)
    return [
        {
            "game": state.started.id,
            "seat": number,
            "person": seat.person or state.missing(number),
            "name": seat.name,
            "bot": seat.bot,
            "points": finished.scores[number] if finished else None,
            "won": number in finished.winners if finished else False,
            "sets": count.sets,
            "turns": count.turns,
            "played_ms": played.milliseconds if played else 0,
            "counts": state.counts(number) and state.run is None,
            "start_time": state.started.time,
        }
        for number, (seat, count) in enumerate(zip(state.seats, counts, strict=True))
    ]


def run_rows(state: table.State, finished: Finished | None, played: Played | None) -> list[Row]:
    """What people achieved against the clock, in a finished game; bots achieve nothing."""
    if state.run is None or state.started is None or finished is None or played is None:
        return []
    run = state.run
    return [
        {
            "game": state.started.id,
            "seat": number,
            "kind": run.kind,
            "day": run.day,
            "date": finished.date if run.day is None else max(run.day, finished.date),
            "person": seat.person,
            "points": measured.points,
            "time_ms": measured.time_ms,
            "errors": measured.errors,
            "value": measured.value,
            "reason": _reason(state, number, finished, measured),
            "answer": measured.answer,
            "start_time": state.started.time,
            "end_time": finished.time,
        }
        for number, (seat, measured) in enumerate(zip(state.seats, played.measured, strict=True))
        if seat.person is not None
    ]


def _reason(state: table.State, seat: int, finished: Finished, measured: Measured) -> str | None:
    """Why a run is on no board (Z10); None if it is on some."""
    assert state.run is not None
    if measured.reason == "not_finished":  # what was given up is never shown as solved
        return measured.reason
    if not state.counts(seat):
        return "seat_taken_over"
    if state.run.reason is not None:
        return state.run.reason
    if state.run.day is not None and finished.date > state.run.day:
        return "day_over"
    return measured.reason


def periods_of(date: str) -> tuple[str, ...]:
    """The boards for which a day counts.

    >>> periods_of("2026-11-17")
    ('2026-11-17', '2026-W47', '2026-11', 'ever')
    """
    day = dt.date.fromisoformat(date)
    year, week, _ = day.isocalendar()
    return date, f"{year}-W{week:02}", date[:7], "ever"
