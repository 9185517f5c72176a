"""What every test stands on."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# What these assert is told in full, as what a test asserts is.
pytest.register_assert_rewrite(
    "tests.server.players", "tests.web.checks", "tests.web.players", "tests.web.runs"
)

# What servers promised in tests is kept, but not among a person's own.
os.environ.setdefault("TERCET_PROMISES", tempfile.mkdtemp(prefix="tercet-promises-"))

# No deadlines: two cores, many workers, and a slow example is not a wrong one. On CI the same
# examples every time, so that a red run can be repeated.
settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("local"), derandomize=True, print_blob=True)
settings.register_profile("thorough", parent=settings.get_profile("local"), max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "local"))

ROOT = Path(__file__).parents[1]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make test` runs first, and only there: the quick tests of the core, which measure how much they reach.

    The browser comes last: while its driver runs, nothing else can run a loop.
    """
    items.sort(key=lambda item: item.path.is_relative_to(ROOT / "tests/web"))
    for item in items:
        is_of_core = any(item.path.is_relative_to(ROOT / folder) for folder in ("src", "tests/core"))
        if is_of_core and not any(map(item.get_closest_marker, ("slow", "long"))):
            item.add_marker("core")
