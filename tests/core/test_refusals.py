"""Every game lists all codes with which it refuses, so that every shell can have words for them."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

from tercet import games
from tercet.cubed import Position
from tercet.cubed.judge import judge_lay, take_from_hand
from tercet.games.race import RaceRules


@pytest.mark.parametrize("name", games.names())
def test_the_refusals_of_a_game_are_those_in_its_source(name: str) -> None:
    rules = games.find(name).rules
    package = import_module(type(rules).__module__.rpartition(".")[0])
    assert package.__file__ is not None
    sources = [path.read_text("utf-8") for path in Path(package.__file__).parent.glob("*.py")]
    if isinstance(rules, RaceRules):
        sources.append(Path(inspect.getfile(RaceRules)).read_text("utf-8"))
    if any("come_or_go(" in source for source in sources):
        sources.append(Path(inspect.getfile(games.StepAway)).read_text("utf-8"))
    if any("judge_lay(" in source for source in sources) and name != "cubed":
        sources += [inspect.getsource(one) for one in (judge_lay, take_from_hand, Position._examine)]
    used = {code for source in sources for code in re.findall(r'Refusal\(\s*"(\w+)"', source)}
    assert set(rules.refusals) == used
    assert list(rules.refusals) == sorted(set(rules.refusals))
