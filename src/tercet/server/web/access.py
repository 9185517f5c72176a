"""The access log: a line about every request, for the programs of hosts that read such logs.

Paths are written as the server knows them, ``/api/tables/{code}``, never as they were asked for: codes of tables, ids of
games and what follows a question mark may be secrets. The address of the client is the only thing about a person.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from ipaddress import ip_address
from logging.handlers import WatchedFileHandler
from time import perf_counter
from typing import Any

from tercet.server.settings import Settings, SettingsError

STDERR = "-"
#: What a path of the site may begin with to be written; codes of tables are capitals.
_PLAIN = re.compile(r"/[a-z][a-z-]{0,19}")


class AccessLog:
    """Writes a line when a request is answered or a socket has ended; nothing, if the settings name no place for it."""

    def __init__(self, settings: Settings) -> None:
        self._as_json = settings.log_json
        self._base = settings.path
        self._lines = _open(settings.access_log) if settings.access_log else None

    def close(self) -> None:
        if self._lines is not None:
            self._lines.close()

    async def follow(self, scope: Any, send: Any, serve: Callable[[Any], Any]) -> None:
        """Serve a request or a socket with a ``send`` that is listened to, and write the line when it is over."""
        if self._lines is None:
            await serve(send)
            return
        began, status, size = perf_counter(), 0, 0

        async def listening(message: Any) -> None:
            nonlocal status, size
            match message["type"]:
                case "http.response.start":
                    status = message["status"]
                case "http.response.body":
                    size += len(message.get("body", b""))
                case "websocket.accept":
                    status = 101
                case "websocket.close":
                    status = message.get("code", 1000)
            await send(message)

        try:
            await serve(listening)
        finally:
            client = scope.get("client")
            method = scope.get("method", "GET")
            # 499: the client was gone before there was an answer.
            self.write(
                client[0] if client else "",
                method,
                known_path(scope),
                status or 499,
                size,
                perf_counter() - began,
            )

    def refused(self, address: str, status: int) -> None:
        """A connection was answered before there was a whole request."""
        self.write(address, "-", "-", status, 0, 0.0)

    def write(self, address: str, method: str, path: str, status: int, size: int, seconds: float) -> None:
        if self._lines is None:
            return
        path, time = path if path == "-" else self._base + path, datetime.now(UTC)
        address = _address(address)
        if self._as_json:
            line = json.dumps(
                {
                    "time": time.isoformat(timespec="milliseconds"),
                    "from": "tercet.access",
                    "address": address,
                    "method": method,
                    "path": path,
                    "status": status,
                    "bytes": size,
                    "seconds": round(seconds, 3),
                }
            )
        else:
            at = time.strftime("%d/%b/%Y:%H:%M:%S +0000")
            line = f'{address} - - [{at}] "{method} {path} HTTP/1.1" {status} {size} {seconds:.3f}'
        self._lines.emit(logging.LogRecord("tercet.access", logging.INFO, "", 0, line, None, None))


def known_path(scope: Any) -> str:
    """The path of a request as the server knows it, with nothing in it that only the client could know.

    >>> known_path({"path": "/t/K7QX2M"}), known_path({"path": "/daily"}), known_path({"path": "/K7QX2M"})
    ('/t/*', '/daily', '/*')
    """
    path: str = scope["path"]
    if template := scope.get("path_template"):
        return str(template)
    if "file" in scope:
        return str(scope["file"])
    if path.startswith("/api/"):
        return "/api/tables/{code}/socket" if scope["type"] == "websocket" else "/api/*"
    first = _PLAIN.match(path)
    if first is None:
        return path if path in ("", "/") else "/*"
    rest = path[first.end() :]
    return first[0] if not rest else f"{first[0]}/*" if rest.startswith("/") else "/*"


def _open(place: str) -> logging.Handler:
    """A file that another program may move away to begin a new one, or standard error."""
    if place == STDERR:
        return logging.StreamHandler(sys.stderr)
    try:
        return WatchedFileHandler(place, encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"access_log: cannot write {place}: {error.strerror}") from None


def _address(text: str) -> str:
    """What a proxy says of its client may be anything."""
    try:
        return str(ip_address(text))
    except ValueError:
        return "-"
