"""`tercet set`: the groups of the variants."""

from __future__ import annotations

from typing import Annotated

import typer

from tercet import codec
from tercet.cards.variants import VARIANTS, Variant
from tercet.cli.app import new_app
from tercet.cli.sets import read_cards
from tercet.cli.text import InputError
from tercet.terminal.screen import Screen

app = new_app(help="Cards of Set and its variants: every group, and why some cards are not one.")

CardTexts = Annotated[
    list[str],
    typer.Argument(metavar="CARD", help="Cards such as 2GHS; - reads them from standard input."),
]
VariantName = Annotated[str, typer.Option("--variant", help=f"One of {', '.join(VARIANTS)}.")]
Json = Annotated[bool, typer.Option("--json", help="The answer as JSON.")]


@app.command("groups")
def groups_command(
    cards: CardTexts,
    variant: VariantName = "classic",
    last: Annotated[
        str, typer.Option(metavar="CARDS", help="The SET taken last, for Chain: '1RFD 2RFD 3RFD'.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Find everything that can be taken from a table of these cards.

    Example: tercet set groups --variant ultra 1RFD 3RFD 1GES 2PHO 2GFS 2PFO
    """
    chosen = _variant(variant)
    if last and not chosen.is_chained:
        raise InputError(f"in {variant} the SET taken last does not matter")
    table, taken = read_cards(cards), read_cards([last]) if last else ()
    if taken and (len(taken) != 3 or set(taken) & set(table)):
        raise InputError("the SET taken last is three cards that are not on the table")
    found = chosen.groups(table, taken)
    if as_json:
        typer.echo(codec.to_json({"groups": found}).decode())
        return
    screen = Screen()
    for group in found:
        screen.print(screen.symbols(group))
    if not found:
        screen.print(f"None among {len(table)} cards.")


@app.command("explain")
def explain_command(cards: CardTexts, variant: VariantName = "classic", as_json: Json = False) -> None:
    """Say why these cards are a group, or why not.

    Example: tercet set explain --variant ghost 1RFD 2RFD 3RFD 1GHO 2GHO 3RHO
    """
    chosen, shown = _variant(variant), read_cards(cards)
    if len(shown) != chosen.size:
        raise InputError(f"in {variant} a group has {chosen.size} cards, not {len(shown)}")
    explanation = chosen.explain(shown)
    typer.echo(codec.to_json(explanation).decode() if as_json else str(explanation))


def _variant(name: str) -> Variant:
    if name not in VARIANTS:
        raise InputError(f"no variant is called {name[:20]!r}; there are {', '.join(VARIANTS)}")
    return VARIANTS[name]
