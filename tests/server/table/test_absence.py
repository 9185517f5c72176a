"""What follows from who is gone, in every game: a decision without a server and without a clock (T1, T3, T4)."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tercet import games
from tercet.fairness import seed_from
from tercet.games import ComeBack, Refusal, StepAway
from tercet.server import table
from tercet.server.protocol import Leave, Pause, Resume, Sit, StandIn
from tercet.server.table import BotSat, Paused, Resumed, State
from tercet.server.table.absence import Patience, Verdict, judge
from tests.server.table.test_table import ANN, BO, BOTS, CY, NEXT_SEED, do, playing, refused

#: The games in which somebody may be waited for; in the others nobody need be told who is away.
WAITING = [name for name in games.names() if StepAway in get_args(games.find(name).rules.commands)]
pytestmark = pytest.mark.parametrize("game", WAITING)

PATIENCE = Patience(10_000, 60_000)


def begun(name: str, options: dict[str, Any] | None = None, players: int = 2) -> Any:
    """The state of a game that has just begun."""
    game = games.find(name)(["Ann", "Bo", "Cy"][:players], seed=seed_from("absent"), options=options or {})
    game.do(game.rules.opening(game.state))
    return game.state


def asking(person: str, missed: frozenset[int] = frozenset(), present: frozenset[str] = frozenset()) -> Any:
    return table.Asking(person, person.capitalize(), 5000, "game-2", NEXT_SEED, BOTS, present, missed=missed)


def against_a_bot(game: str) -> State:
    """Ann plays, and a bot in Bo's place."""
    return do(playing(game), BO, Leave())


# --- who counts ---


def test_t1_while_all_are_here_nothing_follows(game: str) -> None:
    assert judge(playing(game), begun(game), {}, PATIENCE) == Verdict()


def test_t1_somebody_is_given_time_and_is_then_away(game: str) -> None:
    state, running = playing(game), begun(game)
    assert judge(state, running, {1: 4000.0}, PATIENCE) == Verdict(again=6000.0)
    assert judge(state, running, {1: 10_000.0}, PATIENCE).marks == (StepAway(1),)


def test_t2_who_is_back_counts_again_and_so_does_a_bot_in_that_place(game: str) -> None:
    rules = games.find(game).rules
    running = rules.evolve(begun(game), games.SteppedAway(1), 0)
    assert judge(playing(game), running, {1: 20_000.0}, PATIENCE).marks == ()
    assert judge(playing(game), running, {}, PATIENCE).marks == (ComeBack(1),)
    assert judge(against_a_bot(game), running, {}, PATIENCE).marks == (ComeBack(1),)


@given(data=st.data())
def test_t1_whoever_is_gone_the_marks_are_allowed_and_come_to_rest(game: str, data: st.DataObject) -> None:
    """Whatever the game is told, it takes; and then there is nothing more to tell it."""
    rules = games.find(game).rules
    running = begun(game)
    for seat in data.draw(st.sets(st.integers(0, 1))):
        running = rules.evolve(running, games.SteppedAway(seat), 0)
    gone = data.draw(st.dictionaries(st.integers(0, 1), st.floats(0, 200_000)))
    verdict = judge(playing(game), running, gone, PATIENCE)
    here = {0, 1} - gone.keys()
    assert not verdict.pauses or not here
    assert here or not any(isinstance(mark, StepAway) for mark in verdict.marks)
    assert not here.intersection(verdict.missed)
    for mark in verdict.marks:
        happened = rules.carry_out(running, mark, 0, _Luck())
        assert not isinstance(happened, Refusal)
        running = happened.state
    assert judge(playing(game), running, gone, PATIENCE).marks == ()
    assert verdict.again is None or 0 < verdict.again <= PATIENCE.stand_in


class _Luck:
    def below(self, count: int, label: str) -> int:
        return int(seed_from(label)[:8], 16) % count


# --- nobody is here ---


def test_t4_when_all_are_gone_a_race_stands_still(game: str) -> None:
    """All games begin as races; and nobody is marked away for nobody."""
    state, running = playing(game), begun(game)
    assert judge(state, running, {0: 9000.0, 1: 20_000.0}, PATIENCE).again == 1000.0
    verdict = judge(state, running, {0: 10_000.0, 1: 20_000.0}, PATIENCE)
    assert verdict.pauses
    assert verdict.marks == ()
    bot = judge(against_a_bot(game), running, {0: 10_000.0}, PATIENCE)
    assert bot.pauses


def test_t4_a_game_that_stands_still_is_left_alone(game: str) -> None:
    state = table.evolve(playing(game), Paused(why="nobody_here", time=5000))
    assert judge(state, begun(game), {0: 90_000.0, 1: 90_000.0}, PATIENCE) == Verdict()


# --- a bot plays on ---


def test_t3_everybody_with_a_seat_may_ask_for_a_bot_once_the_wait_was_fair(game: str) -> None:
    state = do(against_a_bot(game), CY, Sit())  # Ann hosts, Cy plays in the bot's place
    assert table.decide(state, StandIn(0), asking(CY)) == Refusal("still_here", seat=0)
    assert table.decide(state, StandIn(0), asking(CY, frozenset({0}))) == [BotSat(seat=0, bot="middling")]
    assert table.decide(state, StandIn(0, "hard"), asking(CY, frozenset({0}))) == [BotSat(seat=0, bot="hard")]


def test_t3_nobody_takes_the_seat_of_somebody_who_is_here(game: str) -> None:
    state = playing(game)
    here = asking(BO, frozenset({0}), frozenset({ANN}))
    assert table.decide(state, StandIn(0), here) == Refusal("still_here", seat=0)
    assert table.decide(state, StandIn(1), asking(BO, frozenset({1}))) == Refusal("not_yourself")


def test_t3_who_only_looks_on_may_not_ask(game: str) -> None:
    assert refused(playing(game), CY, StandIn(0)) == Refusal("not_the_host")
    assert table.decide(playing(game), StandIn(0), asking(CY, frozenset({0}))) == Refusal("not_the_host")


def test_t3_the_host_need_not_wait_for_the_turn(game: str) -> None:
    assert table.decide(playing(game), StandIn(1), asking(ANN)) == [BotSat(seat=1, bot="middling")]


# --- pause ---


def test_t4_who_plays_alone_with_bots_may_pause_and_no_time_passes(game: str) -> None:
    state = against_a_bot(game)
    assert table.decide(state, Pause(), asking(ANN)) == [Paused(why="wanted", time=5000)]
    paused = do(state, ANN, Pause())
    assert table.show(paused, 1).paused == "wanted"
    assert table.decide(paused, Pause(), asking(ANN)) == []
    later = table.evolve(paused, Resumed(time=2000 + 90_000))
    assert later.started is not None
    assert later.started.paused_ms == 90_000
    assert later.pause is None
    again = table.evolve(table.evolve(later, Paused(why="wanted", time=100_000)), Resumed(time=100_500))
    assert again.started is not None
    assert again.started.paused_ms == 90_500


def test_t4_only_who_plays_may_pause_and_nobody_for_others(game: str) -> None:
    assert refused(playing(game), ANN, Pause()) == Refusal("not_alone")
    assert refused(against_a_bot(game), CY, Pause()) == Refusal("no_seat")
    assert refused(against_a_bot(game), CY, Resume()) == Refusal("no_seat")
    gathering = replace(against_a_bot(game), phase="gathering", started=None)
    assert refused(gathering, ANN, Pause()) == Refusal("no_game")
    assert table.decide(against_a_bot(game), Resume(), asking(ANN)) == []
