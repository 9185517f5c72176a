"""Bots solve puzzles, the better ones more of them; and puzzles are played in a terminal."""

from __future__ import annotations

import re
from random import Random

import pytest

from tercet import bots, puzzles
from tercet.fairness import seed_from
from tests.cli.command import Talk, run


def race(levels: list[str], number: int, kind: str = "race", day: str | None = None) -> puzzles.Game:
    names = [f"Player {seat}" for seat in range(len(levels))]
    options = puzzles.rules.read_options({"kind": kind, "day": day})
    game = puzzles.Game(names, seed=seed_from(f"bots {number}"), options=options)
    seated = [
        bots.make("puzzles", level, seat, Random(f"{number} {seat}")) for seat, level in enumerate(levels)
    ]
    bots.play(game, seated)
    return game


def test_better_bots_solve_more() -> None:
    ladder = bots.names("puzzles")
    totals = [0] * len(ladder)
    for number in range(5):
        for seat, score in enumerate(race(ladder, number).scores):
            totals[seat] += score
    assert totals == sorted(totals)
    assert totals[-1] > 3 * totals[0] > 0


def test_a_game_tells_what_is_to_be_solved() -> None:
    storm = puzzles.Game(["Ann", "Bo"], seed=seed_from("told"), options={"kind": "storm"})
    assert str(storm).endswith("\n(nothing to solve)")
    storm.do(puzzles.Begin(0))
    first = storm.state.items[0]
    asked = f"third {' '.join(first.shown)}, choose from {' '.join(first.choices)}"
    assert str(storm).splitlines()[1:] == [f"1: {asked}", f"2: {asked}"]
    assert asked in storm._repr_html_()
    storm.do(puzzles.Stop(0))
    assert str(storm).splitlines()[1:] == [f"2: {asked}"]
    boards = puzzles.Game(["Ann"], seed=seed_from("told"), options={"kind": "boards"})
    boards.do(puzzles.Begin(0))
    assert str(boards).splitlines()[1:] == ["1: best_turn", *str(boards.state.items[0].position).splitlines()]


@pytest.mark.parametrize("kind", ["storm", "boards", "daily_set", "daily_cubed"])
def test_bots_play_everything_to_its_end(kind: str) -> None:
    day = "2026-11-17" if kind.startswith("daily") else None
    game = race(["casual"], 1, kind, day)
    assert game.is_over
    assert game.scores[0] > 0


def test_a_storm_in_the_terminal() -> None:
    with Talk("play", "puzzles", "--seat", "Ann", "--fast", "--seed", "x") as talk:
        news = talk.prompt()
        for _ in range(8):
            hint = talk.ask("hint")
            if place := re.search(r"One place is (\d+)\.", hint):
                news = talk.ask(place[1] if "1 to 6" in news else "1 2 3")
            else:
                news = talk.ask("y" if "It is." in hint else "n")
        assert "right" in news or "wrong" in news
        assert "stops after" in talk.ask("stop")


def test_two_people_at_one_keyboard_begin_with_their_number() -> None:
    done = run(
        "play",
        "puzzles",
        "--seat",
        "Ann",
        "--seat",
        "Bo",
        "--fast",
        "--seed",
        "x",
        "-o",
        "kind=race",
        stdin="1\n2 3\n1 9\nquit\n",
    )
    assert done.returncode == 0
    assert "There is no such place." in done.stdout
    assert "Bo: " in done.stdout
