"""The start of a game (F1): everybody's client commits, then everybody's reveals; or the start is called off."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tercet import games
from tercet.fairness import commit, commit_secret, seed_from
from tercet.games import Refusal
from tercet.server import table
from tercet.server.protocol import (
    AddSeat,
    AtRun,
    Change,
    Close,
    Commit,
    Kick,
    Leave,
    Ready,
    RemoveSeat,
    Reveal,
    Sit,
    StandIn,
    Start,
    TableCommand,
)
from tercet.server.table import (
    Asking,
    BotSat,
    CalledOff,
    Committed,
    HostChanged,
    Kicked,
    Revealed,
    SaidReady,
    SeatRemoved,
    StartBegan,
    State,
    Stood,
)
from tests.server.table.test_table import (
    ANN,
    BO,
    BOTS,
    CY,
    NEXT_SEED,
    SEED,
    begun,
    committed,
    do,
    events_of,
    gathering,
    open_table,
    refused,
    secret_of,
)

pytestmark = pytest.mark.parametrize("game", games.names())

CHANGED = CalledOff(why="changed", silent=(), seed=NEXT_SEED, time=2000)


def starting(game: str) -> State:
    """Ann and Bo are ready, and their clients are asked for their part."""
    return do(do(gathering(game), ANN, Ready()), BO, Ready())


def to(state: State) -> str:
    return commit(state.seed, state.terms)


def commitment_of(state: State, person: str) -> str:
    return commit_secret(secret_of(person), state.terms)


def late(state: State, time: int) -> list[table.AnyTableEvent]:
    return table.call_off(state, Asking("", "", time, "game-1", NEXT_SEED, BOTS))


def test_the_list_is_shown_and_no_secret_before_all_are_there(game: str) -> None:
    state = starting(game)
    shown = table.show(state, 5).start
    assert shown is not None
    assert (shown.stage, shown.waits_for, shown.until_time) == ("committing", (0, 1), 12_000)
    state = do(state, ANN, Commit(to(state), commitment_of(state, ANN)))
    shown = table.show(state, 6).start
    assert shown is not None
    assert (shown.stage, shown.waits_for) == ("committing", (1,))
    state = do(state, BO, Commit(to(state), commitment_of(state, BO)))
    shown = table.show(state, 7).start
    assert shown is not None
    assert (shown.stage, shown.waits_for) == ("revealing", (0, 1))
    assert shown.commitments == (commitment_of(state, ANN), commitment_of(state, BO))
    state = do(state, ANN, Reveal(to(state), secret_of(ANN)))
    assert secret_of(ANN) not in repr(table.show(state, 8))
    assert SEED not in repr(table.show(state, 8))
    assert do(state, BO, Reveal(to(state), secret_of(BO))).phase == "playing"


def test_no_secret_is_taken_before_all_have_committed(game: str) -> None:
    state = starting(game)
    state = do(state, ANN, Commit(to(state), commitment_of(state, ANN)))
    assert refused(state, ANN, Reveal(to(state), secret_of(ANN))) == Refusal("no_such_start")


def test_the_first_commitment_of_a_seat_counts(game: str) -> None:
    """Two tabs of one person: the one that was first knows the secret."""
    state = starting(game)
    mine = Commit(to(state), commitment_of(state, ANN))
    assert events_of(state, ANN, mine) == [Committed(seat=0, commitment=commitment_of(state, ANN))]
    state = do(state, ANN, mine)
    other = Commit(to(state), commitment_of(state, CY))
    assert refused(state, ANN, other) == Refusal("committed_already")
    state = do(state, BO, Commit(to(state), commitment_of(state, BO)))
    assert refused(state, ANN, Reveal(to(state), secret_of(CY))) == Refusal("wrong_secret")
    mine_too = Reveal(to(state), secret_of(ANN))
    assert events_of(state, ANN, mine_too) == [Revealed(seat=0, secret=secret_of(ANN))]
    assert events_of(do(state, ANN, mine_too), ANN, mine_too) == []


def test_nobody_does_their_part_for_a_run_while_another_of_theirs_goes_on(game: str) -> None:
    """Two tables may gather and start at once: the first that begins is the one that is played."""
    state = replace(starting(game), run=AtRun("race"))
    busy = Asking(ANN, "Ann", 2000, "game-1", NEXT_SEED, BOTS, is_running=True)
    part = Commit(to(state), commitment_of(state, ANN))
    assert table.decide(state, part, busy) == Refusal("run_running")
    assert table.decide(replace(state, run=None), part, busy) == events_of(state, ANN, part)
    state = committed(state)
    assert table.decide(state, Reveal(to(state), secret_of(ANN)), busy) == Refusal("run_running")


def test_whatever_is_meant_for_another_start_is_refused(game: str) -> None:
    state = starting(game)
    elsewhere = seed_from("another commitment")
    assert refused(state, ANN, Commit(elsewhere, elsewhere)) == Refusal("no_such_start")
    assert refused(committed(state), ANN, Reveal(elsewhere, secret_of(ANN))) == Refusal("no_such_start")
    assert refused(gathering(game), ANN, Commit(to(state), elsewhere)) == Refusal("no_such_start")
    assert refused(state, CY, Commit(to(state), elsewhere)) == Refusal("no_seat")
    assert refused(state, CY, Reveal(to(state), elsewhere)) == Refusal("no_seat")


def test_who_is_silent_calls_the_start_off_after_ten_seconds(game: str) -> None:
    state = starting(game)
    state = do(state, ANN, Commit(to(state), commitment_of(state, ANN)))
    assert late(state, 11_999) == []
    (off,) = late(state, 12_000)
    assert off == CalledOff(why="silent", silent=(1,), seed=NEXT_SEED, time=12_000)
    after = table.evolve(state, off)
    assert (after.start, after.called_off, after.number, after.seed) == (None, 1, 1, NEXT_SEED)
    assert [seat.ready for seat in after.seats] == [True, False]
    assert late(after, 99_000) == []


def test_who_hides_the_secret_calls_the_start_off_too(game: str) -> None:
    state = committed(starting(game))
    state = do(state, BO, Reveal(to(state), secret_of(BO)))
    (off,) = late(state, 12_000)
    assert off == CalledOff(why="silent", silent=(0,), seed=NEXT_SEED, time=12_000)


def test_the_next_start_has_a_new_seed_and_new_secrets_and_is_counted(game: str) -> None:
    state = committed(starting(game))
    before = to(state)
    (off,) = late(state, 12_000)
    again = do(do(table.evolve(state, off), BO, Ready()), ANN, Ready())
    assert again.start is not None
    assert again.start.commitments == ("", "")
    assert to(again) != before
    assert table.show(again, 9).called_off == 1
    started = begun(again).started
    assert started is not None
    assert started.called_off == 1


@pytest.mark.parametrize(
    ("person", "command", "rest"),
    [
        (BO, Leave(), [Stood(seat=1)]),
        (ANN, StandIn(seat=1, bot="easy"), [BotSat(seat=1, bot="easy")]),
        (BO, Ready(ready=False), [SaidReady(seat=1, ready=False)]),
    ],
)
def test_every_other_end_of_a_start_is_counted_as_well(
    game: str, person: str, command: TableCommand, rest: list[table.AnyTableEvent]
) -> None:
    """Or an operator who dislikes what comes could end it in a way that nobody counts."""
    state = committed(starting(game))
    assert events_of(state, person, command) == [CHANGED, *rest]
    assert do(state, person, command).called_off == 1


def test_a_kick_calls_the_start_off(game: str) -> None:
    assert events_of(starting(game), ANN, Kick(BO)) == [Kicked(person=BO), CHANGED, Stood(seat=1)]


@pytest.mark.parametrize("command", [Start(), AddSeat(), RemoveSeat(1), Change(options={})])
def test_nothing_that_was_committed_to_changes_during_the_start(game: str, command: TableCommand) -> None:
    assert refused(starting(game), ANN, command) == Refusal("starting")


def test_ready_once_more_changes_nothing(game: str) -> None:
    assert events_of(starting(game), ANN, Ready()) == [SaidReady(seat=0, ready=True)]


def test_closing_ends_the_start_with_the_table(game: str) -> None:
    state = do(starting(game), ANN, Close())
    assert (state.phase, state.start) == ("closed", None)


def test_bots_add_nothing(game: str) -> None:
    state = do(do(open_table(game, None, "hard"), ANN, Sit()), ANN, Ready())
    started = begun(state).started
    assert started is not None
    assert started.secrets == (secret_of(ANN), "")
    assert started.commitments == (commitment_of(state, ANN), "")


def test_commitments_are_bound_to_table_number_game_and_options(game: str) -> None:
    state = starting(game)
    secret = secret_of(ANN)
    terms = [
        state.terms,
        table.evolve(begun(state), table.Finished(scores=(), winners=(), seed=NEXT_SEED, time=1)).terms,
    ]
    terms += [
        type(terms[0])(game, options, code, 1) for options, code in (("{}", "X"), ('{"a":1}', "K7QXRM"))
    ]
    assert len({commit_secret(secret, one) for one in terms}) == 4
    assert len({commit(SEED, one) for one in terms}) == 4
    assert commit_secret(SEED, state.terms) != commit(SEED, state.terms)


def leaves_out(person: str, *away: str, gone: tuple[str, ...] = ()) -> Asking:
    """Somebody asks while these have been gone for long, and those for a moment."""
    return Asking(
        person,
        person.capitalize(),
        2000,
        "game-1",
        NEXT_SEED,
        BOTS,
        gone=frozenset((*away, *gone)),
        away=frozenset(away),
    )


def with_cy(game: str) -> State:
    return do(do(gathering(game), ANN, AddSeat()), CY, Sit())


def test_t1_a_game_begins_without_those_who_are_away(game: str) -> None:
    begins = StartBegan(until=12_000)
    events = table.decide(with_cy(game), Start(), leaves_out(ANN, BO))
    assert events == [Stood(seat=1), SeatRemoved(seat=1), begins]
    # who has only just gone may be on the way back
    assert table.decide(with_cy(game), Start(), leaves_out(ANN, gone=(BO,))) == [begins]
    state = do(do(with_cy(game), ANN, Ready()), BO, Ready())
    events = table.decide(state, Ready(), leaves_out(CY, BO))
    assert events == [SaidReady(seat=2, ready=True), Stood(seat=1), SeatRemoved(seat=1), begins]


def test_t1_if_only_those_who_are_away_were_silent_the_next_start_begins_at_once(game: str) -> None:
    state = do(with_cy(game), ANN, Start())
    for person in (ANN, CY):
        state = do(state, person, Commit(to(state), commitment_of(state, person)))
    late = replace(leaves_out("", BO), time=12_000)
    off = CalledOff(why="silent", silent=(1,), seed=NEXT_SEED, time=12_000)
    assert table.call_off(state, replace(late, away=frozenset())) == [off]
    begins = [Stood(seat=1), SeatRemoved(seat=1), StartBegan(until=22_000)]
    assert table.call_off(state, late) == [off, *begins]
    # another one becomes the host
    state = do(with_cy(game), ANN, Start())
    for person in (BO, CY):
        state = do(state, person, Commit(to(state), commitment_of(state, person)))
    *_, host, removed, _ = table.call_off(state, replace(late, away=frozenset((ANN,))))
    assert (host, removed) == (HostChanged(person=BO), SeatRemoved(seat=0))
    # all have gone: it is over
    state = do(with_cy(game), ANN, Start())
    assert len(table.call_off(state, replace(late, away=frozenset((ANN, BO, CY))))) == 1


def test_t1_while_the_host_is_gone_everybody_with_a_seat_may_start(game: str) -> None:
    state = with_cy(game)
    assert table.decide(state, Start(), leaves_out(CY)) == Refusal("not_the_host")
    assert table.decide(state, Start(), leaves_out("dee", ANN)) == Refusal("not_the_host")
    assert table.decide(state, Start(), leaves_out(CY, gone=(ANN,))) == [StartBegan(until=12_000)]
    assert table.decide(state, Start(), leaves_out(CY, ANN)) == [
        Stood(seat=0),
        HostChanged(person=CY),
        SeatRemoved(seat=0),
        StartBegan(until=12_000),
    ]
