"""The hot loops of this checkout against those of another, in turns: has anything got slower?

The other folder must have been set up (`make check` does it).
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path

from benchmarks.server.cores import python_of

#: Runs in either checkout: the seconds of processor time that one item took, by benchmark and contestant.
MEASURE = """
import json
from benchmarks.__main__ import SUBJECTS
results = [subject(1) for subject in SUBJECTS]
print(json.dumps({f"{result.name}, {who}": took for result in results for who, took in result.seconds.items()}))
"""


def measure(folder: Path) -> dict[str, float]:
    done = subprocess.run(
        [python_of(folder), "-c", MEASURE], cwd=folder, capture_output=True, text=True, check=True
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__)
    parser.add_argument("folder", type=Path, help="the other checkout")
    parser.add_argument("--turns", type=int, default=5, help="of each; the best time counts")
    given = parser.parse_args()
    folders = {"this": Path(__file__).parent.parent, "other": given.folder.resolve()}
    best: dict[str, dict[str, float]] = {who: {} for who in folders}
    for _ in range(given.turns):
        for who, folder in folders.items():
            for what, seconds in measure(folder).items():
                best[who][what] = min(seconds, best[who].get(what, seconds))
    for what, seconds in best["this"].items():
        if what in best["other"]:
            print(f"{best['other'][what] / seconds:5.2f} x as fast: {what} ({1 / seconds:,.0f} a second)")


if __name__ == "__main__":
    main()
