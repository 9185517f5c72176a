"""What the server counts, for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client import generate_latest as _write

_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)

registry = CollectorRegistry()
commands = Counter(
    "tercet_commands", "Commands of the games, by answer", ["game", "answer"], registry=registry
)
answer_seconds = Histogram(
    "tercet_answer_seconds", "From a command's arrival to its answer", buckets=_BUCKETS, registry=registry
)
append_seconds = Histogram(
    "tercet_append_seconds", "Writing to the log, until it is on disk", buckets=_BUCKETS, registry=registry
)
events = Counter("tercet_events", "Events of the games", ["game"], registry=registry)
cut_off = Counter("tercet_sockets_ended", "Sockets that the server ended", ["reason"], registry=registry)
tables = Gauge("tercet_tables", "Tables in memory", registry=registry)
sockets = Gauge("tercet_sockets", "Open sockets", registry=registry)


_answered: dict[tuple[str, str], Counter] = {}
_happened: dict[str, Counter] = {}


def answered(game: str, answer: str, took_ms: float) -> None:
    """A command of a game was answered."""
    answer_seconds.observe(took_ms / 1000)
    counter = _answered.get((game, answer))
    if counter is None:
        counter = _answered[game, answer] = commands.labels(game, answer)
    counter.inc()


def happened(game: str, count: int) -> None:
    """So many events happened in a game."""
    counter = _happened.get(game)
    if counter is None:
        counter = _happened[game] = events.labels(game)
    counter.inc(count)


def write() -> bytes:
    """All of it as text."""
    return _write(registry)
