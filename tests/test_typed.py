"""Whoever writes a program with Tercet is helped by types: strict ones pass, and wrong ones are found."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

SCRIPT = '''
"""A user's program, by the documentation alone."""

import asyncio

from tercet import Card, bots, cards, cubed, find_sets, record, records, third
from tercet.client import Client
from tercet.fairness import seed_from
from tercet.games import Refused


def play(seed: str) -> tuple[int, ...]:
    game = cards.Game(["Ann", "Bo"], seed=seed_from(seed), options={"rounds": 1})
    game.do(cards.Deal(0))
    while not game.is_over:
        found: list[tuple[Card, Card, Card]] = find_sets(game.state.table)
        try:
            if found:
                game.do(cards.Call(0))
                game.do(cards.Show(0, found[0]))
            else:
                for seat in range(2):
                    game.do(cards.SeeNone(seat))
        except Refused as refused:
            print(refused.refusal.code)
    moves: list[cards.CardCommand] = list(game.legal)
    print(len(moves), record.write(record.of(game)), game.undo()[0].at)
    return game.scores


def best(game: cubed.Game) -> int:
    turn = game.state.position(0).best()
    return turn.score


def read(path: str) -> list[tuple[str, ...]]:
    with open(path, encoding="utf-8") as lines:
        return [found.seats for found in records.read_all(lines)]


async def sit(url: str) -> None:
    client = Client(url)
    await client.sign_in("Ann")
    code: str = await client.create_table("set", bots=["casual"])
    async with client.join(code) as table:
        await table.changed()


print(play("an example"), third(Card("1RFD"), Card("2RFD")), bots.names("set"))
asyncio.run(sit("http://127.0.0.1:8000"))
'''

WRONG = """
from tercet import Card, cards, third

third("1RFD", Card("2RFD"))
cards.Show("Ann")
cards.Game(["Ann"])
"""


@pytest.mark.slow
def test_strict_types_pass_for_a_user_and_find_what_is_wrong(tmp_path: Path) -> None:
    """Outside the repository, with mypy's own settings: a script, the examples, the Python of the pages, and a script with three mistakes."""
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, "utf-8")
    for example in (ROOT / "examples").glob("*.py"):
        (tmp_path / example.name).write_text(example.read_text("utf-8"), "utf-8")
    blocks = re.findall(
        r"^```python\n(.*?)^```$", (ROOT / "docs/bots.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    (tmp_path / "bot.py").write_text("".join(blocks), "utf-8")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file",
            "",
            "--cache-dir",
            ROOT / ".mypy_cache" / "user",
            ".",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    wrong = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert [line.partition(":")[0] for line in wrong] == ["wrong.py"] * 3, done.stdout + done.stderr
