"""Write the perft files again, by brute force: some minutes."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from tests.perft import FOLDER, cards, dice


def lines(entries: Iterable[dict[str, Any]]) -> str:
    return ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)


def write(name: str, text: str) -> None:
    (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"{name}: {len(text):,} characters", flush=True)


ArgumentParser(prog="python -m tests.perft", description=__doc__).parse_args()
write("cards.json", f"[\n{lines(cards.tables())}\n]\n")
write("dice.json", f"[\n{lines(dice.positions())}\n]\n")
write("replies.json", f"[\n{lines(dice.replies())}\n]\n")
