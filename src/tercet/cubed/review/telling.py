"""A review of the dice game for people: lines, tables, and several games together."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any

from tercet.cubed.review.measures import CERTAIN, error_rate, plays_like
from tercet.study.review import ByPlayer, Sheet
from tercet.study.review.words import count, plain, share_of_win, signed

if TYPE_CHECKING:
    from tercet.cubed.review.review import Review, Seat
    from tercet.cubed.review.watching import Decision


def summary(review: Review) -> list[str]:
    """A few lines a player."""
    lines = []
    for seat, player in zip(review.seats, review.players, strict=True):
        lines.append(f"{player.shown} {_judged(seat)}")
        left = f"{count(seat.points_left, 'point')} left on the board. " if seat.points_left else ""
        lines.append(
            f"{player.shown}: {left}{_luck_in_words(seat)}; without anybody's luck the result is {plain(seat.adjusted)} %."
        )
        if not player.counts:
            lines.append(
                f"{player.name} took this seat over from {', '.join(player.before)}: it counts for nobody."
            )
    worst = max(review.decisions, key=lambda one: one.loss if one.mark else 0.0, default=None)
    if worst is not None and worst.mark is not None:
        lines.append(
            f"The costliest: {review.players[worst.seat].name} in round {worst.round}, {worst.chosen.text} "
            f"instead of {worst.best.text}, {worst.loss:.1f} %."
        )
    return lines


def _judged(seat: Seat) -> str:
    if seat.error_rate is None:
        return f"had {count(seat.decisions, 'decision')}, and none of them could matter."
    like = f", {like_bots(seat.plays_like)}" if seat.plays_like else ""
    mistakes = ", ".join(
        f"{number} {size}" for size in ("large", "medium", "small") if (number := getattr(seat, size))
    )
    marks = f"mistakes: {mistakes}" if mistakes else "no certain mistake"
    given = (
        f"{rate(seat.error_rate, seat.rate_error)} % a decision, in {seat.counted} of {seat.decisions} that could "
        "matter"
    )
    if seat.error_rate <= CERTAIN * (seat.rate_error or 0.0):
        given = f"nothing certain on average ({given})"
    return f"gave away {given}{like}. Accuracy {_number(seat.accuracy)}; {marks}."


def _luck_in_words(seat: Seat) -> str:
    if abs(seat.luck) <= CERTAIN * seat.luck_error:
        return f"Luck brought nothing certain ({signed(seat.luck, 0)} % ± {seat.luck_error:.0f})"
    return f"Luck {signed(seat.luck, 0)} % (± {seat.luck_error:.0f})"


def like_bots(bots: Sequence[str]) -> str:
    """In words, with the weaker of two first."""
    return (
        f"about as much as the bot {bots[0]}" if len(bots) == 1 else f"between the bots {' and '.join(bots)}"
    )


def rate(value: float | None, error: float | None) -> str:
    if value is None:
        return "-"
    return plain(value, 1) + ("" if error is None else f" ± {error:.1f}")


def sheets(review: Review) -> list[Sheet]:
    """The tables of one review; those with nothing in them are left out."""
    found = [*_players(review).by_threes(), _decisions(review), _luck(review)]
    return [sheet for sheet in found if sheet.lines]


def _players(review: Review) -> Sheet:
    seats = review.seats
    names = tuple(player.shown for player in review.players)
    lines = (
        ("points", *map(str, review.result)),
        ("given away a decision, %", *(rate(seat.error_rate, seat.rate_error) for seat in seats)),
        ("decisions that could matter", *(f"{seat.counted} of {seat.decisions}" for seat in seats)),
        ("plays like", *(_bots(seat.plays_like) for seat in seats)),
        ("accuracy", *(_number(seat.accuracy) for seat in seats)),
        ("mistakes: large, medium, small", *(f"{seat.large}, {seat.medium}, {seat.small}" for seat in seats)),
        ("points left on the board", *(str(seat.points_left) for seat in seats)),
        ("chance at the start, %", *(f"{seat.start:.0f}" for seat in seats)),
        ("own luck", *(f"{signed(seat.luck, 0)} ± {seat.luck_error:.0f}" for seat in seats)),
        ("luck of the others", *(signed(seat.others_luck, 0) for seat in seats)),
        ("given away", *(signed(-seat.given, 0) for seat in seats)),
        ("given by the others", *(signed(seat.gifts, 0) for seat in seats)),
        ("the rest", *(signed(seat.rest, 0) for seat in seats)),
        ("result, %", *(f"{100 * share_of_win(review.result, at):.0f}" for at in range(len(seats)))),
        ("result without luck, %", *(plain(seat.adjusted) for seat in seats)),
    )
    return Sheet("Players", ("", *names), lines, names)


def _decisions(review: Review) -> Sheet:
    headings = ("line", "round", "player", "chosen", "chance", "best", "its chance", "loss", "mark", "points")
    lines = tuple(
        (
            str(one.line),
            str(one.round),
            review.players[one.seat].name,
            one.chosen.text,
            f"{one.chosen.value:.1%}",
            one.best.text if one.best != one.chosen else "",
            f"{one.best.value:.1%}" if one.best != one.chosen else "",
            _loss(one),
            one.mark or ("" if one.counts else "decided"),
            "" if one.most is None else f"{one.chosen.points} of {one.most}",
        )
        for one in review.decisions
    )
    numbers = ("line", "round", "chance", "its chance", "loss", "points")
    title = f"Decisions, by {count(review.games, 'game')} shared among the choices of each"
    return Sheet(title, headings, lines, numbers)


def _loss(decision: Decision) -> str:
    return f"{decision.loss:.1f} ± {decision.error:.1f}" if decision.loss else ""


def _luck(review: Review) -> Sheet:
    lines = tuple(
        (
            str(one.line),
            str(one.round),
            review.players[one.seat].name,
            one.kind,
            f"{signed(100 * one.changes[one.seat])} ± {100 * one.errors[one.seat]:.1f}",
        )
        for one in review.luck
    )
    return Sheet(
        "Luck, in % of the chance to win",
        ("line", "round", "player", "what", "luck"),
        lines,
        ("line", "round", "luck"),
    )


def by_player(reviews: Sequence[Review]) -> ByPlayer:
    """A row a player, bots apart from people of the same name; the one with most games first."""
    found: dict[tuple[str, str | None], list[tuple[Review, int]]] = {}
    for review in dict.fromkeys(reviews):
        for seat, player in enumerate(review.players):
            if player.counts:
                found.setdefault(player.summed_as, []).append((review, seat))
    rows = [_row(played) for played in sorted(found.values(), key=lambda played: -len(played))]
    columns = {
        "player": [row["player"] if row["bot"] is None else f"{row['player']} (bot)" for row in rows],
        "games": [str(row["games"]) for row in rows],
        "won": [f"{row['won']:.4g}" for row in rows],
        "without luck": [plain(row["adjusted"] / 100, 1) for row in rows],
        "given away a decision, %": [rate(row["error_rate"], row["rate_error"]) for row in rows],
        "plays like": [_bots(row["plays_like"]) for row in rows],
        "accuracy": [_number(row["accuracy"]) for row in rows],
        "luck a game, %": [
            f"{signed(row['luck'] / row['games'], 0)} ± {row['luck_error'] / row['games']:.0f}"
            for row in rows
        ],
    }
    numbers = tuple(heading for heading in columns if heading not in ("player", "plays like"))
    return ByPlayer(
        tuple(rows),
        Sheet("By player", tuple(columns), tuple(zip(*columns.values(), strict=True)), numbers),
    )


def _row(played: Sequence[tuple[Review, int]]) -> dict[str, Any]:
    first, at = played[0]
    seats = [review.seats[seat] for review, seat in played]
    judged = [one for review, seat in played for one in review.decisions if one.seat == seat and one.counts]
    lost = error_rate([one.estimate for one in judged], [one.error for one in judged])
    accuracies = [seat.accuracy for seat in seats if seat.accuracy is not None]
    return {
        "player": first.players[at].name,
        "bot": first.players[at].bot,
        "games": len(played),
        "won": sum(share_of_win(review.result, seat) for review, seat in played),
        "decisions": sum(seat.decisions for seat in seats),
        "counted": len(judged),
        "error_rate": lost.value,
        "rate_error": lost.error,
        "plays_like": plays_like(*lost),
        "accuracy": sum(accuracies) / len(accuracies) if accuracies else None,
        "large": sum(seat.large for seat in seats),
        "medium": sum(seat.medium for seat in seats),
        "small": sum(seat.small for seat in seats),
        "points_left": sum(seat.points_left for seat in seats),
        "luck": sum(seat.luck for seat in seats),
        "luck_error": sqrt(sum(seat.luck_error**2 for seat in seats)),
        "adjusted": sum(seat.adjusted for seat in seats),
    }


def _bots(bots: Sequence[str]) -> str:
    return " to ".join(bots) or "-"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"
