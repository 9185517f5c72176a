"""`tercet sets` and `tercet explain`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

import typer

from tercet import codec
from tercet.cli.text import InputError, read_text
from tercet.sets import Card, Explanation, Face, FeatureCheck, Symbol, explain, find_sets
from tercet.terminal.screen import Screen

Json = Annotated[bool, typer.Option("--json", help="The answer as JSON.")]


def sets_command(
    cards: Annotated[
        list[str],
        typer.Argument(
            metavar="CARD",
            help="Cards such as 2GHS, or faces of dice such as 2GS and W; - reads them from standard input.",
        ),
    ],
    as_json: Json = False,
) -> None:
    """Find every SET among these cards or faces.

    Example: tercet sets 1RFD 1GES 2GHD 3PED
    """
    symbols = read_symbols(cards)
    found = find_sets(symbols)
    if as_json:
        typer.echo(codec.to_json({"sets": found}).decode())
        return
    screen = Screen()
    for three in found:
        screen.print(screen.symbols(three))
    if not found:
        things = "card" if isinstance(symbols[0], Card) else "face"
        screen.print(f"No SET among {len(symbols)} {things}{'s' * (len(symbols) != 1)}.")


def explain_command(
    cards: Annotated[
        list[str],
        typer.Argument(metavar="A B C", help="Three cards such as 2GHS, or three faces such as 2GS."),
    ],
    as_json: Json = False,
) -> None:
    """Say whether three cards or faces are a SET, feature by feature.

    Example: tercet explain 1RFO 2RFO 3RFS
    """
    symbols = read_symbols(cards)
    if len(symbols) != 3:
        raise InputError(f"a SET has three, not {len(symbols)}")
    explanation = explain(*symbols)
    if as_json:
        typer.echo(codec.to_json(explanation).decode())
        return
    screen = Screen()
    screen.print(screen.symbols(symbols))
    for line in describe(explanation):
        screen.print(line)


def describe(explanation: Explanation) -> list[str]:
    """The verdict, and a line a feature."""
    verdict = "SET" if explanation.is_set else str(explanation)
    return [verdict, *(f"  {check.feature:7} {_describe_check(check)}" for check in explanation.features)]


def _describe_check(check: FeatureCheck) -> str:
    match check.verdict:
        case "same":
            return f"all the same: {check.values[0]}"
        case "different":
            return f"all different: {', '.join(check.values)}"
        case "free":
            return "whatever the wild is named"
        case "two_alike":
            return str(Explanation(False, (check,))).removeprefix("Not a SET: ")


def read_symbols(words: Sequence[str]) -> Sequence[Symbol]:
    """Cards or faces, all of the kind of the first; the same card twice is refused, as a deck has it once."""
    texts = _split(words)
    if not texts:
        raise InputError("no cards: write them as in 2GHS, or faces of dice as in 2GS")
    return [Face(text) for text in texts] if len(texts[0]) < 4 else _cards(texts)


def read_cards(words: Sequence[str]) -> tuple[Card, ...]:
    """As `read_symbols`, where only cards will do."""
    texts = _split(words)
    if not texts:
        raise InputError("no cards: write them as in 2GHS")
    return _cards(texts)


def _cards(texts: Sequence[str]) -> tuple[Card, ...]:
    cards = tuple(Card(text) for text in texts)
    for card in cards:
        if cards.count(card) > 1:
            raise InputError(f"{card} is there {cards.count(card)} times, but a deck has each card once")
    return cards


def _split(words: Sequence[str]) -> list[str]:
    """The texts in these words; that of - stands in standard input."""
    return [
        text for word in words for text in re.findall(r"[^\s,]+", read_text("-") if word == "-" else word)
    ]
