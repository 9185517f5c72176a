"""The odds: every number that is known comes out, and the same numbers whoever counts them."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tercet import Card, find_sets, kernel
from tercet.cards import numbers
from tercet.cards.odds import CardOdds, Policy
from tercet.cli.odds import odds_command
from tercet.cubed.odds import CubedOdds

GAMES = 100_000 if kernel.COMPILED else 100

runner = CliRunner()


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(odds_command)
    return app


def counted(policy: Policy, games: int, workers: int = 2) -> CardOdds:
    counts = CardOdds(policy=policy)
    for _ in counts.simulate(games, 1, workers):
        pass
    assert counts.number == games
    return counts


@pytest.mark.parametrize("policy", ["random", "first"])
def test_every_known_number_is_within_three_standard_errors(policy: Policy) -> None:
    cells = [cell for section in counted(policy, GAMES).sections() for cell in section.cells]
    known = [cell for cell in cells if cell.known is not None]
    assert len(known) > 20
    assert not [cell for cell in known if cell.off is None or cell.off >= 3]


def test_the_counts_are_the_same_with_any_number_of_workers() -> None:
    one, many = counted("random", GAMES // 4, 1), counted("random", GAMES // 4, 3)
    assert one.games == many.games
    assert one.tables == many.tables


def test_the_exact_numbers_agree_with_counting_by_hand() -> None:
    cards = Card.all()[:27]
    assert sum(1 for a in range(81) for b in range(a)) == comb(81, 2) == numbers.SET_FREE_81[2]
    assert numbers.SET_FREE_81[3] == comb(81, 3) - len(find_sets(Card.all()))
    assert numbers.SET_FREE_27[3] == comb(27, 3) - len(find_sets(cards))
    assert numbers.no_set(21) == numbers.no_set(10, 27) == 0
    assert numbers.mean_sets(81) == len(find_sets(Card.all()))


def test_the_facts_of_the_dice_game_hang_together() -> None:
    facts = CubedOdds(players=3)
    for _ in facts.simulate(200 if kernel.COMPILED else 2, 1, 2):
        pass
    found = {
        (section.title, cell.what): cell.simulated for section in facts.sections() for cell in section.cells
    }
    wins = [value for (title, _), value in found.items() if title == "Share of wins"]
    assert len(wins) == 3
    assert sum(wins) == pytest.approx(1)
    turns = [value for (_, what), value in found.items() if what.startswith("of turns that")]
    assert sum(turns) == pytest.approx(1)
    assert 0 < found["Share", "of points that are bonus"] < 0.5


def test_every_game_counts_once_and_few_games_have_an_error_too() -> None:
    facts = CubedOdds()
    games = 61 if kernel.COMPILED else 3
    assert list(facts.simulate(games, 1, 2))[-1] == games
    wins = next(section for section in facts.sections() if section.title == "Share of wins")
    assert sum(cell.simulated for cell in wins.cells) == pytest.approx(1)
    assert 2 * games * wins.cells[0].simulated == pytest.approx(round(2 * games * wins.cells[0].simulated))
    assert all(cell.error > 0 for cell in wins.cells) or not kernel.COMPILED


def test_the_command_shows_simulated_and_exact_side_by_side(app: typer.Typer, tmp_path: Path) -> None:
    picture = tmp_path / "odds.png"
    shown = runner.invoke(app, ["set", "--games", str(GAMES // 10), "--plot", str(picture)])
    assert shown.exit_code == 0, shown.output
    assert "0.032302" in shown.output
    assert "exact" in shown.output
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_command_speaks_json(app: typer.Typer) -> None:
    shown = runner.invoke(app, ["cubed", "--games", "4", "--players", "2", "--edition", "dutch", "--json"])
    data = json.loads(shown.stdout)
    assert data["edition"] == "dutch"
    assert data["sections"][0]["title"] == "Share of wins"
