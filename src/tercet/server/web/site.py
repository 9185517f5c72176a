"""The site: the files that Vite built, kept in memory with what they are when compressed."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tercet.server.web.headers import FRAMED_HEADERS, SECURITY_HEADERS

#: Pages that others may show in a frame of theirs.
EMBEDDED = "/embed/"
#: Pages whose address may end in a full stop, as a link at the end of a sentence does.
TABLES = "/t/"
FOLDER = Path(__file__).parent.parent / "site"
NO_SITE = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Tercet</title>
<p>The server is running, but the site has not been built: run <code>make web</code>.
<p><a href="./api/docs">The HTTP API</a>"""
#: How the page of the site writes its own folder: a page such as /t/CODE is the same file, so that must be made absolute.
_HERE = re.compile(rb'(?<==")\./')
_COMPRESSED = ("text/", "application/javascript", "application/json", "application/manifest", "image/svg")


class File(NamedTuple):
    """A file with the headers that it goes out with."""

    body: bytes
    compressed: bytes | None
    headers: list[tuple[bytes, bytes]]
    etag: bytes


def is_built() -> bool:
    return (FOLDER / "index.html").is_file()


@cache
def load(base: str = "") -> Mapping[str, File]:
    """Every file of the site by its path, for a server below ``base``. Pages of the client have no file of their own:
    they get ``/``."""
    files = {
        f"/{path.relative_to(FOLDER).as_posix()}": _file(path.read_bytes(), path.name, "assets" in path.parts)
        for path in sorted(FOLDER.rglob("*"))
        if path.is_file()
    }
    page = files["/index.html"].body if "/index.html" in files else NO_SITE
    page = _HERE.sub(f"{base}/".encode(), page)
    return files | dict.fromkeys(("/", "/index.html"), _file(page, "index.html", False))


def _file(body: bytes, name: str, forever: bool) -> File:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if name.endswith((".js", ".mjs")):
        kind = "application/javascript"
    elif name.endswith(".webmanifest"):
        kind = "application/manifest+json"
    compressed = gzip.compress(body, mtime=0) if kind.startswith(_COMPRESSED) and len(body) > 500 else None
    etag = b'"' + hashlib.sha256(body).hexdigest()[:20].encode() + b'"'
    charset = "; charset=utf-8" if kind.startswith("text/") else ""
    caching = "public, max-age=31536000, immutable" if forever else "no-cache"
    headers = [
        (b"content-type", (kind + charset).encode()),
        (b"cache-control", caching.encode()),
        (b"etag", etag),
        (b"vary", b"accept-encoding"),
        *SECURITY_HEADERS,
    ]
    return File(body, compressed, headers, etag)


async def redirect(address: str, scope: Any, send: Any) -> None:
    """Send a browser there, with its query."""
    query = scope["query_string"]
    headers = [
        (b"location", address.encode() + (b"?" + query if query else b"")),
        (b"content-length", b"0"),
        *SECURITY_HEADERS,
    ]
    await send({"type": "http.response.start", "status": 307, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def serve(files: Mapping[str, File], scope: Any, send: Any) -> None:
    """Answer a request for a file of the site, or for a page of the client."""
    path = scope["path"]
    file = files.get(path)
    if file is None and (path.startswith(TABLES) or "." not in path.rpartition("/")[2]):
        file = files["/"]
    elif file is not None:
        scope["file"] = path
    if file is None or scope["method"] not in ("GET", "HEAD"):
        status = 404 if file is None else 405
        headers = [(b"content-length", b"0"), *SECURITY_HEADERS]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
        return
    asked = dict(scope["headers"])
    status, body, headers = 200, file.body, list(file.headers)
    if path.startswith(EMBEDDED):
        headers = [header for header in headers if header not in SECURITY_HEADERS] + FRAMED_HEADERS
    if asked.get(b"if-none-match") == file.etag:
        status, body = 304, b""
    elif file.compressed is not None and b"gzip" in asked.get(b"accept-encoding", b""):
        body = file.compressed
        headers.append((b"content-encoding", b"gzip"))
    if status == 200:
        headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
