"""Whole dice games in the kernel: what the rules say of every game, and who wins."""

from __future__ import annotations

import random
from array import array
from math import sqrt
from statistics import mean, pstdev
from typing import Any

import pytest

from tercet.kernel import DiceGames, best_turn, unpack
from tercet.kernel.dice_games import PLACES
from tests.kernel.positions import DICE, end_game, house


def counted(games: DiceGames) -> dict[str, int]:
    counts = games.counted()
    return {name: counts[place] for name, place in PLACES.items() if place < 20}


@pytest.mark.parametrize("never", [False, True])
@pytest.mark.parametrize("players", [b"gg", b"rr", b"gr", b"ggg", b"grrg"])
def test_games_add_up(players: bytes, never: bool) -> None:
    games = DiceGames(**house(never, players))
    scores = games.games(1, 0, 60)
    counts = games.counted()
    seats = len(players)
    assert len(scores) == 60 * seats
    by_seat = [sum(scores[seat::seats]) for seat in range(seats)] + [0] * (4 - seats)
    assert list(counts[28:32]) == by_seat
    assert sum(counts[20:24]) == sum(by_seat)
    assert sum(counts[24:28]) == sum(counts[32:36]) == 60 * 12
    named = counted(games)
    assert named["GAMES"] == 60 == sum(counts[64:128])
    assert named["POINTS"] + named["OPENING_POINTS"] == sum(by_seat)
    assert named["TURNS"] == sum(counts[36:40])
    assert named["PASSES"] == counts[36]
    assert sum(counts[128:256]) == named["TURNS"] - named["PASSES"]
    assert sum(counts[36 + dice] * dice for dice in range(4)) <= 60 * 39


def test_c5_the_opening_scores_three_less_its_wilds() -> None:
    games = DiceGames(**house())
    games.games(2, 0, 500)
    points = counted(games)["OPENING_POINTS"] / 500
    assert 2 < points <= 3


def test_the_better_player_wins_from_either_seat() -> None:
    for players, seat in ((b"gr", 0), (b"rg", 1)):
        games = DiceGames(**house(players=players))
        games.games(3, 0, 300)
        assert games.counted()[PLACES["WINS_BY_SEAT"] + seat] > 0.9 * 300 * 12


def test_splitting_a_batch_changes_nothing() -> None:
    whole = DiceGames(**house()).games(4, 0, 40)
    parts = DiceGames(**house())
    assert whole == parts.games(4, 0, 10) + DiceGames(**house()).games(4, 10, 30)


def test_rollouts_begin_with_the_best_turn_of_the_seat_to_move() -> None:
    rng = random.Random(5)
    for _ in range(50):
        position = end_game(rng, 2)
        games = DiceGames(**house(players=b"gg"))
        scores = games.rollouts(games.position(**position, ending=True), 1, 0, 3)
        hand = bytes(
            DICE[die * 6 + up] for die, up in zip(position["hands"][0], position["shown"][0], strict=True)
        )
        score, _ = unpack(
            best_turn(9, 9, position["faces"], position["stars"], position["bonus"], hand, False)
        )
        assert list(scores[0::5]) == [-1] * 3, "each game went to its end"
        assert list(scores[1::5]) == [score] * 3
        assert len(set(scores[2::5])) == 1, "the rest of the last round leaves nothing to chance"


@pytest.mark.parametrize("stage", [0, 1, 2])
def test_what_a_position_knows_of_the_games_before_changes_nothing(stage: int) -> None:
    rng = random.Random(9)
    for throws in (b"", b"\x02\xff"):
        games, position = DiceGames(**house(players=b"gg")), end_game(rng, 2)
        placed = {*b"".join(position["hands"]), *position["lying"]}
        position |= {"bag": bytes(die for die in range(42) if die not in placed), "laid": 3}
        given = position | {"stage": stage, "throws": throws}
        known = games.position(**given)
        together = games.rollouts(known, 1, 0, 8, 2) + games.rollouts(known, 1, 8, 4, 2)
        apart = [
            number for game in range(12) for number in games.rollouts(games.position(**given), 1, game, 1, 2)
        ]
        assert list(together) == apart


def test_the_luck_of_extra_rolls_is_0_on_average() -> None:
    games = DiceGames(**house(players=b"gg"))
    start = games.position(**end_game(random.Random(8), 2), stage=2, throws=b"\x03\x01")
    luck = [value / 7776 for value in games.rollouts(start, 1, 0, 4000)[3::5]]
    spread = pstdev(luck)
    assert spread > 0
    assert abs(mean(luck)) < 4 * spread / sqrt(len(luck))


def test_c16_twenty_rounds_in_which_nobody_could_lay_end_the_game() -> None:
    position = end_game(random.Random(6), 2)
    position |= {"hands": [b"", b""], "shown": [b"", b""]}
    games = DiceGames(**house())
    assert games.rollouts(games.position(**position, dry_rounds=1), 1, 0, 1) == array("i", [-1, 0, 10, 0, 0])
    assert counted(games)["STUCK"] == 1
    assert counted(games)["RETHROWS"] == 19
    assert counted(games)["TURNS"] == 40


def test_c21_greedy_replaces_a_wild_whenever_it_can() -> None:
    rng = random.Random(7)
    position = end_game(rng, 2)
    die = position["hands"][0][0]
    up = next(i for i in range(6) if DICE[die * 6 + i] < 27)
    wild = next(
        n for n in range(42) if 27 in DICE[n * 6 : n * 6 + 6] and n not in b"".join(position["hands"])
    )
    faces, stars, lying = (bytearray(position[key]) for key in ("faces", "stars", "lying"))
    faces[0], stars[0], lying[0] = DICE[die * 6 + up], 1, wild
    for square in range(1, 81):
        if lying[square] == wild:
            faces[square] = lying[square] = 255
    position |= {"faces": bytes(faces), "stars": bytes(stars), "lying": bytes(lying)}
    position["shown"] = [bytes([up]) + position["shown"][0][1:], position["shown"][1]]
    games = DiceGames(**house(players=b"gr"))
    games.rollouts(games.position(**position, ending=True), 1, 0, 10)
    assert counted(games)["REPLACED"] >= 10


@pytest.mark.parametrize(
    "change",
    [
        {"players": b"g"},
        {"players": b"gx"},
        {"players": b"ggggg"},
        {"dice": b"\x00" * 7},
        {"dice": b"\x1c" * 252},
        {"logo": (0, 1)},
        {"logo": (0, 1, 81)},
        {"bonus": b""},
        {"rows": 2, "bonus": bytes(18)},
    ],
)
def test_bad_editions_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"players|six for each|logo|rows"):
        DiceGames(**house() | change)


@pytest.mark.parametrize(
    "change",
    [
        {"hands": [b"\x01"]},
        {"seat": 2},
        {"hands": [b"\x01", b"\x01"], "shown": [b"\x00", b"\x00"]},
        {"bag": b"\x2a"},
        {"shown": [b"\x06\x00", b"\x00\x00"]},
        {"faces": b""},
        {"lying": b""},
    ],
)
def test_bad_positions_are_refused(change: dict[str, Any]) -> None:
    games = DiceGames(**house())
    with pytest.raises(ValueError, match=r"seats|two places|hand|squares"):
        games.position(**end_game(random.Random(8), 2) | change)
