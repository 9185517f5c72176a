"""K: the card game."""

from __future__ import annotations

from typing import Any

import pytest

from tercet import Card, cards, find_sets, is_set
from tercet.cards import Call, Deal, SeeNone, Show, TakeBack
from tercet.cards.variants import variant_of
from tercet.games import OptionsError
from tercet.games.race import PendingCall
from tests.core.scripted import NAMES, NO_SET, SEED, card_game, cards_of, happened, refusal

#: A table with the SET a, b, c in places 0, 5 and 11.
A, B, C = cards_of("1RFD 2RFD 3RFD")
WITH_A_SET = (A, *NO_SET[:4], B, *NO_SET[4:9], C)


def nobody_sees_any(game: cards.Game) -> list[str]:
    lines: list[str] = []
    for seat in range(len(game.seats)):
        lines += happened(game, SeeNone(seat))
    return lines


def take_all(game: cards.Game, seat: int = 0) -> None:
    """One seat takes SETs as long as there are any, and all agree when there are none, to the end of the round."""
    this_round = game.state.round
    while game.state.phase == "play" and game.state.round == this_round:
        if found := find_sets(game.state.table):
            game.do(Call(seat))
            game.do(Show(seat, found[0]))
        else:
            nobody_sees_any(game)


# K1


def test_k1_twelve_of_81_cards_lie_open() -> None:
    game = card_game(WITH_A_SET, dealt=False)
    assert (game.state.phase, game.state.table) == ("deal", ())
    assert refusal(game, Call(0)) == "not_dealt"
    assert refusal(game, Deal(1)) == "not_the_dealer"
    game.do(Deal(0))
    assert game.state.table == WITH_A_SET
    assert len(game.state.deck) == 69
    assert sorted((*game.state.table, *game.state.deck)) == list(Card.all())
    assert refusal(game, Deal(0)) == "already_dealt"


def test_k1_play_starts_at_once_and_there_are_no_turns() -> None:
    game = card_game(WITH_A_SET, players=3)
    for seat in (2, 0):
        assert happened(game, Call(seat)) == [f"{seat + 1} calls"]
        game.do(Show(seat))


@pytest.mark.parametrize("players", range(1, 9))
def test_k1_one_to_eight_players(players: int) -> None:
    assert card_game(players=players).scores == (0,) * players


@pytest.mark.parametrize("players", [0, 9])
def test_k1_no_other_number_of_players(players: int) -> None:
    with pytest.raises(OptionsError, match=f"1 to 8 players, not {players}"):
        cards.Game([f"P{number}" for number in range(players)], seed=SEED)


# K2


def test_k2_call_first_then_show() -> None:
    game = card_game(WITH_A_SET)
    assert refusal(game, Show(0, (A, B, C))) == "call_first"
    game.do(Call(0))
    assert game.state.call == PendingCall(0, 5000)
    game.do(Show(0, (A, B, C)))
    assert game.scores == (1, 0)


def test_k2_nobody_else_may_do_anything_between_call_and_check() -> None:
    game = card_game(WITH_A_SET, players=3)
    game.do(SeeNone(1))
    game.do(Call(0))
    for command in (Call(1), Show(1, (A, B, C)), SeeNone(2), TakeBack(1)):
        assert refusal(game, command) == "called_by_another"
    assert refusal(game, Call(0)) == "show_first"
    assert refusal(game, SeeNone(0)) == "show_first"
    game.do(Show(0))
    game.do(Call(1))


@pytest.mark.parametrize(
    ("shown", "code"),
    [
        ("1RFD 2RFD", "wrong_number"),
        ("1RFD 2RFD 3RFD 1RED", "wrong_number"),
        ("1RFD 1RFD 1RFD", "same_card_twice"),
        ("1RFD 2RFD 3PED", "not_on_table"),
    ],
)
def test_k2_three_different_cards_of_the_table_are_shown(shown: str, code: str) -> None:
    game = card_game(WITH_A_SET)
    game.do(Call(0))
    assert refusal(game, Show(0, cards_of(shown))) == code


