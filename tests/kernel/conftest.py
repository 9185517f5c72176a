"""The two kernels to compare, and on how many inputs."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from types import ModuleType

import pytest

from tests.kernel.plain import PARTS, load_plain_kernel


@pytest.fixture(scope="session")
def plain() -> dict[str, ModuleType]:
    """Every part of the kernel by its name, run from source."""
    return load_plain_kernel()


@pytest.fixture(scope="session")
def kernel() -> dict[str, ModuleType]:
    """Every part of the kernel by its name, as installed."""
    return {part: importlib.import_module(f"tercet.kernel.{part}") for part in PARTS}


@pytest.fixture(scope="session")
def inputs() -> Callable[[int], int]:
    """How many inputs to try: the number given, or what TERCET_INPUTS says (100000 for the full check)."""
    return lambda usual: int(os.environ.get("TERCET_INPUTS", usual))
