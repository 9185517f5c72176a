"""The review of Set: what each measure means, on games in which every moment is known."""

from __future__ import annotations

from itertools import combinations
from statistics import median
from typing import Any

import pytest
from msgspec.structs import replace

from tercet import Card, bots, cards, find_sets, record
from tercet.cards.review import Review
from tercet.cards.review.measures import Kind, strengths
from tercet.cards.review.watching import LOOK_LIMIT, Watched, watch
from tercet.difficulty import difficulties
from tercet.fairness import seed_from
from tercet.games import ComeBack, StepAway
from tercet.study.review import read, review, write
from tercet.study.speed import USUAL_DEVIATION, Estimate, Search
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


def speed_of(seen: Review, seat: int) -> Estimate:
    speed = seen.seats[seat].speed
    assert speed is not None
    return speed


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


def apart() -> tuple[Script, Three, Three]:
    """A game that begins with two SETs that share no card."""
    return next(
        (script, a, b)
        for script in map(Script.seeded, range(100))
        for a, b in combinations(script.sets, 2)
        if not set(a) & set(b)
    )


def test_a_set_that_stays_lives_on() -> None:
    script, first, second = apart()
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
            usual = life.difficulty / speed_of(seen, seat).factor
            is_own = life.went == "taken" and life.by == seat
            chose = life.by == seat and life.tables == 1
            assert (seat in life.missed) == (life.looked[seat] > usual and not is_own and not chose)
            if is_own:
                assert life.quick == (life.looked[seat] < usual / 3)
    assert [seat.missed for seat in seen.seats] == [
        sum(seat in life.missed for life in seen.lives) for seat in range(2)
    ]
    assert all(seat.missed and seat.quick for seat in seen.seats)


def test_whoever_was_somewhere_else_for_one_look_missed_nothing_there() -> None:
    script = Script(rounds=1)
    here = Script(rounds=1)
    script.take(0, at=110_000)
    here.take(0, at=2_000)
    seen, usual = script.finish(at=111_000), here.finish(at=3_000)
    assert speed_of(seen, 0).factor == pytest.approx(speed_of(usual, 0).factor, rel=0.1)
    gone = [life for life in seen.lives if life.since == 1]
    assert {life.looked[0] for life in gone if life.tables == 1} == {0.0}
    assert not any(0 in life.missed for life in gone if life.tables == 1)
    assert not any(life.quick for life in gone if life.tables == 1)
    assert seen.seats[0].looked < 60


def test_a_gentle_bot_has_no_speed() -> None:
    played = record.of(card_game(["regular", "casual"], rounds=1), {"Bot2": "casual:gentle"})
    seen = review(played)
    assert isinstance(seen, Review)
    bo = seen.seats[1]
    assert (bo.waited, bo.speed, bo.missed, bo.quick, bo.consistency) == (True, None, 0, 0, None)
    assert bo.found == seen.result[1]
    assert {life.expected[1] for life in seen.lives} == {None}
    assert any("It waited for people" in line for line in seen.summary())
    assert read(write(seen)) == seen
    row = Review.by_player([seen]).rows[1]
    assert (row["bot"], row["speed"]) == ("casual:gentle", None)


def test_a_kind_is_clear_from_several_finds_only() -> None:
    group, other = Card.read("1RFD 1RHD 1RED"), Card.read("1RFD 2GHO 3PES")
    rest = [(frozenset(other), Search(4.0, 10.0, 1))] * 40
    few, many = ([(frozenset(group), Search(60.0, 4.0, 1))] * number + rest for number in (4, 6))
    speed = Estimate(0.5, 0.1)
    assert not any(one.clear for one in strengths(few, speed) if one.found < 5)
    assert any(one.clear for one in strengths(many, speed) if one.found == 6)


def test_nobody_is_quick_to_find_what_they_denied() -> None:
    def quick(denied: bool) -> bool:
        script, first, second = apart()
        if denied:
            script.game.do(cards.SeeNone(0), at=100)
        script.take(1, at=200, three=first)
        script.take(0, at=1300, three=second)
        lives = script.finish(at=10_000).lives
        return next(life.quick for life in lives if frozenset(life.cards) == frozenset(second))

    assert quick(denied=False)
    assert not quick(denied=True)


