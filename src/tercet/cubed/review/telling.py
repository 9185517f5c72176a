"""A review of the dice game for people: lines, tables, and several games together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tercet.cubed.review.measures import word
from tercet.study.review import ByPlayer, Player, Sheet

if TYPE_CHECKING:
    from tercet.cubed.review.review import Review
    from tercet.cubed.review.watching import Decision


def summary(review: Review) -> list[str]:
    """A few lines a player."""
    lines = []
    for seat, player in zip(review.seats, review.players, strict=True):
        lines.append(
            f"{_name(player)} lost {seat.error_rate:.1f} % a decision, like {seat.word}. Accuracy {_number(seat.accuracy)}; "
            f"{seat.large} large, {seat.medium} medium and {seat.small} small mistakes in {seat.decisions} decisions."
        )
        lines.append(
            f"{_name(player)} left {seat.points_left} points on the board. Luck {seat.luck:+.0f} % "
            f"(± {seat.luck_error:.0f}); without anybody's luck the result is {seat.adjusted:.0f} %."
        )
        if not player.counts:
            lines.append(
                f"{player.name} took this seat over from {', '.join(player.before)}: it counts for nobody."
            )
    worst = max(review.decisions, key=lambda one: one.loss, default=None)
    if worst is not None and worst.mark is not None:
        lines.append(
            f"The costliest: {review.players[worst.seat].name} in round {worst.round}, {worst.chosen.text} "
            f"instead of {worst.best.text}, {worst.loss:.1f} %."
        )
    return lines


def sheets(review: Review) -> list[Sheet]:
    """The tables of one review; those with nothing in them are left out."""
    return [sheet for sheet in (_players(review), _decisions(review), _luck(review)) if sheet.lines]


def _players(review: Review) -> Sheet:
    seats = review.seats
    names = tuple(map(_name, review.players))
    lines = (
        ("points", *map(str, review.result)),
        ("lost a decision, %", *(f"{seat.error_rate:.2f}" for seat in seats)),
        ("plays like", *(seat.word for seat in seats)),
        ("accuracy", *(_number(seat.accuracy) for seat in seats)),
        ("mistakes: large, medium, small", *(f"{seat.large}, {seat.medium}, {seat.small}" for seat in seats)),
        ("points left on the board", *(str(seat.points_left) for seat in seats)),
        ("luck, %", *(f"{seat.luck:+.1f} ± {seat.luck_error:.1f}" for seat in seats)),
        ("result without luck, %", *(f"{seat.adjusted:.0f}" for seat in seats)),
    )
    return Sheet("Players", ("", *names), lines, names)


def _decisions(review: Review) -> Sheet:
    headings = (
        "line",
        "round",
        "player",
        "chosen",
        "chance",
        "best",
        "chance of the best",
        "loss",
        "mark",
        "points",
    )
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
            one.mark or "",
            "" if one.most is None else f"{one.chosen.points} of {one.most}",
        )
        for one in review.decisions
    )
    numbers = ("line", "round", "chance", "chance of the best", "loss", "points")
    return Sheet(f"Decisions, by {review.games} games played out for each", headings, lines, numbers)


def _loss(decision: Decision) -> str:
    return f"{decision.loss:.1f} ± {decision.error:.1f}" if decision.loss else ""


def _luck(review: Review) -> Sheet:
    lines = tuple(
        (
            str(one.line),
            str(one.round),
            review.players[one.seat].name,
            one.kind,
            f"{100 * one.changes[one.seat]:+.1f} ± {100 * one.errors[one.seat]:.1f}",
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
    for review in reviews:
        for seat, player in enumerate(review.players):
            if player.counts:
                found.setdefault((player.name, player.bot), []).append((review, seat))
    rows: list[dict[str, Any]] = []
    for (name, bot), played in sorted(found.items(), key=lambda item: -len(item[1])):
        seats = [review.seats[seat] for review, seat in played]
        decisions = sum(seat.decisions for seat in seats)
        error_rate = sum(seat.error_rate * seat.decisions for seat in seats) / max(decisions, 1)
        accuracies = [seat.accuracy for seat in seats if seat.accuracy is not None]
        rows.append(
            {
                "player": name,
                "bot": bot,
                "games": len(played),
                "won": sum(
                    1 / review.result.count(max(review.result))
                    for review, seat in played
                    if review.result[seat] == max(review.result)
                ),
                "decisions": decisions,
                "error_rate": error_rate,
                "word": word(error_rate),
                "accuracy": sum(accuracies) / len(accuracies) if accuracies else None,
                "large": sum(seat.large for seat in seats),
                "medium": sum(seat.medium for seat in seats),
                "small": sum(seat.small for seat in seats),
                "points_left": sum(seat.points_left for seat in seats),
                "luck": sum(seat.luck for seat in seats),
                "adjusted": sum(seat.adjusted for seat in seats),
            }
        )
    headings = (
        "player",
        "games",
        "won",
        "lost a decision, %",
        "plays like",
        "accuracy",
        "luck, %",
        "won without luck",
    )
    lines = tuple(
        (
            row["player"],
            str(row["games"]),
            f"{row['won']:.1f}",
            f"{row['error_rate']:.2f}",
            row["word"],
            _number(row["accuracy"]),
            f"{row['luck']:+.0f}",
            f"{row['adjusted'] / 100:.1f}",
        )
        for row in rows
    )
    numbers = tuple(heading for heading in headings if heading not in ("player", "plays like"))
    return ByPlayer(tuple(rows), Sheet("Players", headings, lines, numbers))


def _name(player: Player) -> str:
    return player.name if player.bot is None else f"{player.name} ({player.bot})"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"
