"""Every refusal that a game can give has its sentence in the terminal."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

from tercet import games
from tercet.games import Refusal, catalogue, race
from tercet.terminal.words import COMMON_REFUSALS, refusal_words

GAMES = pytest.mark.parametrize("game", games.names())
#: What `Game` itself refuses.
OF_ANY_GAME = {"not_over", "nothing_to_undo"}


def details_in_the_source(game: str) -> dict[str, set[str]]:
    """The code of every `Refusal` made in this game, with the details that always come with it."""
    found: dict[str, set[str]] = {}
    paths = [*Path(str(import_module(catalogue.package(game)).__file__)).parent.rglob("*.py")]
    if isinstance(games.find(game).rules, race.RaceRules):
        paths.append(Path(race.__file__))
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
                code = node.args[0]
                assert isinstance(code, ast.Constant), f"{path.name}:{node.lineno} computes its code"
                assert isinstance(code.value, str)
                details = {keyword.arg for keyword in node.keywords if keyword.arg is not None}
                found[code.value] = found.get(code.value, details) & details
    return found


def own_sentences(game: str) -> dict[str, str]:
    part = games.part(game, "terminal")
    assert part is not None
    return dict(part.desk.refusals)


@GAMES
def test_every_refusal_has_a_sentence_and_no_sentence_is_left_over(game: str) -> None:
    refusals, own = set(games.find(game).rules.refusals), set(own_sentences(game))
    assert refusals | OF_ANY_GAME <= own | set(COMMON_REFUSALS)
    assert own <= refusals


def test_no_common_sentence_is_left_over() -> None:
    refused = {code for game in games.names() for code in games.find(game).rules.refusals}
    assert set(COMMON_REFUSALS) - OF_ANY_GAME <= refused


@GAMES
def test_the_sentences_use_only_what_always_comes_with_the_refusal(game: str) -> None:
    found = details_in_the_source(game)
    for code in games.find(game).rules.refusals:
        refusal = Refusal(code, **dict.fromkeys(found.get(code, ()), 0))
        sentence = refusal_words(refusal, ["Ann"], own_sentences(game))
        assert sentence.endswith(".")
        assert "{" not in sentence


def test_lists_are_written_out() -> None:
    said = refusal_words(Refusal("not_on_logo", logo=["d5", "e5", "f5"]), [], own_sentences("cubed"))
    assert said == "The opening SET goes on the logo: d5 e5 f5."
