"""Contestants that do the same work take turns; the best time of each counts.

Time is what the processor spent on a contestant, not what the clock on the wall says: on a machine with other work
to do the ratios stay what they are. The C programs are compiled as the kernel is, with -O3 and for any processor of
the kind.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
#: Does its work once; the seconds that one item of it took, and what came out of it.
Contestant = Callable[[], tuple[float, Any]]


@dataclass
class Result:
    """What one benchmark found: the best seconds an item of each contestant, and its aims.

    `rates` are aims in items a second of processor time. An aim is (of whom, by whom, the ratio to reach, the ratio to aim at); the ratio is the time of the first
    by the time of the second. `at_most` says that less is better.
    """

    name: str
    item: str
    seconds: dict[str, float] = field(default_factory=dict)
    aims: list[Aim] = field(default_factory=list)
    rates: list[Rate] = field(default_factory=list)


@dataclass(frozen=True)
class Aim:
    of: str
    by: str
    must: float
    aim: float
    at_most: bool = False

    def reached(self, ratio: float, goal: float) -> bool:
        return ratio <= goal if self.at_most else ratio >= goal


@dataclass(frozen=True)
class Rate:
    who: str
    must: float
    aim: float


def compare(
    name: str,
    item: str,
    contestants: dict[str, Contestant],
    aims: list[Aim],
    rounds: int,
    rates: tuple[Rate, ...] = (),
) -> Result:
    """Let them take turns, `rounds` times. Those that give a result must give the same one."""
    result = Result(name, item, aims=aims, rates=list(rates))
    answers: dict[str, Any] = {}
    for _ in range(rounds):
        for who, contestant in contestants.items():
            seconds, answer = contestant()
            result.seconds[who] = min(seconds, result.seconds.get(who, seconds))
            if answer is not None:
                answers[who] = answer
    if any(answer != next(iter(answers.values())) for answer in answers.values()):
        raise AssertionError(f"{name}: the contestants disagree: {answers}")
    return result


def timed(work: Callable[[], Any], items: int, answer: Callable[[Any], Any] = lambda _: None) -> Contestant:
    """A contestant from a function that does `items` items."""

    def run() -> tuple[float, Any]:
        begin = time.process_time()
        out = work()
        return (time.process_time() - begin) / items, answer(out)

    return run


@cache
def _compiled(source: str) -> Path | None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    program = Path(tempfile.mkdtemp(prefix="tercet-bench-")) / source.removesuffix(".c")
    subprocess.run([compiler, "-O3", "-o", str(program), str(HERE / "c" / source)], check=True)
    return program


def in_c(source: str, items: int, given: bytes, *arguments: object) -> dict[str, Contestant]:
    """The C program as a contestant, where there is a compiler: it prints its seconds of processor time and its
    answer."""
    program = _compiled(source)
    if program is None:
        return {}

    def run() -> tuple[float, Any]:
        done = subprocess.run([program, *map(str, arguments)], input=given, capture_output=True, check=True)
        seconds, answer = done.stdout.split()
        return float(seconds) / items, int(answer)

    return {"C": run}
