"""The dashboard for Grafana asks for what the server really counts."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit
from urllib.request import ProxyHandler, build_opener

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tercet import cards
from tercet.client import ClientError, Refusal
from tercet.server import metrics
from tercet.sets import find_sets
from tests.deploy.proxies import DEPLOY, put
from tests.server.processes import free_port
from tests.server.serving import Serving, run, seated, serving

DASHBOARD = json.loads((DEPLOY / "grafana.json").read_text("utf-8"))
QUERIES: dict[str, list[str]] = {
    panel["title"]: [target["expr"] for target in panel["targets"]] for panel in DASHBOARD["panels"]
}


def get(address: str) -> str:
    with build_opener(ProxyHandler({})).open(address, timeout=20) as answer:
        return str(answer.read(), "utf-8")


@asynccontextmanager
async def busy(folder: Path) -> AsyncIterator[Serving]:
    """A server at which something of everything has happened."""
    async with (
        serving(folder / "t.db", limits={"misses_per_minute": 2}) as server,
        seated(server, "set", ["Ann", "Bo"], options={"auto_deal": True}) as (ann, bo),
    ):
        await ann.play(cards.Call(0))
        await ann.play(cards.Show(0, find_sets(ann.state.table)[0]))
        with pytest.raises(Refusal):
            await bo.play(cards.Show(1, find_sets(bo.state.table)[0]))
        for _ in range(4):
            with suppress(ClientError):
                await ann._client.request("GET", "/api/tables/NOSUCH")
        await bo._client.request("DELETE", "/api/session")
        # These take minutes to come by, or a race.
        metrics.reviews["ready"] += 1
        metrics.called_off["left"] += 1
        metrics.bot_waits.add(0.01)
        yield server


def selectors(query: str) -> Iterator[tuple[str, set[str]]]:
    """The metrics of a query, each with the labels that it is chosen or summed by."""
    by = {name.strip() for found in re.findall(r"\bby \(([^)]*)\)", query) for name in found.split(",")}
    for name, chosen in re.findall(r"\b(up|tercet_\w+)\{([^}]*)\}", query):
        yield name, by | set(re.findall(r"(\w+) *[!=]=?~?", re.sub(r'"[^"]*"', "", chosen)))


def test_every_query_names_metrics_and_labels_that_there_are(tmp_path: Path) -> None:
    async def scenario() -> str:
        async with busy(tmp_path) as server:
            return await asyncio.to_thread(get, f"{server.url}/metrics")

    there: dict[str, set[str]] = {"up": {"job", "instance"}}
    for family in text_string_to_metric_families(run(scenario())):
        for sample in family.samples:
            there.setdefault(sample.name, {"job", "instance"}).update(sample.labels)
    asked = [found for queries in QUERIES.values() for query in queries for found in selectors(query)]
    assert len(asked) >= len(QUERIES)
    for name, labels in asked:
        assert name in there, name
        assert labels <= there[name], (name, labels, there[name])
    named = {re.sub(r"_(total|bucket|count|sum|created)$", "", name) for name in there} - {"up"}
    shown = {re.sub(r"_(total|bucket)$", "", name) for name, _ in asked} - {"up"}
    assert shown == named, "everything that is counted is on the dashboard"
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            by = {name for _, labels in selectors(target["expr"]) for name in labels} | {"instance"}
            assert set(re.findall(r"{{(\w+)}}", target["legendFormat"])) <= by, panel["title"]


@pytest.mark.long
def test_a_real_prometheus_answers_every_query(tmp_path: Path) -> None:
    if not shutil.which("prometheus"):
        pytest.skip("Prometheus is not installed here")

    async def scenario() -> None:
        async with busy(tmp_path) as server:
            await asyncio.to_thread(ask_all, tmp_path, str(urlsplit(server.url).port))

    run(scenario(), seconds=300)


def ask_all(folder: Path, target: str) -> None:
    """Let Prometheus look at this server as the example says, and then ask it all that the dashboard asks."""
    config = put(
        (DEPLOY / "prometheus.yml").read_text("utf-8"),
        ("15s", "1s"),
        ('"127.0.0.1:8001", "127.0.0.1:8002"', f'"127.0.0.1:{target}"'),
    )
    (folder / "prometheus.yml").write_text(config)
    port = free_port()
    command = ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data"]
    command.append(f"--web.listen-address=127.0.0.1:{port}")

    def ask(query: str) -> list[Any]:
        query = query.replace("$job", "tercet").replace("$__rate_interval", "1m")
        answer = json.loads(get(f"http://127.0.0.1:{port}/api/v1/query?{urlencode({'query': query})}"))
        assert answer["status"] == "success", query
        found: list[Any] = answer["data"]["result"]
        return found

    with (folder / "prometheus.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 120
        while True:
            assert process.poll() is None, (folder / "prometheus.log").read_text()
            assert time.monotonic() < deadline, "Prometheus has seen nothing"
            with suppress(OSError):
                if ask('sum(rate(tercet_events_total{job="$job"}[1m])) and sum(up{job="$job"})'):
                    break
            time.sleep(0.5)
        empty = [(title, query) for title, queries in QUERIES.items() for query in queries if not ask(query)]
        assert not empty
        count = sum(map(len, QUERIES.values()))
        print(f"Prometheus answered all {count} queries of {len(QUERIES)} panels with data")
    finally:
        process.terminate()
        process.wait(30)
