"""`tercet edition`."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

from tercet.cubed import Edition
from tests.cli.command import answer, run, write

HOUSE = (resources.files("tercet") / "editions" / "house.toml").read_text("utf-8")


def test_check_says_ok(tmp_path: Path) -> None:
    assert answer("edition", "check", write(tmp_path, "mine.toml", HOUSE)).startswith(
        "ok: house (House edition): board 9x9"
    )
    assert json.loads(answer("edition", "check", "-", "--json", stdin=HOUSE))["dice_count"] == 42


def test_check_names_the_part_that_is_wrong(tmp_path: Path) -> None:
    done = run("edition", "check", write(tmp_path, "mine.toml", HOUSE.replace('"1RD 1RO', '"1RD W 1RO')))
    assert done.returncode == 2
    assert done.stderr.endswith("mine.toml: die 1 has 7 faces: a die has 6\n")


def test_list_and_show() -> None:
    assert [line.split()[0] for line in answer("edition", "list").splitlines()] == ["dutch", "house"]
    assert [told["wild"] for told in json.loads(answer("edition", "list", "--json"))] == ["never", "later"]
    shown = answer("edition", "show", "house")
    assert "( )   ( )   ( )" in shown
    assert "die 42" in shown
    assert max(map(len, shown.split("\n\n")[1].splitlines())) <= 80
    assert len(json.loads(answer("edition", "show", "dutch", "--json"))["dice"]) == 42


def test_the_template_is_the_house_edition_to_fill_in() -> None:
    template = answer("edition", "template")
    assert Edition.read("\ufeff" + template) == Edition.read(template)
    assert answer("edition", "check", "-", stdin=template).startswith("ok: my-box")
    assert Edition.read(template).fingerprint == Edition.named("house").fingerprint
