"""What a server promised before each game, kept in a folder for ``tercet verify --promise``."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from tercet.extras import needs
from tercet.fairness import Promise

with needs("client"):
    from platformdirs import user_data_path

#: How many promises are kept in a folder; the oldest go first.
PROMISES_KEPT = 1000


def usual_promises() -> Path:
    """The folder of this person's data."""
    return Path(os.environ.get("TERCET_PROMISES") or user_data_path("tercet") / "promises")


def keep_promise(folder: Path, server: str, promise: Promise) -> Path:
    """Write what was promised to a file of its own, named by server, table and number of the game."""
    place = re.sub(r"[^A-Za-z0-9.-]+", "_", urlsplit(server).netloc or server)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = folder / f"{place}-{promise.terms.table}-{promise.terms.number}.json"
    draft = file.with_suffix(f".{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        out.write(msgspec.json.encode(promise))
    draft.replace(file)
    kept = sorted(folder.glob("*.json"), key=lambda one: one.stat().st_mtime)
    for old in kept[:-PROMISES_KEPT]:
        old.unlink(missing_ok=True)
    return file
