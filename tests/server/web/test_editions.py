"""An edition of somebody's own: checked, and kept with the table."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path
from typing import Any

import pytest

from tercet import cubed, record
from tercet.client import ClientError
from tercet.editions import edition, template
from tercet.server.protocol import CheckedEdition, Ready
from tercet.server.protocol.refusals import EDITION_PROBLEMS
from tests.server.serving import run, serving

SMALL = """name = "small-board"
title = "The small board"
extends = "house"
size = [7, 9]
logo = ["d4", "e4", "f4"]

[bonus]
a1 = 5
"""


async def check(client: Any, text: str) -> CheckedEdition:
    found: CheckedEdition = await client.request("POST", "/api/editions", {"text": text}, kind=CheckedEdition)
    return found


async def check_again_and_again(client: Any) -> None:
    while True:
        await check(client, "")


def test_an_edition_is_checked_and_played_with(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann, bo = await server.client("Ann"), await server.client("Bo")
            checked = await check(ann, SMALL)
            assert checked.problem is None
            assert checked.edition is not None
            assert checked.edition["title"] == "The small board"
            assert len(checked.edition["dice"]) == 42, "what it extends is in it"
            code = await ann.create_table("cubed", bots=["random"], options={"edition": checked.edition})
            async with ann.join(code) as table, bo.join(code) as onlooker:
                assert onlooker.table.options["edition"] == checked.edition
                await table.manage(Ready())
                await table.until(lambda: table.game is not None)
                state: cubed.State = table.state
                assert (state.options.edition.layout.rows, len(state.board)) == (7, 63)
                assert table.game is not None
                played = record.read(await ann.record(table.game))
                assert played.options.edition == cubed.Edition.read(SMALL)

    run(scenario())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("size = [", {"code": "not_toml", "line": None}),
        ('name = "x"\n= 3', {"code": "not_toml", "line": 2}),
        ("", {"code": "no_name"}),
        (template().replace('"1RD', '"1XD', 1), {"code": "bad_face", "text": "1XD"}),
        (SMALL.replace("a1 = 5", "d4 = 5"), {"code": "bonus_on_logo", "square": "d4"}),
        (SMALL.replace("a1 = 5", "z9 = 5"), {"code": "off_board", "square": "z9"}),
        (SMALL + "\n[colour]\nred = 1", {"code": "bad_key", "key": "colour"}),
        (SMALL.replace("[7, 9]", '"large"'), {"code": "bad_key", "key": "size"}),
        (SMALL.replace("[7, 9]", "[4, 9]"), {"code": "no_room", "squares": 36, "count": 42}),
        (SMALL.replace("house", "attic"), {"code": "no_such_base"}),
        (
            'name = "much"\nextends = "house"\nsize = [40, 40]\ndice = ['
            + '"1RD 2RD 3RD 1GD 2GD 3GD",' * 900
            + "]",
            {"code": "too_large"},
        ),
    ],
)
def test_what_is_wrong_is_said_as_data(tmp_path: Path, text: str, problem: dict[str, Any]) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            checked = await check(await server.client("Ann"), text)
            assert checked.edition is None
            assert checked.problem is not None
            assert checked.detail
            assert checked.problem["code"] in EDITION_PROBLEMS
            assert problem.items() <= checked.problem.items()

    run(scenario())


def test_a_text_without_end_and_texts_without_end_are_refused(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path / "t.db") as server:
            ann = await server.client("Ann")
            with pytest.raises(ClientError, match="text") as refused:
                await check(ann, "#" * 40_001)
            assert refused.value.code == "bad_request"
            with pytest.raises(ClientError) as refused:
                await asyncio.wait_for(check_again_and_again(ann), 30)
            assert refused.value.code == "too_fast"

    run(scenario())


def test_every_problem_is_listed() -> None:
    tree = ast.parse(Path(edition.__file__).read_text("utf-8"))
    raised = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "EditionError"
    ]
    said = {str(code.value) for call in raised for code in call.args[1:2] if isinstance(code, ast.Constant)}
    assert said <= set(edition.PROBLEMS)
    assert set(edition.PROBLEMS) - said <= {"bad_form", "bad_key"}
