"""Whatever somebody sends during a run, over a real socket: only right answers to the item that was shown, in time, score."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tercet import cards, find_sets, puzzles
from tercet.cards.runs import ERROR_MS
from tercet.client import Refusal
from tercet.games import StepAway
from tercet.games.race import Call, SeeNone, TakeBack
from tercet.games.runs import find_run, measure
from tercet.puzzles.game import HAND_MS
from tercet.server.protocol import Pause
from tests.server.runs.playing import answer_to, playing
from tests.server.serving import run, serving

pytestmark = pytest.mark.slow

ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(
            ["right", "wrong", "again", "ahead", "odd", "other seat", "away", "pause", "begin", "lost"]
        ),
        st.sampled_from([0.0, 0.0, 0.05, 0.12, 0.2]),
        st.lists(st.integers(-1, 13), max_size=4),
    ),
    min_size=3,
    max_size=14,
)


def command_of(table: Any, action: str, picks: list[int], last: puzzles.Answer | None) -> Any:
    right = answer_to(table)
    match action:
        case "right":
            return right
        case "wrong":
            return puzzles.Answer(
                0, right.item, ((right.picks[0] + 1) % 2,) if len(right.picks) == 1 else (0, 1, 1)
            )
        case "again":
            return last or right
        case "ahead":
            return puzzles.Answer(0, right.item + 1, right.picks)
        case "odd":
            return puzzles.Answer(0, right.item, tuple(picks))
        case "other seat":
            return puzzles.Answer(1, right.item, right.picks)
        case "away":
            return StepAway(0)
        case _:
            return puzzles.Begin(0)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=set(Phase) - {Phase.shrink},  # with a server for each try it would take minutes
)
@given(ACTIONS)
def test_whatever_is_sent_only_right_answers_score(actions: list[tuple[str, float, list[int]]]) -> None:
    async def scenario(folder: str) -> None:
        async with serving(Path(folder) / "t.db") as server:
            ann = await server.client("Ann")
            last: puzzles.Answer | None = None
            async with playing(ann, "storm") as table:
                code, rights = table.code, 0
                for action, wait, picks in actions:
                    await asyncio.sleep(wait)
                    if action == "lost":
                        if table._socket is not None:  # None: it is on its way back already
                            await table._socket.close()
                        continue
                    before = table.state
                    if action == "pause":
                        with pytest.raises(Refusal):
                            await table.manage(Pause())
                        assert table.state.runners == before.runners
                        continue
                    right = answer_to(table)
                    command = command_of(table, action, picks, last)
                    try:
                        seq = await table.play(command)
                    except Refusal:
                        await asyncio.sleep(0)
                        assert table.state.runners == before.runners, "a refusal changes nothing"
                        continue
                    while seq is not None and table.seq < seq:
                        await table.changed()
                    last = command
                    runner = table.state.runners[0]
                    assert command.item == before.runners[0].number
                    assert runner.number == before.runners[0].number + 1
                    rights += (
                        tuple(sorted(command.picks)) == tuple(sorted(right.picks)) or runner.right > rights
                    )
                    assert runner.score == runner.right == rights
                    assert len(table.state.items) == runner.number
                room = await server.service.rooms.find(code)
                assert room is not None
                assert room.game is not None
                answers = [e for e in room.game.log if isinstance(e.event, puzzles.Answered)]
                shown = 0
                for number, entry in enumerate(answers, 1):
                    assert entry.event.number == number
                    assert entry.at - shown >= HAND_MS
                    shown = entry.at

    with tempfile.TemporaryDirectory() as folder:
        run(scenario(folder), seconds=60)


SAYINGS = st.lists(
    st.tuples(
        st.sampled_from(
            ["take", "take", "wrong", "twice", "odd", "none", "look again", "call", "deal", "away", "pause"]
        ),
        st.lists(st.integers(0, 20), min_size=3, max_size=3, unique=True),
    ),
    min_size=5,
    max_size=30,
)


def said(table: Any, saying: str, places: list[int]) -> Any:
    """A command of a sprint; what shows nothing that is there is refused, and so are all that would make it easier."""
    state = table.state
    lying = [state.table[place % len(state.table)] for place in places]
    match saying:
        case "take":
            return cards.Show(0, find_sets(state.table)[0])
        case "wrong":
            return cards.Show(0, tuple(dict.fromkeys(lying)))
        case "twice":
            return cards.Show(0, (lying[0], lying[0], lying[1]))
        case "odd":
            return cards.Show(0, ())
        case "none":
            return SeeNone(0)
        case "look again":
            return TakeBack(0)
        case "call":
            return Call(0)
        case "deal":
            return cards.Deal(0)
        case _:
            return StepAway(0)


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=set(Phase) - {Phase.shrink},
)
@given(st.sampled_from(["sprint", "sprint_ten", "sprint_junior"]), SAYINGS)
def test_whatever_is_said_in_a_sprint_cards_come_when_there_is_no_set(
    kind: str, sayings: list[tuple[str, list[int]]]
) -> None:
    async def scenario(folder: str) -> None:
        async with serving(Path(folder) / "t.db") as server:
            ann = await server.client("Ann")
            async with playing(ann, kind) as table:
                for saying, places in sayings:
                    if table.is_over:
                        break
                    if saying == "pause":
                        with pytest.raises(Refusal):
                            await table.manage(Pause())
                        continue
                    before = table.state
                    try:
                        await table.play(said(table, saying, places))
                    except Refusal:
                        assert table.state == before, "a refusal changes nothing"
                room = await server.service.rooms.find(table.code)
                assert room is not None
                assert room.game is not None
                log, game = room.game.log, room.game
            state = game.rules.start(game.options, 1)
            for entry in log:
                lies = find_sets(state.table)
                match entry.event:
                    case cards.Took():
                        assert tuple(sorted(entry.event.cards)) in {tuple(sorted(one)) for one in lies}
                    case cards.Opened() | cards.RoundEnded():
                        is_done = sum(state.taken) == game.options.sets
                        assert is_done or not lies, "nobody gets an easier table, or an earlier end"
                state = game.rules.evolve(state, entry.event, entry.at)
            takes = sum(isinstance(entry.event, cards.Took) for entry in log)
            misses = sum(isinstance(entry.event, cards.Missed) for entry in log)
            measured = measure(find_run(kind), game.options, log, 0)
            assert (measured.points, measured.errors) == (takes, misses)
            assert measured.value == measured.time_ms + ERROR_MS * misses

    with tempfile.TemporaryDirectory() as folder:
        run(scenario(folder), seconds=60)
