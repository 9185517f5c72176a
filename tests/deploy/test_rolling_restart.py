"""A game that goes on while both nodes behind a proxy are restarted, one after the other."""

from __future__ import annotations

import asyncio
import shutil
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import async_playwright, expect

from tests.deploy.proxies import PROXIES, is_installed, proxy, settings
from tests.server.conftest import new_database
from tests.server.nodes.test_nodes import grow, level, see_what_is_kept, take_one, under_load
from tests.server.players import OPTIONS
from tests.server.processes import ServerProcess, ValkeyProcess
from tests.server.serving import run, seated
from tests.web.browsing import FLAGS, PROGRAMS


@asynccontextmanager
async def watching(home: str, code: str) -> AsyncIterator[None]:
    """Somebody looks on in a browser until the result is shown; all that the page asks for is below the path."""
    asked: list[str] = []
    async with async_playwright() as playwright:
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        browser = await playwright.chromium.launch(executable_path=program, args=[*FLAGS])
        page = await browser.new_page(ignore_https_errors=True, locale="en-GB", service_workers="block")
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url.replace("wss:", "https:")))
        await page.goto(f"{home}/t/{code}")
        await page.get_by_role("button", name="Watch").click()
        await expect(page.locator(".table")).to_be_visible(timeout=60_000)
        yield
        await expect(page.locator(".result")).to_be_visible(timeout=60_000)
        await browser.close()
    assert any("/socket" in address for address in asked)
    assert all(address.startswith(f"{home}/") for address in asked), asked


async def restart(*nodes: ServerProcess) -> None:
    for node in nodes:
        assert await asyncio.to_thread(node.stop), "it ended in good order"
        await node.start()


@pytest.mark.long
@pytest.mark.parametrize("kind", PROXIES)
def test_a_game_goes_on_through_a_rolling_restart(
    kind: str, postgres: str, valkey: ValkeyProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Played from beginning to end by two programs, watched by a browser; nothing is lost or there twice."""
    if not is_installed(kind):
        pytest.skip(f"{kind} is not installed here")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "fullchain.pem"))
    database = new_database(postgres, f"rolling_{kind}")
    asked = tomllib.loads(settings()) | {"hosts": ["localhost"]}
    log = tmp_path / "access.log"
    nodes = [ServerProcess(database, valkey.url, access_log=str(log), **asked) for _ in range(2)]

    async def scenario(home: str) -> None:
        short = {"rounds": 1, "auto_deal": True, "only": "red", "show_seconds": 30}
        async with (
            seated([home], "set", ["Ann", "Bo"], options=short) as (ann, bo),
            watching(home, ann.code),
        ):
            sets = 0
            while await take_one((ann, bo)[sets % 2]):
                sets += 1
                if sets in (2, 4):
                    await restart(nodes[sets // 2 - 1])
                await level([ann, bo])
            assert ann.is_over
            assert ann.reconnections + bo.reconnections > 0
            await see_what_is_kept(ann)
        async with (
            seated([home], "set", ["Cy", "Di", "Ed"], options=OPTIONS) as tables,
            under_load(tables),
        ):
            await grow(tables)
            await restart(*nodes)
            await grow(tables)

    async def all_of_it() -> None:
        try:
            await asyncio.gather(*(node.start() for node in nodes))
            with proxy(kind, tmp_path, [node.port for node in nodes]) as home:
                await scenario(home)
        finally:
            for node in nodes:
                node.kill()

    run(all_of_it(), seconds=480)
    lines = log.read_text("utf-8")
    assert '"GET /tercet/api/tables/{code}/socket HTTP/1.1" 101' in lines
    assert "Ann" not in lines
