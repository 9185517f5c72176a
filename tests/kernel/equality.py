"""The compiled kernel and the same files as plain Python, function by function on random inputs.

`python -m tests.kernel.equality --inputs 100000` compares so many for each and says what it compared. What an
input is, is chosen so that plain Python can follow: see the line of each check. `tests/kernel/test_same_results.py`
runs the same checks on fewer.
"""

from __future__ import annotations

import argparse
import importlib
import random
import time
from array import array
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType

from tests.kernel.plain import PARTS, load_plain_kernel
from tests.kernel.positions import DICE, Position, end_game, house, random_position

Kernel = dict[str, ModuleType]
#: Compares on about so many inputs, and says on how many.
Check = Callable[[Kernel, Kernel, int], int]

CHECKS: dict[str, tuple[str, Check]] = {}


def installed_kernel() -> Kernel:
    """Every part of the kernel by its name, as installed."""
    return {part: importlib.import_module(f"tercet.kernel.{part}") for part in PARTS}


def check(name: str, unit: str) -> Callable[[Check], Check]:
    def add(function: Check) -> Check:
        CHECKS[name] = (unit, function)
        return function

    return add


def same(answers: Iterable[object], where: object) -> None:
    ours, theirs = answers
    if ours != theirs:
        raise AssertionError(f"compiled and plain differ at {where!r}")


def light_positions(seed: int, count: int) -> Iterator[Position]:
    """Positions with few turns: most with no wild and few lying dice, some with more of both."""
    rng = random.Random(seed)
    for i in range(count):
        if i % 20:
            yield random_position(rng, sizes=(7,), lying=(3, 10), hand=(1, 4), wilds=(0, 0))
        else:
            yield random_position(rng, hand=(1, 4), wilds=(0, 1))


@check("count_sets, has_set, find_set_places", "tables of 0 to 21 cards")
def check_tables(kernel: Kernel, plain: Kernel, count: int) -> int:
    rng = random.Random(1)
    ours, theirs = kernel["tables"], plain["tables"]
    for _ in range(count):
        table = bytes(rng.sample(range(81), rng.randint(0, 21)))
        same((ours.count_sets(table), theirs.count_sets(table)), table)
        same((ours.has_set(table), theirs.has_set(table)), table)
        same((ours.find_set_places(table), theirs.find_set_places(table)), table)
    return count


