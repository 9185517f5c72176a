"""Write docs/refusals.md: every code with which a game or the server says no. `make protocol` runs it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

from tercet import games
from tercet.server.protocol.refusals import FailureCode, ServerRefusal

HERE = Path(__file__).parent
WEB = HERE.parent / "web"


def sentences() -> dict[str, str]:
    """What the site says in English, by the name of the text."""
    found: dict[str, str] = {}
    for path in [WEB / "messages/en.json", *sorted(WEB.glob("src/games/*/messages/en.json"))]:
        texts = json.loads(path.read_text("utf-8"))
        found |= {key: text for key, text in texts.items() if isinstance(text, str)}
    return found


def table(codes: Iterable[str], said: dict[str, str], prefixes: tuple[str, ...] = ("refused",)) -> list[str]:
    rows = []
    for code in codes:
        words = next(
            (said[f"{p}_{code}"] for p in prefixes if f"{p}_{code}" in said), "(no words of its own)"
        )
        rows.append(f"| `{code}` | {words.replace('|', '/')} |")
    return ["| Code | On the site, in English |", "| --- | --- |", *rows, ""]


def page() -> str:
    said = sentences()
    lines = [
        "# Refusals",
        "",
        "<!-- Written by `make protocol`. -->",
        "",
        "A refusal is data: `Refused.refusal` in Python, `code` and what goes with it in JSON. Here is every code there is.",
        "",
    ]
    for name in games.GAMES:
        rules = games.find(name).rules
        lines += [f"## {rules.title}", "", *table(rules.refusals, said)]
    lines += ["## Of any game, in Python", "", "| Code | When |", "| --- | --- |"]
    lines += [
        "| `not_over` | `reveal` before the game is over. |",
        "| `nothing_to_undo` | `undo` before anything happened. |",
        "",
        "## The table server: commands at a table",
        "",
        *table(get_args(ServerRefusal), said),
        "## The table server: requests over HTTP",
        "",
        *table(get_args(FailureCode), said, ("failed", "refused")),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    (HERE / "refusals.md").write_text(page(), encoding="utf-8")
