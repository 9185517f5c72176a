"""What the site says, by language: all its sources as one catalogue."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.web.serving import ROOT

WEB = ROOT / "web"
LANGUAGES: dict[str, dict[str, Any]] = json.loads((WEB / "languages.json").read_text("utf-8"))
#: For tests that take a while in each: the one with the longest words and the one in another direction in `make test`, the rest in `make long`.
IN_TURN = [name if name in {"fi", "he"} else pytest.param(name, marks=pytest.mark.long) for name in LANGUAGES]


def sources(language: str) -> list[dict[str, Any]]:
    """The texts of the site, and of each game."""
    files = [WEB / "messages" / f"{language}.json", *WEB.glob(f"src/games/*/messages/{language}.json")]
    return [json.loads(file.read_text("utf-8")) for file in files]


def catalogue(language: str) -> dict[str, Any]:
    return {name: message for source in sources(language) for name, message in source.items()}
