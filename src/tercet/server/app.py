"""The ASGI application: the API, the tables' sockets, the site, and what every answer carries."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Response
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from tercet.codec import to_json
from tercet.server import api_page, metrics, site
from tercet.server.api import PeopleApi, TablesApi, health, provide_visitor
from tercet.server.people import PeopleError
from tercet.server.protocol import Failure
from tercet.server.service import Service
from tercet.server.settings import Settings, version
from tercet.server.sockets import PATH as SOCKET_PATH
from tercet.server.store import Unavailable
from tercet.sets import TercetError

_STATUS = {
    "too_fast": 429,
    "wrong_password": 401,
    "wrong_old_password": 401,
    "name_taken": 409,
    "registered_already": 409,
    "server_full": 503,
}
logger = logging.getLogger("tercet.http")

_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS = [
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]


class App:
    """The whole server as one ASGI application. ``service`` is there once the server has started."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._files = site.load()
        self.service: Service | None = None
        self.api = self._litestar()

    def _litestar(self) -> Litestar:
        return Litestar(
            route_handlers=[PeopleApi, TablesApi, health],
            dependencies={
                "service": Provide(self._provide_service, sync_to_thread=False),
                "visitor": Provide(provide_visitor),
            },
            exception_handlers={
                TercetError: _on_tercet_error,
                Unavailable: _on_unavailable,
                HTTPException: _on_http_exception,
                RecursionError: _on_deep_nesting,
                Exception: _on_failure,
            },
            lifespan=[self._life],
            openapi_config=OpenAPIConfig(
                title="Tercet",
                version=version(),
                description="Tables where people and bots play Set and Set Cubed. Playing itself goes over a table's"
                " WebSocket: see the protocol page of the documentation.",
                path="/api/schema",
                render_plugins=[JsonRenderPlugin()],
            ),
            request_max_body_size=self._settings.limits.body_bytes,
            logging_config=None,
        )

    @asynccontextmanager
    async def _life(self, _app: Litestar) -> AsyncIterator[None]:
        self.service = await Service.start(self._settings)
        try:
            yield
        finally:
            await self.service.stop()

    def _provide_service(self) -> Service:
        assert self.service is not None
        return self.service

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self.api(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._serve_socket(scope, receive, send)
        else:
            await self._serve_http(scope, receive, _with_security_headers(send))

    async def _serve_socket(self, scope: Any, receive: Any, send: Any) -> None:
        if SOCKET_PATH.fullmatch(scope["path"]):
            await self._provide_service().sockets.serve(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 4404})

    async def _serve_http(self, scope: Any, receive: Any, send: Any) -> None:
        path = scope["path"]
        if not path.startswith("/api/") and path not in ("/api", "/health", "/metrics"):
            await site.serve(self._files, scope, send)
        elif path in ("/api/docs", "/metrics") and scope["method"] not in _SAFE_METHODS:
            await _send(send, 405, b"application/json", to_json(Failure("wrong_method", "this is only read")))
        elif path == "/api/docs":
            page = api_page.write(self.api.openapi_schema.to_schema())
            await _send(send, 200, b"text/html; charset=utf-8", page)
        elif path == "/metrics":
            await self._serve_metrics(send)
        elif scope["method"] not in _SAFE_METHODS and not self._provide_service().sessions.is_same_origin(
            scope
        ):
            failure = Failure("other_origin", "this site may not use the server")
            await _send(send, 403, b"application/json", to_json(failure))
        else:
            await self.api(scope, receive, _uncached(send))

    async def _serve_metrics(self, send: Any) -> None:
        rooms = self._provide_service().rooms
        if not self._settings.metrics:
            await _send(send, 404, b"text/plain", b"")
            return
        await _send(
            send,
            200,
            b"text/plain; version=0.0.4; charset=utf-8",
            metrics.write(len(rooms.rooms), rooms.sockets, rooms.nodes.count if rooms.nodes else 1),
        )


async def _send(send: Any, status: int, kind: bytes, body: bytes) -> None:
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _with_security_headers(send: Any) -> Any:
    async def send_with(message: Any) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *SECURITY_HEADERS]}
        await send(message)

    return send_with


def _uncached(send: Any) -> Any:
    """What the API answers may be about a person, and is out of date in a moment."""

    async def send_with(message: Any) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], (b"cache-control", b"no-store")]}
        await send(message)

    return send_with


def _on_tercet_error(_request: Request[Any, Any, Any], error: TercetError) -> Response[Failure]:
    code = error.code if isinstance(error, PeopleError) else "bad_request"
    return Response(Failure(code, str(error)), status_code=_STATUS.get(code, 400))


def _on_unavailable(_request: Request[Any, Any, Any], _error: Unavailable) -> Response[Failure]:
    return Response(Failure("store_unavailable", "the store cannot be reached; try again"), status_code=503)


def _on_http_exception(_request: Request[Any, Any, Any], error: HTTPException) -> Response[Failure]:
    codes = {401: "not_signed_in", 404: "not_found", 405: "wrong_method", 413: "too_large"}
    return Response(
        Failure(codes.get(error.status_code, "bad_request"), _detail(error)), status_code=error.status_code
    )


def _on_deep_nesting(_request: Request[Any, Any, Any], _error: RecursionError) -> Response[Failure]:
    return Response(Failure("bad_request", "JSON is nested too deeply"), status_code=400)


def _on_failure(_request: Request[Any, Any, Any], error: Exception) -> Response[Failure]:
    logger.error("a request failed", exc_info=error, extra={"status": 500})
    return Response(Failure("internal_error", "the server failed; its log says why"), status_code=500)


def _detail(error: HTTPException) -> str:
    extra = getattr(error, "extra", None)
    if isinstance(extra, list) and extra and isinstance(extra[0], dict):
        key, message = extra[0].get("key", "body"), extra[0].get("message", error.detail)
        return "the body is missing" if message == "'data'" else f"{key}: {message}"
    return error.detail