def test_a_script_is_reviewed_from_end_to_end() -> None:
    script = Script(rounds=1)
    script.mistake(1, at=2000)
    script.take(0, at=60_000)
    seen = script.finish(at=61_000)
    ann, bo = seen.seats
    assert (ann.found, bo.found) == seen.result == tuple(script.game.scores)
    assert (ann.wrong, bo.wrong, bo.consistency, bo.quick) == (0, 1, None, 0)
    fast, slow = speed_of(seen, 0), speed_of(seen, 1)
    assert slow.factor < fast.factor
    assert fast.low < fast.factor < fast.high
    assert sum(part.found for part in ann.pace) == ann.found
    assert sum(part.looked for part in ann.pace) == pytest.approx(ann.looked)
    assert seen.scores[-1][1] == seen.result
    assert any("Bo called wrongly once: " in line for line in seen.summary())


def test_somebody_who_was_never_there_is_reviewed_too() -> None:
    script = Script(rounds=1)
    script.game.do(StepAway(1), at=0)
    seen = script.finish(at=0)
    bo = seen.seats[1]
    assert (bo.found, bo.looked, bo.missed, bo.per_minute, bo.strengths) == (0, 0, 0, None, ())
    assert speed_of(seen, 1).deviation == USUAL_DEVIATION


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


@pytest.mark.parametrize(("variant", "group"), [("ultra", "Ultra-SET"), ("ghost", "Ghost-SET")])
def test_a_usual_group_is_one_of_those_that_lay_there(variant: str, group: str) -> None:
    seen = card_review(["quick", "regular"], rounds=1, variant=variant)
    usual = median(one for life in seen.lives if (one := life.expected[0]) is not None)
    line = seen.summary()[0]
    assert f" {group}s, " in line
    assert line.endswith(f": a typical {group} in {usual:.1f} s.")


def test_the_race_goes_on_until_the_end_of_the_game() -> None:
    ended = Script(rounds=1).finish(at=0)
    seen = replace(ended, milliseconds=ended.milliseconds + 30_000)  # as if none had been seen for so long
    for seat, line in enumerate(seen.chart().lines):
        points = float(seen.result[seat])
        assert line.points[-1] == (seen.milliseconds / 60_000, points)
        assert line.points[-2] == (ended.milliseconds / 60_000, points)
    assert seen.chart().heading == "The race, over 1.4 minutes"


@pytest.mark.parametrize(("variant", "said"), [("classic", True), ("chain", False)])
def test_only_in_chain_another_set_need_not_share_a_card(variant: str, said: bool) -> None:
    game = card_game(["quick", "beginner"], rounds=1, variant=variant)
    seen = review(record.of(game))
    assert isinstance(seen, Review)
    broken = [one.text for one in seen.scenes(record.of(game)) if " took another" in one.text]
    assert broken
    assert all(
        text.endswith("took another, with one of its cards." if said else "took another.") for text in broken
    )


def test_eight_players_are_reviewed() -> None:
    names = [f"player {seat}" for seat in range(8)]
    game = cards.Game(names, seed=seed_from("eight"), options={"rounds": 1})
    bots.play(game, seated("set", ["casual"] * 8))
    seen = review(record.of(game))
    assert isinstance(seen, Review)
    assert [player.name for player in seen.players] == names
    assert sum(seat.found for seat in seen.seats) == sum(game.scores)
    assert len(seen.chart().lines) == 8
    players = [sheet.headings[1:] for sheet in seen.sheets() if sheet.title == "Players"]
    assert [name for some in players for name in some] == names
    assert max(map(len, players)) == 3


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
    speeds = [speed_of(one, 0) for one in reviews[:3]]
    assert row["speed_high"] - row["speed_low"] < min(speed.high - speed.low for speed in speeds)
    assert row["won"] == sum(one.result[0] > one.result[1] for one in reviews[:3])
    assert any("took this seat over from Cleo" in line for line in reviews[-1].summary())


def test_a_bot_of_the_site_is_the_one_of_the_terminal() -> None:
    seen = [card_review(["regular", "quick"], number) for number in (1, 2)]
    named = [
        replace(one, players=(one.players[0], replace(one.players[1], name=name, bot="quick")))
        for one, name in zip(seen, ("Quick", "quick"), strict=True)
    ]
    assert [(row["player"], row["games"]) for row in Review.by_player(named).rows] == [
        ("Ann", 2),
        ("Quick", 2),
    ]


def test_a_kind_that_covers_all_or_nothing_is_not_told() -> None:
    kinds = {one.kind for one in card_review(["quick"], only="red", rounds=3).seats[0].strengths}
    assert Kind("same", "red") not in kinds
    assert Kind("different", "colour") not in kinds
    assert Kind("count", "4") not in kinds
    assert Kind("different", "fill") in kinds
