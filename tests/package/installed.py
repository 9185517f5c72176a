"""The package as somebody has it who has no repository: built from a clean tree, in an environment of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

ROOT = Path(__file__).parents[2]
SITE = "src/tercet/server/site"
MADE = (".git", ".venv", ".*_cache", ".hypothesis", "build", "dist", "site", "node_modules", "catalogue", "*.so", "*.egg-info", "__pycache__")  # fmt: skip

#: Plays a short game against a bot at the address that it is given, and says the score.
PLAY = """
import asyncio, sys
from random import Random
from tercet import bots
from tercet.client import Client, Ready, Refusal

async def main(url):
    async with Client(url, promises=None) as client:
        await client.sign_in("Robo")
        options = {"only": "red", "auto_deal": True, "claim": "instant"}
        code = await client.create_table("set", bots=["beginner"], options=options)
        async with client.join(code) as table:
            await table.manage(Ready())
            await table.until(lambda: table.game is not None)
            robo = bots.make("set", "champion", table.seat, Random(1))
            while not table.is_over:
                try:
                    if (command := robo.choose(table.state, 1.0)) is not None:
                        await table.play(command)
                        continue
                except Refusal:
                    pass
                await table.changed()
            print("score", *table.state.scores)

asyncio.run(asyncio.wait_for(main(sys.argv[1]), 240))
"""


def bare(**more: str) -> dict[str, str]:
    """The environment of a process that knows nothing of this repository and its tools."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("PYTHON", "TERCET_", "VIRTUAL"))
    }
    return kept | more


def call(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    """What the command prints; its errors if it fails."""
    done = subprocess.run(
        command, cwd=cwd, env=bare() if env is None else env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def clean_tree(folder: Path) -> Path:
    """This tree as a clone would have it, with what is not committed yet: nothing that was built."""
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*MADE))
    return folder


def empty_environment(folder: Path, *packages: str | Path, python: str = sys.executable) -> Path:
    """A new environment with these packages and what they need; its ``bin``."""
    uv = [sys.executable, "-m", "uv"]
    call(*uv, "venv", "--quiet", "--python", python, folder, cwd=folder.parent)
    call(
        *uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", folder / "bin/python",
        "--constraint", ROOT / "requirements/server.txt", *packages, cwd=folder.parent,
    )  # fmt: skip
    return folder / "bin"


def sizes(bin_folder: Path) -> tuple[float, int]:
    """Megabytes on disk and the number of packages beside Tercet, of an environment."""
    (packages,) = bin_folder.parent.glob("lib/python*/site-packages")
    files = [*packages.rglob("*"), *(bin_folder.parent / "share").rglob("*")]
    size = sum(path.stat().st_size for path in files if path.is_file()) / 1e6
    others = [path for path in packages.glob("*.dist-info") if not path.name.startswith("tercet-")]
    return size, len(others)


@contextmanager
def served(bin_folder: Path, folder: Path) -> Iterator[str]:
    """The address of `tercet serve` of that environment."""
    process = subprocess.Popen(
        [bin_folder / "tercet", "serve", "--no-browser", "--port", "0", "--db", folder / "tercet.db"],
        cwd=folder,
        env=bare(PYTHONUNBUFFERED="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if found := re.search(r"Tercet is at (http://\S+)", line):
                break
        else:
            raise AssertionError(f"the server has ended: {''.join(said)}")
        yield found[1]
    finally:
        process.terminate()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def get(address: str) -> str:
    with build_opener(ProxyHandler({})).open(address, timeout=60) as answer:
        return str(answer.read().decode())


def serve_and_play(bin_folder: Path, folder: Path) -> None:
    """The site comes, with what it loads; and a game is played to its end by the client."""
    with served(bin_folder, folder) as url:
        page = get(url)
        scripts = re.findall(r'src="([^"]+\.js)"', page)
        assert scripts, page
        assert all(get(url.rstrip("/") + "/" + script.lstrip("./")) for script in scripts)
        score = call(bin_folder / "python", "-c", PLAY, url, cwd=folder)
    assert re.fullmatch(r"score \d+ \d+\n", score), score
