"""Settings of the server: from a TOML file, the environment and the command line, the later ones first."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct, field

from tercet.extras import needs
from tercet.server.limits import Limits
from tercet.sets import TercetError

with needs("server"):
    from platformdirs import user_data_path

PREFIX = "TERCET_"


class SettingsError(TercetError):
    """A setting that makes no sense; the message names it."""


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the server runs.

    ``database``: a file, or ``postgresql://user@host/name``. ``bus``: where several nodes
    that share a database meet, ``redis://host``. ``origins``: further sites whose pages may use
    this server. ``hosts``: the names by which this server may be called, beside its addresses and this machine's own
    names; ``*`` for any. ``secure``: cookies over HTTPS only; set it behind a proxy that speaks HTTPS.
    ``proxies``: the addresses of proxies whose X-Forwarded headers are believed. ``workers``: processes in which
    bots think. ``puzzles``: a file of puzzles of days to come, as ``tercet puzzles make`` writes it. ``review_nice``: how far
    those processes give way in which games are reviewed, 0 to 19 as ``nice`` counts, 20: they run only when nothing else
    does. ``metrics``: whether /metrics is open to everybody.
    """

    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    database: Annotated[str, Meta(min_length=1)] = field(
        default_factory=lambda: str(data_folder() / "tercet.db")
    )
    bus: str | None = None
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    secure: bool = False
    proxies: tuple[str, ...] = ()
    workers: Annotated[int, Meta(ge=1, le=256)] | None = None
    puzzles: str | None = None
    review_nice: Annotated[int, Meta(ge=0, le=20)] = 20
    metrics: bool = True
    log_json: bool = False
    limits: Limits = Limits()


def data_folder() -> Path:
    """Where programs keep their data on this system."""
    return user_data_path("tercet", appauthor=False)


def load(file: Path | None = None, environment: Mapping[str, str] | None = None, **given: Any) -> Settings:
    """The settings; what is given (and not None) counts before the environment, and that before the file.

    >>> load(environment={"TERCET_PORT": "9000", "TERCET_LIMITS_CHAT_BURST": "3"}).port
    9000
    """
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    if file is not None:
        try:
            values = tomllib.loads(file.read_text("utf-8-sig"))
        except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsError(f"settings {file}: {error}") from None
    _take(values, environment, Settings, PREFIX)
    values |= {name: value for name, value in given.items() if value is not None}
    try:
        settings = msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(f"settings: {error}") from None
    for origin in settings.origins:
        _check_origin(origin)
    for host in settings.hosts:
        _check_host(host)
    return settings


def _take(values: dict[str, Any], environment: Mapping[str, str], kind: type[Struct], prefix: str) -> None:
    for name in kind.__struct_fields__:
        key = prefix + name.upper()
        if name == "limits":
            limits = values.setdefault(name, {})
            if isinstance(limits, dict):
                _take(limits, environment, Limits, key + "_")
        elif text := environment.get(key):
            values[name] = (
                tuple(filter(None, text.split(","))) if name in ("origins", "hosts", "proxies") else text
            )


def _check_origin(origin: str) -> None:
    """An origin that no browser would send as it is written would open nothing, and nobody would know why."""
    try:
        parts = urlsplit(origin)
        usable = parts.scheme in ("http", "https") and f"{parts.scheme}://{parts.netloc.lower()}" == origin
    except ValueError:
        usable = False
    if not usable or not parts.netloc:
        raise SettingsError(f"settings: origins: {origin!r:.80}: write it as in 'https://club.example'")


def _check_host(host: str) -> None:
    if host != "*" and (not host or host != host.strip().lower() or set(host) & set("/:@*[] ")):
        raise SettingsError(f"settings: hosts: {host!r:.80}: write it as in 'club.example', or '*'")
