"""Dice bots: what each of them sees, and that master keeps its time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from time import thread_time

import pytest
from msgspec.structs import replace

from tercet import Face, bots, cubed, kernel
from tercet.cubed import Die, Edition
from tercet.cubed.bots import Expert
from tercet.cubed.bots.endgame import Endgame, TooLong, points
from tercet.cubed.bots.rollouts import win_chances
from tercet.cubed.bots.simple import openings, replacements
from tercet.cubed.sight import Sight
from tercet.fairness import seed_from
from tests.bots.tables import seated, states_for

compiled = pytest.mark.skipif(not kernel.COMPILED, reason="needs the compiled kernel to be quick")


def state_with(
    board: dict[str, str],
    hands: list[str],
    *,
    bag: int = 0,
    turn: int = 0,
    first: int = 0,
    scores: tuple[int, ...] = (0, 0),
) -> cubed.State:
    """A turn on the house board. Every die shows a face that it has; no die is used twice."""
    edition = Edition.named("house")
    dice = list(range(len(edition.dice), 0, -1))

    def take(text: str) -> Die:
        wild = text.startswith("*")
        shown = Face("W") if wild else Face(text)
        number = next(number for number in dice if shown in edition.dice[number - 1])
        dice.remove(number)
        return Die(number, Face(text.removeprefix("*")), wild)

    squares = {cubed.Square(square): take(text) for square, text in board.items()}
    cells = [None] * 81 if not squares else [squares.get(edition.layout.square(cell)) for cell in range(81)]
    held = tuple(tuple(take(text) for text in hand.split()) for hand in hands)
    state = cubed.rules.start(cubed.Options(edition=edition), len(hands))
    return replace(
        state,
        phase="turn",
        round=3,
        board=tuple(cells),
        hands=held,
        bag=tuple(sorted(dice[:bag])),
        first=first,
        turn=turn,
        scores=scores,
    )


LINE = {"d5": "1RO", "e5": "2RO", "f5": "3RO"}


def test_greedy_takes_the_most_points() -> None:
    for view, seat in states_for("greedy", "turn"):
        command = seated("cubed", ["greedy"] * 2)[seat].choose(view)
        if isinstance(command, cubed.Lay):
            judged = view.position(seat).judge(command.placements)
            assert isinstance(judged, cubed.Judgement)
            assert judged.score == view.position(seat).best().score


def test_the_board_is_seen_as_the_rules_see_it() -> None:
    for view, seat in states_for("random", "turn"):
        position = view.position(seat)
        sight = Sight.of(view)
        hand = [die.face for die in view.hands[seat]]
        seen = [(turn.score, sight.placements(turn.puts)) for turn in sight.turns(hand)]
        known = [(turn.score, turn.placements) for turn in position.turns()]
        assert sorted(seen, key=str) == sorted(known, key=str)
        assert sight.can_lay(hand) == position.can_lay()


def test_steady_does_not_open_a_square_for_the_next_player() -> None:
    state = state_with(LINE, ["1GO 1PO 2GO 2PO 3GO", "3PO 3GS 1RD 2GD 3PD"], bag=10)
    greedy_best = state.position(0).best()
    command = seated("cubed", ["steady"] * 2)[0].choose(state)
    assert isinstance(command, cubed.Lay)

    def net(placements: tuple[cubed.Placement, ...], score: int) -> int:
        after = Sight.of(state).after(
            [(state.options.edition.layout.cell(p.square), int(p.face), p.wild) for p in placements]
        )
        return score - after.best_score([die.face for die in state.hands[1]])

    judged = state.position(0).judge(command.placements)
    assert isinstance(judged, cubed.Judgement)
    assert net(command.placements, judged.score) >= net(greedy_best.placements, greedy_best.score)


def test_every_opening_is_one() -> None:
    game = cubed.Game(["Ann", "Bo"], seed=seed_from("opening"))
    game.do(cubed.Begin(0))
    for hand in ("1RO 2RO 3RO 1GD 2PS", "W 1RO 2GO 3GS 1PS", "W W 1RO 2GS 3GD", "W W W 1RO 2GS"):
        state = replace(state_with({}, [hand, "1RD 2RD 3PS 1GS 2GO"]), phase="opening", first=None, turn=None)
        called = replace(state, call=cubed.play.PendingCall(0, 5000))
        ways = list(openings(state, 0))
        assert len(ways) % 6 == 0
        for placements in ways[:: max(len(ways) // 50, 1)]:
            outcome = cubed.rules.decide(called, cubed.Show(0, placements), 0, _NoChance())
            assert isinstance(outcome, list)
            assert isinstance(outcome[0], cubed.Opened)


class _NoChance:
    def below(self, count: int, label: str) -> int:
        raise AssertionError("no chance here")


@pytest.mark.parametrize("name", ["greedy", "steady", "expert"])
def test_a_wild_is_replaced_when_that_promises_more(name: str) -> None:
    state = state_with({**LINE, "d6": "*1GO", "d7": "1PO"}, ["1GO", "2PS 3PS 1GS 3GD 2GD"], bag=5)
    assert replacements(state, 0, Sight.of(state))
    command = seated("cubed", [name] * 2)[0].choose(state)
    assert isinstance(command, cubed.Replace | cubed.Lay | cubed.Pass)
    sides = state.options.edition.dice[state.board[5 * 9 + 3].number - 1]  # type: ignore[union-attr]
    after = Sight.of(state).after([(5 * 9 + 3, int(Face("1GO")), False)])
    promised = sum(after.best_score([face]) for face in sides) / 6
    if promised > state.position(0).best().score:
        assert isinstance(command, cubed.Replace)


def test_expert_throws_what_the_exact_solution_says() -> None:
    view, seat = states_for("expert", "extra_roll")[1]
    bot = Expert(seat, Random(1))
    best, expected = bot.solve_roll(view)
    assert max(expected) == expected[best]
    assert expected[0] == 7776 * view.position(seat).best().score
    thrown = [die.number for place, die in enumerate(view.hands[seat]) if best >> place & 1]
    assert bot.choose(view) == cubed.Choose(seat, tuple(sorted(thrown)))


def test_the_chance_to_win_grows_with_the_margin() -> None:
    chances = [win_chances(12, (20 + margin, 20), 0)[0] for margin in range(-15, 16)]
    assert chances == sorted(chances)
    assert win_chances(-1, (30, 20), 0) == [1, 0]
    assert win_chances(-1, (20, 20, 3), 0) == [0.5, 0.5, 0]


def test_the_chances_of_all_seats_add_up_to_one() -> None:
    for scores in ((20, 31), (20, 20, 3), (4, 9, 5, 9)):
        assert sum(win_chances(7, scores, 1)) == pytest.approx(1)


@compiled
@pytest.mark.parametrize("limit", [0.05, 0.5])
def test_master_keeps_its_time(limit: float) -> None:
    """By the time of the processor, of which it can have no more than the clock shows: other tests run meanwhile."""
    master = bots.make("cubed", "master:1000000", 0, Random(1))
    slowest = 0.0
    for phase in ("turn", "extra_roll"):
        for view, seat in states_for("greedy", phase)[::3]:
            master.seat = seat
            began = thread_time()
            assert master.choose(view, limit) is not None
            slowest = max(slowest, thread_time() - began)
    assert slowest < limit + 0.5


@compiled
def test_the_last_die_is_laid_when_it_wins() -> None:
    state = state_with(LINE, ["1GO 1PO", "1RD"], scores=(10, 10))
    command = seated("cubed", ["master:40"] * 2)[0].choose(state)
    assert isinstance(command, cubed.Lay)
    assert len(command.placements) == 2


@compiled
def test_an_endgame_without_choice_is_worth_its_points() -> None:
    state = state_with(LINE, ["1GO 1PO", ""], turn=0, first=1)
    assert Endgame(state, points).value() == state.position(0).best().score


@compiled
def test_the_search_of_an_endgame_gives_up_in_time() -> None:
    state = state_with(LINE, ["1GO 1PO W", "1RD W"])
    with pytest.raises(TooLong):
        Endgame(state, limit=50).value()


@compiled
def test_masters_of_several_tables_may_think_at_the_same_time() -> None:
    views = states_for("greedy", "turn")[::2]

    def chosen(view: cubed.State, seat: int) -> cubed.CubedCommand | None:
        return bots.make("cubed", "master:200", seat, Random(1)).choose(view, float("inf"))

    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda pair: chosen(*pair), views))
    assert together == [chosen(*pair) for pair in views]
