"""The files of the site, and the pages of the client, which have none of their own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tercet.server.web.site import File, serve

PAGE = File(b"the page", None, [], b"")


def status_of(path: str) -> int:
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(serve({"/": PAGE}, {"path": path, "method": "GET", "headers": []}, send))
    status: int = sent[0]["status"]
    return status


@pytest.mark.parametrize("path", ["/", "/daily", "/t/K7QXRM", "/t/K7QXRM.", "/t/k7q.xrm)"])
def test_a_page_is_there_also_where_a_link_took_the_full_stop_along(path: str) -> None:
    assert status_of(path) == 200


@pytest.mark.parametrize("path", ["/icon.svg", "/assets/gone.js"])
def test_a_file_that_is_not_there_is_no_page(path: str) -> None:
    assert status_of(path) == 404
