"""The kernel as plain Python, loaded beside whichever one is installed."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import tercet
import tercet.kernel

PARTS = (
    "board",
    "card_games",
    "chance",
    "dice_games",
    "dice_table",
    "dice_steps",
    "endgame",
    "extra_roll",
    "first_turns",
    "groups",
    "hands",
    "position",
    "search",
    "tables",
    "turns",
)
FOLDER = Path(tercet.kernel.__file__).parent


class _SourceOnly:
    """Finds the kernel's source files, never its compiled ones."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name == "tercet.kernel":
            return importlib.util.spec_from_file_location(
                name, FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)]
            )
        if name.startswith("tercet.kernel."):
            return importlib.util.spec_from_file_location(name, FOLDER / f"{name.rsplit('.', 1)[1]}.py")
        return None


def load_plain_kernel() -> dict[str, ModuleType]:
    """Every part of the kernel by its name, run from source."""
    installed = {name: module for name, module in sys.modules.items() if name.startswith("tercet.kernel")}
    finder = _SourceOnly()
    for name in installed:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    try:
        parts = {part: importlib.import_module(f"tercet.kernel.{part}") for part in PARTS}
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.startswith("tercet.kernel")]:
            del sys.modules[name]
        sys.modules.update(installed)
        tercet.kernel = installed["tercet.kernel"]
    assert all(str(part.__file__).endswith(".py") for part in parts.values())
    return parts
