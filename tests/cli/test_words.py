"""Every refusal that the games can give has its sentence."""

from __future__ import annotations

import ast
from pathlib import Path

import tercet
from tercet.cli.words import REFUSALS, refusal_words
from tercet.games import Refusal

CORE = Path(tercet.__file__).parent


def refusals_in_the_core() -> dict[str, set[str]]:
    """The code of every `Refusal` made anywhere in the games, with the details that always come with it."""
    found: dict[str, set[str]] = {}
    for path in (CORE / "games.py", *(CORE / "cards").glob("*.py"), *(CORE / "cubed").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
                code = node.args[0]
                assert isinstance(code, ast.Constant), f"{path.name}:{node.lineno} computes its code"
                assert isinstance(code.value, str)
                details = {keyword.arg for keyword in node.keywords if keyword.arg is not None}
                found[code.value] = found.get(code.value, details) & details
    return found


def test_every_refusal_has_a_sentence_and_no_sentence_is_left_over() -> None:
    assert set(REFUSALS) == set(refusals_in_the_core())


def test_the_sentences_use_only_what_always_comes_with_the_refusal() -> None:
    for code, details in refusals_in_the_core().items():
        sentence = refusal_words(Refusal(code, **dict.fromkeys(details, 0)), ["Ann"])
        assert sentence.endswith(".")
        assert "{" not in sentence


def test_seats_go_by_their_names() -> None:
    assert refusal_words(Refusal("not_your_turn", turn=1), ["Ann", "Bo"]) == "It is the turn of Bo."
    assert (
        refusal_words(Refusal("not_on_logo", logo=["d5", "e5", "f5"]), [])
        == "The opening SET goes on the logo: d5 e5 f5."
    )
