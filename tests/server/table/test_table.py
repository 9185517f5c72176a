"""A table is a decider: every command, every refusal, bots and hosts. No server, no clock, no store."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tercet import games
from tercet.fairness import commit, commit_secret, seed_from
from tercet.games import OptionsError, Refusal
from tercet.server import table
from tercet.server.protocol import (
    AddSeat,
    Allow,
    Change,
    Close,
    Commit,
    HandOver,
    Kick,
    Leave,
    Ready,
    RemoveSeat,
    Reveal,
    SentAway,
    Sit,
    StandIn,
    Start,
    TableCommand,
    TakenOver,
)
from tercet.server.table import (
    AnyTableEvent,
    Asking,
    BotSat,
    Changed,
    Closed,
    Finished,
    HostChanged,
    Kicked,
    Opened,
    SaidReady,
    Sat,
    SeatAdded,
    SeatRemoved,
    StartBegan,
    State,
    Stood,
)

SEED, NEXT_SEED = seed_from("this game"), seed_from("the next game")
BOTS = ("easy", "middling", "hard")
ANN, BO, CY = "ann", "bo", "cy"

pytestmark = pytest.mark.parametrize("game", games.names())


def open_table(game: str, *seats: str | None, **settings: Any) -> State:
    """A table that Ann has opened, with these bots and seats for people (None); nobody sits yet."""
    chosen: dict[str, Any] = {"public": False, "late_join": True, "practice": False, "chat": True, **settings}
    opened = Opened(
        code="K7QXRM", game=game, options={}, host=ANN, seats=seats, seed=SEED, time=1000, **chosen
    )
    return table.begin(opened)


def asks(person: str, name: str | None = None, seq: int = 0) -> Asking:
    return Asking(person, name or person.capitalize(), 2000, "game-1", NEXT_SEED, BOTS, seq=seq)


def do(state: State, person: str, command: TableCommand, seq: int = 0) -> State:
    """The table after a command that must be allowed; the game has come as far as event ``seq``."""
    events = table.decide(state, command, asks(person, seq=seq))
    assert not isinstance(events, Refusal), events
    for event in events:
        state = table.evolve(state, event)
    return state


def evolved(state: State, events: list[AnyTableEvent]) -> State:
    for event in events:
        state = table.evolve(state, event)
    return state


def events_of(state: State, person: str, command: TableCommand) -> list[AnyTableEvent]:
    events = table.decide(state, command, asks(person))
    assert not isinstance(events, Refusal), events
    return events


def refused(state: State, person: str, command: TableCommand, name: str | None = None) -> Refusal:
    refusal = table.decide(state, command, asks(person, name))
    assert isinstance(refusal, Refusal), refusal
    return refusal


def unusual(game: str) -> dict[str, Any]:
    """One option, with a value that is not its default."""
    schema = games.find(game).rules.options_schema()
    number = next((option for option in schema if option.kind == "number"), None)
    if number is not None:
        return {number.name: number.most}
    choice = next(option for option in schema if option.kind == "choice")
    return {choice.name: next(value for value in choice.choices if value != choice.default)}


def gathering(game: str, **settings: Any) -> State:
    """Ann and Bo sit; Ann is host."""
    state = open_table(game, None, None, **settings)
    return do(do(state, ANN, Sit()), BO, Sit())


def secret_of(person: str) -> str:
    return seed_from(f"secret of {person}")


def committed(state: State) -> State:
    """Everybody's client has committed to a secret."""
    for person in state.people():
        commitment = commit_secret(secret_of(person), state.terms)
        state = do(state, person, Commit(commit(state.seed, state.terms), commitment))
    return state


def begun(state: State) -> State:
    """Everybody's client has done its part, and the game has begun."""
    state = committed(state)
    for person in state.people():
        state = do(state, person, Reveal(commit(state.seed, state.terms), secret_of(person)))
    return state


def playing(game: str, **settings: Any) -> State:
    """Ann and Bo play."""
    return begun(do(do(gathering(game, **settings), ANN, Ready()), BO, Ready()))


# --- a new table ---


def test_a_new_table_waits_for_people(game: str) -> None:
    state = open_table(game, None, "easy", None)
    assert state.phase == "gathering"
    assert state.open_seats() == [0, 2]
    assert state.bots == (None, "easy", None)
    assert state.people() == []
    assert [seat.ready for seat in state.seats] == [False, True, False]


