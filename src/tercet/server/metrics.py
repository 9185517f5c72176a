"""What the server counts, for Prometheus. Counting is a few additions: it happens with every event."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from tercet.server import budgets


class Durations:
    """How often something took how long."""

    LIMITS = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)

    def __init__(self) -> None:
        self._counts = [0] * (len(self.LIMITS) + 1)
        self._sum = 0.0

    def add(self, seconds: float, times: int = 1) -> None:
        self._counts[bisect_left(self.LIMITS, seconds)] += times
        self._sum += seconds * times

    def family(self, name: str, about: str) -> HistogramMetricFamily:
        total, buckets = 0, []
        for limit, count in zip((*map(str, self.LIMITS), "+Inf"), self._counts, strict=True):
            total += count
            buckets.append((limit, total))
        return HistogramMetricFamily(name, about, buckets=buckets, sum_value=self._sum)


#: From a command's arrival to its answer; and writing to the log, until it is on disk.
answers, appends = Durations(), Durations()
#: How long bots waited for their turn to think.
bot_waits = Durations()
#: Commands by game and answer, events by game, sockets that the server ended by reason.
commands: Counter[tuple[str, str]] = Counter()
events: Counter[str] = Counter()
ended: Counter[str] = Counter()
#: Seconds of processor time that requests took, by method and path.
worked: defaultdict[tuple[str, str], float] = defaultdict(float)
#: Games that were reviewed, or the codes of why not.
reviews: Counter[str] = Counter()
#: Starts of games that came to nothing, by reason.
called_off: Counter[str] = Counter()


def answered(game: str, answer: str, took_ms: float) -> None:
    """A command of a game was answered."""
    answers.add(took_ms / 1000)
    commands[game, answer] += 1


class _Everything(Collector):
    def __init__(self, tables: int, sockets: int, nodes: int, bots_waiting: int) -> None:
        self._tables = tables
        self._sockets = sockets
        self._nodes = nodes
        self._bots_waiting = bots_waiting

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("tercet_tables", "Tables in memory", value=self._tables)
        yield GaugeMetricFamily("tercet_sockets", "Open sockets", value=self._sockets)
        yield GaugeMetricFamily("tercet_nodes", "Nodes heard of on the bus, with this one", value=self._nodes)
        yield answers.family("tercet_answer_seconds", "From a command's arrival to its answer")
        yield appends.family("tercet_append_seconds", "Writing to the log, until it is on disk")
        yield GaugeMetricFamily(
            "tercet_bots_waiting", "Bots that wait for their turn to think", value=self._bots_waiting
        )
        yield bot_waits.family("tercet_bot_wait_seconds", "How long bots waited for their turn to think")
        by_answer = CounterMetricFamily("tercet_commands", "Commands of the games", labels=["game", "answer"])
        for (game, answer), count in commands.items():
            by_answer.add_metric([game, answer], count)
        by_game = CounterMetricFamily("tercet_events", "Events of the games", labels=["game"])
        for game, count in events.items():
            by_game.add_metric([game], count)
        by_reason = CounterMetricFamily("tercet_sockets_ended", "Sockets the server ended", labels=["reason"])
        for reason, count in ended.items():
            by_reason.add_metric([reason], count)
        by_budget = CounterMetricFamily("tercet_budgets_spent", "Budgets that ran out", labels=["budget"])
        for budget, count in budgets.spent.items():
            by_budget.add_metric([budget], count)
        reviewed = CounterMetricFamily("tercet_reviews", "Reviews of games, made or not", labels=["outcome"])
        for outcome, count in reviews.items():
            reviewed.add_metric([outcome], count)
        starts = CounterMetricFamily(
            "tercet_starts_called_off", "Starts that came to nothing", labels=["why"]
        )
        for why, count in called_off.items():
            starts.add_metric([why], count)
        work = CounterMetricFamily(
            "tercet_request_work_seconds", "Processor time of requests", labels=["method", "path"]
        )
        for (method, path), seconds in worked.items():
            work.add_metric([method, path], seconds)
        yield from (by_answer, by_game, by_reason, by_budget, reviewed, starts, work)


def write(tables: int, sockets: int, nodes: int = 1, bots_waiting: int = 0) -> bytes:
    """All of it as text; the numbers of tables, sockets, nodes and waiting bots are those of now."""
    registry = CollectorRegistry()
    registry.register(_Everything(tables, sockets, nodes, bots_waiting))
    return generate_latest(registry)
