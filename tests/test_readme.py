"""The examples in README and docs/ are true: Python sessions are run, and so are `$ tercet` commands."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer

from tercet.cli.app import app

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def blocks(page: Path, language: str) -> list[tuple[int, str]]:
    """The fenced blocks in a language, each with the line it begins on."""
    text = page.read_text(encoding="utf-8")
    return [(text[: m.start(2)].count("\n"), m[2]) for m in FENCE.finditer(text) if m[1] == language]


on_every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


@on_every_page
def test_python_sessions(page: Path) -> None:
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    report: list[str] = []
    for line, block in blocks(page, "pycon"):
        session = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), line)
        runner.run(session, out=report.append, clear_globs=False)
        names = session.globs
    assert runner.failures == 0, "".join(report)


def commands(block: str) -> list[tuple[str, str]]:
    """Each `$ command` of a console block with the output printed under it."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


@on_every_page
def test_command_lines(page: Path, tmp_path: Path) -> None:
    checker = doctest.OutputChecker()
    for _, block in blocks(page, "console"):
        for command, expected in commands(block):
            assert re.match(r"(tercet|echo) ", command), f"only tercet is run here, not {command}"
            tercet = shlex.quote(str(Path(sys.executable).with_name("tercet")))
            done = subprocess.run(
                ["/bin/sh", "-c", f'tercet() {{ {tercet} "$@"; }}; {command}'],
                cwd=tmp_path,
                env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                encoding="utf-8",
                check=False,
            )
            got = done.stdout + done.stderr
            assert checker.check_output(expected.replace("…\n", "...\n"), got, FLAGS), (
                f"$ {command}\n{got}\nbut {page.name} says\n{expected}"
            )


@on_every_page
def test_python_files(page: Path, tmp_path: Path) -> None:
    for number, (_, block) in enumerate(blocks(page, "python")):
        file = tmp_path / f"block{number}.py"
        file.write_text(block, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-W", "error", file], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{page.name}:\n{done.stderr}"


@on_every_page
def test_data_can_be_read(page: Path) -> None:
    for _, block in blocks(page, "toml"):
        tomllib.loads(block)
    for _, block in blocks(page, "json"):
        json.loads(block)


#: Where the words of a `tercet` command end in a shell.
SHELL = ("#", "<", ">", "|", "&", ";")


def typed(page: Path) -> list[list[str]]:
    """The words after `tercet` of each command that a page tells people to type."""
    found = []
    for _, block in [*blocks(page, "sh"), *blocks(page, "")]:
        for line in block.replace("\\\n", " ").splitlines():
            if words := re.fullmatch(r"(?:\w+=\S+ )*tercet( .*)?", line.strip()):
                args = shlex.split(words[1] or "", comments=True)
                end = next((place for place, word in enumerate(args) if word.startswith(SHELL)), len(args))
                found.append(args[:end])
    return found


@on_every_page
def test_commands_are_understood(page: Path) -> None:
    """Every command, option and number of arguments that a page shows is one that there is; what it does, others test."""
    command = typer.main.get_command(app)
    for args in typed(page):
        group, rest = command, args
        while rest and hasattr(group, "commands") and not rest[0].startswith("-"):
            group, rest = group.commands[rest[0]], rest[1:]
        with group.make_context("tercet", list(rest), resilient_parsing=False):
            pass


@on_every_page
def test_old_style_fences_hide_no_session(page: Path) -> None:
    """A session in a block that is not marked `pycon` would not be run."""
    for match in FENCE.finditer(page.read_text(encoding="utf-8")):
        assert match[1] == "pycon" or ">>> " not in match[2], f"mark this block as pycon:\n{match[2]}"
