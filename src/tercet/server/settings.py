"""Settings of the server: from a TOML file, the environment and the command line, the later ones first."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from tercet.server.limits import Limits
from tercet.sets import TercetError

PREFIX = "TERCET_"


def version() -> str:
    """The version of Tercet that is installed."""
    try:
        return metadata.version("tercet")
    except metadata.PackageNotFoundError:
        return "unpacked"


class SettingsError(TercetError):
    """A setting that makes no sense; the message names it."""


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the server runs.

    ``database``: a file, or ``postgresql://user@host/name``. ``bus``: where several nodes
    that share a database meet, ``redis://host``. ``origins``: further sites whose pages may use
    this server. ``secure``: cookies over HTTPS only; set it behind a proxy that speaks HTTPS.
    ``proxies``: the addresses of proxies whose X-Forwarded headers are believed. ``workers``: processes in which
    dice bots think. ``metrics``: whether /metrics is open to everybody.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = field(default_factory=lambda: str(data_folder() / "tercet.db"))
    bus: str | None = None
    origins: tuple[str, ...] = ()
    secure: bool = False
    proxies: tuple[str, ...] = ()
    workers: int | None = None
    metrics: bool = True
    log_json: bool = False
    limits: Limits = Limits()


def data_folder() -> Path:
    """Where programs keep their data on this system."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "Tercet"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Tercet"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "tercet"


def load(file: Path | None = None, environment: Mapping[str, str] | None = None, **given: Any) -> Settings:
    """The settings; what is given (and not None) counts before the environment, and that before the file.

    >>> load(environment={"TERCET_PORT": "9000", "TERCET_LIMITS_CHAT_BURST": "3"}).port
    9000
    """
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    if file is not None:
        try:
            values = tomllib.loads(file.read_text("utf-8"))
        except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsError(f"settings {file}: {error}") from None
    _take(values, environment, Settings, PREFIX)
    values |= {name: value for name, value in given.items() if value is not None}
    try:
        return msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(f"settings: {error}") from None


def _take(values: dict[str, Any], environment: Mapping[str, str], kind: type[Struct], prefix: str) -> None:
    for name in kind.__struct_fields__:
        key = prefix + name.upper()
        if name == "limits":
            limits = dict(values.get(name, {}))
            _take(limits, environment, Limits, key + "_")
            values[name] = limits
        elif key in environment:
            text = environment[key]
            values[name] = tuple(filter(None, text.split(","))) if name in ("origins", "proxies") else text
