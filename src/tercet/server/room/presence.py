"""Who is at a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tercet.server import protocol
from tercet.server.socket.connection import Connection

#: Times are told in such steps, so that not every little change is news.
STEP_MS = 20
_QUALITIES: tuple[protocol.Quality, ...] = ("offline", "poor", "fair", "good")


def who_is_here(
    connections: Iterable[Connection],
    seats: Sequence[protocol.Seat] = (),
    elsewhere: Iterable[protocol.Present] = (),
    *,
    with_times: bool = False,
) -> tuple[protocol.Present, ...]:
    """Everybody who is connected, here or to other nodes, or has a seat; each by the best of their connections. ``with_times``: and how
    long a message there and back takes, to the next `STEP_MS`."""
    best: dict[str, protocol.Present] = {present.person: present for present in elsewhere}
    for connection in connections:
        known = best.get(connection.person)
        if known is None or _QUALITIES.index(known.quality) < _QUALITIES.index(connection.quality):
            took = connection.round_trip_ms if with_times else None
            best[connection.person] = protocol.Present(
                connection.person,
                connection.visitor.name,
                connection.quality,
                None if took is None else STEP_MS * -int(-took // STEP_MS),
            )
    for seat in seats:
        if seat.person is not None and seat.person not in best:
            best[seat.person] = protocol.Present(seat.person, seat.name, "offline")
    return tuple(sorted(best.values(), key=lambda present: present.person))
