"""What is written from the protocol is as the protocol is now."""

from __future__ import annotations

from pathlib import Path

from tercet.server.protocol import page, typescript

ROOT = Path(__file__).parents[3]


def test_the_typescript_types_are_up_to_date() -> None:
    written = (ROOT / "web/src/protocol.ts").read_text("utf-8")
    assert written == typescript.write(), "run: make protocol"


def test_the_protocol_page_is_up_to_date() -> None:
    written = (ROOT / "docs/protocol.md").read_text("utf-8")
    assert written == page.write(), "run: make protocol"
