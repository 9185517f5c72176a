"""Settings that make no sense: the error names the file or the variable, what was written and what would be right."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.server.settings import ELSEWHERE, Settings, SettingsError, load

ROOT = Path(__file__).parents[2]

PROXY = "write it as in '127.0.0.1' or '10.0.0.0/8'"
PATH = "write it as in '/tercet'; /api, /assets, /embed, /health and /metrics are taken"


@pytest.mark.parametrize(
    ("variable", "text", "message"),
    [
        ("PORT", "x", "'x' is not a whole number from 0 to 65535"),
        ("PORT", "65536", "'65536' is not a whole number from 0 to 65535"),
        (
            "PORT",
            "tcp://10.0.0.1:8000",
            "'tcp://10.0.0.1:8000' is not a whole number from 0 to 65535",
        ),
        ("SECURE", "yes", "'yes' is not true or false"),
        ("WORKERS", "0", "'0' is not a whole number from 1 to 256"),
        ("REVIEW_NICE", "21", "'21' is not a whole number from 0 to 20"),
        ("LIMITS_SOCKETS", "-1", "'-1' is not a whole number of 0 or more"),
        ("LIMITS_HEADERS", "0", "'0' is not a whole number of 1 or more"),
        ("LIMITS_REQUEST_SECONDS", "soon", "'soon' is not a number of 0.1 or more"),
        ("LIMITS_REQUEST_SECONDS", "nan", "'nan' is not a number of 0.1 or more"),
        ("ORIGINS", "club.example", "'club.example': write it as in 'https://club.example'"),
        ("ORIGINS", "https://a.example,x", "'x': write it as in 'https://club.example'"),
        ("HOSTS", "https://club.example", "'https://club.example': write it as in 'club.example', or '*'"),
        (
            "DATABASE",
            "mysql://ann:secret@x",
            "write it as in 'tercet.db', a file, or 'postgresql://user@host/name'",
        ),
        ("BUS", "http://x", "write it as in 'redis://host'; rediss:// and unix:// will do as well"),
        (
            "DAYS",
            "/nope",
            "'/nope': write it as in 'year.jsonl', a file that is there; tercet puzzles make writes one",
        ),
        ("PROXIES", "localhost", f"'localhost': {PROXY}"),
        ("PATH", "tercet", f"'tercet': {PATH}"),
        ("PATH", "/a/../b", f"'/a/../b': {PATH}"),
        ("PATH", "//evil.example", f"'//evil.example': {PATH}"),
        ("PATH", "/a b", f"'/a b': {PATH}"),
        ("PATH", "/api/tercet", f"'/api/tercet': {PATH}"),
        ("PROT", "8000", "there is no such setting; did you mean TERCET_PORT?"),
        ("FOO", "1", "there is no such setting"),
        ("DATABSE", "x", "there is no such setting; did you mean TERCET_DATABASE?"),
        ("LIMIT_SOCKETS", "9", "there is no such setting; did you mean TERCET_LIMITS_SOCKETS?"),
        ("DB", "x", "there is no such setting; did you mean TERCET_DATABASE?"),
        ("SOCKETS", "9", "there is no such setting; did you mean TERCET_LIMITS_SOCKETS?"),
        ("LIMITS_PORT", "9", "there is no such setting; did you mean TERCET_LIMITS_SOCKETS?"),
        ("Port", "9", "there is no such setting; did you mean TERCET_PORT?"),
        ("LIMITS", "9", "there is no such setting; did you mean TERCET_LIMITS_TABLES?"),
        ("QQQQQQQQQQQ", "9", "there is no such setting"),
    ],
)
def test_a_variable_that_makes_no_sense_is_named(variable: str, text: str, message: str) -> None:
    with pytest.raises(SettingsError) as error:
        load(environment={f"TERCET_{variable}": text, "HOME": "/root"})
    assert str(error.value) == f"TERCET_{variable}: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("port = 'x'", "port: 'x' is not a whole number from 0 to 65535"),
        ("port = 80.5", "port: 80.5 is not a whole number from 0 to 65535"),
        ("host = ''", "host: '' must be text, and not empty"),
        ("host = 5", "host: 5 must be text, and not empty"),
        (
            "database = ['postgresql://a:secret@b/c']",
            "database: what is written there must be text, and not empty",
        ),
        ("hosts = 'club.example'", "hosts: 'club.example' is not a list of texts, such as ['…', '…']"),
        ("secure = 'no'", "secure: 'no' is not true or false"),
        ("limits = 5", "limits: 5 is not a table: [limits]"),
        ("[limits]\nsockets = -1", "limits.sockets: -1 is not a whole number of 0 or more"),
        ("[limits]\nidle_seconds = inf", "limits.idle_seconds: inf is not a number of 0.1 or more"),
        ("[limits]\nsocket = 1", "there is no setting 'limits.socket'; did you mean 'limits.sockets'?"),
        ("sockets = 1", "there is no setting 'sockets'; did you mean 'limits.sockets'?"),
        ("[limits]\nport = 1", "there is no setting 'limits.port'; did you mean 'port'?"),
        ("prot = 1", "there is no setting 'prot'; did you mean 'port'?"),
        ("qqqqqqqqq = 1", "there is no setting 'qqqqqqqqq'"),
        (
            "origins = ['https://club.example/']",
            "origins: 'https://club.example/': write it as in 'https://club.example'",
        ),
        ("origins = ['http://[']", "origins: 'http://[': write it as in 'https://club.example'"),
        ("path = '/embed'", f"path: '/embed': {PATH}"),
        ("port =", "this is not TOML: Invalid value (at end of document)"),
        ("\xff", "this is not UTF-8"),
        (None, "No such file or directory"),
    ],
)
def test_a_file_that_makes_no_sense_is_named(tmp_path: Path, text: str | None, message: str) -> None:
    file = tmp_path / "tercet.toml"
    if text is not None:
        file.write_bytes(text.encode("latin-1" if "\xff" in text else "utf-8"))
    with pytest.raises(SettingsError) as error:
        load(file, {})
    assert str(error.value) == f"{file}: {message}"


def test_the_command_line_is_named() -> None:
    with pytest.raises(SettingsError) as error:
        load(environment={}, database="")
    assert str(error.value) == "--db: what is written there must be text, and not empty"


@pytest.mark.parametrize(("written", "path"), [("/", ""), ("/tercet", "/tercet"), ("/a/b.c/", "/a/b.c")])
def test_a_path_is_kept_without_its_last_slash(written: str, path: str) -> None:
    assert load(environment={"TERCET_PATH": written}).path == path


def test_names_of_a_list_may_stand_apart() -> None:
    assert load(environment={"TERCET_HOSTS": "a.example, b.example,"}).hosts == ("a.example", "b.example")


def test_variables_of_other_parts_are_let_be() -> None:
    """Every name that begins so, and is read anywhere here, is either a setting or known to be read elsewhere."""
    assert load(environment=dict.fromkeys(ELSEWHERE, "1")) == load(environment={})
    files = [ROOT / "setup.py", ROOT / "Makefile", ROOT / "compose.yaml"]
    files += [path for folder in ("src", "tests", "examples") for path in (ROOT / folder).rglob("*.py")]
    texts = [path.read_text("utf-8") for path in files if path != Path(__file__)]
    read = {
        name for text in texts for name in re.findall(r"(?:environ|getenv)\W.{0,30}?(TERCET_[A-Z_]+)", text)
    }
    assert read - ELSEWHERE <= {f"TERCET_{name.upper()}" for name in Settings.__struct_fields__}


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)


def outcome(environment: dict[str, str], **values: Any) -> str:
    try:
        return repr(load(environment=environment, **values))
    except SettingsError as error:
        return str(error)


@given(st.dictionaries(st.sampled_from(Settings.__struct_fields__), _ANYTHING, max_size=4))
def test_whatever_is_given_is_a_setting_or_a_clear_error(values: dict[str, Any]) -> None:
    assert outcome({}, **values).startswith(("Settings(", "--"))


@given(
    st.dictionaries(st.sampled_from(["PORT", "HOSTS", "PATH", "SECURE", "LIMITS_SOCKETS", "X"]), st.text())
)
def test_whatever_the_environment_says_is_a_setting_or_a_clear_error(values: dict[str, str]) -> None:
    environment = {f"TERCET_{name}": text for name, text in values.items()}
    assert outcome(environment).startswith(("Settings(", "TERCET_"))
