"""Compile the kernel and see that the site is there; everything else about the package is in pyproject.toml.

Each module of src/tercet/kernel is Python that Cython can also compile, but for those whose name begins
with an underscore. Where there is no Cython, no C compiler or no Python headers, the same files run as they
are: slower, with the same results. ``TERCET_KERNEL=plain`` in the environment leaves them uncompiled.

A wheel and an sdist carry the site. From a clone it is built with Node, if it is missing or older than web/;
an sdist has it. ``TERCET_SITE=none`` makes a package without.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist
from setuptools.errors import BaseError, CCompilerError, CompileError

KERNEL = Path("src/tercet/kernel")
#: What Cython puts into every module that it makes is made once, in this one.
SHARED = "tercet.kernel._shared"
SITE, WEB = Path("src/tercet/server/site/index.html"), Path("web")
NODE = 22


def kernel_modules() -> list[Extension]:
    sources = [path for path in KERNEL.glob("*.py") if not path.name.startswith("_")]
    # The longest first: so no core is left alone with one at the end.
    sources.sort(key=lambda path: path.stat().st_size, reverse=True)
    if not sources or os.environ.get("TERCET_KERNEL") == "plain":
        return []
    fast, small = ([], []) if os.name == "nt" else (["-O3", "-g0"], ["-O1", "-g0"])
    stripped = ["-Wl,-s"] if sys.platform == "linux" else []
    shared = Extension(SHARED, ["src/tercet/kernel/_shared.c"], extra_compile_args=small)
    modules = [
        Extension(f"tercet.kernel.{path.stem}", [path.as_posix()], extra_compile_args=fast)
        for path in sources
    ]
    for module in (shared, *modules):
        module.extra_link_args = stripped
    return [shared, *modules]


class CompileKernel(build_ext):
    """All of it or nothing: the modules call each other's C functions."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count() or 1
        self._done = 0

    def run(self) -> None:
        try:
            self._translate()
            super().run()
        except (ImportError, BaseError, CCompilerError, CompileError) as error:
            print(f"tercet: the kernel is not compiled, and runs as plain Python: {error}", file=sys.stderr)
            for module in self.extensions:
                Path(self.get_ext_fullpath(module.name)).unlink(missing_ok=True)
            self.extensions = []

    def _translate(self) -> None:
        """From Python to C; here and not before, as most commands of a build have no use for it."""
        if not self.extensions:
            return
        command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "")
        if os.name == "posix" and not (command and shutil.which(command[0])):
            raise CompileError(f"there is no C compiler ({command[0] if command else 'cc'})")
        from Cython.Build import cythonize  # noqa: PLC0415

        asked = [Extension(module.name, module.sources) for module in self.extensions]
        made = cythonize(
            asked,
            build_dir="build/kernel",
            language_level=3,
            quiet=True,
            shared_utility_qualified_name=SHARED,
            # nothing of the kernel is ever pickled, and what could be is a sixth of the C
            compiler_directives={"auto_pickle": False},
        )
        sources = {module.name: module.sources for module in made}
        for module in self.extensions:
            module.sources = sources[module.name]
        self._say("translated to C")

    def build_extension(self, ext: Extension) -> None:
        super().build_extension(ext)
        self._done += 1
        if self._done % 4 == 0 or self._done == len(self.extensions):
            self._say(f"{self._done} of {len(self.extensions)} modules compiled")

    def _say(self, how_far: str) -> None:
        print(f"  The kernel: {how_far}", flush=True)


def see_to_site() -> None:
    """Build the site if it must be; end with what is missing if it cannot be."""
    if os.environ.get("TERCET_SITE") == "none" or not _wants_building():
        return
    if not _has_node():
        state = "is older than its source in web/" if SITE.exists() else "has not been built"
        sys.exit(
            f"tercet: the site {state}, and there is no Node {NODE} with npm to build it. Run `make dist`, which brings "
            "its own; or install Node; or set TERCET_SITE=none for a package without the site."
        )
    for step in (["ci", "--omit=dev", "--no-audit", "--no-fund"], ["run", "build"]):
        subprocess.run([shutil.which("npm") or "npm", *step], cwd=WEB, check=True)


def _wants_building() -> bool:
    if not SITE.exists():
        return True
    if not Path(".git").exists():
        return False
    others = ("node_modules", "catalogue", "tests")
    sources = [path for path in WEB.rglob("*") if path.is_file() and not set(others) & set(path.parts)]
    return max(path.stat().st_mtime for path in sources) > SITE.stat().st_mtime


def _has_node() -> bool:
    if not shutil.which("npm") or not (node := shutil.which("node")):
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return said.startswith("v") and int(said[1:].partition(".")[0]) >= NODE


class WithSite(sdist):
    def run(self) -> None:
        see_to_site()
        super().run()


class WheelWithSite(bdist_wheel):
    def run(self) -> None:
        see_to_site()
        super().run()


setup(
    ext_modules=kernel_modules(),
    cmdclass={"build_ext": CompileKernel, "sdist": WithSite, "bdist_wheel": WheelWithSite},
)
