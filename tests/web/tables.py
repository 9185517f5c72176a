"""Tables of several visitors, ready to play."""

from __future__ import annotations

from typing import Any, TypeVar

from tests.web.browsing import Visitor
from tests.web.players import CardPlayer, DicePlayer, Player, ScramblePlayer, hurry

P = TypeVar("P", bound=Player[Any])

#: A short card game: 27 red cards, one round; nobody waits for a "no SET".
SHORT = {"rounds": 1, "only": "red", "auto_deal": True, "show_seconds": 30}
PERSON = {"kind": "person"}
#: A browser that somebody has signed in with.
KNOWN = "localStorage.setItem('tercet.person', '{\"known\": true}')"


def bot(name: str) -> dict[str, str]:
    return {"kind": "bot", "bot": name}


def sign_in(visitor: Visitor, name: str) -> None:
    """Sit down as a guest, as the site itself does."""
    answer = visitor.context.request.post(f"{visitor.home}/api/session", data={"name": name})
    assert answer.ok, answer.text()
    visitor.context.add_init_script(KNOWN)


def make_table(visitor: Visitor, **table: Any) -> str:
    answer = visitor.context.request.post(f"{visitor.home}/api/tables", data=table)
    assert answer.ok, answer.text()
    code: str = answer.json()["code"]
    return code


def sit(kind: type[P], visitor: Visitor, code: str) -> P:
    """Open a table as a player who knows what the page is told."""
    page = visitor.blank()
    player = kind(page)
    page.goto(f"{visitor.home}/t/{code}")
    return player


def begin(*players: Player[Any]) -> None:
    """Everyone says to be ready, and the game begins."""
    for player in players:
        player.press("I am ready")
    for player in players:
        player.until(lambda player=player: player.is_playing)  # type: ignore[misc]


def table_of(
    kind: type[P], game: str, visitors: list[Visitor], others: tuple[dict[str, str], ...], **table: Any
) -> list[P]:
    """Those who come, seated in this order at one table. Bots play at once unless it is about their pace."""
    seats = [PERSON] * len(visitors) + list(others)
    code = make_table(visitors[0], **({"game": game, "seats": seats, "quick_bots": True} | table))
    players = []
    for visitor in visitors:
        players.append(sit(kind, visitor, code))
        if visitor is not visitors[0]:
            players[-1].page.get_by_role("button", name="I am ready").wait_for()
    return players


def card_table(visitors: list[Visitor], *others: dict[str, str], **options: Any) -> list[CardPlayer]:
    return table_of(CardPlayer, "set", visitors, others, options=options)


def dice_table(
    visitors: list[Visitor], *others: dict[str, str], quick_bots: bool = True, **options: Any
) -> list[DicePlayer]:
    return table_of(DicePlayer, "cubed", visitors, others, quick_bots=quick_bots, options=options)


def scramble_table(
    visitor: Visitor, *others: dict[str, str], practice: Any = False, **options: Any
) -> ScramblePlayer:
    """Ada alone, or with bots."""
    sign_in(visitor, "Ada")
    (player,) = table_of(ScramblePlayer, "scramble", [visitor], others, practice=practice, options=options)
    return player


def two_at_dice(*visitors: Visitor) -> list[DicePlayer]:
    """Ada and Ben at a table of the dice game that has begun."""
    for visitor, name in zip(visitors, ("Ada", "Ben"), strict=True):
        sign_in(visitor, name)
    players = dice_table(list(visitors))
    begin(*players)
    return players


def two_at_cards(*visitors: Visitor, **options: Any) -> list[CardPlayer]:
    """Ada and Ben before cards that have been dealt."""
    for visitor, name in zip(visitors, ("Ada", "Ben"), strict=True):
        sign_in(visitor, name)
    players = card_table(list(visitors), **options)
    begin(*players)
    hurry(*players, stop=lambda: all(player.state.phase == "play" for player in players))
    for player in players:
        player.page.locator("[data-card]").first.wait_for()
    return players


def on_turn_at_dice(visitor: Visitor) -> DicePlayer:
    """Ada, on turn against a bot."""
    sign_in(visitor, "Ada")
    (player,) = dice_table([visitor], bot("random"))
    begin(player)
    hurry(player, stop=lambda: player.state.turn == player.seat)
    player.page.get_by_role("button", name="Pass").wait_for()
    return player
