"""What the examples for proxies let through, and what they keep for those who run the server."""

from __future__ import annotations

import asyncio
import http.client
import ssl
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.deploy.proxies import Example, begun, caddy, is_installed, nginx, small_caddy
from tests.server.serving import run, serving

#: One thing in many spellings; what stands before it is the path below which the site is.
METRICS = [
    "/metrics", "/metrics/", "/metrics?x=1", "//metrics", "/./metrics", "/x/../metrics", "/%6Detrics", "/%2E/metrics",
    "/metrics%2F", "/metrics/.", "/METRICS", "/metrics%3F", "/metrics;x", "/../metrics",
]  # fmt: skip


def asked(home: str, path: str, folder: Path) -> tuple[int, bytes]:
    trusted = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
    line = http.client.HTTPSConnection(urlsplit(home).netloc, timeout=60, context=trusted)
    try:
        line.request("GET", path)
        answer = line.getresponse()
        return answer.status, answer.read()
    finally:
        line.close()


@pytest.mark.parametrize(("example", "path"), [(nginx, "/tercet"), (caddy, "/tercet"), (small_caddy, "")])
def test_a_proxy_serves_the_site_and_keeps_the_metrics_back(
    example: Example, path: str, tmp_path: Path
) -> None:
    if not is_installed(example.__name__.removeprefix("small_")):
        pytest.skip("this proxy is not installed here")

    def look(node: int) -> None:
        with begun(example, tmp_path, [node, node]) as home:
            assert asked(home, f"{path}/health", tmp_path)[0] == 200
            assert asked(home, f"{path}/api/games", tmp_path)[0] == 200
            assert asked(home, f"{path}/metrics", tmp_path)[0] == 404
            for spelled in METRICS:
                for before in {path, "", path * 2}:
                    assert b"# HELP" not in asked(home, before + spelled, tmp_path)[1], before + spelled

    async def scenario() -> None:
        settings = {"path": path} if path else {}
        async with serving(tmp_path / "t.db", proxies=["127.0.0.1"], **settings) as server:
            await asyncio.to_thread(look, int(server.url.rpartition(":")[2]))

    run(scenario())