@check("count_sets_on_each", "tables of 3, 9, 12, 15 or 21 cards")
def check_many_tables(kernel: Kernel, plain: Kernel, count: int) -> int:
    rng = random.Random(2)
    each = -(-count // 5)
    for size in (3, 9, 12, 15, 21):
        tables = b"".join(bytes(rng.sample(range(81), size)) for _ in range(each))
        same((part["tables"].count_sets_on_each(tables, size) for part in (kernel, plain)), size)
    return 5 * each


@check("groups of the variants", "tables of 0 to 21 cards: Chains, Ultras and Ghosts, counted and listed")
def check_groups(kernel: Kernel, plain: Kernel, count: int) -> int:
    rng = random.Random(11)
    ours, theirs = kernel["groups"], plain["groups"]
    last = bytes((0, 40, 80))
    others = [card for card in range(81) if card not in last]
    for i in range(count):
        table = bytes(rng.sample(others, rng.randint(0, 12 if i % 20 else 21)))
        same((ours.list_chains(table, last), theirs.list_chains(table, last)), table)
        same((ours.count_ultras(table), theirs.count_ultras(table)), table)
        same((ours.list_ultras(table), theirs.list_ultras(table)), table)
        same((ours.count_ghosts(table), theirs.count_ghosts(table)), table)
        same((ours.list_ghosts(table), theirs.list_ghosts(table)), table)
    return count


@check("sample_tables", "tables of 12 cards, by the counts of SETs on them")
def check_samples(kernel: Kernel, plain: Kernel, count: int) -> int:
    same((part["card_games"].sample_tables(2**63 + 5, 0, count, 12) for part in (kernel, plain)), count)
    return count


@check("play_card_games", "whole card games, half of them with the first SET taken, by their counts")
def check_card_games(kernel: Kernel, plain: Kernel, count: int) -> int:
    each = -(-count // 2)
    for first_choice in (False, True):
        both = [part["card_games"].play_card_games(7, 3, each, first_choice) for part in (kernel, plain)]
        same(both, first_choice)
    return 2 * each


@check("any_turn", "positions")
def check_any_turn(kernel: Kernel, plain: Kernel, count: int) -> int:
    for position in light_positions(3, count):
        same((kernel["turns"].any_turn(*position), plain["turns"].any_turn(*position)), position)
    return count


@check("best_turn", "positions")
def check_best_turn(kernel: Kernel, plain: Kernel, count: int) -> int:
    for position in light_positions(4, count):
        same((kernel["turns"].best_turn(*position), plain["turns"].best_turn(*position)), position)
    return count


@check("list_turns", "positions, every turn and score of each in order")
def check_list_turns(kernel: Kernel, plain: Kernel, count: int) -> int:
    for position in light_positions(5, count):
        same((kernel["turns"].list_turns(*position), plain["turns"].list_turns(*position)), position)
    return count


@check("first_turns", "positions, the first turns of each in order, and what is told of them")
def check_first_turns(kernel: Kernel, plain: Kernel, count: int) -> int:
    for position in light_positions(12, count):
        ours, told = kernel["turns"].first_turns(*position)
        same(((ours, told), plain["turns"].first_turns(*position)), position)
        in_order = sorted(kernel["turns"].list_turns(*position), key=lambda turn: (-(turn >> 48), turn))
        same((list(ours), in_order[:63]), position)
    return count


@check(
    "DiceSteps", "steps of two tables of two to four players, by what lies there, masks, points and vectors"
)
def check_dice_steps(kernel: Kernel, plain: Kernel, count: int) -> int:
    rng = random.Random(13)
    steps = 0
    while steps < count:
        players, seed = rng.randint(2, 4), rng.getrandbits(64)
        given = house(rng.random() < 0.5, b"g" * players) | {"players": players, "count": 2, "seed": seed}
        both = [part["dice_steps"].DiceSteps(**given) for part in (kernel, plain)]
        size = 81 * 11 + 252 + 56 * players + 2
        for _ in range(20):
            seen = [array("f", bytes(8 * size)) for _ in both]
            for tables, vector in zip(both, seen, strict=True):
                tables.see(vector, size)
            same(seen, given)
            same((bytes(tables.lies) + bytes(tables.masks) for tables in both), given)
            masks = bytes(both[0].masks)
            allowed = ([a for a in range(100) if masks[100 * table + a]] for table in range(2))
            actions = array("q", [rng.choice(some) for some in allowed])
            same((tables.step(actions) for tables in both), given)
            steps += 2
    return steps


@check("hand_tables", "scores: all 4,494 of each board, the hands of one to three dice")
def check_hand_tables(kernel: Kernel, plain: Kernel, count: int) -> int:
    rng = random.Random(6)
    boards = -(-count // 200)
    for _ in range(boards):
        *board, _, never = random_position(rng)
        same((part["hands"].hand_tables(*board, never).tables() for part in (kernel, plain)), board)
    return boards * 4494


@check("HandTables.best", "hands of up to five dice, 400 on each board")
def check_best_of_hands(kernel: Kernel, plain: Kernel, count: int) -> int:
    rng = random.Random(7)
    boards = -(-count // 400)
    for _ in range(boards):
        *board, _, never = random_position(rng)
        ours, theirs = (part["hands"].hand_tables(*board, never) for part in (kernel, plain))
        for _ in range(400):
            hand = bytes(rng.choice(DICE) for _ in range(rng.randint(0, 5)))
            same((ours.best(hand), theirs.best(hand)), (board, never, hand))
    return boards * 400


@check("ExtraRoll.expected", "expected scores: all subsets of two to five dice, 20 hands on each board")
def check_extra_roll(kernel: Kernel, plain: Kernel, count: int) -> int:
    rng = random.Random(8)
    compared = 0
    while compared < count:
        *board, _, never = random_position(rng)
        ours, theirs = (
            part["extra_roll"].ExtraRoll(part["hands"].hand_tables(*board, never)) for part in (kernel, plain)
        )
        for _ in range(20):
            dice = rng.sample(range(42), rng.choice((2, 3, 4, 5, 5, 5)))
            faces = b"".join(DICE[die * 6 : die * 6 + 6] for die in dice)
            shown = bytes(rng.randrange(6) for _ in dice)
            same((ours.expected(faces, shown), theirs.expected(faces, shown)), (board, never, faces, shown))
            compared += 1 << len(dice)
    return compared


@check("DiceGames.rollouts", "turns, played on from positions near the end, by scores and all counts")
def check_rollouts(kernel: Kernel, plain: Kernel, count: int) -> int:
    rng = random.Random(10)
    turns = 0
    while turns < count:
        players, never = rng.choice((b"rr", b"rr", b"gr", b"gg")), rng.random() < 0.5
        both = [part["dice_games"].DiceGames(**house(never, players)) for part in (kernel, plain)]
        position = end_game(rng, 2)
        starts = [games.position(**position, ending=b"g" in players) for games in both]
        for first in (0, 20):  # the second time more is known
            rolled = (games.rollouts(start, 1, first, 20) for games, start in zip(both, starts, strict=True))
            same(rolled, position)
        same((games.counted() for games in both), position)
        turns += both[0].counted()[2]
    return turns


@check("DiceGames.games", "turns of whole games of two to four players, by scores and all counts")
def check_dice_games(kernel: Kernel, plain: Kernel, count: int) -> int:
    turns, first = 0, 0
    while turns < count:
        for players in (b"gg", b"rr", b"grg", b"gggr"):
            for never in (False, True):
                both = [part["dice_games"].DiceGames(**house(never, players)) for part in (kernel, plain)]
                same((games.games(5, first, 1) for games in both), (players, never, first))
                same((games.counted() for games in both), (players, never, first))
                turns += both[0].counted()[2]
        first += 1
    return turns


@check("Endgame", "searched positions with two dice in hand")
def check_endgames(kernel: Kernel, plain: Kernel, count: int) -> int:
    rng = random.Random(11)
    worths = array("d", range(-500, 501))
    for number in range(count):
        position = end_game(rng, 2)
        hands = [hand[:1] for hand in position["hands"]]
        shown = [sides[:1] for sides in position["shown"]]
        margin = rng.randrange(-9, 10)
        answers = []
        for part in (kernel, plain):
            search = part["endgame"].Endgame(DICE, 9, 9)
            search.set_position(
                *(position[name] for name in ("faces", "stars", "bonus", "lying")),
                bool(number % 2),
                hands,
                shown,
                margin,
                *(0, number // 2 % 2, False, False, 0, worths, 10**9),
            )
            answers.append((search.value(), search.passed(), search.laid_turns(), search.exchanges()))
        same(answers, position)
    return count


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.kernel.equality", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1000, help="how many for each function")
    parser.add_argument("--only", metavar="NAME", help="just the checks whose name has this in it")
    arguments = parser.parse_args()
    kernel, plain = installed_kernel(), load_plain_kernel()
    for name, (unit, function) in CHECKS.items():
        if arguments.only is None or arguments.only in name:
            begin = time.process_time()
            compared = function(kernel, plain, arguments.inputs)
            seconds = time.process_time() - begin
            print(f"{name}: {compared:,} {unit}: equal ({seconds:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
