"""Stacked decks and loaded dice: games in which chance does what the test says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from tercet import Card, cards, cubed, scramble
from tercet.cards.variants import variant_of
from tercet.cubed import Die, Edition, Placement, Square, read_turn
from tercet.fairness import Chance, seed_from
from tercet.games import Command, Refused

SEED = seed_from("the tests of the core")
NAMES = ("Ann", "Bo", "Cy", "Di", "Eva", "Flo", "Gus", "Hal")

#: Twenty cards without a SET, the most there can be.
NO_SET = tuple(
    Card(text)
    for text in [
        "1RED",
        "1RES",
        "1GHD",
        "1GES",
        "1PHD",
        "1PHS",
        "2RFO",
        "2RFS",
        "2RED",
        "2RES",
        "2GFO",
        "2GHD",
        "2PHO",
        "2PED",
        "3RFO",
        "3RFS",
        "3GHO",
        "3GHS",
        "3PFS",
        "3PHO",
    ]
)


def cards_of(text: str) -> tuple[Card, ...]:
    return tuple(Card(word) for word in text.split())


class StackedDeck(Chance):
    """Turns the cards in the order given, then the rest of the pack in its own order; every round alike."""

    def __init__(self, first: Iterable[Card], only: cards.Options) -> None:
        whole = variant_of(only).pack
        first = tuple(first)
        self.order = (*first, *(card for card in whole if card not in first))
        assert sorted(self.order) == sorted(whole), "each card of the pack once"

    def below(self, count: int, label: str) -> int:
        if " left, place " in label:  # when cards change places, all stay where they are
            return count - 1
        turned = int(label.rpartition(" ")[2]) - 1
        left = sorted(self.order[turned:])
        assert len(left) == count
        return left.index(self.order[turned])


def card_game(
    first: Iterable[Card] | str = (),
    *,
    players: int = 2,
    dealt: bool = True,
    **options: Any,
) -> cards.Game:
    """A card game whose deck begins with these cards, usually with the first round dealt."""
    first = cards_of(first) if isinstance(first, str) else first
    chosen = cards.rules.read_options(options)
    game = cards.Game(NAMES[:players], seed=SEED, options=chosen)
    game._chance = StackedDeck(first, chosen)
    if dealt:
        game.do(cards.Deal(0))
    return game


class LoadedDice(Chance):
    """Dice come from the bag in order of number, and show their faces in the order of the edition."""

    def below(self, count: int, label: str) -> int:
        if label.startswith("draw"):
            return 0
        throw = int(label.rpartition(" ")[2])
        return min(throw, count) - 1


FILLER = "1RD 1RD 1RD 1RD 1RD 1RD"


def edition(
    *dice: str,
    wild: str = "later",
    size: Sequence[int] = (9, 9),
    bonus: Mapping[str, int] | None = None,
    logo: Sequence[str] = ("d5", "e5", "f5"),
    count: int = 42,
) -> Edition:
    """An edition whose dice show these faces, throw by throw; the last face stays, if it is no wild."""
    faces = [(text.split() + [text.split()[-1].replace("W", "1RD")] * 6)[:6] for text in dice]
    listed = [" ".join(words) for words in faces] + [FILLER] * (count - len(dice))
    return Edition.from_plain(
        {
            "name": "loaded",
            "wild": wild,
            "size": list(size),
            "logo": list(logo),
            "bonus": dict(bonus or {}),
            "dice": listed,
        }
    )


def dice_game(
    *hands: Sequence[str],
    later: Sequence[str] = (),
    begun: bool = True,
    wild: str = "later",
    bonus: Mapping[str, int] | None = None,
    **options: Any,
) -> cubed.Game:
    """A dice game in which each seat draws these five dice, each written as the faces of its throws.

    ``later`` are the dice that come from the bag after them.
    """
    loaded = edition(*(die for hand in hands for die in hand), *later, wild=wild, bonus=bonus)
    chosen = cubed.rules.read_options({**options, "edition": loaded.to_plain()})
    game = cubed.Game(NAMES[: len(hands)], seed=SEED, options=chosen)
    game._chance = LoadedDice()
    if begun:
        game.do(cubed.Begin(0))
    return game


def mid_game(
    board: Mapping[str, str],
    *hands: str,
    bag: int = 0,
    turn: int = 0,
    first: int = 0,
    dice: Sequence[str] = (),
    wild: str = "later",
    bonus: Mapping[str, int] | None = None,
    round_number: int = 2,
    idle_rounds: int = 0,
    **options: Any,
) -> cubed.Game:
    """A dice game in its second round with this on the table, ``turn`` to move.

    Dice are numbered from 1: the hands in order, then the board in order, then the ``bag``. What die N
    shows when it is thrown again is the first face of ``dice[N - 1]``, and so on.
    """
    shown = [hand.split() for hand in hands]
    loaded = edition(*dice, wild=wild, bonus=bonus, count=max(42, len(dice)))
    chosen = cubed.rules.read_options({**options, "edition": loaded.to_plain()})
    game = cubed.Game(NAMES[: len(hands)], seed=SEED, options=chosen)
    game._chance = LoadedDice()
    number = 0
    held: list[tuple[Die, ...]] = []
    for hand in shown:
        held.append(tuple(Die.read(f"{face}#{number + k}") for k, face in enumerate(hand, 1)))
        number += len(hand)
    lying: list[Die | None] = [None] * len(game.state.board)
    for square, text in board.items():
        number += 1
        lying[loaded.layout.cell(Square(square))] = Die.read(f"{text}#{number}")
    game.state = replace(
        game.state,
        phase="turn",
        round=round_number,
        bag=tuple(range(number + 1, number + 1 + bag)),
        hands=tuple(held),
        board=tuple(lying),
        first=first,
        turn=turn,
        idle_rounds=idle_rounds,
        until=None if chosen.turn_seconds is None else chosen.turn_seconds * 1000,
    )
    return game


#: Eighteen dice without a SET, the most there can be.
NO_SET_DICE = " ".join(["1RD", "1RO", "1GD", "1GO", "2PD", "2PO", "2RS", "2GS", "3PS"] * 2)


class InOrder(Chance):
    """Dice come to lie in the order of their numbers, and each shows the first of its faces."""

    def below(self, count: int, label: str) -> int:
        return 0


def scramble_game(
    lying: str | None = None, *, players: int = 2, thrown: bool = True, **options: Any
) -> scramble.Game:
    """A game of Scramble, usually with the first round thrown. ``lying``: only these dice are still there,
    numbered from 1."""
    game = scramble.Game(NAMES[:players], seed=SEED, options=options)
    game._chance = InOrder()
    if thrown:
        game.do(scramble.Throw(0))
    if lying is not None:
        dice = [Die.read(f"{face}#{number}") for number, face in enumerate(lying.split(), 1)]
        game.state = replace(game.state, dice=(*dice, *[None] * (42 - len(dice))))
    return game


def lay(seat: int, turn: str) -> cubed.Lay:
    return cubed.Lay(seat, read_turn(turn))


def draft(seat: int, turn: str) -> cubed.Draft:
    return cubed.Draft(seat, read_turn(turn))


def show(seat: int, turn: str) -> cubed.Show:
    return cubed.Show(seat, read_turn(turn))


def faces(dice: Iterable[Die]) -> str:
    return " ".join(str(die.face) for die in dice)


def on(game: cubed.Game, square: str) -> str | None:
    """The die on a square, as text."""
    die = game.state.die_on(Square(square))
    return None if die is None else str(die)


def refusal(game: cards.Game | cubed.Game | scramble.Game, command: Command, at: int | None = None) -> str:
    """The code with which a command is refused; fails if it is allowed or if anything changes."""
    before, lines = game.state, len(game.log)
    try:
        happened = game.do(command, at)  # type: ignore[arg-type]
    except Refused as refused:
        assert game.state == before
        assert len(game.log) == lines
        return refused.refusal.code
    raise AssertionError(f"not refused: {happened}")


def happened(
    game: cards.Game | cubed.Game | scramble.Game, command: Command, at: int | None = None
) -> list[str]:
    """What a command brought, as the lines of a record."""
    return [game.rules.write_event(entry.event) for entry in game.do(command, at)]  # type: ignore[arg-type]


def placed(*texts: str) -> tuple[Placement, ...]:
    return tuple(map(Placement.read, texts))
