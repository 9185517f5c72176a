"""Wheel and sdist, built in a clean tree, installed into empty environments, and used there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.package.installed import (
    ROOT,
    SITE,
    bare,
    call,
    clean_tree,
    empty_environment,
    serve_and_play,
    sizes,
)

BUILT = (ROOT / SITE / "index.html").is_file()
#: The most that the core may take on disk, with all that it needs, in megabytes.
MOST = 10


def build(tree: Path, env: dict[str, str], *options: str) -> tuple[Path, Path]:
    """`python -m build`: the wheel, made from the sdist, and the sdist."""
    call(sys.executable, "-m", "build", *options, "--outdir", tree / "dist", cwd=tree, env=env)
    return next((tree / "dist").glob("*.whl")), next((tree / "dist").glob("*.tar.gz"))


def names_in(package: Path) -> set[str]:
    """The files of a wheel or an sdist, from the top of the package."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            return set(wheel.namelist())
    with tarfile.open(package) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def files_below(folder: str, pattern: str) -> set[str]:
    return {str(path.relative_to(ROOT / folder)) for path in (ROOT / folder).glob(pattern) if path.is_file()}


def check_carries_all(wheel: Path, sdist: Path) -> None:
    """The site, the editions, the drawings of the docs."""
    in_wheel, in_sdist = names_in(wheel), names_in(sdist)
    editions = {f"tercet/{name}" for name in files_below("src/tercet", "editions/**/*.toml")}
    site = {name for name in in_wheel if name.startswith("tercet/server/site/")}
    assert editions
    assert editions <= in_wheel
    assert "tercet/server/site/index.html" in site
    assert {f"src/{name}" for name in editions | site} <= in_sdist
    drawings = files_below("docs/images", "*.svg")
    assert drawings <= {Path(name).name for name in in_wheel if "/share/doc/tercet/images/" in name}
    assert {f"docs/images/{name}" for name in drawings} <= in_sdist
    assert not [name for name in in_sdist if "node_modules" in name or name.endswith((".so", ".pyc"))]


def without_compiler(folder: Path) -> dict[str, str]:
    """The environment of a machine that has neither a C compiler nor Node."""
    (folder / "empty").mkdir(exist_ok=True)
    return bare(PATH=str(folder / "empty"))


@pytest.mark.slow
@pytest.mark.skipif(not BUILT, reason="the site has not been built: make web")
def test_without_a_compiler_it_builds_installs_serves_and_plays(tmp_path: Path) -> None:
    tree = clean_tree(tmp_path / "tree")
    shutil.copytree(ROOT / SITE, tree / SITE)
    wheel, sdist = build(tree, without_compiler(tmp_path), "--no-isolation")
    check_carries_all(wheel, sdist)

    core = empty_environment(tmp_path / "core", wheel)
    megabytes, others = sizes(core)
    print(f"\nwheel {wheel.stat().st_size / 1e6:.1f} MB, sdist {sdist.stat().st_size / 1e6:.1f} MB")
    print(f"core: {megabytes:.1f} MB installed, {others} dependency")
    assert megabytes <= MOST
    assert others == 1
    assert (
        call(
            core / "python",
            "-c",
            "from tercet import Card, third; print(third(Card('1RFD'), Card('2GHO')))",
            cwd=tmp_path,
        )
        == "3PES\n"
    )

    server = empty_environment(tmp_path / "server", f"tercet[server] @ {wheel.as_uri()}")
    print("server: {:.1f} MB installed, {} dependencies".format(*sizes(server)))
    assert call(server / "tercet", "--version", cwd=tmp_path) == "tercet 0.1.0, kernel not compiled\n"
    serve_and_play(server, tmp_path)


@pytest.mark.slow
def test_without_node_a_clone_says_what_is_missing(tmp_path: Path) -> None:
    tree = clean_tree(tmp_path / "tree")
    for what in ("--sdist", "--wheel"):
        done = subprocess.run(
            [sys.executable, "-m", "build", what, "--no-isolation"],
            cwd=tree,
            env=without_compiler(tmp_path),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode != 0
        assert (
            "tercet: the site has not been built, and there is no Node 22 with npm to build it. Run `make dist`, which "
            "brings its own; or install Node; or set TERCET_SITE=none for a package without the site."
        ) in done.stdout + done.stderr


def pythons() -> list[str]:
    """Every Python from 3.11 to 3.14 that this machine has."""
    folders = [str(folder) for folder in sorted(Path.home().glob(".pyenv/versions/*/bin"))]
    path = os.pathsep.join([*folders, os.environ["PATH"]])
    found = [shutil.which(f"python3.{minor}", path=path) for minor in range(11, 15)]
    return [python for python in found if python is not None]


@pytest.mark.long
def test_make_dist_in_a_clean_clone_then_wheel_and_sdist_on_every_python(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    call("git", "clone", "--quiet", ROOT, clone, cwd=tmp_path)
    call("make", "dist", cwd=clone)
    wheel, sdist = next((clone / "dist").glob("*.whl")), next((clone / "dist").glob("*.tar.gz"))
    check_carries_all(wheel, sdist)
    ours = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for python in pythons():
        name = call(
            python, "-c", "import sys; print('python%d.%d' % sys.version_info[:2])", cwd=tmp_path
        ).strip()
        folder = tmp_path / name
        folder.mkdir()
        packages = {"sdist": sdist} | ({"wheel": wheel} if name == ours else {})
        for kind, package in packages.items():
            core = empty_environment(folder / f"{kind}-core", package, python=python)
            server = empty_environment(folder / kind, f"tercet[server] @ {package.as_uri()}", python=python)
            client = empty_environment(
                folder / f"{kind}-client", f"tercet[client] @ {package.as_uri()}", python=python
            )
            said = call(server / "tercet", "--version", cwd=folder)
            print(f"\n{name} from the {kind} ({package.stat().st_size / 1e6:.1f} MB): {said.strip()}")
            for part, environment in (("core", core), ("client", client), ("server", server)):
                print("  {}: {:.1f} MB installed, {} dependencies".format(part, *sizes(environment)))
            assert said == "tercet 0.1.0, kernel compiled\n"
            assert sizes(core)[0] <= MOST
            assert sizes(core)[1] == 1
            serve_and_play(server, folder)
