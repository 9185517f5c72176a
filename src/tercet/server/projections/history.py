"""What the logs of tables and games say, read for many tables at once and no further than the rows need it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from tercet.codec import from_json
from tercet.games import AnyRules, Entry, Rules, tally
from tercet.server import table
from tercet.server.logged.table import read_event
from tercet.server.projections.rows import GameRows, Played, Row, game_row, player_rows, table_row
from tercet.server.store import Line
from tercet.server.table import Finished

#: The lines of streams, some of which may not be in the table ``log`` yet.
Unsorted = Mapping[str, Sequence[Line]]


class Play(Struct):
    """A game: the table just before its end, or as it is now, and how it ended."""

    state: table.State
    finished: Finished | None


class Story(Struct):
    """All that a table's log says: how it stands, the number and time of the last event, and all its games."""

    state: table.State
    version: int
    time: int
    plays: dict[str, Play]

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Story:
        state: table.State | None = None
        plays: dict[str, Play] = {}
        for line in lines:
            event = read_event(line)
            if isinstance(event, table.Opened):
                state = table.begin(event)
                continue
            assert state is not None
            if isinstance(event, Finished) and state.started is not None:
                plays[state.started.id] = Play(state, event)
            state = table.evolve(state, event)
            if state.started is not None:
                plays[state.started.id] = Play(state, None)
        assert state is not None
        return cls(state, lines[-1].seq, lines[-1].at, plays)


async def rows_of(
    connection: AsyncConnection, stories: Iterable[Story], unsorted: Unsorted | None = None
) -> tuple[list[Row], list[GameRows]]:
    """The rows of these tables and of all their games."""
    stories = list(stories)
    plays = {game: play for story in stories for game, play in story.plays.items()}
    played = await _read_played(
        connection, {game: play.state for game, play in plays.items() if play.finished}, unsorted or {}
    )
    running = [
        story.state.started.id
        for story in stories
        if story.state.phase == "playing" and story.state.started is not None
    ]
    logs = await read_lines(connection, running, unsorted or {})
    return (
        [table_row(story.state, story.version, story.time) for story in stories],
        [
            GameRows(
                game_row(
                    play.state, _waits_for(play.state, logs[game]) if game in logs else (), play.finished
                ),
                player_rows(play.state, play.finished, played.get(game)),
            )
            for game, play in plays.items()
        ],
    )


def _waits_for(state: table.State, lines: Sequence[Line]) -> tuple[int, ...]:
    rules = state.rules
    now = rules.start(rules.read_options(state.options), len(state.seats))
    for line in lines:
        now = rules.evolve(now, from_json(line.event, rules.events), line.at)
    return rules.waits_for(now)


async def read_lines(
    connection: AsyncConnection, streams: Sequence[str], unsorted: Unsorted
) -> dict[str, list[Line]]:
    """All lines of these streams."""
    found: dict[str, list[Line]] = {stream: [] for stream in streams}
    if streams:
        for stream, *line in await _ask(
            connection,
            "SELECT stream, seq, at, event, cause FROM log WHERE <those> ORDER BY stream, seq",
            streams,
        ):
            found[stream].append(Line(*line))
    for stream in streams:
        found[stream] += unsorted.get(stream, ())
    return found


async def _read_played(
    connection: AsyncConnection, games: Mapping[str, table.State], unsorted: Unsorted
) -> dict[str, Played]:
    """What the logs of these finished games say for the statistics."""
    found: dict[str, Played] = {}
    by_game: dict[str, list[str]] = {}
    for game, state in games.items():
        by_game.setdefault(state.game, []).append(game)
    for ids in by_game.values():
        rules = games[ids[0]].rules
        if type(rules).count_play is Rules.count_play:
            found |= await _count(connection, rules, {game: len(games[game].seats) for game in ids}, unsorted)
            continue
        for game, lines in (await read_lines(connection, ids, unsorted)).items():
            log = [Entry(line.seq, line.at, from_json(line.event, rules.events)) for line in lines]
            found[game] = Played.of(games[game], log)
    return found


class _Counted(Struct, gc=False):
    """As much as must be read of an event that counts."""

    kind: str
    seat: int


_read_counted = msgspec.json.Decoder(_Counted).decode


async def _count(
    connection: AsyncConnection, rules: AnyRules, seats: Mapping[str, int], unsorted: Unsorted
) -> dict[str, Played]:
    """The same as `Rules.count_play`, without reading any event that does not count."""
    fields = {str(event.__struct_config__.tag): field for event, field in rules.counted.items()}
    beginnings = tuple(f'{{"kind":"{kind}",' for kind in fields)
    streams = list(seats)
    query = "SELECT stream, max(at) FROM log WHERE <those> GROUP BY stream"
    ends: dict[str, int] = {row[0]: row[1] for row in await _ask(connection, query, streams)}
    counting: dict[str, list[tuple[str, int]]] = {stream: [] for stream in streams}

    def note(stream: str, event: str) -> None:
        counted = _read_counted(event)
        counting[stream].append((fields[counted.kind], counted.seat))

    if fields:
        kinds = " OR ".join(f"substr(event, 1, {len(one)}) = :kind{n}" for n, one in enumerate(beginnings))
        query = f"SELECT stream, event FROM log WHERE <those> AND ({kinds})"
        given = {f"kind{n}": one for n, one in enumerate(beginnings)}
        for stream, event in await _ask(connection, query, streams, **given):
            note(stream, event)
    for stream in unsorted.keys() & seats.keys():
        for line in unsorted[stream]:
            ends[stream] = line.at
            if line.event.startswith(beginnings):
                note(stream, line.event)
    return {
        stream: Played(tally(count, counting[stream]), ends.get(stream, 0)) for stream, count in seats.items()
    }


async def _ask(
    connection: AsyncConnection, query: str, streams: Sequence[str], **given: Any
) -> Sequence[Any]:
    """The rows of a query about ``<those>``: these streams, which are all named in one parameter."""
    if connection.dialect.name == "postgresql":
        those, given["streams"] = "stream = ANY(CAST(:streams AS text[]))", list(streams)
    else:
        those = "stream IN (SELECT value FROM json_each(:streams))"
        given["streams"] = msgspec.json.encode(streams).decode()
    return (await connection.execute(text(query.replace("<those>", those)), given)).all()
