"""What the kernel's source needs of ``cython`` to run as plain Python where Cython is not installed.

Every kernel file begins with ``import cython`` and falls back to this module. Compiled, neither is
imported: the compiler reads the types and drops the import. Types are only ever named in annotations,
which plain Python never evaluates, so a flag, a cast, two decorators and a block marker are enough.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

compiled = False
int = uint = longlong = ulonglong = double = None
nogil: Any = nullcontext()


def _unchanged(thing: Any) -> Any:
    return thing


def declare(kind: Any, value: Any) -> Any:
    """The value itself: Python's ints have no kinds."""
    return value


cast = declare
final = cclass = _unchanged
