"""The arena: the same luck for all, the same games on every machine, and an answer as soon as it is clear."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tercet.bots import BotError, find, unregister
from tercet.cli.arena import arena_command
from tercet.games import OptionsError
from tercet.study.arena import Group, Match, Tally, play_group, run, settle
from tercet.study.plots import History, PlotError

runner = CliRunner()


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(arena_command)
    return app


def test_a_group_is_every_rotation_with_the_same_dice() -> None:
    pair = play_group(Match("cubed", ("greedy", "greedy")), 1)
    assert len(pair.scores) == 2
    assert pair.scores[0] == pair.scores[1][::-1]
    four = play_group(Match("cubed", ("greedy",) * 4), 1)
    assert len(four.scores) == 4
    assert {tuple(sorted(scores)) for scores in four.scores} == {tuple(sorted(four.scores[0]))}


def test_a_win_that_is_shared_counts_its_part() -> None:
    group = Group(1, ((10, 10), (12, 8)))
    assert group.win_rate(0) == 0.75
    assert group.win_rate(1) == 0.25
    assert group.margin(0) == 2
    assert group.points(1) == 9


def test_equal_bots_are_exactly_even() -> None:
    tally = Tally(Match("cubed", ("greedy", "greedy")))
    for _ in settle(tally, 5):
        pass
    assert tally.win_rate["greedy"].mean == 0.5
    assert tally.margin["greedy"].mean == 0


def test_the_result_is_the_same_with_any_number_of_workers() -> None:
    match = Match("cubed", ("steady", "greedy"), seed="workers")
    assert list(run(match, 6)) == list(run(match, 6, workers=2))
    other = Match("cubed", ("steady", "greedy"), seed="another")
    assert list(run(match, 2)) != list(run(other, 2))


def test_it_stops_as_soon_as_the_answer_is_clear() -> None:
    tally = Tally(Match("cubed", ("greedy", "random")))
    assert len(list(settle(tally, 200))) < 60
    assert tally.verdict == "stronger"
    assert tally.win_rate["greedy"].mean > 0.9


def test_the_ladder_holds_for_more_than_two() -> None:
    tally = Tally(Match("cubed", ("greedy", "random", "random")))
    for _ in settle(tally, 40):
        pass
    assert tally.verdict == "stronger"
    assert tally.names == ["greedy", "random"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("strong", "weak"), [("steady", "greedy"), ("expert", "steady"), ("master:300", "expert")]
)
def test_each_rung_of_the_ladder_is_above_the_one_below(strong: str, weak: str) -> None:
    tally = Tally(Match("cubed", (strong, weak)))
    for _ in settle(tally, 1000, workers=2):
        pass
    assert tally.verdict == "stronger"


def test_cards_have_an_arena_too() -> None:
    tally = Tally(Match("set", ("champion", "beginner")))
    for _ in settle(tally, 2):
        pass
    assert tally.win_rate["champion"].mean == 1


@pytest.mark.parametrize(
    ("match", "error"),
    [
        (Match("cubed", ("greedy",)), OptionsError),
        (Match("cubed", ("greedy",) * 5), OptionsError),
        (Match("cubed", ("greedy", "nobody")), BotError),
        (Match("chess", ("greedy", "greedy")), OptionsError),
    ],
)
def test_what_cannot_be_played_is_said_before_it_starts(match: Match, error: type[Exception]) -> None:
    with pytest.raises(error):
        next(run(match, 1))


BAD_BOTS = """
from tercet import bots, cubed
from tercet.cubed.bots import Greedy
class Silent(Greedy):
    def choose(self, view, time_limit=2):
        return None

class Cheating(Greedy):
    def play_turn(self, view, time_limit):
        return cubed.Pass(1 - self.seat)

class Failing(Greedy):
    def play_turn(self, view, time_limit):
        return 1 // 0

for bot in (Silent, Cheating, Failing):
    bot.name, bot.about = bot.__name__.lower(), "does it wrong"
    bots.register(bot)
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("silent", "nobody does anything"),
        ("cheating", r"cheating at seat \d failed: the rules refuse what it does: .*not_your_turn"),
        ("failing", r"failing at seat \d failed: ZeroDivisionError: .* \(mine.py, line 14\)"),
    ],
)
def test_a_bot_that_does_it_wrong_is_told_in_one_line(tmp_path: Path, name: str, said: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(BAD_BOTS)
    match = Match("cubed", (name, "silent" if name == "silent" else "greedy"), modules=(str(file),))
    try:
        for workers in (1, 2):
            with pytest.raises(BotError, match=said):
                list(run(match, 2, workers))
    finally:
        for bad in ("silent", "cheating", "failing"):
            unregister(find("cubed", bad))


@pytest.mark.parametrize("text", ["def (", "1 / 0", "import no_such_module", None])
def test_bots_that_cannot_be_loaded_are_named(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "bad.py"
    if text is not None:
        file.write_text(text)
    with pytest.raises(BotError, match=r"cannot load bots from .*bad\.py"):
        Match("cubed", ("greedy", "greedy"), modules=(str(file),)).check()


def test_a_history_stays_short() -> None:
    tally = Tally(Match("cubed", ("greedy", "greedy")))
    history = History()
    for number in range(3000):
        tally.add(Group(number, ((1, 0), (0, 1))))
        history.add(tally.games, tally.win_rate["greedy"])
    assert 100 < len(history.points) < 400


def test_the_command_says_who_is_stronger(app: typer.Typer, tmp_path: Path) -> None:
    table, picture = tmp_path / "games.csv", tmp_path / "rate.svg"
    args = [
        "greedy",
        "random",
        "--games",
        "80",
        "--workers",
        "1",
        "--csv",
        str(table),
        "--plot",
        str(picture),
    ]
    shown = runner.invoke(app, args)
    assert shown.exit_code == 0, shown.output
    assert "greedy is stronger than the others." in shown.output
    rows = list(csv.reader(table.read_text().splitlines()))
    assert rows[0] == ["group", "rotation", "greedy", "random"]
    assert rows[1][:2] == ["1", "1"]
    assert "<svg" in picture.read_text()


def test_the_command_speaks_json(app: typer.Typer) -> None:
    shown = runner.invoke(app, ["steady", "greedy", "--games", "4", "--workers", "1", "--json"])
    data = json.loads(shown.stdout)
    assert data["games"] == 4
    assert data["verdict"] is None
    assert data["results"]["steady"]["win_rate"]["interval"] is None


def test_a_bad_picture_is_refused_before_any_game(app: typer.Typer, tmp_path: Path) -> None:
    shown = runner.invoke(app, ["greedy", "random", "--plot", str(tmp_path / "rate.gif")])
    assert isinstance(shown.exception, PlotError)
