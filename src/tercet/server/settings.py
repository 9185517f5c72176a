"""Settings of the server: from a TOML file, the environment and the command line, the later ones first."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from ipaddress import ip_network
from math import isfinite
from os.path import isfile
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct, field

from tercet.extras import needs
from tercet.server.limits import Limits
from tercet.server.nodes.bus import is_address
from tercet.sets import TercetError

with needs("server"):
    from platformdirs import user_data_path

PREFIX = "TERCET_"
#: Variables that other parts of Tercet, its examples and its tests read.
ELSEWHERE = frozenset(
    f"{PREFIX}{name}"
    for name in (
        "BESTS",
        "GAMES",
        "INPUTS",
        "KERNEL",
        "PASSWORD",
        "PLUGINS",
        "PROMISES",
        "SERVER",
        "SITE",
        "TOKEN",
    )
)


class SettingsError(TercetError):
    """A setting that makes no sense; the message names it, and the file or the variable."""


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the server runs.

    ``database``: a file, or ``postgresql://user@host/name``. ``bus``: where several nodes
    that share a database meet, ``redis://host``. ``origins``: further sites whose pages may use
    this server. ``hosts``: the names by which this server may be called, beside its addresses and this machine's own
    names; ``*`` for any. ``secure``: cookies over HTTPS only; set it behind a proxy that speaks HTTPS.
    ``proxies``: the addresses of proxies whose X-Forwarded headers are believed. ``workers``: processes in which
    bots think. ``days``: a file of puzzles of days to come, as ``tercet puzzles make`` writes it. ``review_nice``: how far
    those processes give way in which games are reviewed, 0 to 19 as ``nice`` counts, 20: they run only when nothing else
    does. ``metrics``: whether /metrics is open to everybody. ``path``: where below its name the server is, such as
    ``/tercet``. ``access_log``: a file for a line about every request; ``-`` for standard error.
    ``share_games``: whether everybody may download all finished games of public tables.
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
    days: str | None = None
    review_nice: Annotated[int, Meta(ge=0, le=20)] = 20
    metrics: bool = True
    share_games: bool = False
    log_json: bool = False
    path: str = ""
    access_log: Annotated[str, Meta(min_length=1)] | None = None
    limits: Limits = Limits()


def data_folder() -> Path:
    """Where programs keep their data on this system."""
    return user_data_path("tercet", appauthor=False)


def load(file: Path | None = None, environment: Mapping[str, str] | None = None, **given: Any) -> Settings:
    """The settings; what is given (and not None) counts before the environment, and that before the file.

    >>> load(environment={"TERCET_PORT": "9000", "TERCET_LIMITS_CHAT_BURST": "3"}).port
    9000
    >>> load(environment={"TERCET_PROT": "9000"})
    Traceback (most recent call last):
    ...
    tercet.server.settings.SettingsError: TERCET_PROT: there is no such setting; did you mean TERCET_PORT?
    """
    environment = os.environ if environment is None else environment
    found = {
        **(_from_file(file) if file is not None else {}),
        **_from_environment(environment),
        **{
            name: Found("--" + name.replace("database", "db"), value)
            for name, value in _flat(given).items()
            if value is not None
        },
    }
    values: dict[str, Any] = {"limits": {}}
    for name, one in found.items():
        section, _, key = name.rpartition(".")
        (values[section] if section else values)[key] = _read(name, one)
    return msgspec.convert(values, Settings)


class Found(NamedTuple):
    """A value as it was written, and where: what an error names."""

    where: str
    value: Any


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """By names such as ``port`` and ``limits.sockets``."""
    limits = values.get("limits")
    if not isinstance(limits, Mapping):
        return dict(values)
    plain = {name: value for name, value in values.items() if name != "limits"}
    return plain | {f"limits.{name}": value for name, value in limits.items()}


def _from_file(file: Path) -> dict[str, Found]:
    try:
        values = _flat(tomllib.loads(file.read_text("utf-8-sig")))
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{file}: this is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file}: this is not TOML: {error}") from None
    for name in values:
        if name not in _TYPES:
            nearest = _nearest(name, list(_TYPES))
            hint = f"; did you mean {nearest!r}?" if nearest else ""
            raise SettingsError(f"{file}: there is no setting {name!r:.80}{hint}")
    return {name: Found(f"{file}: {name}", value) for name, value in values.items()}


def _from_environment(environment: Mapping[str, str]) -> dict[str, Found]:
    """What is set and not empty. A variable that means nothing was meant for something."""
    names = {PREFIX + name.upper().replace(".", "_"): name for name in _TYPES if name != "limits"}
    found: dict[str, Found] = {}
    for variable, text in environment.items():
        if not variable.startswith(PREFIX) or not text or variable in ELSEWHERE:
            continue
        if variable not in names:
            nearest = _nearest(variable, list(names))
            hint = f"; did you mean {nearest}?" if nearest else ""
            raise SettingsError(f"{variable:.80}: there is no such setting{hint}")
        name = names[variable]
        value = [part.strip() for part in text.split(",") if part.strip()] if name in LISTS else text
        found[name] = Found(variable, value)
    return found


def _nearest(name: str, known: list[str]) -> str | None:
    """The name that was probably meant; a budget may have been taken for a setting of its own."""
    upper = name.upper()
    end = upper.removeprefix(PREFIX).rpartition(".")[2]
    end = "DATABASE" if end == "DB" else end  # as on the command line
    by_upper = {one.upper(): one for one in known}
    likely = (end, PREFIX + end, f"LIMITS.{end}", f"{PREFIX}LIMITS_{end}")
    # What all begin with would make any two of them alike.
    by_end = {one.removeprefix(PREFIX): one for one in by_upper}
    near = get_close_matches(upper.removeprefix(PREFIX), by_end, 1)
    found = [one for one in likely if one in by_upper] or [by_end[one] for one in near]
    return by_upper[found[0]] if found else None


def _read(name: str, found: Found) -> Any:
    """The value of a setting; `SettingsError` names where it was written and what would be right."""
    if name not in _TYPES:
        raise SettingsError(f"{found.where!s:.80}: there is no such setting")
    shown = "what is written there" if name in SECRET else f"{found.value!r:.80}"
    try:
        # Not strict: whatever comes from the environment is text.
        value = msgspec.convert(found.value, _TYPES[name], strict=False)
    except msgspec.ValidationError:
        raise SettingsError(f"{found.where}: {shown} {_complaint(_TYPES[name])}") from None
    if isinstance(value, float) and not isfinite(value):
        raise SettingsError(f"{found.where}: {shown} {_complaint(_TYPES[name])}")
    if name in CHECKS and value is not None:
        is_right, example = CHECKS[name]
        for one in value if isinstance(value, tuple) else (value,):
            if not is_right(one):
                wrong = "" if name in SECRET else f"{one!r:.80}: "
                raise SettingsError(f"{found.where}: {wrong}write it as in {example}")
    return value.rstrip("/") if name == "path" else value


def _complaint(kind: Any) -> str:
    """What is wrong with a value that is not of this type, in words.

    >>> _complaint(Annotated[int, Meta(ge=0, le=65535)])
    'is not a whole number from 0 to 65535'
    """
    arguments = get_args(kind)
    if type(None) in arguments:
        return _complaint(arguments[0])
    if kind is bool:
        return "is not true or false"
    if kind is Limits:
        return "is not a table: [limits]"
    if get_origin(kind) is tuple:
        return "is not a list of texts, such as ['…', '…']"
    base, meta = (arguments[0], arguments[1]) if get_origin(kind) is Annotated else (kind, Meta())
    if base is str:
        return "must be text, and not empty" if meta.min_length else "must be text"
    number = "is not a whole number" if base is int else "is not a number"
    if meta.le is not None:
        return f"{number} from {meta.ge} to {meta.le}"
    return f"{number} of {meta.ge} or more"


def is_postgres(database: str) -> bool:
    """Whether this is an address of PostgreSQL; otherwise it is a file."""
    return database.startswith(("postgresql:", "postgres:"))


def is_database(place: str) -> bool:
    """A file, or an address of PostgreSQL."""
    return is_postgres(place) or "://" not in place


def _is_origin(origin: str) -> bool:
    """An origin that no browser would send as it is written would open nothing, and nobody would know why."""
    try:
        parts = urlsplit(origin)
        return (
            parts.scheme in ("http", "https")
            and bool(parts.netloc)
            and f"{parts.scheme}://{parts.netloc.lower()}" == origin
        )
    except ValueError:
        return False


def _is_host(host: str) -> bool:
    return host == "*" or bool(host and host == host.strip().lower() and not set(host) & set("/:@*[] "))


def _is_proxy(proxy: str) -> bool:
    """A proxy that is written as a name would never be believed, and nobody would know why."""
    try:
        return proxy == "*" or bool(ip_network(proxy, strict=False))
    except ValueError:
        return False


def _is_path(path: str) -> bool:
    """Requests come with it or, where a proxy takes it away, without: it must not look like a path of ours."""
    parts = path.rstrip("/").split("/")
    return path == "/" or bool(
        not parts[0]
        and parts[1:]
        and all(re.fullmatch(r"[A-Za-z0-9_~-][A-Za-z0-9._~-]*", part) for part in parts[1:])
        and parts[1] not in OUR_PATHS
    )


#: Where requests go that are not for a page of the site.
OUR_PATHS = ("api", "assets", "embed", "health", "metrics")
#: How values must be written that have a form of their own, with an example.
CHECKS: Final[Mapping[str, tuple[Callable[[str], bool], str]]] = {
    "database": (is_database, "'tercet.db', a file, or 'postgresql://user@host/name'"),
    "bus": (is_address, "'redis://host'; rediss:// and unix:// will do as well"),
    "origins": (_is_origin, "'https://club.example'"),
    "hosts": (_is_host, "'club.example', or '*'"),
    "proxies": (_is_proxy, "'127.0.0.1' or '10.0.0.0/8'"),
    "path": (_is_path, f"'/tercet'; {', '.join('/' + one for one in OUR_PATHS[:-1])} and /metrics are taken"),
    "days": (isfile, "'year.jsonl', a file that is there; tercet puzzles make writes one"),
}
#: Settings that may hold a password: errors do not show them.
SECRET = ("database", "bus")
LISTS = ("origins", "hosts", "proxies")
_TYPES: Final[Mapping[str, Any]] = {
    **get_type_hints(Settings, include_extras=True),
    **{f"limits.{name}": kind for name, kind in get_type_hints(Limits, include_extras=True).items()},
}