# K3


def test_k3_right_takes_the_cards_and_a_point() -> None:
    game = card_game(WITH_A_SET)
    game.do(Call(1))
    game.do(Show(1, (C, A, B)))
    assert game.scores == (0, 1)
    assert game.state.taken == (0, 1)
    assert not {A, B, C} & {*game.state.table, *game.state.deck}


def test_k3_wrong_leaves_the_cards_and_locks_out() -> None:
    game = card_game(WITH_A_SET, players=3)
    game.do(Call(0))
    wrong = (A, B, NO_SET[0])
    assert happened(game, Show(0, wrong)) == [f"1 shows {A} {B} {NO_SET[0]}"]
    assert game.state.table == WITH_A_SET
    assert game.scores == (0, 0, 0)
    assert game.state.locked == {0}
    assert refusal(game, Call(0)) == "locked_out"


def test_k3_several_can_be_locked_until_somebody_else_takes_a_set() -> None:
    game = card_game(WITH_A_SET, players=3)
    for seat in (0, 2):
        game.do(Call(seat))
        game.do(Show(seat))
    assert game.state.locked == {0, 2}
    game.do(Call(1))
    game.do(Show(1, (A, B, C)))
    assert game.state.locked == frozenset()
    game.do(Call(0))


def test_k3_opening_three_more_releases_nobody() -> None:
    game = card_game(WITH_A_SET)
    game.do(Call(0))
    game.do(Show(0))
    nobody_sees_any(game)
    assert len(game.state.table) == 15
    assert game.state.locked == {0}


@pytest.mark.parametrize("seconds", [None, 3, 30])
def test_k3_nothing_shown_in_time_is_a_wrong_call(seconds: int | None) -> None:
    chosen: dict[str, Any] = {} if seconds is None else {"show_seconds": seconds}
    limit = (seconds or 5) * 1000
    game = card_game(WITH_A_SET, **chosen)
    game.do(Call(0), at=100)
    assert game.due is not None
    assert game.due.at == 100 + limit
    assert game.advance(99 + limit) == []
    assert [entry.event for entry in game.advance(100 + limit)] == [cards.Missed(0, ())]
    assert game.state.locked == {0}
    assert game.due is None


def test_k3_the_last_moment_counts_and_one_later_does_not() -> None:
    in_time, late = card_game(WITH_A_SET), card_game(WITH_A_SET)
    for game in (in_time, late):
        game.do(Call(0), at=0)
    in_time.do(Show(0, (A, B, C)), at=5000)
    assert in_time.scores == (1, 0)
    with pytest.raises(Exception, match="call_first"):
        late.do(Show(0, (A, B, C)), at=5001)
    assert late.log[-1].event == cards.Missed(0, ())
    assert late.log[-1].at == 5000


def test_k3_a_table_that_missed_the_deadline_refuses_a_late_show() -> None:
    game = card_game(WITH_A_SET)
    game.do(Call(0), at=0)
    answer = cards.rules.decide(game.state, Show(0, (A, B, C)), 5250, game._chance)
    assert repr(answer) == "Refusal('too_late', by_ms=250)"


@pytest.mark.parametrize("seconds", [2, 31, "5"])
def test_k3_three_to_thirty_seconds(seconds: object) -> None:
    with pytest.raises(OptionsError, match="show_seconds"):
        cards.rules.read_options({"show_seconds": seconds})


# K4


def test_k4_when_everybody_is_locked_everybody_is_released() -> None:
    game = card_game(WITH_A_SET, players=3)
    for seat in range(3):
        assert game.state.locked == frozenset(range(seat))
        game.do(Call(seat))
        game.do(Show(seat))
    assert game.state.locked == frozenset()


def test_k4_a_lone_player_is_never_locked() -> None:
    game = card_game(WITH_A_SET, players=1)
    game.do(Call(0))
    game.do(Show(0))
    assert game.state.locked == frozenset()
    game.do(Call(0))