def test_bots_of_one_level_have_names_of_their_own(game: str) -> None:
    assert open_table(game, "easy", "easy", None).names == ("Easy", "Easy 2", "")


# --- sitting down and leaving ---


def test_somebody_sits_on_the_first_open_seat_or_on_the_one_they_name(game: str) -> None:
    state = open_table(game, "easy", None, None)
    assert events_of(state, BO, Sit()) == [Sat(seat=1, person=BO, name="Bo")]
    assert do(state, BO, Sit(2)).seat_of(BO) == 2


def test_nobody_sits_twice_or_on_somebody_else(game: str) -> None:
    state = do(open_table(game, None, None), ANN, Sit())
    assert refused(state, ANN, Sit()) == Refusal("seated_already")
    assert refused(state, BO, Sit(0)) == Refusal("seat_taken", seat=0)
    assert refused(state, BO, Sit(7)) == Refusal("seat_taken", seat=7)


def test_two_people_have_two_names(game: str) -> None:
    state = do(open_table(game, None, None), ANN, Sit())
    for name in ("Ann", "ann", "ＡＮＮ"):
        assert refused(state, BO, Sit(), name=name) == Refusal("name_taken", name=name)


def test_a_bot_makes_way_for_a_person_of_its_name(game: str) -> None:
    state = open_table(game, "easy", None)
    (sat,) = table.decide(state, Sit(), asks(BO, "Easy"))  # type: ignore[misc]
    assert table.evolve(state, sat).names == ("Easy 2", "Easy")


def test_a_full_table_is_full(game: str) -> None:
    assert refused(gathering(game), CY, Sit()) == Refusal("table_full")


def test_who_leaves_before_the_game_leaves_an_open_seat(game: str) -> None:
    assert events_of(gathering(game), BO, Leave()) == [Stood(seat=1)]
    assert refused(gathering(game), CY, Leave()) == Refusal("no_seat")


def test_when_the_host_leaves_another_becomes_host(game: str) -> None:
    assert events_of(gathering(game), ANN, Leave()) == [Stood(seat=0), HostChanged(person=BO)]


def test_when_the_last_person_leaves_the_table_closes(game: str) -> None:
    state = do(open_table(game, None, "easy"), ANN, Sit())
    assert events_of(state, ANN, Leave()) == [Stood(seat=0), Closed(time=2000)]


def test_who_leaves_in_a_game_is_replaced_by_a_bot(game: str) -> None:
    state = playing(game)
    assert events_of(state, BO, Leave()) == [BotSat(seat=1, bot="middling", given_up=True)]
    assert do(state, BO, Leave()).bots == (None, "middling")


def test_the_bot_that_plays_on_is_as_good_as_those_at_the_table(game: str) -> None:
    state = begun(do(do(open_table(game, None, "hard"), ANN, Sit()), ANN, Ready()))
    assert state.phase == "playing"
    assert events_of(state, ANN, Leave()) == [BotSat(seat=0, bot="hard", given_up=True), Closed(time=2000)]


def test_a_newcomer_takes_over_a_bot_in_a_running_game(game: str) -> None:
    state = do(playing(game), BO, Leave())
    assert events_of(state, CY, Sit()) == [Sat(seat=1, person=CY, name="Cy")]
    assert refused(state, CY, Sit(0)) == Refusal("seat_taken", seat=0)


def test_without_late_join_nobody_comes_in_the_middle(game: str) -> None:
    state = do(playing(game, late_join=False), BO, Leave())
    assert refused(state, CY, Sit()) == Refusal("no_late_join")


def test_a_running_game_without_bots_has_no_seat_to_take(game: str) -> None:
    assert refused(playing(game), CY, Sit()) == Refusal("table_full")


# --- ready, start ---


def test_the_game_begins_when_everybody_is_ready(game: str) -> None:
    state = do(gathering(game), ANN, Ready())
    assert state.start is None
    said, began = events_of(state, BO, Ready())
    assert said == SaidReady(seat=1, ready=True)
    assert began == StartBegan(until=12_000)
    state = do(state, BO, Ready())
    assert (state.phase, state.started) == ("gathering", None)
    secrets = (secret_of(ANN), secret_of(BO))
    commitments = tuple(commit_secret(secret, state.terms) for secret in secrets)
    state = begun(state)
    assert (state.phase, state.start) == ("playing", None)
    assert state.started == table.StartedGame("game-1", 0, commitments, secrets, 2000)


