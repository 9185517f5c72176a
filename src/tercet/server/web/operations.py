"""Pages about the server itself: is it well, what has it counted, how is its API used."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.exceptions import NotFoundException

from tercet import __version__
from tercet.server import metrics
from tercet.server.protocol import Health
from tercet.server.web import openapi_page
from tercet.server.web.asking import Here


@get("/health", tags=["operations"], summary="Is the server well?")
async def health(service: Here) -> Response[Health]:
    """Every few seconds it is tried to write: a database that can only be read, on a full disk for instance, is not well."""
    there = await service.store.is_available()
    trouble = await service.store.trouble() if there else None
    well = there and trouble is None
    nodes = service.rooms.nodes
    answer = Health(
        "ok" if well else "cannot_write" if there else "store_unavailable",
        __version__,
        len(service.rooms.rooms),
        service.rooms.sockets,
        trouble or "",
        None if nodes is None else "up" if nodes.is_heard else "away",
    )
    return Response(answer, status_code=200 if well else 503)


@get(
    "/metrics",
    include_in_schema=False,
    sync_to_thread=False,
    media_type="text/plain; version=0.0.4; charset=utf-8",
)
def show_metrics(service: Here) -> bytes:
    """For Prometheus."""
    if not service.settings.metrics:
        raise NotFoundException("this server shows no metrics")
    rooms = service.rooms
    nodes = rooms.nodes.count if rooms.nodes else 1
    return metrics.write(len(rooms.rooms), rooms.sockets, nodes, service.thinkers.waiting)


@get("/api/docs", include_in_schema=False, sync_to_thread=False, media_type=MediaType.HTML)
def show_api(request: Request[Any, Any, Any]) -> bytes:
    """The API as a page for people."""
    return openapi_page.write(request.app.openapi_schema.to_schema())
