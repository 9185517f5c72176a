"""What is not installed is named, with the command that installs it: every extra at every entry that needs it.

A package is made to be missing by a None in ``sys.modules``. To try another entry, add a line to `CASES`.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tercet.extras import EXTRAS

ROOT = Path(__file__).parents[2]

CLI = {"typer", "rich", "platformdirs"}
CLIENT = {"websockets", "platformdirs"}
SERVER = {"segno", "uvicorn", "litestar", "sqlalchemy", "alembic", "argon2", "aiosqlite", "asyncpg", "redis", "httptools"}  # fmt: skip
STUDY, PARQUET = {"matplotlib", "numpy"}, {"pyarrow"}
RL, OPENSPIEL = {"numpy", "gymnasium", "pettingzoo"}, {"pyspiel", "numpy"}
EVERYTHING = CLI | CLIENT | SERVER | STUDY | PARQUET | RL | OPENSPIEL
#: What `tercet[cli]` leaves out.
BEYOND_CLI = EVERYTHING - CLI

#: What is missing, what is typed (a command, or a line of Python), the extra and the package that are named.
CASES = [
    # Nothing but the core: the command is there, and says what it is without.
    (EVERYTHING, "tercet", "cli", "typer"),
    (EVERYTHING, "tercet --version", "cli", "typer"),
    (EVERYTHING, "tercet sets 1RFD 2RFD 3RFD", "cli", "typer"),
    (EVERYTHING, "tercet serve", "cli", "typer"),
    ({"rich"}, "tercet odds", "cli", "rich"),
    (EVERYTHING, "from tercet.terminal.screen import wide_console; wide_console()", "cli", "rich"),
    (EVERYTHING, "import tercet.client", "client", "websockets"),
    (EVERYTHING, "import tercet.server.run", "server", "segno"),
    (EVERYTHING, "import tercet.server.web.app", "server", "litestar"),
    (EVERYTHING, "import tercet.server.settings", "server", "platformdirs"),
    (EVERYTHING, "import tercet.rl", "rl", "numpy"),
    (EVERYTHING, "import tercet.rl.set_v0", "rl", "numpy"),
    (EVERYTHING, "import tercet.rl.cubed_v0", "rl", "numpy"),
    (EVERYTHING, "import tercet.rl.single", "rl", "numpy"),
    (EVERYTHING, "import tercet.rl.batch", "rl", "numpy"),
    (EVERYTHING, "import tercet.cards.learning", "rl", "numpy"),
    (EVERYTHING, "import tercet.cubed.learning", "rl", "numpy"),
    # With the command line and nothing else.
    (BEYOND_CLI, "tercet serve", "server", "segno"),
    (BEYOND_CLI, "tercet backup x.gz", "server", "sqlalchemy"),
    (BEYOND_CLI, "tercet restore x.gz", "server", "sqlalchemy"),
    (BEYOND_CLI, "tercet rebuild", "server", "sqlalchemy"),
    (BEYOND_CLI, "tercet daily", "client", "websockets"),
    (BEYOND_CLI, "tercet sprint --server http://localhost:1", "client", "websockets"),
    (BEYOND_CLI, "tercet odds --plot odds.svg", "study", "matplotlib"),
    (BEYOND_CLI, "tercet arena quick casual --game set --plot arena.svg", "study", "matplotlib"),
    (BEYOND_CLI, "tercet games - --to parquet", "parquet", "pyarrow"),
    (BEYOND_CLI, "import tercet.client", "client", "websockets"),
    # A part of an extra.
    ({"litestar"}, "tercet serve", "server", "litestar"),
    ({"gymnasium"}, "import tercet.rl.single", "rl", "gymnasium"),
    ({"gymnasium"}, "import tercet.rl.zoo", "rl", "gymnasium"),
    ({"pettingzoo"}, "import tercet.rl.zoo", "rl", "pettingzoo"),
    ({"pettingzoo"}, "import tercet.rl.set_v0", "rl", "pettingzoo"),
    ({"pyspiel"}, "import tercet.rl.spiel", "openspiel", "pyspiel"),
    (
        STUDY,
        "from pathlib import Path; from tercet.study.plots import check_plot; check_plot(Path('a.svg'))",
        "study",
        "matplotlib",
    ),
]  # fmt: skip

BEGINNINGS = {
    "cli": "the command line needs",
    "client": "the client needs",
    "server": "the server needs",
    "study": "plots need",
    "parquet": "Parquet files need",
    "rl": "the learning environments need",
    "openspiel": "the games for OpenSpiel need",
}


def attempt(missing: set[str], typed: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Try that without these packages."""
    line = typed
    if typed.split(maxsplit=1)[0] == "tercet":
        line = f"from tercet.cli import main; main({typed.split()[1:]!r})"
    program = f"import sys; sys.modules.update(dict.fromkeys({sorted(missing)!r}))\n{line}"
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=folder, input="", check=False
    )


@pytest.mark.parametrize(("missing", "typed", "extra", "package"), CASES, ids=[case[1] for case in CASES])
def test_what_is_missing_is_named_with_the_command(
    missing: set[str], typed: str, extra: str, package: str, tmp_path: Path
) -> None:
    done = attempt(missing, typed, tmp_path)
    told = f"{BEGINNINGS[extra]} {package}, which is not installed: pip install 'tercet[{extra}]'\n"
    if typed.startswith("tercet"):
        assert (done.returncode, done.stderr) == (2, f"tercet: {told}")
    else:
        assert done.returncode == 1
        assert done.stderr.endswith(f"tercet.extras.MissingExtra: {told}")
    assert done.stdout == ""


def test_without_the_server_the_command_plays_in_the_terminal(tmp_path: Path) -> None:
    assert "Which game?" in attempt(BEYOND_CLI, "tercet", tmp_path).stdout


def test_every_extra_that_is_named_can_be_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["optional-dependencies"].keys() == EXTRAS.keys() == BEGINNINGS.keys()
    assert [package.partition(">")[0] for package in project["dependencies"]] == ["msgspec"]


def loaded(line: str) -> tuple[set[str], set[str]]:
    """What that imports: packages of others, and parts of the server."""
    program = f"import sys; before = set(sys.modules)\n{line}\nprint(*(set(sys.modules) - before))"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    names = set(told.split())
    # A compiled module brings a name of Cython's. Others are looked for and done without: by a plain kernel, by msgspec.
    known = sys.stdlib_module_names | {"tercet", "cython_runtime", "Cython", "cython", "typing_extensions"}
    tops = {name.partition(".")[0] for name in names}
    others = {top for top in tops - known if not top.startswith("_")}
    return others, {name for name in names if name.startswith("tercet.server.")}


#: Every module that needs nothing but the core: all but those that say otherwise in `EXTRAS`.
CORE = """
import importlib, pathlib, tercet
source = pathlib.Path(tercet.__file__).parent
for path in sorted(source.rglob("*.py")):
    parts = path.relative_to(source).with_suffix("").parts
    if parts[0] in ("cli", "client", "server", "rl") or parts[-1] in ("commands", "learning", "__main__"):
        continue
    importlib.import_module(".".join(["tercet", *parts]).removesuffix(".__init__"))
"""


def test_the_core_imports_only_msgspec() -> None:
    others, server = loaded(CORE)
    assert others == {"msgspec"}
    assert server == set()


def test_the_client_takes_nothing_of_the_server_but_its_protocol() -> None:
    others, server = loaded("import tercet.client")
    assert others == {"msgspec", "platformdirs", "websockets"}
    assert all(name.startswith("tercet.server.protocol") for name in server)
