"""Tries at a password count by account and by address, and nobody locks out anybody else."""

from __future__ import annotations

import asyncio
import http.client
import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tercet.client import Client
from tercet.server.people.people import account_key
from tercet.server.people.throttle import FROM_EVERYWHERE, Throttle
from tests.server.serving import run, serving

PASSWORD = "correct horse"
SPELLINGS = ("Ann", " Ann", "ANN", "\uff21\uff4e\uff4e", "Ann\u2003", "\u00a0aNN")


def test_all_spellings_of_a_name_are_one_account() -> None:
    assert {account_key(name) for name in SPELLINGS} == {"ann"}


def test_one_address_has_so_many_tries_however_it_spells_the_name() -> None:
    throttle = Throttle(3)
    assert [throttle.may_try(name, "192.0.2.1") for name in SPELLINGS[:5]] == [True] * 3 + [False] * 2


def test_all_addresses_together_fail_only_so_often_and_known_ones_go_on() -> None:
    throttle = Throttle(3)
    throttle.succeeded("Ann", "198.51.100.7")
    tries = 0
    for number in range(1000):
        address = f"192.0.2.{number}"
        if throttle.may_try(SPELLINGS[number % len(SPELLINGS)], address):
            throttle.failed(SPELLINGS[number % len(SPELLINGS)])
            tries += 1
    assert tries == FROM_EVERYWHERE * 3
    assert not throttle.may_try("Ann", "203.0.113.1")
    assert throttle.may_try("Bo", "203.0.113.1")
    assert throttle.may_try("ann", "198.51.100.7")
    assert throttle.may_try("ann", "192.0.2.1", session="of Ann's own browser")


def test_a_name_that_looks_like_an_address_takes_nothing_from_it() -> None:
    throttle = Throttle(3)
    for number in range(100):
        throttle.may_try("127.9.9.9", f"192.0.2.{number}")
        throttle.failed("127.9.9.9")
    assert throttle.may_try("Ann", "127.9.9.9")


def log_in_from(url: str, address: str, name: str, password: str) -> str:
    """Log in from this address of the loopback; the code of the failure, or ``ok``."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    connection = http.client.HTTPConnection(
        parts.hostname, parts.port, timeout=20, source_address=(address, 0)
    )
    body = json.dumps({"name": name, "password": password})
    connection.request("POST", "/api/login", body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    content = json.loads(answer.read())
    connection.close()
    return "ok" if answer.status == 201 else str(content["code"])


def test_the_real_ann_gets_in_while_somebody_guesses(tmp_path: Path) -> None:
    try:
        import socket

        with socket.socket() as probe:
            probe.bind(("127.9.9.9", 0))
    except OSError:
        pytest.skip("this system has one loopback address")

    async def scenario() -> None:
        async with serving(tmp_path / "t.db", limits={"logins_per_minute": 3}) as server:
            ann = await server.client("Ann")
            await ann.request("POST", "/api/account", {"name": "Ann", "password": PASSWORD})

            async def attempt(address: str, name: str, password: str) -> str:
                return await asyncio.to_thread(log_in_from, server.url, address, name, password)

            codes = [await attempt("127.8.8.8", name, "wrong password") for name in SPELLINGS[:5]]
            assert codes == ["wrong_password"] * 3 + ["too_fast"] * 2
            codes = [await attempt("127.7.7.7", "127.9.9.9", "wrong password") for _ in range(3)]
            assert codes == ["wrong_password"] * 3
            assert await attempt("127.9.9.9", "Ann", PASSWORD) == "ok"
            # Also where the guesser sits, from a browser that is signed in to the account.
            for _ in range(4):
                await attempt("127.0.0.1", "Ann", "wrong password")
            await ann.log_in("Ann", PASSWORD)
            assert await attempt("127.0.0.1", "Ann", PASSWORD) == "too_fast"
            wrong = Client(server.url)
            assert wrong.me is None

    run(scenario())
