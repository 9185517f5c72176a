"""What is written from the protocol is as the protocol is now."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from tercet.server.protocol import challenges, http, page, reviews, runs, typescript

ROOT = Path(__file__).parents[3]


def test_the_typescript_types_are_up_to_date() -> None:
    written = (ROOT / "web/src/protocol.ts").read_text("utf-8")
    assert written == typescript.write(), "run: make protocol"


def test_the_protocol_page_is_up_to_date() -> None:
    written = (ROOT / "docs/protocol.md").read_text("utf-8")
    assert written == page.write(), "run: make protocol"


def test_the_site_has_a_type_for_every_body_of_the_api() -> None:
    bodies = [
        name
        for module in (challenges, http, reviews, runs)
        for name, one in vars(module).items()
        if isinstance(one, type) and issubclass(one, Struct) and one.__module__ == module.__name__
    ]
    written = typescript.write()
    missing = [name for name in bodies if f"export interface {name} " not in written]
    assert bodies
    assert not missing, f"name in _SENT or _RECEIVED of protocol/typescript.py: {' '.join(missing)}"
