"""A hook of MkDocs: the documentation has the colours and fonts of the site, from the same file."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

TOKENS = Path(__file__).parent.parent / "web" / "src" / "theme" / "tokens.css"
#: The theme marks day and night elsewhere than the site does.
_MARKS = (
    (":root[data-theme='dark']", "[data-md-color-scheme='slate']"),
    (":root {", "[data-md-color-scheme] {"),
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    text = TOKENS.read_text("utf-8")
    for site, docs in _MARKS:
        assert site in text
        text = text.replace(site, docs)
    files.append(File.generated(config, "stylesheets/tokens.css", content=text))
    return files