def test_k4_the_end_of_a_round_releases() -> None:
    game = card_game(players=3, only="red", rounds=2)
    while game.state.deck:
        if found := find_sets(game.state.table):
            game.do(Call(0))
            game.do(Show(0, found[0]))
        else:
            nobody_sees_any(game)
    game.do(Call(1))
    game.do(Show(1))
    assert game.state.locked == {1}
    nobody_sees_any(game)
    assert game.state.phase == "deal"
    assert game.state.locked == frozenset()


# K5


def test_k5_gaps_are_filled_in_place() -> None:
    new = cards_of("3PES 3PEO 2PES")
    game = card_game((*WITH_A_SET, *new))
    game.do(Call(0))
    assert happened(game, Show(0, (C, A, B)))[0] == f"1 takes {C} {A} {B}, new 3PES 3PEO 2PES"
    assert game.state.table == (new[0], *WITH_A_SET[1:5], new[1], *WITH_A_SET[6:11], new[2])
    assert len(game.state.deck) == 66


def test_k5_with_fifteen_nothing_is_added_and_the_table_closes_its_gaps() -> None:
    """The last cards move into the gaps; all others stay where they are."""
    more = cards_of("3PES 3PEO 2PES")
    game = card_game((*WITH_A_SET, *more))
    nobody_sees_any(game)
    assert game.state.table == (*WITH_A_SET, *more)
    game.do(Call(0))
    assert happened(game, Show(0, (A, B, C)))[0] == f"1 takes {A} {B} {C}"
    assert game.state.table == (more[0], *WITH_A_SET[1:5], more[1], *WITH_A_SET[6:11], more[2])
    assert len(game.state.deck) == 66


def test_k5_a_gap_among_the_last_cards_needs_no_mover() -> None:
    more = cards_of("3PES 3RFD 2PES")
    first = (*WITH_A_SET[:11], NO_SET[9])
    game = card_game((*first, *more))
    nobody_sees_any(game)
    game.do(Call(0))
    game.do(Show(0, (A, B, C)))
    assert game.state.table == (more[0], *first[1:5], more[2], *first[6:])


def test_k5_eighteen_go_down_to_twelve_before_any_card_is_added() -> None:
    game = card_game((*WITH_A_SET, *cards_of("1GFD 2GFD 3GFD 1PFD 2PFD 3PFD")))
    nobody_sees_any(game)
    nobody_sees_any(game)
    sizes = [len(game.state.table)]
    for number in ("R", "G", "P"):
        game.do(Call(0))
        game.do(Show(0, cards_of(f"1{number}FD 2{number}FD 3{number}FD")))
        sizes.append(len(game.state.table))
    assert sizes == [18, 15, 12, 12]
    assert len(game.state.deck) == 60


def test_k5_an_empty_deck_fills_nothing() -> None:
    game = card_game(only="red", table=9, players=1)
    while game.state.deck:
        if found := find_sets(game.state.table):
            game.do(Call(0))
            game.do(Show(0, found[0]))
        else:
            nobody_sees_any(game)
    before = len(game.state.table)
    taken = find_sets(game.state.table)[0]
    game.do(Call(0))
    game.do(Show(0, taken))
    assert game.state.phase == "over" or len(game.state.table) == before - 3


# K6


def test_k6_when_all_agree_three_more_are_opened() -> None:
    game = card_game(NO_SET, players=3)
    assert happened(game, SeeNone(2)) == ["3 sees none"]
    assert happened(game, SeeNone(0)) == ["1 sees none"]
    assert game.state.none == {0, 2}
    more = " ".join(map(str, NO_SET[12:15]))
    assert happened(game, SeeNone(1)) == ["2 sees none", f"three more: {more}"]
    assert game.state.table == NO_SET[:15]
    assert game.state.none == frozenset()


def test_k6_fifteen_eighteen_twenty_one_and_no_further() -> None:
    game = card_game(NO_SET)
    sizes = []
    for _ in range(3):
        nobody_sees_any(game)
        sizes.append(len(game.state.table))
    assert sizes == [15, 18, 21]
    assert find_sets(game.state.table)
    assert refusal(game, SeeNone(0)) == "always_a_set"


