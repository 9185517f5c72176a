"""The real table server in a process of its own, but for its seeds: each game gets the same one.

The browsers' secrets are always the same, too (`browsing.SAME_SECRET`). So the same moves give the same game, and the tests
meet in it what they look for.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest.mock import patch

from tercet.server.run import run
from tercet.server.settings import load
from tercet.server.web import site

#: With `strategy` on both seats, a dice game with this seed sees a wild laid and a wild replaced.
SEED = f"{1:064x}"
ROOT = Path(__file__).parents[2]
#: Many tests come from one address.
LIMITS = {
    "TERCET_LIMITS_GUESTS_PER_MINUTE": "10000",
    "TERCET_LIMITS_LOGINS_PER_MINUTE": "10000",
    "TERCET_LIMITS_TABLES_PER_PERSON": "100",
    # Players that hurry say more than a hand can.
    "TERCET_LIMITS_MESSAGES_PER_SECOND": "10000",
    "TERCET_LIMITS_MESSAGE_BURST": "10000",
    "TERCET_LIMITS_SEAT_GRACE_SECONDS": "0",
    # Games are reviewed only when somebody asks.
    "TERCET_LIMITS_REVIEW_LOAD": "0",
    # A page on a very busy machine may be silent for longer than people wait.
    "TERCET_LIMITS_AWAY_SECONDS": "60",
}


@contextmanager
def serving(
    folder: Path, *, built: Path = site.FOLDER, settings: Mapping[str, str] | None = None, **limits: float
) -> Iterator[str]:
    """The address of a server that keeps its database in this folder, with these settings and limits; it serves the site that
    was ``built``."""
    assert (built / "index.html").is_file(), "the site is not built: make web builds it"
    chosen = {f"TERCET_LIMITS_{name.upper()}": str(value) for name, value in limits.items()}
    own = {"TERCET_DATABASE": str(folder / "tercet.db"), "TERCET_WORKERS": "1", **(settings or {})}
    environment = os.environ | LIMITS | chosen | own
    command = [sys.executable, "-m", "tests.web.serving", str(built)]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            assert process.stdout is not None
            greeting = process.stdout.readline()
            assert "http" in greeting, greeting
            yield greeting.split()[-1]
        finally:
            process.terminate()
            process.wait(20)
            # A bot that was being started just then is left behind.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


if __name__ == "__main__":
    with (
        patch("tercet.server.room.room.new_seed", lambda: SEED),
        patch("tercet.server.room.rooms.new_seed", lambda: SEED),
        # Searching for the dice of days to come would keep a core busy beside the tests.
        patch("tercet.server.runs.days.AHEAD", 1),
        patch.object(site, "FOLDER", Path(sys.argv[1])),
    ):
        run(load(port=0))
