"""Running the server: one process, a message that says where it is, and a clean end."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import logging
import os
import signal
import socket
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, cast

from tercet import games
from tercet.extras import needs

with needs("server"):
    import segno
    import uvicorn

from tercet.server import logs
from tercet.server.nodes.bus import open_bus
from tercet.server.runs.days import read_file
from tercet.server.settings import Settings, SettingsError, is_postgres
from tercet.server.socket.transport import TableProtocol
from tercet.server.store import open_store
from tercet.server.store.files import served
from tercet.server.web import site
from tercet.server.web.app import App
from tercet.server.web.guard import Door, GuardedProtocol

#: Seconds that open requests have to finish when the server stops.
GRACE_SECONDS = 5
#: A second signal that comes sooner is taken for the same one: Ctrl+C reaches a program by more than one way.
PATIENCE_SECONDS = 1
#: More files than this no server needs.
MOST_FILES = 65536
#: To listen on these is to listen on every address of the machine.
EVERYWHERE = ("0.0.0.0", "::")


#: With Python's own 700, commands that wait for the disk would be looked through again and again.
GC_THRESHOLDS = (20_000, 20, 20)


class _Server(uvicorn.Server):
    """Calls back when the door is open, and stops in good order, or at once for who insists."""

    def __init__(self, config: uvicorn.Config, app: App, when_open: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._when_open = when_open
        self._asked_to_stop: float | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._asked_to_stop is None:
            self._asked_to_stop = now
            super().handle_exit(sig, frame)
        elif now - self._asked_to_stop > PATIENCE_SECONDS:
            os._exit(130)  # whatever anybody has heard of is on disk

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._app.service is not None:
            self._app.service.entrance.end_streams()  # uvicorn would wait for them
        await super().shutdown(sockets=sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            # What is there now stays: the collector need not walk through it in the middle of a game.
            gc.collect()
            gc.freeze()
            gc.set_threshold(*GC_THRESHOLDS)
            self._when_open()


def run(settings: Settings, *, browser: bool = False) -> None:
    """Serve until interrupted or terminated; `SettingsError`, `StoreError` or `BusError` if it cannot begin."""
    games.names()  # those from outside, too
    if settings.days is not None:
        read_file(settings.days)
    logs.set_up(settings.log_json, logging.INFO if settings.log_json else logging.WARNING)
    asyncio.run(_check(settings))
    with _alone(settings):
        _serve(settings, browser=browser)


@contextmanager
def _alone(settings: Settings) -> Iterator[None]:
    """Servers that do not hear of each other would take each other's people for gone; over PostgreSQL they are on machines that
    only their host knows."""
    if is_postgres(settings.database):
        yield
        return
    with served(Path(settings.database), together=bool(settings.bus)) as may:
        if not may:
            raise SettingsError(
                f"another server has the database {settings.database} open: stop it, choose another file with --db, "
                "or give both the same --bus"
            )
        yield


def _serve(settings: Settings, *, browser: bool) -> None:
    listening = _listen(settings)
    port = listening.getsockname()[1]

    def when_open() -> None:
        print(greeting(settings.host, port, settings.database, settings.path), flush=True)
        tell_service_manager("READY=1")
        if browser:
            webbrowser.open(f"{local_address(settings.host, port)}{settings.path}/")

    app = App(settings)
    server = _Server(configure(app, settings), app, when_open)
    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn stops at them, and when all is closed raises them again: then there is nothing left to stop.
        signal.signal(number, lambda *_: None)
    server.run(sockets=[listening])
    if not server.started:
        raise SettingsError("the server could not start; what it logged says why")
    print("Stopped. Every table goes on when you start it again.", flush=True)


def tell_service_manager(state: str) -> None:
    """Tell systemd, if it started this server and waits for it (``Type=notify``), how far it is."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line, suppress(OSError):
            line.sendto(state.encode(), address.replace("@", "\0", 1) if address[0] == "@" else address)


def configure(app: App, settings: Settings) -> uvicorn.Config:
    """How uvicorn is to serve the tables."""
    door = Door(settings.limits, settings.proxies, _allow_files(), app.access.refused)
    return uvicorn.Config(
        app,
        # uvicorn calls them as it would call a class.
        http=cast("Any", partial(GuardedProtocol, door=door)),
        ws=cast("Any", partial(TableProtocol, limits=settings.limits)),
        timeout_keep_alive=cast("Any", settings.limits.idle_seconds),
        ws_max_size=settings.limits.message_bytes,
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        timeout_graceful_shutdown=GRACE_SECONDS,
        lifespan="on",
    )


def _allow_files() -> int | None:
    """Let this process have as many files and connections as the system allows; how many that is, if it says."""
    try:
        import resource  # noqa: PLC0415
    except ImportError:  # Windows has no such limit
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return None
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if wanted > soft:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError):
            pass
    return soft


async def _check(settings: Settings) -> None:
    """Open store and bus once beforehand: what is wrong is better said here than by a server half started."""
    await (await open_store(settings.database)).close()
    if settings.bus:
        await (await open_bus(settings.bus, "check")).close()


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except (OSError, UnicodeError) as error:
        option = "--host" if isinstance(error, socket.gaierror | UnicodeError) else "--port or --host"
        reason = getattr(error, "strerror", None) or str(error)
        raise SettingsError(
            f"cannot listen on {settings.host}:{settings.port}: {reason}; choose another with {option}"
        ) from None
    return listening


def greeting(host: str, port: int, database: str, path: str = "") -> str:
    """Where the server is, with a QR code for phones if it can be reached from outside."""
    lines = [f"Tercet is at {local_address(host, port)}{path}"]
    if not site.is_built():
        lines.append("(the site is not built: this serves the API alone; make web builds it)")
    if _is_loopback(host):
        lines.append("Only this machine can reach it; --host 0.0.0.0 lets others in.")
    elif outside := lan_address() if host in EVERYWHERE else host:
        address = _url(outside, port) + path
        lines += [f"In your network: {address}", "", qr_code(address)]
    lines += [f"Everything is kept in {database.rpartition('@')[2]}", "Ctrl+C stops it."]
    return "\n".join(lines)


def local_address(host: str, port: int) -> str:
    """Where a browser on this machine finds the server."""
    return _url("localhost" if host in (*EVERYWHERE, "127.0.0.1") else host, port)


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def lan_address() -> str | None:
    """This machine's address in its network. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None


def qr_code(text: str) -> str:
    """A QR code in half blocks, for a terminal."""
    rows = [list(row) for row in segno.make(text, error="l", micro=False).matrix_iter(border=2)]
    rows.append([0] * len(rows[0]))
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    return "\n".join(
        "".join(blocks[bool(upper), bool(lower)] for upper, lower in zip(*pair, strict=True))
        for pair in zip(rows[0::2], rows[1::2], strict=False)
    )