def test_k6_agreement_is_refused_at_21_in_the_simplified_game_too() -> None:
    game = card_game(only="red", players=1)
    for _ in range(3):
        nobody_sees_any(game)
    assert (len(game.state.table), len(game.state.deck)) == (21, 6)
    assert refusal(game, SeeNone(0)) == "always_a_set"


def test_k6_an_overlooked_set_does_not_matter() -> None:
    game = card_game(WITH_A_SET)
    nobody_sees_any(game)
    assert len(game.state.table) == 15


def test_k6_honest_none_refuses_while_there_is_a_set() -> None:
    assert refusal(card_game(WITH_A_SET, honest_none=True), SeeNone(0)) == "there_is_a_set"
    game = card_game(NO_SET, honest_none=True)
    nobody_sees_any(game)
    assert len(game.state.table) == 15


def test_k6_locked_players_vote_too() -> None:
    game = card_game(WITH_A_SET, players=2)
    game.do(Call(0))
    game.do(Show(0))
    assert happened(game, SeeNone(1)) == ["2 sees none"]
    assert len(happened(game, SeeNone(0))) == 2


def test_k6_a_vote_can_be_taken_back_once() -> None:
    game = card_game(NO_SET)
    assert refusal(game, TakeBack(0)) == "nothing_to_take_back"
    game.do(SeeNone(0))
    assert refusal(game, SeeNone(0)) == "said_already"
    assert happened(game, TakeBack(0)) == ["1 looks again"]
    assert happened(game, SeeNone(1)) == ["2 sees none"]
    assert len(game.state.table) == 12


def test_k6_a_call_takes_the_callers_vote_back_but_nobody_elses() -> None:
    game = card_game(WITH_A_SET, players=3)
    game.do(SeeNone(0))
    game.do(SeeNone(1))
    game.do(Call(0))
    assert game.state.none == {1}
    game.do(Show(0))
    assert game.state.none == {1}


def test_k6_a_new_table_is_a_new_question() -> None:
    game = card_game(WITH_A_SET, players=3)
    game.do(SeeNone(1))
    game.do(Call(0))
    game.do(Show(0, (A, B, C)))
    assert game.state.none == frozenset()


# K7


def test_k7_the_round_ends_by_itself_when_the_deck_is_empty_and_no_set_is_left() -> None:
    game = card_game(players=1)
    take_all(game)
    *_, last_take, ended, over = game.log
    assert isinstance(last_take.event, cards.Took)
    assert isinstance(ended.event, cards.RoundEnded)
    assert isinstance(over.event, cards.Ended)
    assert find_sets(ended.event.left) == []
    assert len(ended.event.left) == 81 - 3 * game.scores[0]


def test_k7_agreement_ends_the_round_when_the_deck_is_empty() -> None:
    game = card_game(players=2, rounds=1)
    while game.state.deck:
        if found := find_sets(game.state.table):
            game.do(Call(0))
            game.do(Show(0, found[0]))
        else:
            nobody_sees_any(game)
    left = game.state.table
    assert find_sets(left)
    assert nobody_sees_any(game)[2:] == [
        f"round over, left: {' '.join(map(str, left))}",
        f"game over: {game.scores[0]} 0",
    ]
    assert game.is_over


