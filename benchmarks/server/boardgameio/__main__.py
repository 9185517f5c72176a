"""One scripted game of Set Cubed at our table server and at boardgame.io's, in turn, on the same two cores.

Both play by all the rules: which dice may be laid and what they score, whether one who passes could have laid, the
hidden answers to the extra roll, rounds and the end. Random games, with moves against the rules among the others, are
first played to the same end by both. A move counts when all at the table, watchers included, have seen it, and the
scores of every game must be the script's.

What differs: ours draws and throws the dice itself and has every move on disk, in full sync, before anybody hears of it.
boardgame.io's reads them from the script and keeps its matches in memory, as by default; with --files a second one keeps
them as files (never synced), which is its own way to survive a restart.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec.json import encode

from benchmarks.__main__ import RESULTS, commit, machine
from benchmarks.server.boardgameio.agree import agree
from benchmarks.server.boardgameio.script import Script, write
from benchmarks.server.cores import free_port, running
from benchmarks.server.turns import Load, Ratio, loading, take_turns

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
OURS, THEIRS, FILES = "tercet", "boardgame.io", "boardgame.io, files"
MUST = 3.0
#: Seconds before it counts: Node compiles what is hot while it runs.
WARM_UP = 4.0
#: How many random games show that both play by the same rules.
GAMES = 60


def node() -> str:
    """The Node of `make node`, with what package-lock.json names installed beside the server."""
    subprocess.run(["make", "--no-print-directory", "node"], cwd=ROOT, check=True)
    path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    command = shutil.which("node", path=path)
    if command is None:
        raise SystemExit("there is no Node: run `make node`")
    lock, installed = HERE / "package-lock.json", HERE / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        print("Installing boardgame.io", flush=True)
        npm = shutil.which("npm", path=path)
        assert npm is not None
        subprocess.run([npm, "ci"], cwd=HERE, check=True, stdout=subprocess.DEVNULL)
        installed.touch()
    # The wheel's command is a script that starts the real one, whose processor time is wanted.
    asked = subprocess.run([command, "-p", "process.execPath"], check=True, capture_output=True, text=True)
    return asked.stdout.strip()


def play(stack: ExitStack, who: str, script: Script, folder: Path, given: argparse.Namespace) -> Load:
    """A server, and its load with all tables begun."""
    port, text = free_port(), folder / "script.json"
    text.write_bytes(encode(script))
    command: Sequence[str]
    if who == OURS:
        database = str(folder / "db")
        command = [sys.executable, "-m", "benchmarks.server.serve", str(port), database, script.seed]
    else:
        files = [str(folder / "files")] if who == FILES else []
        command = [given.node, str(HERE / "server.js"), str(port), str(text), *files]
    process = stack.enter_context(running(command, port, {"NODE_ENV": "production"}))
    kind = OURS if who == OURS else THEIRS
    return stack.enter_context(
        loading("boardgameio.load", kind, port, process, text, given.tables, given.watchers)
    )


def show(who: str, total: dict[str, float]) -> None:
    print(
        f"{who:20}{total['per_second']:9,.0f} moves/s{total['server_cpu_us']:8,.0f} µs a move"
        f"   server {total['server_cpu']:4.0%}  load {total['load_cpu']:4.0%}"
        f"   p50 {total['p50_ms']:.1f} ms  p99 {total['p99_ms']:.1f} ms",
        flush=True,
    )


def compare(players: int, given: argparse.Namespace) -> dict[str, Any]:
    """Let them take turns."""
    script = write(players)
    contestants = [OURS, THEIRS, *([FILES] if given.files else [])]
    watched = f" and {given.watchers} who watch" if given.watchers else ""
    print(f"{given.tables} tables of {players}{watched}, games of {len(script.moves)} moves")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tercet-bench-")))
        loads = {who: play(stack, who, script, folder, given) for who in contestants}
        take_turns(loads, given.turns, given.seconds, WARM_UP)
    totals = {who: load.total() for who, load in loads.items()}
    ratios = {}
    for who, total in totals.items():
        show(who, total)
    for who in contestants[1:]:
        ratio = Ratio(loads[OURS], loads[who])
        ratios[who] = {"moves_per_second": ratio.speed, "cpu": ratio.cpu, "turns": ratio.turns}
        print(f"{OURS} to {who}, moves: {ratio} (wanted: {MUST:g})", flush=True)
    return {"players": players, "moves": len(script.moves), "totals": totals, "ratios": ratios}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.server.boardgameio",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--players", type=int, nargs="+", choices=(2, 3, 4), default=[2, 3, 4])
    parser.add_argument("--watchers", type=int, default=0, help="how many at each table only watch")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--turns", type=int, default=20, help="how often the servers take turns")
    parser.add_argument("--seconds", type=float, default=1.5, help="of a turn")
    parser.add_argument("--files", action="store_true", help="boardgame.io with FlatFile storage, too")
    parser.add_argument("--no-save", action="store_true", help="print only")
    given = parser.parse_args()
    if given.watchers < 0:
        parser.error("--watchers: 0 or more")
    given.node = node()
    played = agree(given.node, GAMES)
    refused = sum(times for kind, times in played.items() if kind.endswith("refused"))
    print(f"The same rules: {GAMES} random games, {played.total():,} moves, {refused:,} of them refused")
    now = datetime.now(UTC)
    found = {
        "date": now.isoformat(timespec="seconds"),
        "commit": commit(),
        "machine": machine(),
        "tables": given.tables,
        "watchers": given.watchers,
        "results": [compare(players, given) for players in given.players],
    }
    if not given.no_save:
        target = RESULTS / f"boardgameio-{now:%Y-%m-%d-%H%M%S}.json"
        target.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"Saved as {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
