"""Write the playthroughs again; look at the difference."""

from __future__ import annotations

from pathlib import Path

from open_spiel.python.algorithms import generate_playthrough

import tercet.rl.spiel  # noqa: F401

HERE = Path(__file__).parent

for game, cycles in (("set", 2), ("cubed", 3)):
    text = generate_playthrough.playthrough(f"python_tercet_{game}(max_cycles={cycles})", None, seed=7)
    (HERE / f"{game}.txt").write_text(text, encoding="utf-8")
