"""Pages that are written from the code are up to date."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from tercet import games

DOCS = Path(__file__).parent.parent / "docs"


def test_every_refusal_is_on_its_page() -> None:
    spec = spec_from_file_location("refusals_page", DOCS / "refusals.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    page = (DOCS / "refusals.md").read_text("utf-8")
    assert page == module.page(), "run make protocol"
    for name in games.GAMES:
        assert all(f"`{code}`" in page for code in games.find(name).rules.refusals)
    at_tables = page.partition("requests over HTTP")[0]
    assert "no words of its own" not in at_tables, "every code has a sentence"
