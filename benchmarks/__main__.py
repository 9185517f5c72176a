"""`python -m benchmarks [--rounds N] [--no-save]`: run them all, print the ratios, keep the results."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks import (
    card_games,
    dice_games,
    endgames,
    extra_roll,
    game_steps,
    groups,
    reviews,
    tables,
    turns,
)
from benchmarks.measure import Result
from tercet.kernel import COMPILED

RESULTS = Path(__file__).parent / "results"
SUBJECTS = (
    tables.run,
    groups.run_count,
    groups.run_find,
    card_games.run,
    turns.run_list,
    turns.run_best,
    extra_roll.run,
    endgames.run,
    dice_games.run,
    game_steps.run,
    reviews.run,
)


def machine() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def commit() -> str:
    asked = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return asked.stdout.strip() or "unknown"


def show(results: list[Result], console: Console) -> None:
    table = Table("what", "who", "per second", "ratio", "must", "aim", title=machine())
    for result in results:
        goals = {rate.who: rate for rate in result.rates}
        for who, seconds in result.seconds.items():
            rate = goals.get(who)
            table.add_row(
                result.name,
                who,
                f"{1 / seconds:,.0f} {result.item}s",
                "",
                f">= {rate.must:,}" if rate else "",
                f">= {rate.aim:,}" if rate else "",
                style="" if rate is None or 1 / seconds >= rate.must else "red",
            )
        for aim in result.aims:
            if aim.of in result.seconds and aim.by in result.seconds:
                ratio = result.seconds[aim.of] / result.seconds[aim.by]
                sign = "<=" if aim.at_most else ">="
                style = (
                    "green" if aim.reached(ratio, aim.aim) else "" if aim.reached(ratio, aim.must) else "red"
                )
                table.add_row(
                    "",
                    f"{aim.of} : {aim.by}",
                    "",
                    f"{ratio:.2f}" if ratio < 20 else f"{ratio:,.0f}",
                    f"{sign} {aim.must:g}",
                    f"{sign} {aim.aim:g}",
                    style=style,
                )
        table.add_section()
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often the contestants take turns")
    parser.add_argument("--no-save", action="store_true", help="print only")
    arguments = parser.parse_args()
    run(arguments.rounds, not arguments.no_save)


def run(rounds: int, save: bool) -> None:
    """Run them all; `save` keeps the results."""
    console = Console()
    if not COMPILED:
        console.print("The kernel is not compiled here: what is called kernel below is plain Python.")
    with Progress(console=console, transient=True) as progress:
        results = [subject(rounds) for subject in progress.track(SUBJECTS, description="Benchmarks")]
    show(results, console)
    if save:
        now = datetime.now(UTC)
        found = {
            "date": now.isoformat(timespec="seconds"),
            "commit": commit(),
            "machine": machine(),
            "compiled": COMPILED,
            "results": [asdict(result) for result in results],
        }
        RESULTS.mkdir(exist_ok=True)
        target = RESULTS / f"{now:%Y-%m-%d-%H%M%S}.json"
        target.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        console.print(
            f"Saved as {target.relative_to(Path.cwd()) if target.is_relative_to(Path.cwd()) else target}"
        )


if __name__ == "__main__":
    main()
