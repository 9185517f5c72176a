"""The golden playthroughs are what the games do today, and there is one for each game and variant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tercet import games, record
from tercet.cubed import built_in_names
from tests.playthroughs.play import FOLDER, VARIANTS, new_game, playthrough, tell


@pytest.mark.parametrize("name", VARIANTS)
def test_playthrough_is_as_it_was(name: str) -> None:
    kept = FOLDER / f"{name}.txt"
    assert kept.exists(), "write it with: python -m tests.playthroughs"
    assert playthrough(name) == kept.read_text(encoding="utf-8"), (
        "The game went another way. If that is meant: python -m tests.playthroughs, and look at the difference."
    )
    assert kept.stat().st_size < 60_000


@pytest.mark.parametrize("name", VARIANTS)
def test_the_record_of_a_playthrough_is_read_as_it_was_written(name: str) -> None:
    game = new_game(name)
    tell(game, name)
    kept = record.of(game)
    assert record.read(record.write(kept)) == kept
    assert record.read(record.write_json(kept)) == kept


def test_no_playthrough_is_left_over() -> None:
    assert {path.stem for path in Path(FOLDER).glob("*.txt")} == set(VARIANTS)


@pytest.mark.parametrize("name", games.names())
def test_every_game_has_playthroughs_for_every_option_and_number_of_players(name: str) -> None:
    rules = games.find(name).rules
    played = [(players, options) for game, players, options in VARIANTS.values() if game == name]
    assert {players for players, _ in played} == set(range(rules.min_seats, rules.max_seats + 1))
    missing = set(rules.options_type.__struct_fields__) - {key for _, options in played for key in options}
    assert not missing, f"no playthrough of {name} plays with {missing}"


def test_every_edition_has_a_playthrough() -> None:
    def edition(options: dict[str, Any]) -> str:
        chosen = options.get("edition", "house")
        return chosen if isinstance(chosen, str) else str(chosen["name"])

    played = {edition(options) for game, _, options in VARIANTS.values() if game == "cubed"}
    assert played >= {*built_in_names(), "small"}
