"""What the logs of tables and games say, read for many tables at once and no further than the rows need it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from tercet.codec import from_json
from tercet.games import AnyRules, Entry, Rules, tally
from tercet.server import table
from tercet.server.logged.table import retell
from tercet.server.projections.rows import GameRows, Played, Row, game_row, player_rows, run_rows, table_row
from tercet.server.store import Line, many
from tercet.server.store.many import batched
from tercet.server.table import Finished

#: So many games are asked about at once.
GAMES = 500

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
        for event, before, state in retell(lines):
            if isinstance(event, Finished) and before.started is not None:
                plays[before.started.id] = Play(before, event)
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
                run_rows(play.state, play.finished, played.get(game)),
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
        query = f"SELECT stream, seq, at, event, cause FROM log WHERE {_THOSE} ORDER BY stream, seq"
        for stream, *line in await many.ask(connection, query, streams):
            found[stream].append(Line(*line))
    for stream in streams:
        found[stream] += unsorted.get(stream, ())
    return found


_THOSE = "stream IN (SELECT value FROM <keys>)"


async def _read_played(
    connection: AsyncConnection, games: Mapping[str, table.State], unsorted: Unsorted
) -> dict[str, Played]:
    """What the logs of these finished games say for the statistics."""
    found: dict[str, Played] = {}
    by_game: dict[str, list[str]] = {}
    whole: list[str] = []
    for game, state in games.items():
        is_counted = type(state.rules).count_play is Rules.count_play and state.run is None
        if game not in unsorted and is_counted:
            by_game.setdefault(state.game, []).append(game)
        else:
            whole.append(game)
    for ids in by_game.values():
        for some in batched(ids, GAMES):
            seats = {game: len(games[game].seats) for game in some}
            found |= await _count(connection, games[some[0]].rules, seats)
    for some in batched(whole, GAMES):
        for game, lines in (await read_lines(connection, some, unsorted)).items():
            events = games[game].rules.events
            log = [Entry(line.seq, line.at, from_json(line.event, events)) for line in lines]
            found[game] = Played.of(games[game], log)
    return found


async def _count(connection: AsyncConnection, rules: AnyRules, seats: Mapping[str, int]) -> dict[str, Played]:
    """The same as `Rules.count_play`, but the database counts."""
    seat = (
        "CAST(event AS json) ->> 'seat'" if many.is_postgres(connection) else "json_extract(event, '$.seat')"
    )
    join = "string_agg" if many.is_postgres(connection) else "group_concat"
    counted: dict[str, list[tuple[str, int]]] = {stream: [] for stream in seats}
    for field in set(rules.counted.values()):
        kinds = {
            f"kind{number}": f'{{"kind":"{event.__struct_config__.tag}",'
            for number, event in enumerate(rules.counted)
            if rules.counted[event] == field
        }
        is_one = " OR ".join(f"substr(event, 1, {len(start)}) = :{name}" for name, start in kinds.items())
        query = f"SELECT stream, {join}({seat}, ',') FROM log WHERE {_THOSE} AND ({is_one}) GROUP BY stream"
        for stream, found in await many.ask(connection, query, list(seats), **kinds):
            counted[stream] += ((field, int(number)) for number in found.split(","))
    last = "SELECT value, (SELECT at FROM log WHERE stream = value ORDER BY seq DESC LIMIT 1) FROM <keys>"
    ends = {stream: at or 0 for stream, at in await many.ask(connection, last, list(seats))}
    return {stream: Played(tally(count, counted[stream]), ends[stream]) for stream, count in seats.items()}
