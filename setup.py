"""Compile the kernel when that is possible; everything else about the package is in pyproject.toml.

Each module of src/tercet/kernel is Python that Cython can also compile, but for those whose name begins
with an underscore. Where there is no Cython, no C compiler or no Python headers, the same files run as they
are: slower, with the same results. ``TERCET_KERNEL=plain`` in the environment leaves them uncompiled.
"""

from __future__ import annotations

import os
from pathlib import Path

from setuptools import Extension, setup

KERNEL = Path("src/tercet/kernel")


def kernel_extensions() -> list[Extension]:
    sources = sorted(path for path in KERNEL.glob("*.py") if not path.name.startswith("_"))
    if not sources or os.environ.get("TERCET_KERNEL") == "plain":
        return []
    try:
        from Cython.Build import cythonize  # noqa: PLC0415
    except ImportError:
        return []
    flags = [] if os.name == "nt" else ["-O3"]
    extensions: list[Extension] = cythonize(
        [
            Extension(f"tercet.kernel.{path.stem}", [path.as_posix()], extra_compile_args=flags)
            for path in sources
        ],
        build_dir="build/cython",
        language_level=3,
        quiet=True,
    )
    for extension in extensions:
        extension.optional = True  # cythonize() forgets this when it is set on the way in
    return extensions


setup(ext_modules=kernel_extensions())