def test_somebody_may_not_be_ready_after_all(game: str) -> None:
    state = do(do(gathering(game), ANN, Ready()), ANN, Ready(ready=False))
    assert not state.seats[0].ready
    assert do(state, BO, Ready()).phase == "gathering"


def test_an_open_seat_keeps_the_game_from_beginning_by_itself(game: str) -> None:
    state = do(do(open_table(game, None, None, None), ANN, Sit()), BO, Sit())
    assert do(do(state, ANN, Ready()), BO, Ready()).phase == "gathering"


def test_who_has_no_seat_is_not_ready(game: str) -> None:
    assert refused(gathering(game), CY, Ready()) == Refusal("no_seat")


def test_nobody_is_ready_in_the_middle_of_a_game(game: str) -> None:
    assert refused(playing(game), ANN, Ready()) == Refusal("game_running")
    assert refused(playing(game), ANN, Start()) == Refusal("game_running")


def test_the_host_starts_without_the_open_seats(game: str) -> None:
    state = do(do(open_table(game, None, None, None), ANN, Sit()), BO, Sit(2))
    assert events_of(state, ANN, Start()) == [SeatRemoved(seat=1), StartBegan(until=12_000)]
    assert do(state, ANN, Start()).names == ("Ann", "Bo")


def test_a_game_needs_a_person_and_enough_players(game: str) -> None:
    least = games.find(game).rules.min_seats
    alone = do(open_table(game, None, None), ANN, Sit())
    if least > 1:
        assert refused(alone, ANN, Start()) == Refusal("too_few_players", needed=least)
    else:
        assert begun(do(alone, ANN, Start())).phase == "playing"
    bots = open_table(game, "easy", "easy", None)
    assert refused(bots, ANN, Start()) == Refusal("too_few_players", needed=1)


def test_too_few_who_are_ready_stay_ready(game: str) -> None:
    rules = games.find(game).rules
    if rules.min_seats > 1:
        state = do(open_table(game, None), ANN, Sit())
        assert events_of(state, ANN, Ready()) == [SaidReady(seat=0, ready=True)]


# --- what is the host's alone ---


@pytest.mark.parametrize(
    "command",
    [
        Start(),
        AddSeat(),
        RemoveSeat(0),
        Kick(ANN),
        HandOver(BO),
        StandIn(0, "easy"),
        Change(public=True),
        Close(),
    ],
    ids=lambda command: type(command).__name__,
)
def test_only_the_host_may(game: str, command: TableCommand) -> None:
    assert refused(gathering(game), BO, command) == Refusal("not_the_host")


def test_the_host_adds_seats_for_people_and_bots(game: str) -> None:
    state = gathering(game)
    assert events_of(state, ANN, AddSeat()) == [SeatAdded()]
    assert events_of(state, ANN, AddSeat("hard")) == [SeatAdded(), BotSat(seat=2, bot="hard")]
    assert refused(state, ANN, AddSeat("unheard of")) == Refusal("no_such_bot", bot="unheard of")
    assert refused(playing(game), ANN, AddSeat()) == Refusal("game_running")


def test_a_game_has_only_so_many_seats(game: str) -> None:
    state = gathering(game)
    while len(state.seats) < games.find(game).rules.max_seats:
        state = do(state, ANN, AddSeat())
    assert refused(state, ANN, AddSeat()) == Refusal("table_full")
    # a bot takes one that is open, as long as there is one
    assert events_of(state, ANN, AddSeat("easy")) == [BotSat(seat=state.open_seats()[0], bot="easy")]
    while state.open_seats():
        state = do(state, ANN, AddSeat("easy"))
    assert refused(state, ANN, AddSeat("easy")) == Refusal("table_full")


def test_the_host_takes_open_seats_and_bots_away(game: str) -> None:
    state = do(do(gathering(game), ANN, AddSeat("easy")), ANN, AddSeat())
    assert do(state, ANN, RemoveSeat(2)).bots == (None, None, None)
    assert do(state, ANN, RemoveSeat(3)).bots == (None, None, "easy")
    assert refused(state, ANN, RemoveSeat(1)) == Refusal("seat_taken", seat=1)
    assert refused(state, ANN, RemoveSeat(4)) == Refusal("no_such_seat", seat=4)
    assert refused(playing(game), ANN, RemoveSeat(1)) == Refusal("game_running")


