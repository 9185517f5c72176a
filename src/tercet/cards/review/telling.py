"""A review of Set for people: lines, tables, and several games together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import exp
from statistics import median
from typing import TYPE_CHECKING, Any

from tercet.cards.review.measures import KINDS, Kind, Strength, strengths
from tercet.cards.variants import VARIANTS, Variant
from tercet.difficulty import PER_DIFFERENCE, SECONDS
from tercet.study.review import ByPlayer, Sheet
from tercet.study.review.words import clock, count, share_of_win, times
from tercet.study.speed import Estimate, Search, estimate, together

if TYPE_CHECKING:
    from tercet.cards.review.review import Review
    from tercet.cards.review.watching import Life


def summary(review: Review) -> list[str]:
    """A few lines a player."""
    return [line for seat in range(len(review.players)) for line in _lines(review, seat)]


def _lines(review: Review, number: int) -> Iterator[str]:
    seat, player = review.seats[number], review.players[number]
    name, group = player.shown, _variant(review).group
    found = f"{name} found {count(seat.found, group)}, {_number(seat.per_minute)} a minute of looking."
    if seat.speed is None:
        yield f"{found} It waited for people who are new to the game: its speed says nothing."
    else:
        seconds = usual_seconds(review, seat.speed)
        usual = "" if seconds is None else f": a typical {group} in {seconds:.1f} s"
        yield f"{found} Speed {_factor(seat.speed)}{usual}."
        quick = f"was quick {times(seat.quick)}" if seat.quick else "was never quick"
        even = "" if seat.consistency is None else f", evenness {seat.consistency:.0f} of 100"
        yield f"{name} missed {seat.missed}, {quick}{even}."
    if seat.wrong:
        broken = Counter(f for one in review.wrong if one.seat == number for f in one.broken)
        nothing = sum(not one.cards for one in review.wrong if one.seat == number)
        why = [f"{feature} broke {times(often)}" for feature, often in broken.most_common()]
        why += [f"nothing shown {times(nothing)}"] if nothing else []
        yield f"{name} called wrongly {times(seat.wrong)}: {', '.join(why)}."
    if seat.false_none:
        yield f'{name} said "I see none" {times(seat.false_none)} while there was one.'
    for strength in seat.strengths:
        if strength.clear:
            yield f"{name} needs {_factor(strength.slowness)} times as long for {group}s {_of(strength.kind)} as for the rest."
    if not player.counts:
        yield f"{player.name} took this seat over from {', '.join(player.before)}: it counts for nobody."


def sheets(review: Review) -> list[Sheet]:
    """The tables of one review; those with nothing in them are left out."""
    found = [
        *_players(review).by_threes(),
        _sets(review),
        _wrong(review),
        _false_none(review),
        _paces(review),
        *_kinds(review).by_threes(),
    ]
    return [sheet for sheet in found if sheet.lines]


def _players(review: Review) -> Sheet:
    """A line a measure, a column a player."""
    seats, group = review.seats, _variant(review).group
    names = tuple(player.shown for player in review.players)
    lines = (
        ("points", *map(str, review.result)),
        (f"{group}s", *(str(seat.found) for seat in seats)),
        (f"{group}s a minute of looking", *(_number(seat.per_minute) for seat in seats)),
        ("speed (95 %)", *("waited" if seat.speed is None else _factor(seat.speed) for seat in seats)),
        (f"a typical {group} in, s", *(_usual(review, seat.speed) for seat in seats)),
        ("missed", *(str(seat.missed) for seat in seats)),
        ("quick", *(str(seat.quick) for seat in seats)),
        ("evenness", *(_number(seat.consistency, 0) for seat in seats)),
        ("wrong calls", *(str(seat.wrong) for seat in seats)),
        ('false "I see none"', *(str(seat.false_none) for seat in seats)),
    )
    return Sheet("Players", ("", *names), lines, names)


def _sets(review: Review) -> Sheet:
    """Every SET that was taken or missed, in the order in which they went."""

    def told(life: Life, seat: int) -> str:
        usual = life.expected[seat]
        name = review.players[seat].name
        return f"{name} {life.looked[seat]:.1f}" + ("" if usual is None else f" ({usual:.1f})")

    lines = []
    for life in review.lives:
        missed = [told(life, seat) for seat in sorted(life.missed, key=lambda one: -life.looked[one])]
        if life.went == "taken" and life.by is not None:
            went = told(life, life.by) + (" quick" if life.quick else "")
        elif not missed:
            continue
        else:
            went = "left" if life.by is None else f"broken by {review.players[life.by].name}"
        cards = " ".join(map(str, life.cards))
        lines.append((clock(life.gone), cards, f"{life.difficulty:.1f}", went, _some(missed)))
    group = _variant(review).group
    title = f"{group}s taken or missed: seconds of looking (seconds that this player usually needs)"
    return Sheet(title, ("at", group, "difficulty", "went to", "missed by"), tuple(lines), ("difficulty",))


def _some(missed: Sequence[str]) -> str:
    """The first two; the rest is in the JSON."""
    return ", ".join(missed) if len(missed) <= 2 else f"{', '.join(missed[:2])} and {len(missed) - 2} more"


def _wrong(review: Review) -> Sheet:
    lines = [
        (
            clock(one.at),
            review.players[one.seat].name,
            " ".join(map(str, one.cards)) or "nothing shown",
            ", ".join(one.broken),
        )
        for one in review.wrong
    ]
    return Sheet("Wrong calls", ("at", "player", "cards", "broke"), tuple(lines))


def _false_none(review: Review) -> Sheet:
    lines = [
        (clock(one.at), review.players[one.seat].name, str(one.sets), " ".join(map(str, one.easiest)))
        for one in review.false_none
    ]
    there = f"{_variant(review).group}s there"
    headings = ("at", "player", there, "the easiest")
    return Sheet('"I see none", while there was one', headings, tuple(lines), (there,))


def _paces(review: Review) -> Sheet:
    lines = [
        (player.shown, *(_number(part.per_minute) for part in seat.pace))
        for player, seat in zip(review.players, review.seats, strict=True)
    ]
    ends = [f"to {clock(part.until)}" for part in review.seats[0].pace]
    title = f"Pace: {_variant(review).group}s a minute of looking"
    return Sheet(title, ("player", *ends), tuple(lines), tuple(ends))


def _kinds(review: Review) -> Sheet:
    """A line a kind, a column a player."""
    told = [{one.kind: one for one in seat.strengths} for seat in review.seats]
    lines = [
        (str(kind), *(_slowness(one.get(kind)) for one in told))
        for kind in KINDS
        if any(kind in one for one in told)
    ]
    names = tuple(player.name for player in review.players)
    group = _variant(review).group
    title = f"Kinds of {group}s: how many times as long as for the rest (95 %); * is beyond chance"
    return Sheet(title, ("kind", *names), tuple(lines), names)


def by_player(reviews: Sequence[Review]) -> ByPlayer:
    """A row a player, bots apart from people of the same name; the one with most games first."""
    found: dict[tuple[str, str | None], list[tuple[Review, int]]] = {}
    for review in dict.fromkeys(reviews):
        for number, player in enumerate(review.players):
            if player.counts:
                found.setdefault(player.summed_as, []).append((review, number))
    rows = sorted(map(_row, found.values()), key=lambda row: (-row["games"], row["player"]))
    columns = {
        "player": [row["player"] if row["bot"] is None else f"{row['player']} (bot)" for row in rows],
        "games": [str(row["games"]) for row in rows],
        "won": [f"{row['won']:.4g}" for row in rows],
        "SETs": [str(row["sets"]) for row in rows],
        "a minute": [_number(row["per_minute"]) for row in rows],
        "speed": ["-" if row["speed"] is None else f"{row['speed']:.2f}" for row in rows],
        "95 %": [
            "-" if row["speed"] is None else f"{row['speed_low']:.2f} to {row['speed_high']:.2f}"
            for row in rows
        ],
        "missed": [str(row["missed"]) for row in rows],
        "quick": [str(row["quick"]) for row in rows],
        "evenness": [_number(row["consistency"], 0) for row in rows],
        "wrong": [str(row["wrong"]) for row in rows],
        "false none": [str(row["false_none"]) for row in rows],
    }
    numbers = tuple(columns)[1:]
    for heading, key in (("slow at", "slow_at"), ("fast at", "fast_at")):
        if any(row[key] for row in rows):
            columns[heading] = [row[key] for row in rows]
    lines = tuple(zip(*columns.values(), strict=True))
    return ByPlayer(tuple(rows), Sheet("By player", tuple(columns), lines, numbers))


def _row(played: Sequence[tuple[Review, int]]) -> dict[str, Any]:
    first, at = played[0]
    seats = [review.seats[number] for review, number in played]
    speeds = [seat.speed for seat in seats if seat.speed is not None]
    speed = together(speeds) if speeds else None
    minutes = sum(seat.looked for seat in seats) / 60
    even = [(seat.consistency, seat.found) for seat in seats if seat.consistency is not None]
    clear = [(one.kind, one.slowness) for one in strengths_together(played) if one.clear]
    return {
        "player": first.players[at].name,
        "bot": first.players[at].bot,
        "games": len(played),
        "won": sum(share_of_win(review.result, number) for review, number in played),
        "sets": sum(seat.found for seat in seats),
        "minutes": minutes,
        "per_minute": sum(seat.found for seat in seats) / minutes if minutes else None,
        "speed": None if speed is None else speed.factor,
        "speed_low": None if speed is None else speed.low,
        "speed_high": None if speed is None else speed.high,
        "missed": sum(seat.missed for seat in seats),
        "quick": sum(seat.quick for seat in seats),
        "consistency": sum(c * n for c, n in even) / sum(n for _, n in even) if even else None,
        "wrong": sum(seat.wrong for seat in seats),
        "false_none": sum(seat.false_none for seat in seats),
        "slow_at": ", ".join(f"{kind} {slow.factor:.2f}" for kind, slow in clear if slow.log > 0),
        "fast_at": ", ".join(f"{kind} {slow.factor:.2f}" for kind, slow in clear if slow.log < 0),
    }


def strengths_together(played: Iterable[tuple[Review, int]]) -> tuple[Strength, ...]:
    """The kinds at which a player is slow or fast, from several games, in each of which they had the speed of that day."""
    searches = (
        (
            frozenset(review.lives[one.life].cards),
            Search(one.seconds * speed.factor, one.difficulty, one.found),
        )
        for review, number in played
        for speed in [review.seats[number].speed]
        if speed is not None
        for one in review.seats[number].sought
    )
    return strengths(searches, estimate(()))


def usual_seconds(review: Review, speed: Estimate) -> float | None:
    """The time for a SET that differs in two features, the most common kind but one. Where a group is no SET, the median of
    the times for all that lay there; None if none did."""
    if _variant(review).size == 3:
        return SECONDS * exp(PER_DIFFERENCE) / speed.factor
    return median(life.difficulty for life in review.lives) / speed.factor if review.lives else None


def _usual(review: Review, speed: Estimate | None) -> str:
    return _number(None if speed is None else usual_seconds(review, speed))


def _variant(review: Review) -> Variant:
    """How the game was played; one with a part of the pack is the usual one."""
    return VARIANTS.get(review.variant, VARIANTS["classic"])


def _of(kind: Kind) -> str:
    match kind.by:
        case "count":
            return f"that differ in {count(int(kind.name), 'feature')}"
        case "different":
            return f"whose {kind.name}s differ"
        case "same":
            return f"that are all {kind.name}"


def _factor(one: Estimate) -> str:
    return f"{one.factor:.2f} ({_interval(one)})"


def _interval(one: Estimate) -> str:
    return f"{one.low:.2f} to {one.high:.2f}"


def _slowness(one: Strength | None) -> str:
    return "" if one is None else f"{_factor(one.slowness)}{'*' if one.clear else ' '}"


def _number(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
