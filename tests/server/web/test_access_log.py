"""The access log: a line for every request, in a form that programs know, and nothing in it that is a secret."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tercet.client import Client
from tercet.server.settings import SettingsError, load
from tercet.server.web.access import AccessLog
from tests.server.serving import Serving, run, serving

#: As Apache writes it (the Common Log Format), and the seconds.
LINE = re.compile(
    r'(?P<address>\S+) - - \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000\] "(?P<request>[^"]*)" (?P<status>\d+)'
    r" (?P<bytes>\d+) (?P<seconds>\d+\.\d{3})"
)


async def use(server: Serving) -> list[str]:
    """Somebody comes, plays, goes and tries things; all that nobody else should read in a log."""
    home = server.url + server.app._settings.path
    ann = Client(home)
    await ann.sign_in("Annabella")
    code = await ann.create_table("set", people=1)
    async with ann.join(code):
        pass
    token = (await ann.request("POST", "/api/tokens", {"label": "my little bot"}))["secret"]
    await Client(home, token=token).my_games()

    def try_things() -> None:
        parts = urlsplit(home)
        assert parts.hostname is not None
        for path, headers in (
            *((("", {}),) if parts.path else ()),
            (f"/t/{code}", {}),
            ("/daily?secret=query", {}),
            ("/icon.svg", {}),
            ('/evil" 200\n[x', {}),
            ("/api/evil/secretpath", {}),
            ("/", {"Host": "evil.example", "User-Agent": "secretagent", "Referer": "http://secretsite/"}),
            ("/", {"X": "x" * 20_000}),
        ):
            with closing(http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)) as connection:
                connection._validate_path = lambda _path: None  # type: ignore[attr-defined]
                connection.request(
                    "GET", parts.path + path.replace("\n", "%0A").replace(" ", "%20"), headers=headers
                )
                connection.getresponse().read()

    await asyncio.to_thread(try_things)
    secrets = ["Annabella", "little", "query", "secret", "evil"]
    return [*secrets, code, token, ann.headers()["Cookie"].partition("=")[2]]


def served(folder: Path, **settings: object) -> tuple[str, list[str]]:
    log = folder / "access.log"

    async def scenario() -> list[str]:
        async with serving(folder / "t.db", access_log=str(log), **settings) as server:
            return await use(server)

    secrets = run(scenario())
    return log.read_text("utf-8"), secrets


def test_lines_are_in_the_common_form_and_hold_no_secrets(tmp_path: Path) -> None:
    text, secrets = served(tmp_path, path="/tercet")
    lines = [LINE.fullmatch(line) for line in text.splitlines()]
    assert all(lines), text
    said = [(line["request"], line["status"]) for line in lines if line is not None]
    for expected in (
        ("POST /tercet/api/session HTTP/1.1", "201"),
        ("POST /tercet/api/tables HTTP/1.1", "201"),
        ("GET /tercet/api/tables/{code}/socket HTTP/1.1", "101"),
        ("GET /tercet HTTP/1.1", "307"),
        ("GET /tercet/t/* HTTP/1.1", "200"),
        ("GET /tercet/daily HTTP/1.1", "200"),
        ("GET /tercet/api/* HTTP/1.1", "404"),
        ("GET /tercet/ HTTP/1.1", "421"),
        ("- - HTTP/1.1", "431"),
    ):
        assert expected in said, (expected, said)
    assert {line["address"] for line in lines if line is not None} == {"127.0.0.1"}
    assert not [secret for secret in secrets if secret in text]


def test_lines_are_json_where_the_logs_are(tmp_path: Path) -> None:
    text, secrets = served(tmp_path, log_json=True)
    lines = [json.loads(line) for line in text.splitlines()]
    assert all(
        list(line) == ["time", "from", "address", "method", "path", "status", "bytes", "seconds"]
        for line in lines
    )
    assert "/api/tables/{code}/socket" in {line["path"] for line in lines}
    assert not [secret for secret in secrets if secret in text]


def test_another_program_may_begin_a_new_file(tmp_path: Path) -> None:
    log = AccessLog(load(environment={}, access_log=str(tmp_path / "access.log")))
    log.refused("192.0.2.7", 429)
    (tmp_path / "access.log").rename(tmp_path / "access.log.1")
    log.refused('"><script>\n', 429)
    log.close()
    assert (tmp_path / "access.log.1").read_text().startswith("192.0.2.7 ")
    assert (tmp_path / "access.log").read_text().startswith("- - - [")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as error:
        AccessLog(load(environment={}, access_log=str(tmp_path / "no" / "access.log")))
    assert str(error.value) == f"access_log: cannot write {tmp_path}/no/access.log: No such file or directory"