def test_what_somebody_said_for_the_next_game_goes_with_their_seat(game: str) -> None:
    state = do(gathering(game), BO, Ready())
    assert state.seats[1].ready
    assert not do(state, BO, Leave()).seats[1].ready


def test_who_is_kicked_goes_and_does_not_come_back(game: str) -> None:
    state = gathering(game)
    assert events_of(state, ANN, Kick(BO)) == [Kicked(person=BO), Stood(seat=1)]
    after = do(state, ANN, Kick(BO))
    assert after.banned == {BO}
    for command in (Sit(), Leave(), Ready()):
        assert refused(after, BO, command) == Refusal("kicked")
    assert refused(after, ANN, Kick(BO)) == Refusal("no_such_person")
    assert refused(after, ANN, Kick(ANN)) == Refusal("not_yourself")


def test_who_was_sent_away_may_be_allowed_back(game: str) -> None:
    away = do(gathering(game), ANN, Kick(BO))
    assert table.show(away, 1).sent_away == (SentAway(BO, "Bo"),)
    assert refused(away, BO, Allow(BO)) == Refusal("kicked")
    assert refused(away, CY, Allow(BO)) == Refusal("not_the_host")
    assert refused(away, ANN, Allow(CY)) == Refusal("no_such_person")
    back = do(away, ANN, Allow(BO))
    assert (back.banned, table.show(back, 2).sent_away) == (frozenset(), ())
    assert do(back, BO, Sit()).seats[1].person == BO


def test_only_so_many_of_those_who_were_sent_away_are_shown(game: str) -> None:
    state = gathering(game)
    for number in range(30):
        state = do(state, ANN, Kick(f"p{number}"))
    assert len(table.show(state, 1).sent_away) == 20
    assert len(state.banned) == 30


def test_who_only_looks_on_can_be_kicked_too(game: str) -> None:
    assert events_of(gathering(game), ANN, Kick(CY)) == [Kicked(person=CY)]


def test_in_a_game_a_bot_plays_on_for_who_was_kicked(game: str) -> None:
    assert events_of(playing(game), ANN, Kick(BO)) == [
        Kicked(person=BO),
        BotSat(seat=1, bot="middling", given_up=True),
    ]


def test_the_host_hands_over_to_somebody_with_a_seat(game: str) -> None:
    state = gathering(game)
    assert do(state, ANN, HandOver(BO)).host == BO
    assert refused(state, ANN, HandOver(CY)) == Refusal("no_such_person")


def test_a_bot_stands_in_for_somebody_who_is_missing(game: str) -> None:
    state = playing(game)
    after = do(state, ANN, StandIn(1, "hard"))
    assert after.bots == (None, "hard")
    assert after.people() == [ANN]
    assert refused(state, ANN, StandIn(1, "unheard of")) == Refusal("no_such_bot", bot="unheard of")
    assert refused(state, ANN, StandIn(7, "hard")) == Refusal("no_such_seat", seat=7)
    assert refused(state, ANN, StandIn(0, "hard")) == Refusal("not_yourself")


def test_the_host_changes_the_table_at_any_time(game: str) -> None:
    (changed,) = events_of(playing(game), ANN, Change(public=True, chat=False))
    assert changed == Changed(options={}, public=True, late_join=True, chat=False)


def test_options_change_between_games_only(game: str) -> None:
    options = unusual(game)
    after = do(gathering(game), ANN, Change(options=options)).options
    assert options.items() <= after.items()
    assert refused(playing(game), ANN, Change(options=options)) == Refusal("game_running")


def test_options_must_be_the_game_s(game: str) -> None:
    assert refused(gathering(game), ANN, Change(options={"unheard_of": 1})).code == "bad_options"
    with pytest.raises(OptionsError):
        table.check_options(games.find(game).rules, {"unheard_of": 1})


