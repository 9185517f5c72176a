"""F5: a checker in another language, written from docs/fairness.md alone, agrees with ours."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from tercet import bots, games, record
from tercet.cards.variants import VARIANTS
from tercet.fairness import commit, seed_from
from tests.core.random_games import (
    random_card_game,
    random_dice_game,
    random_puzzle_game,
    random_scramble_game,
)

VERIFIER = Path(__file__).parent / "verifier.mjs"
#: The one that builds the site comes first.
NODE = shutil.which("node", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "set": [
        *({"variant": name, "rounds": 1} for name in VARIANTS),
        {"only": "oval", "table": 9},
        {"only": "red", "rounds": 2},
        {"claim": "instant"},
        {"penalty": "point", "auto_deal": True},
    ],
    "cubed": [{}, {"edition": "dutch"}],
    "scramble": [{}, {"edition": "dutch", "rounds": 2}, {"claim": "instant"}],
    "puzzles": [
        {"kind": "storm"},
        {"kind": "race"},
        {"kind": "boards"},
        *({"kind": "daily_set", "day": day} for day in ("2026-11-17", "2026-11-22")),
        {"kind": "daily_cubed", "day": "2026-11-17"},
    ],
}
#: Games that one process makes and both check, in the long test.
AT_ONCE = 20


def played(number: int) -> record.Record:
    """A game of this number by bots: each game and each variant in turn, some seats with a secret."""
    kinds = [(game, options) for game, chosen in OPTIONS.items() for options in chosen]
    name, options = kinds[number % len(kinds)]
    r = Random(number)
    rules = games.find(name).rules
    seats = r.randint(max(2, rules.min_seats), min(4, rules.max_seats))
    game = games.find(name)(
        ["Ann", "Bø", 'Cy "x"', "Dí"][:seats],
        seed=seed_from(f"verified {number}"),
        options=options,
        secrets=[seed_from(f"{number} {seat}") if r.random() < 0.6 else "" for seat in range(seats)],
        table=r.choice(["", "K7QXRM"]),
        number=r.randint(1, 99),
    )
    ladder = bots.names(name)[:2]
    bots.play(game, [bots.make(name, r.choice(ladder), seat, Random(seat)) for seat in range(seats)])
    return record.of(game, {"Date": "2026-11-16", "Place": "Þórshöfn"} if number % 2 else None)


def answers(texts: Iterable[str], folder: Path) -> list[str]:
    files = []
    for number, text in enumerate(texts):
        files.append(folder / f"{number}.txt")
        files[-1].write_text(text, "utf-8")
    assert NODE is not None
    done = subprocess.run([NODE, VERIFIER, *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def agree(kept: list[record.Record], folder: Path) -> int:
    """Both find nothing wrong; how many chances the other one has checked."""
    for one in kept:
        assert record.verify(one) is None
    said = answers(map(record.write, kept), folder)
    wrong = [line for line in said if not line.startswith("ok ")]
    assert not wrong, wrong[:3]
    assert len(said) == len(kept)
    return sum(int(line.split()[1]) for line in said)


def test_f5_the_independent_verifier_agrees(tmp_path: Path) -> None:
    kinds: list[Callable[[int], games.Game[Any, Any, Any, Any]]]
    kinds = [random_card_game, random_dice_game, random_scramble_game, random_puzzle_game]
    kept = [played(number) for number in range(sum(map(len, OPTIONS.values())))]
    kept += [record.of(play(number)) for play in kinds for number in range(3)]
    assert agree(kept, tmp_path) > 1500


def test_f5_the_independent_verifier_finds_what_is_wrong(tmp_path: Path) -> None:
    kinds = [game for game, chosen in OPTIONS.items() for _ in chosen]
    for number in (0, 4, *map(kinds.index, ("cubed", "scramble", "puzzles"))):
        kept = played(number)
        other = seed_from("another")
        forged = replace(kept, seed=other, commitment=commit(other, kept.terms))
        forged = replace(forged, seal=record.seal(forged))
        text = record.write(kept)
        said = answers(
            [
                record.write(forged),
                text.replace("0:00:0", "0:00:1", 1),
                text.replace('[Number "', '[Number "1'),
                text.replace('[Seat1 "Ann"]', '[Seat1 "Zoe"]'),
            ],
            tmp_path,
        )
        assert all(line.startswith("wrong: ") for line in said), said


def agree_from(start: int, folder: Path) -> int:
    """The same for games that are made here, from this number on."""
    folder.mkdir()
    return agree([played(number) for number in range(start, start + AT_ONCE)], folder)


@pytest.mark.long
def test_f5_the_independent_verifier_agrees_on_a_thousand_games(tmp_path: Path) -> None:
    starts = range(0, 1000, AT_ONCE)
    with ProcessPoolExecutor() as processes:
        checked = sum(processes.map(agree_from, starts, [tmp_path / str(start) for start in starts]))
    print(f"\nThe independent verifier agrees on 1,000 games: {checked:,} cards, draws and throws.")
