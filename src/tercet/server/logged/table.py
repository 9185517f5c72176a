"""The log of a table: what it is called, how events are written to it and read from it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence

from tercet.codec import from_json, to_json
from tercet.server import table
from tercet.server.store import Line, Store
from tercet.server.table import AnyTableEvent

_PREFIX = "table "


def stream_of(code: str) -> str:
    """The name of a table's log."""
    return _PREFIX + code


def code_of(stream: str) -> str:
    """The code of the table with this log."""
    return stream.removeprefix(_PREFIX)


async def seated_at(store: Store, person: str, page: int) -> AsyncIterator[list[str]]:
    """The codes of all tables at which this person ever sat, so many at a time."""
    last = ""
    while streams := await store.sat_in(person, last, page):
        last = streams[-1]
        yield [code_of(stream) for stream in streams]


def write_events(
    events: Sequence[AnyTableEvent], after: int, time: int, cause: str | None = None
) -> list[Line]:
    """The lines of these events; ``cause``, the name of the command behind them, stands with the last."""
    last = after + len(events)
    return [
        Line(number, time, to_json(event).decode(), cause if number == last else None)
        for number, event in enumerate(events, after + 1)
    ]


def read_event(line: Line) -> AnyTableEvent:
    event: AnyTableEvent = from_json(line.event, AnyTableEvent)
    return event


async def read_causes(store: Store, stream: str) -> list[str]:
    """The names of all commands that were carried out in a stream."""
    return [line.cause for line in await store.read(stream) if line.cause is not None]


def retell(lines: Iterable[Line]) -> Iterator[tuple[AnyTableEvent, table.State, table.State]]:
    """Each event of a table's log with the states before and after it; before the first one there is only the one after."""
    state: table.State | None = None
    for line in lines:
        event = read_event(line)
        if isinstance(event, table.Opened):
            before = state = table.begin(event)
        else:
            assert state is not None
            before, state = state, table.evolve(state, event)
        yield event, before, state