def test_options_are_kept_as_far_as_they_are_not_the_usual_ones(game: str) -> None:
    rules = games.find(game).rules
    (name,) = options = unusual(game)
    assert name in table.check_options(rules, options)
    usual = next(option.default for option in rules.options_schema() if option.name == name)
    assert name not in table.check_options(rules, {name: usual})


def test_a_closed_table_is_closed(game: str) -> None:
    state = do(gathering(game), ANN, Close())
    assert state.phase == "closed"
    for person, command in ((ANN, Start()), (BO, Leave()), (CY, Sit())):
        assert refused(state, person, command) == Refusal("table_closed")


# --- a seat in play belongs to its person ---


def test_nobody_takes_a_seat_in_play_from_who_is_here_or_on_the_way_back(game: str) -> None:
    state = playing(game)
    here = replace(asks(ANN), present=frozenset({ANN, BO}))
    assert table.decide(state, StandIn(1, "hard"), here) == Refusal("still_here", seat=1)
    assert table.decide(state, Kick(BO), here) == Refusal("still_here", seat=1)
    away = replace(asks(ANN), present=frozenset({ANN}))
    assert table.decide(state, StandIn(1, "hard"), away) == [BotSat(seat=1, bot="hard")]
    assert table.decide(state, Kick(BO), away) == [
        Kicked(person=BO),
        BotSat(seat=1, bot="middling", given_up=True),
    ]


def test_before_the_game_the_host_says_who_sits(game: str) -> None:
    here = replace(asks(ANN), present=frozenset({ANN, BO, CY}))
    assert table.decide(gathering(game), Kick(BO), here) == [Kicked(person=BO), Stood(seat=1)]
    assert table.decide(gathering(game), StandIn(1, "hard"), here) == [BotSat(seat=1, bot="hard")]
    assert table.decide(playing(game), Kick(CY), here) == [Kicked(person=CY)]  # who only looks on has no seat


def test_who_leaves_comes_back_to_the_own_seat_and_to_no_other(game: str) -> None:
    """The host cannot go over to the seat of a leader whom a bot plays for."""
    state = do(do(playing(game), ANN, StandIn(1, "hard")), CY, Sit())
    state = do(state, ANN, Leave())
    assert refused(state, ANN, Sit(1)) == Refusal("seat_taken", seat=1)
    assert events_of(state, ANN, Sit()) == [Sat(seat=0, person=ANN, name="Ann")]
    assert refused(state, BO, Sit()) == Refusal("table_full")  # Cy has it now
    assert refused(state, BO, Sit(0)) == Refusal("table_full")


def test_who_was_replaced_comes_back_also_without_late_join(game: str) -> None:
    state = do(playing(game, late_join=False), ANN, StandIn(1, "hard"))
    assert events_of(state, BO, Sit()) == [Sat(seat=1, person=BO, name="Bo")]
    assert refused(state, CY, Sit()) == Refusal("no_late_join")


def test_who_was_replaced_is_missed_and_who_gave_the_seat_up_is_not(game: str) -> None:
    state = do(playing(game), ANN, StandIn(1, "hard"))
    assert [state.missing(seat) for seat in (0, 1)] == [None, BO]
    assert do(state, BO, Sit()).missing(1) is None
    assert do(playing(game), BO, Leave()).missing(1) is None
    assert do(state, ANN, Kick(BO)).missing(1) is None


def test_the_table_says_until_which_event_somebody_sat_there(game: str) -> None:
    state = playing(game)
    for person, command, seq in ((ANN, StandIn(1, "hard"), 12), (BO, Sit(), 30)):
        state = do(state, person, command, seq=seq)
    taken = (TakenOver(1, ("Bo", "Hard"), (None, "hard"), (12, 30)),)
    assert table.show(state, 9).taken_over == taken
    after = table.evolve(state, Finished(scores=(3, 5), winners=(1,), seed=NEXT_SEED, time=9000))
    assert after.last is not None
    assert after.last.taken_over == taken
    assert table.show(after, 10).taken_over == ()


def test_who_took_over_shows_in_the_result_and_counts_for_nobody(game: str) -> None:
    state = playing(game)
    assert [state.counts(seat) for seat in (0, 1)] == [True, True]
    state = do(do(state, ANN, StandIn(1, "hard")), CY, Sit())
    assert [state.counts(seat) for seat in (0, 1)] == [True, False]
    finished = Finished(scores=(3, 5), winners=(1,), seed=NEXT_SEED, time=9000)
    after = table.evolve(state, finished)
    assert after.last is not None
    assert after.last.names == ("Ann", "Cy")
    assert after.last.taken_over == (TakenOver(1, ("Bo", "Hard"), (None, "hard"), (0, 0)),)
    assert after.sitters == ()


