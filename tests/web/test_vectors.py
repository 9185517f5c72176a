"""What the browser knows of the rules comes from Python and is up to date."""

from __future__ import annotations

from tests.web import vectors


def test_vectors_and_editions_are_up_to_date() -> None:
    for path, text in vectors.files().items():
        assert path.read_text("utf-8") == text, f"{path.name} is old; run: python -m tests.web.vectors"
