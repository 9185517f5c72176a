"""The ASGI application. Litestar serves the API; the tables' sockets and the files of the site go past it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tercet import __version__
from tercet.extras import needs

with needs("server"):
    from litestar import Litestar
    from litestar.di import Provide
    from litestar.openapi import OpenAPIConfig
    from litestar.openapi.plugins import JsonRenderPlugin
    from litestar.openapi.spec import Server

from tercet.server import metrics
from tercet.server.service import Service
from tercet.server.settings import Settings
from tercet.server.socket.entrance import PATH as SOCKET_PATH
from tercet.server.socket.entrance import PERSONAL_PATH
from tercet.server.web import failures, hosts, site
from tercet.server.web.access import AccessLog
from tercet.server.web.api.challenges import ChallengesApi
from tercet.server.web.api.people import PeopleApi
from tercet.server.web.api.reviews import ReviewsApi
from tercet.server.web.api.runs import RunsApi
from tercet.server.web.api.shared import SharedApi
from tercet.server.web.api.streams import StreamsApi
from tercet.server.web.api.tables import TablesApi
from tercet.server.web.asking import (
    only_from_our_site,
    provide_maybe,
    provide_visitor,
    provide_where,
    within_scope,
)
from tercet.server.web.headers import add_headers
from tercet.server.web.operations import health, show_api, show_metrics
from tercet.server.web.sessions import address
from tercet.server.web.sharing import FairQueue, metered

#: What takes longer is paid as it goes on.
PAID_SECONDS = 0.01


class App:
    """The whole server as one ASGI application. ``service`` is there once the server has started."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._files = site.load(settings.path)
        self.access = AccessLog(settings)
        self._hosts = hosts.Hosts(settings.hosts, settings.host)
        self._queue = FairQueue()
        self.service: Service | None = None
        self.api = self._litestar()

    def _litestar(self) -> Litestar:
        return Litestar(
            route_handlers=[
                PeopleApi,
                TablesApi,
                StreamsApi,
                ChallengesApi,
                RunsApi,
                ReviewsApi,
                SharedApi,
                health,
                show_metrics,
                show_api,
            ],
            dependencies={
                "service": Provide(self._provide_service, sync_to_thread=False),
                "visitor": Provide(provide_visitor),
                "maybe": Provide(provide_maybe),
                "where": Provide(provide_where, sync_to_thread=False),
            },
            guards=[only_from_our_site, within_scope],
            before_send=[add_headers],
            exception_handlers=failures.HANDLERS,
            lifespan=[self._life],
            openapi_config=OpenAPIConfig(
                title="Tercet",
                version=__version__,
                description="Tables where people and bots play. Playing itself goes over a table's WebSocket: see"
                " the protocol page of the documentation.",
                path="/api/schema",
                servers=[Server(url=self._settings.path or "/")],
                render_plugins=[JsonRenderPlugin()],
            ),
            request_max_body_size=self._settings.limits.body_bytes,
            logging_config=None,
        )

    @asynccontextmanager
    async def _life(self, app: Litestar) -> AsyncIterator[None]:
        self.service = app.state.service = await Service.start(self._settings)
        try:
            yield
        finally:
            await self.service.stop()
            self.access.close()

    def _provide_service(self) -> Service:
        assert self.service is not None
        return self.service

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self.api(scope, receive, send)
            return
        await self._queue.wait(address(scope))
        scope["path"] = self._below(scope["path"])
        await self.access.follow(scope, send, lambda send: self._serve(scope, receive, send))

    def _below(self, path: str) -> str:
        """The path as it would be at the root; empty for the path below which this server is. A proxy may have taken that away."""
        base = self._settings.path
        return path[len(base) :] if base and f"{path}/".startswith(f"{base}/") else path

    async def _serve(self, scope: Any, receive: Any, send: Any) -> None:
        if not self._hosts.allow(scope):
            await hosts.turn_away(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._serve_socket(scope, receive, send)
        elif _is_api(scope["path"]):
            await self._serve_api(scope, receive, send)
        elif not scope["path"]:
            await site.redirect(f"{self._settings.path}/", scope, send)
        else:
            await site.serve(self._files, scope, send)

    async def _serve_api(self, scope: Any, receive: Any, send: Any) -> None:
        rates, where, cost, unpaid = self._provide_service().rates, address(scope), 0.0, 0.0
        if not rates.requests.take(where) or rates.work.is_empty(where):
            await failures.refuse(send, "too_fast", "too many requests from your address; wait a while")
            return

        def spend(seconds: float) -> None:
            nonlocal cost, unpaid
            cost += seconds
            unpaid += seconds
            if unpaid > PAID_SECONDS:
                pay()

        def pay() -> None:
            nonlocal unpaid
            rates.work.of(where).spend(1000 * unpaid)
            unpaid = 0.0

        try:
            await metered(self.api(scope, receive, send), spend)
        finally:
            pay()
            metrics.worked[scope["method"], scope.get("path_template", "")] += cost

    async def _serve_socket(self, scope: Any, receive: Any, send: Any) -> None:
        if SOCKET_PATH.fullmatch(scope["path"]) or scope["path"] == PERSONAL_PATH:
            await self._provide_service().entrance.serve(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 4404})


def _is_api(path: str) -> bool:
    return path.startswith("/api/") or path in ("/api", "/health", "/metrics")