def test_k7_left_over_cards_score_for_nobody() -> None:
    game = card_game(players=2, rounds=1)
    take_all(game, 1)
    left = next(entry.event.left for entry in game.log if isinstance(entry.event, cards.RoundEnded))
    assert game.scores == (0, (81 - len(left)) // 3)


def test_k7_three_can_never_be_left() -> None:
    """All cards together add up to zero in every feature, and so does every SET: the last three would too."""
    whole = [sum(card.digits[place] for card in Card.all()) % 3 for place in range(4)]
    assert whole == [0, 0, 0, 0]
    for number in range(20):
        game = cards.Game(["Ann"], seed=f"{number:064x}")
        game.do(Deal(0))
        take_all(game)
        (left,) = [entry.event.left for entry in game.log if isinstance(entry.event, cards.RoundEnded)]
        assert len(left) != 3
        assert len(left) % 3 == 0


def test_k7_the_deal_to_the_last_card_can_leave_nothing() -> None:
    order = [card for line in lines_of_three() for card in line]
    game = card_game(order, players=1)
    while game.state.phase == "play":
        three = next(three for three in lines_of_three() if {*three} <= {*game.state.table})
        game.do(Call(0))
        game.do(Show(0, three))
    assert game.scores == (27,)
    assert isinstance(game.log[-2].event, cards.RoundEnded)
    assert game.log[-2].event.left == ()


def lines_of_three() -> list[tuple[Card, Card, Card]]:
    """All 81 cards as 27 SETs: one, two and three of the same."""
    return [
        (Card("1" + rest), Card("2" + rest), Card("3" + rest))
        for rest in sorted({str(c)[1:] for c in Card.all()})
    ]


# K8


def test_k8_as_many_rounds_as_players_and_the_deal_passes_on() -> None:
    game = card_game(players=3, dealt=False)
    dealers: list[int] = []
    while not game.is_over:
        dealers.append(game.state.dealer)
        assert refusal(game, Deal((game.state.dealer + 1) % 3)) == "not_the_dealer"
        game.do(Deal(game.state.dealer))
        take_all(game, seat=1)
    assert dealers == [0, 1, 2]
    assert game.state.round == 3
    assert game.scores[1] == game.state.taken[1] > 60
    assert game.winners == (1,)


@pytest.mark.parametrize(("players", "rounds"), [(3, 1), (1, 2), (2, 5)])
def test_k8_a_single_round_or_any_number(players: int, rounds: int) -> None:
    game = card_game(players=players, rounds=rounds, only="full", dealt=False)
    played = 0
    while not game.is_over:
        game.do(Deal(game.state.dealer))
        take_all(game)
        played += 1
    assert played == rounds
    assert refusal(game, Deal(0)) == "game_over"


def test_k8_points_are_kept_from_round_to_round() -> None:
    game = card_game(players=2)
    take_all(game, 0)
    first = game.scores
    game.do(Deal(1))
    assert game.scores == first
    assert len(game.state.table) == 12
    take_all(game, 1)
    assert game.scores[0] == first[0]


def test_k8_equal_points_share_the_win() -> None:
    game = card_game(players=3)
    for seat in (0, 2):
        found = find_sets(game.state.table)[0]
        game.do(Call(seat))
        game.do(Show(seat, found))
    assert game.winners == (0, 2)


def test_k8_an_absent_dealer_has_dealt_after_ten_seconds() -> None:
    game = card_game(players=2)
    take_all(game)
    ended = game.clock
    assert game.due is not None
    assert (game.due.at, game.due.commands) == (ended + 10_000, (Deal(1),))
    assert isinstance(game.advance(ended + 10_000)[0].event, cards.Dealt)


def test_k8_the_first_deal_waits_for_the_dealer() -> None:
    assert card_game(dealt=False).due is None


# K9

VALUES = [(feature.name, value) for feature in Card.features for value in feature.values]


@pytest.mark.parametrize(("feature", "value"), VALUES)
def test_k9_any_value_can_be_the_fixed_one(feature: str, value: str) -> None:
    game = card_game(only=value)
    lying = (*game.state.table, *game.state.deck)
    assert len(lying) == 27
    assert len(game.state.table) == 12
    assert {card.values[feature] for card in lying} == {value}
    assert sorted(lying) == sorted(variant_of(game.options).pack)


def test_k9_nine_on_the_table_is_an_option_of_the_simplified_game() -> None:
    game = card_game(only="red", table=9)
    assert (len(game.state.table), len(game.state.deck)) == (9, 18)
    found = find_sets(game.state.table)[0]
    game.do(Call(0))
    game.do(Show(0, found))
    assert len(game.state.table) == 9
    nobody_sees_any(game)
    assert len(game.state.table) == 12
    found = find_sets(game.state.table)[0]
    game.do(Call(0))
    game.do(Show(0, found))
    assert (len(game.state.table), len(game.state.deck)) == (9, 12)
    with pytest.raises(OptionsError, match="simplified"):
        card_game(table=9)


def test_k9_the_simplified_game_is_played_to_the_end() -> None:
    game = card_game(only="squiggle", players=2)
    take_all(game)
    assert game.state.phase == "deal"
    game.do(Deal(1))
    take_all(game)
    assert game.is_over


# K10


def test_k10_options_are_off_by_default() -> None:
    assert cards.Options() == cards.Options(
        rounds=None,
        show_seconds=5,
        honest_none=False,
        only=None,
        table=12,
        claim="call",
        auto_deal=False,
        penalty="lock",
    )


def test_k10_instant_takes_without_a_call() -> None:
    game = card_game(WITH_A_SET, claim="instant")
    assert refusal(game, Call(0)) == "no_call_needed"
    assert refusal(game, Show(0)) == "wrong_number"
    game.do(Show(1, (A, B, C)))
    assert game.scores == (0, 1)


def test_k10_instant_locks_out_as_a_call_does() -> None:
    game = card_game(WITH_A_SET, claim="instant")
    game.do(Show(0, (A, B, NO_SET[0])))
    assert game.state.locked == {0}
    assert refusal(game, Show(0, (A, B, C))) == "locked_out"
    game.do(Show(1, (A, B, C)))
    assert game.state.locked == frozenset()


def test_k10_auto_deal_opens_three_as_soon_as_there_is_no_set() -> None:
    """In the deal itself, twice over, and after a SET was taken."""
    game = card_game(NO_SET[:18], auto_deal=True)
    assert len(game.state.table) == 21
    assert [type(entry.event) for entry in game.log] == [
        cards.Dealt,
        cards.Opened,
        cards.Opened,
        cards.Opened,
    ]
    two = card_game((*NO_SET[:9], A, B, C, *NO_SET[9:15], *NO_SET[15:18]), auto_deal=True)
    assert len(two.state.table) == 12
    three = next(s for s in find_sets(two.state.table) if {*s} == {A, B, C})
    two.do(Call(0))
    lines = happened(two, Show(0, three))
    assert lines[1] == "three more: " + " ".join(map(str, NO_SET[12:15]))
    assert len(two.state.table) >= 15


def test_k10_without_auto_deal_the_table_waits() -> None:
    assert len(card_game(NO_SET).state.table) == 12


def test_k10_auto_deal_ends_the_round_too() -> None:
    game = card_game(only="red", players=1, auto_deal=True)
    while not game.is_over:
        game.do(Call(0))
        game.do(Show(0, find_sets(game.state.table)[0]))
    assert game.log[-1].event == cards.Ended(game.scores)


@pytest.mark.parametrize("claim", ["call", "instant"])
def test_k10_penalty_point_costs_a_point_instead_of_the_lock(claim: str) -> None:
    game = card_game(WITH_A_SET, penalty="point", claim=claim)
    for expected in (-1, -2):
        if claim == "call":
            game.do(Call(0))
        game.do(Show(0, (A, B, NO_SET[0])))
        assert game.scores == (expected, 0)
    assert game.state.locked == frozenset()
    assert game.winners == (1,)
    if claim == "call":
        game.do(Call(0))
    game.do(Show(0, (A, B, C)))
    assert game.scores == (-1, 0)
    assert game.state.taken == (1, 0)


# K11


def test_k11_the_first_call_received_counts() -> None:
    game = card_game(WITH_A_SET)
    game.do(Call(1), at=700)
    assert refusal(game, Call(0), at=700) == "called_by_another"
    game.do(Show(1, (A, B, C)), at=701)
    assert game.scores == (0, 1)


def test_names_of_the_scripted_table() -> None:
    """The fixtures are what they say."""
    assert find_sets(NO_SET) == []
    assert len(NO_SET) == 20
    assert is_set(A, B, C)
    assert len(NAMES) == 8