def test_who_comes_back_has_not_sat_there_from_the_beginning_to_the_end(game: str) -> None:
    state = do(do(playing(game), BO, Leave()), BO, Sit())
    assert not state.counts(1)


def test_a_ban_goes_for_all_that_somebody_was_known_by(game: str) -> None:
    state = do(gathering(game), ANN, Kick(BO))
    logged_in = replace(asks("account"), known_as=frozenset({BO, "account"}))
    assert table.decide(state, Sit(), logged_in) == Refusal("kicked")


# --- the end of a game ---


def test_after_a_game_everybody_stays_and_the_seed_is_told(game: str) -> None:
    state = do(do(playing(game), BO, Leave()), CY, Sit())
    finished = Finished(scores=(3, 5), winners=(1,), seed=NEXT_SEED, time=9000)
    after = table.evolve(state, finished)
    assert (after.phase, after.started, after.seed) == ("gathering", None, NEXT_SEED)
    assert (after.number, after.called_off, after.start) == (2, 0, None)
    assert [seat.ready for seat in after.seats] == [False, False]
    assert after.last is not None
    assert (after.last.game, after.last.names, after.last.scores) == ("game-1", ("Ann", "Cy"), (3, 5))
    assert after.last.seed == SEED


def test_the_rematch_of_a_gentle_first_game_is_a_game_like_any_other(game: str) -> None:
    state = do(open_table(game, None, "easy:gentle", practice=True), ANN, Sit())
    state = begun(do(state, ANN, Ready()))
    assert state.is_gentle
    finished = Finished(scores=(3, 5), winners=(1,), seed=NEXT_SEED, time=9000, first=state.is_gentle)
    after = table.evolve(state, finished)
    assert (after.bots, after.names, after.practice) == ((None, "easy"), ("Ann", "Easy"), False)
    assert after.last is not None
    assert after.last.bots == (None, "easy:gentle")


def test_a_practice_table_stays_one(game: str) -> None:
    state = playing(game, practice=True)
    finished = Finished(scores=(3, 5), winners=(1,), seed=NEXT_SEED, time=9000, first=state.is_gentle)
    assert table.evolve(state, finished).practice


# --- what everybody may know ---


def test_the_seed_is_not_shown_but_what_it_was_committed_by(game: str) -> None:
    state = playing(game)
    shown = table.show(state, 6)
    assert (shown.version, shown.playing, shown.phase) == (6, "game-1", "playing")
    assert shown.commitment == commit(SEED, state.terms)
    assert SEED not in repr(shown)
    gathered = table.show(replace(state, phase="gathering", started=None), 7)
    assert gathered.playing is None


def test_a_table_is_its_events(game: str) -> None:
    """Whoever evolves the state by the events of a whole afternoon has the table as it is."""
    orders: list[tuple[str, TableCommand]] = [
        (ANN, Sit()),
        (ANN, AddSeat("easy")),
        (BO, Sit()),
        (ANN, Change(public=True)),
        (ANN, Ready()),
        (BO, Ready()),
        (BO, Leave()),
        (CY, Sit(1)),
        (ANN, HandOver(CY)),
        (CY, Kick(ANN)),
    ]
    state = begun = open_table(game, None, None)
    log: list[AnyTableEvent] = []
    for person, command in orders:
        if command == Leave():
            for sitting in (ANN, BO):
                secret = secret_of(sitting)
                chosen = Commit(commit(SEED, state.terms), commit_secret(secret, state.terms))
                log += (events := events_of(state, sitting, chosen))
                state = evolved(state, events)
            for sitting in (ANN, BO):
                log += (
                    events := events_of(state, sitting, Reveal(commit(SEED, state.terms), secret_of(sitting)))
                )
                state = evolved(state, events)
        events = events_of(state, person, command)
        log += events
        for event in events:
            state = table.evolve(state, event)
    again = begun
    for event in log:
        again = table.evolve(again, event)
    assert again == state
    assert state.host == CY
    assert state.banned == {ANN}
