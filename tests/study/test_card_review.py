"""The review of Set: what each measure means, on games in which every moment is known."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from tercet import Card, bots, cards, find_sets, record
from tercet.cards.review import Review
from tercet.cards.review.measures import Kind
from tercet.cards.review.watching import LOOK_LIMIT, Watched, watch
from tercet.difficulty import difficulties
from tercet.fairness import seed_from
from tercet.games import ComeBack, StepAway
from tercet.study.review import read, review, write
from tercet.study.speed import USUAL_DEVIATION
from tests.bots.tables import card_game, seated

Three = tuple[Card, ...]


class Script:
    """A game whose every moment is written down."""

    def __init__(self, seats: int = 2, seed: str = "a script", **options: Any) -> None:
        names = ["Ann", "Bo", "Cy"][:seats]
        self.game = cards.Game(names, seed=seed_from(seed), options=cards.rules.read_options(options))
        self.game.do(cards.Deal(0))

    @classmethod
    def seeded(cls, number: int) -> Script:
        return cls(seed=f"script {number}")

    @property
    def sets(self) -> list[Three]:
        return list(find_sets(self.game.state.table))

    def take(self, seat: int, at: int, three: Three | None = None, after: int = 1000) -> Three:
        """Call, and show a SET so many milliseconds later."""
        three = three or self.sets[0]
        if self.game.options.claim == "call":
            self.game.do(cards.Call(seat), at=at)
            self.game.do(cards.Show(seat, three), at=at + after)
        else:
            self.game.do(cards.Show(seat, three), at=at)
        return three

    def mistake(self, seat: int, at: int) -> Three:
        """Call, and show what is no SET."""
        table, sets = self.game.state.table, {frozenset(three) for three in self.sets}
        three = next(t for i in range(10) if frozenset(t := table[i : i + 3]) not in sets)
        self.game.do(cards.Call(seat), at=at)
        self.game.do(cards.Show(seat, three), at=at + 1000)
        return three

    def watch(self) -> Watched:
        """What is seen of it so far."""
        return watch(record.of(self.game, broken_off=True))

    def finish(self, at: int) -> Review:
        """Let the first seat take everything else, one a second, and review it."""
        while not self.game.is_over:
            at += 2000
            if self.game.state.phase == "deal":
                self.game.do(cards.Deal(self.game.state.dealer), at=at)
            elif self.sets:
                self.take(0, at)
            else:
                for seat in range(len(self.game.seats)):
                    self.game.do(cards.SeeNone(seat), at=at)
        found = review(record.of(self.game))
        assert isinstance(found, Review)
        return found


def looked(seen: Watched, seat: int) -> list[float]:
    return [look.seconds for look in seen.looks if look.seat == seat]


def test_a_life_from_the_deal_to_the_taking() -> None:
    script = Script()
    table, sets = script.game.state.table, script.sets
    taken = script.take(1, at=4000)
    lives = {frozenset(life.cards): life for life in script.watch().lives}
    life = lives[frozenset(taken)]
    assert (life.went, life.by, life.since, life.until) == ("taken", 1, 1, 3)
    assert (life.appeared, life.gone, life.looked, life.tables) == (0, 5000, (4.0, 4.0), 1)
    assert life.difficulty == difficulties(table, sets)[taken]
    broken = [three for three in sets if three != taken and set(three) & set(taken)]
    assert {group for group, life in lives.items() if life.went == "broken"} == set(map(frozenset, broken))


def test_a_set_that_stays_lives_on() -> None:
    script, first, second = next(
        (script, a, b)
        for script in map(Script.seeded, range(100))
        for a, b in combinations(script.sets, 2)
        if not set(a) & set(b)
    )
    script.take(0, at=3000, three=first)
    script.take(0, at=6000, three=second)
    life = next(life for life in script.watch().lives if frozenset(life.cards) == frozenset(second))
    assert (life.appeared, life.gone, life.tables, life.looked) == (0, 7000, 2, (5.0, 5.0))


def test_nobody_looks_while_somebody_shows() -> None:
    script = Script()
    script.take(0, at=2000, after=3000)
    script.take(1, at=6000)
    seen = script.watch()
    assert looked(seen, 0) == looked(seen, 1) == [2.0, 1.0]


def test_whoever_is_locked_out_does_not_look() -> None:
    script = Script(seats=3)
    three = script.mistake(1, at=2000)
    script.take(0, at=5000)
    seen = script.watch()
    assert (looked(seen, 0), looked(seen, 1)) == ([2.0, 2.0], [2.0])
    (wrong,) = seen.wrong
    assert (wrong.seat, wrong.at, wrong.cards) == (1, 3000, three)
    assert wrong.broken == tuple(
        feature.name
        for place, feature in enumerate(Card.features)
        if len({card.digits[place] for card in three}) == 2
    )


def test_a_mistake_is_almost_a_find_or_a_guess() -> None:
    script = Script()
    script.mistake(0, at=2000)
    script.take(1, at=5000)
    seen = script.watch()
    assert len(seen.wrong[0].broken) > 1
    assert [look.ended for look in seen.looks if look.seat == 0] == ["guess"]
    assert [(look.ended, look.pace) for look in seen.looks if look.seat == 1] == [
        ("otherwise", 1.0),
        ("right", 0.5),
    ]
    script = Script()
    script.game.do(cards.Call(0), at=2000)
    script.game.do(cards.Show(0), at=3000)
    assert [look.ended for look in script.watch().looks] == ["almost", "otherwise"]


def test_whoever_is_away_does_not_look() -> None:
    script = Script()
    script.game.do(StepAway(1), at=1000)
    script.game.do(ComeBack(1), at=8000)
    script.take(0, at=9000)
    seen = script.watch()
    assert (looked(seen, 0), looked(seen, 1)) == ([1.0, 7.0, 1.0], [1.0, 1.0])


def test_whoever_says_none_no_longer_looks_and_may_be_wrong() -> None:
    script = Script()
    sets = script.sets
    script.game.do(cards.SeeNone(1), at=3000)
    script.take(0, at=9000)
    seen = script.watch()
    assert (looked(seen, 0), looked(seen, 1)) == ([3.0, 6.0], [3.0])
    (false,) = seen.false_none
    assert (false.seat, false.at, false.sets, false.line) == (1, 3000, len(sets), 2)
    assert false.easiest in sets


def test_who_leaves_the_table_alone_for_long_no_longer_looks() -> None:
    script = Script(seats=1)
    script.take(0, at=10 * LOOK_LIMIT)
    assert looked(script.watch(), 0) == [LOOK_LIMIT / 1000]


def test_missed_and_quick_go_by_ones_own_time() -> None:
    seen = card_review(["regular", "quick"])
    for life in seen.lives:
        for seat in range(2):
            usual = life.difficulty / seen.seats[seat].speed.factor
            is_own = life.went == "taken" and life.by == seat
            chose = life.by == seat and life.tables == 1
            assert (seat in life.missed) == (life.looked[seat] > usual and not is_own and not chose)
            if is_own:
                assert life.quick == (life.looked[seat] < usual / 3)
    assert [seat.missed for seat in seen.seats] == [
        sum(seat in life.missed for life in seen.lives) for seat in range(2)
    ]
    assert all(seat.missed and seat.quick for seat in seen.seats)


def test_a_script_is_reviewed_from_end_to_end() -> None:
    script = Script(rounds=1)
    script.mistake(1, at=2000)
    script.take(0, at=60_000)
    seen = script.finish(at=61_000)
    ann, bo = seen.seats
    assert (ann.found, bo.found) == seen.result == tuple(script.game.scores)
    assert (ann.wrong, bo.wrong, bo.consistency, bo.quick) == (0, 1, None, 0)
    assert ann.speed.low < ann.speed.factor < ann.speed.high
    assert bo.speed.factor < ann.speed.factor
    assert sum(part.found for part in ann.pace) == ann.found
    assert sum(part.looked for part in ann.pace) == pytest.approx(ann.looked)
    assert seen.scores[-1][1] == seen.result
    assert any("Bo called wrongly once: " in line for line in seen.summary())


def test_somebody_who_was_never_there_is_reviewed_too() -> None:
    script = Script(rounds=1)
    script.game.do(StepAway(1), at=0)
    bo = script.finish(at=0).seats[1]
    assert (bo.found, bo.looked, bo.missed, bo.per_minute, bo.strengths) == (0, 0, 0, None, ())
    assert bo.speed.deviation == USUAL_DEVIATION


def card_review(players: list[str], number: int = 1, **options: Any) -> Review:
    found = review(record.of(card_game(players, number, **options)))
    assert isinstance(found, Review)
    return found


@pytest.mark.parametrize(
    "options",
    [
        {"variant": "chain"},
        {"variant": "ultra"},
        {"variant": "ghost"},
        {"variant": "shuffle"},
        {"variant": "junior", "table": 9},
        {"only": "squiggle"},
        {"claim": "instant", "penalty": "point"},
        {"auto_deal": True, "honest_none": True},
    ],
    ids=str,
)
def test_every_variant_and_option_is_reviewed(options: dict[str, Any]) -> None:
    seen = card_review(["quick", "regular"], rounds=1, **options)
    game = card_game(["quick", "regular"], rounds=1, **options)
    assert tuple(seat.found for seat in seen.seats) == game.state.taken
    assert read(write(seen)) == seen
    assert all(all(len(line) == len(sheet.headings) for line in sheet.lines) for sheet in seen.sheets())
    if options.get("honest_none"):
        assert not seen.false_none


def test_eight_players_are_reviewed() -> None:
    names = [f"player {seat}" for seat in range(8)]
    game = cards.Game(names, seed=seed_from("eight"), options={"rounds": 1})
    bots.play(game, seated("set", ["casual"] * 8))
    seen = review(record.of(game))
    assert isinstance(seen, Review)
    assert [player.name for player in seen.players] == names
    assert sum(seat.found for seat in seen.seats) == sum(game.scores)
    assert len(seen.chart().lines) == 8


def test_a_hundred_rounds_are_reviewed() -> None:
    seen = card_review(["champion"], only="red", table=9, rounds=100)
    assert seen.lives[-1].round == 100
    assert seen.seats[0].found > 500


def test_games_are_summed_up_by_player() -> None:
    reviews = [card_review(["regular", "quick"], number) for number in (1, 2, 3)]
    ann, bo = reviews[0].players
    # somebody else sat there before: that seat counts for nobody
    reviews.append(replace(reviews[0], players=(replace(ann, before=("Cleo",)), replace(bo, bot="quick"))))
    together = Review.by_player(reviews)
    assert [(row["player"], row["bot"], row["games"]) for row in together.rows] == [
        ("Ann", None, 3),
        ("Bo", None, 3),
        ("Bo", "quick", 1),
    ]
    row, seats = together.rows[0], [one.seats[0] for one in reviews[:3]]
    for key, name in (("sets", "found"), ("missed", "missed"), ("quick", "quick"), ("wrong", "wrong")):
        assert row[key] == sum(getattr(seat, name) for seat in seats)
    assert row["speed_high"] - row["speed_low"] < min(seat.speed.high - seat.speed.low for seat in seats)
    assert row["won"] == sum(one.result[0] > one.result[1] for one in reviews[:3])
    assert any("took this seat over from Cleo" in line for line in reviews[-1].summary())


def test_a_kind_that_covers_all_or_nothing_is_not_told() -> None:
    kinds = {one.kind for one in card_review(["quick"], only="red", rounds=3).seats[0].strengths}
    assert Kind("same", "red") not in kinds
    assert Kind("different", "colour") not in kinds
    assert Kind("count", "4") not in kinds
    assert Kind("different", "fill") in kinds
