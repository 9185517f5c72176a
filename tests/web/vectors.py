"""What the browser must come to as well: answers of the Python rules, written for the TypeScript tests.

``python -m tests.web.vectors`` writes them, and the editions that the browser knows, into web/.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from typing import Any

from tercet import cards, cubed, record
from tercet.cards.variants import VARIANTS, variant_of
from tercet.codec import to_data
from tercet.cubed import Edition, Placement, Position, built_in_names, read_turn
from tercet.fairness import Seeded, commit, commit_secret, seed_from, terms_of
from tercet.games import Game, Refusal, SteppedAway
from tercet.sets import Card, Face, explain, find_sets, third
from tests.core.random_games import random_card_game, random_dice_game, random_scramble_game
from tests.playthroughs import play

ROOT = Path(__file__).parents[2]
EDITIONS = ROOT / "web/src/editions/editions.json"
VECTORS = ROOT / "web/tests/vectors.json"


def editions() -> list[dict[str, Any]]:
    """The built-in editions in full."""
    return [
        {
            "name": edition.name,
            "size": [edition.layout.rows, edition.layout.cols],
            "logo": [str(square) for square in edition.layout.logo],
            "bonus": {str(square): worth for square, worth in edition.layout.bonus.items()},
            "wild": edition.wild,
            "dice": [" ".join(map(str, faces)) for faces in edition.dice],
        }
        for edition in map(Edition.named, built_in_names())
    ]


def explanations(luck: random.Random) -> list[dict[str, Any]]:
    threes: list[list[Any]] = [luck.sample(Card.all(), 3) for _ in range(60)]
    threes += [[a, b, third(a, b)] for a, b, _ in threes[:20]]
    threes += [[Face(luck.randrange(28)) for _ in range(3)] for _ in range(60)]
    return [{"signs": to_data(three), "why": to_data(explain(*three))} for three in threes]


def tables(luck: random.Random) -> list[dict[str, Any]]:
    lying = [luck.sample(Card.all(), size) for size in (9, 12, 12, 12, 15, 18, 21)]
    return [{"cards": to_data(table), "sets": to_data(find_sets(table))} for table in lying]


WORKED_EXAMPLE = {
    "board": {
        "b1": "3RD",
        "c1": "1GS",
        "d1": "2PO",
        "b2": "2PS",
        "d2": "2RS",
        "c3": "3GS",
        "d3": "1GO",
        "b5": "1GD",
        "c5": "1RD",
        "d5": "1PD",
    },
    "hand": ["2GS", "2GD", "3GD"],
    "edition": {"size": [9, 9]},
}


def turns(luck: random.Random) -> list[dict[str, Any]]:
    """Turns with what they score, and some that are not allowed."""
    line = {"d5": "1RO", "e5": "2RO", "f5": "3RO"}
    given: list[tuple[dict[str, str], str, str]] = [
        (WORKED_EXAMPLE["board"], "2GS@c2", "later"),  # type: ignore[list-item]
        (WORKED_EXAMPLE["board"], "2GS@c2 2GD@b3", "later"),  # type: ignore[list-item]
        (WORKED_EXAMPLE["board"], "2GS@c2 2GD@b3 3GD@b4", "later"),  # type: ignore[list-item]
        (line, "1GO@d6 1PO@d7", "later"),
        (line, "1RO@g5", "later"),
        (line, "2GO@g5", "later"),
        ({**line, "d7": "1PO"}, "*1GO@d6", "later"),
        ({**line, "d7": "1PO", "f6": "3GO"}, "*1GO@d6 2GO@e6", "later"),
        ({**line, "d7": "1PO", "f6": "3GO"}, "*1GO@d6 2GO@e6", "never"),
        ({**line, "b7": "2RO"}, "*2GO@b8", "later"),
    ]
    found = [(Position("house", board, [], wild), read_turn(text)) for board, text, wild in given]  # type: ignore[arg-type]
    for _ in range(12):
        faces = [Face(luck.randrange(27)) for _ in range(2)]
        board = {"d5": str(faces[0]), "e5": str(faces[1]), "f5": str(third(*faces))}
        hand = ["W", "W", *(str(Face(luck.randrange(27))) for _ in range(3))]
        for _ in range(4):
            position = Position("house", board, hand, luck.choice(("later", "never")))
            legal = position.turns()
            found += [(position, turn.placements) for turn in luck.sample(legal, min(4, len(legal)))]
            board |= {
                str(p.square): f"{'*' * p.wild}{p.face}"
                for p in (legal[len(legal) // 3].placements if legal else ())
            }
    return [_judged(position, placements) for position, placements in found]


def _judged(position: Position, placements: tuple[Placement, ...]) -> dict[str, Any]:
    judgement = position.judge(placements)
    return {
        "board": {str(square): f"{'*' * die.wild}{die.face}" for square, die in position.board.items()},
        "turn": to_data(placements),
        "wild": position.wild,
        "answer": judgement.data if isinstance(judgement, Refusal) else to_data(judgement),
    }


def groups(luck: random.Random) -> list[dict[str, Any]]:
    """Tables of each variant with all that can be taken there, and what is wrong with other cards."""
    found = []
    for name, variant in VARIANTS.items():
        for size in (9, 10, 12, 12):
            table = tuple(luck.sample(variant.pack, size))
            beside = [card for card in variant.pack if card not in table]
            last = (
                tuple(next(three for three in find_sets(beside))) if variant.is_chained and size > 9 else ()
            )
            shown = [tuple(luck.sample(table, variant.size)) for _ in range(3)]
            found.append(
                {
                    "variant": name,
                    "table": to_data(table),
                    "last": to_data(last),
                    "groups": to_data(variant.groups(table, last)),
                    "shown": [
                        {"cards": to_data(cards), "is_group": variant.is_group(cards)} for cards in shown
                    ],
                }
            )
    return found


def card_game(**options: Any) -> dict[str, Any]:
    """A whole game with every kind of event, and the state after each."""
    game = cards.Game(["Ann", "Bo"], options=options, seed=seed_from("vectors"), secrets=["", seed_from("æ")])
    variant = variant_of(game.options)
    luck = random.Random(5)
    at = 0
    while not game.is_over:
        at += luck.randrange(100, 4000)
        seat = luck.randrange(2)
        state = game.state
        if state.phase == "deal":
            game.do(cards.Deal(state.dealer), at)
            continue
        found = variant.groups(state.table, state.last)
        if not found or luck.random() < 0.05:
            for one in range(2):
                game.do(cards.SeeNone(one), at)
            continue
        if luck.random() < 0.1:
            game.do(cards.SeeNone(seat), at)
            game.do(cards.TakeBack(seat), at)
        seat = seat if seat not in state.locked else 1 - seat
        game.do(cards.Call(seat), at)
        chosen = luck.choice(found) if luck.random() < 0.8 else _wrong(state, variant.size)
        game.do(cards.Show(seat, chosen), at + 500)
        at += 500
    return _whole(game)


def _wrong(state: cards.State, size: int) -> tuple[Card, ...]:
    """The first cards on the table, and of the SET taken last as many as there should be."""
    link = state.last[:1]
    return link + state.table[: size - len(link)]


def cubed_game() -> dict[str, Any]:
    game = cubed.Game(["Ann", "Bo", "Cy"], seed=seed_from("vectors 3"))
    luck = random.Random(6)
    game.do(cubed.Begin(0))
    at = 0
    while not game.is_over:
        at += 1000
        state = game.state
        if state.phase == "opening":
            _open(game, at)
        elif state.phase == "extra_roll":
            seat = next(seat for seat in range(3) if seat not in state.answered)
            numbers = sorted(die.number for die in state.hands[seat])
            game.do(cubed.Choose(seat, tuple(numbers[: luck.randrange(len(numbers) + 1)])), at)
        else:
            _take_turn(game, at, luck)
    return _whole(game)


def _open(game: cubed.Game, at: int) -> None:
    for seat, hand in enumerate(game.state.hands):
        faces = [die.face for die in hand]
        found = [three for three in find_sets(faces) if Face("W") not in three]
        if not found:
            continue
        logo = game.options.edition.layout.logo
        placements = tuple(Placement(square, face) for square, face in zip(logo, found[0], strict=True))
        game.do(cubed.Call(seat), at)
        game.do(cubed.Show(seat, placements), at)
        return
    for seat in range(3):
        game.do(cubed.SeeNone(seat), at)


def _take_turn(game: cubed.Game, at: int, luck: random.Random) -> None:
    state, seat = game.state, game.state.turn
    assert seat is not None
    for cell, lying in enumerate(state.board):
        for die in state.hands[seat]:
            if lying is not None and lying.wild and die.face is lying.face:
                game.do(cubed.Replace(seat, die.number, state.options.edition.layout.square(cell)), at)
                return
    legal = state.position(seat).turns()
    if not legal or luck.random() < 0.1:
        game.do(cubed.Pass(seat), at)
    else:
        game.do(cubed.Lay(seat, legal[0].placements), at)


def _whole(game: Any) -> dict[str, Any]:
    kept = record.of(game)
    states = [to_data(state) for _, state in record.replay(kept)]
    return {
        "record": record.write_json(kept),
        "states": states[:: max(1, len(states) // 25)],
        "last": states[-1],
    }


def scramble_games() -> dict[str, Any]:
    """The playthroughs of Scramble: every option, and a print of the state after each event."""
    return {name: _printed(name) for name in play.VARIANTS if name.startswith("scramble-")}


def puzzle_games() -> dict[str, Any]:
    """Playthroughs of puzzles: a storm, a race, boards of dice and a day."""
    names = ("puzzles-storm", "puzzles-race-3", "puzzles-boards", "puzzles-daily")
    return {name: _printed(name) for name in names}


def away_games() -> dict[str, Any]:
    """Games in which people come and go (T1), and a print of the state after each event."""
    kinds: dict[str, Callable[[int], Game[Any, Any, Any, Any]]] = {
        "set": random_card_game,
        "cubed": random_dice_game,
        "scramble": random_scramble_game,
    }
    found: dict[str, Any] = {}
    for name, play_one in kinds.items():
        games = ((number, play_one(number)) for number in count(1))
        away = (one for one in games if any(isinstance(entry.event, SteppedAway) for entry in one[1].log))
        found |= {f"{name} {number}": _prints(game) for number, game in islice(away, 2)}
    return found


def _printed(name: str) -> dict[str, Any]:
    game = play.new_game(name)
    play.tell(game, name)
    return _prints(game)


def _prints(game: Any) -> dict[str, Any]:
    kept = record.of(game)
    prints = [_print(to_data(state)) for _, state in record.replay(kept)]
    return {"record": record.write_json(kept), "prints": prints}


#: Sets of seats, in any order.
SEATS = ("locked", "none", "away", "barred", "answered")


def _print(state: dict[str, Any]) -> str:
    """A short hash of a state. Python writes an edition in full, a record names it: options are left out."""
    seats = {name: sorted(state[name]) for name in SEATS if name in state}
    settled = {**state, "options": None, **seats}
    return sha256(json.dumps(settled, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:8]


def chances() -> list[dict[str, Any]]:
    seed, secret = seed_from("chance"), seed_from("secret")
    terms = terms_of("set", {"rounds": 1, "claim": "instant", "name": "æ"}, "K7QXRM", 3)
    given = [(1, "a"), (6, "die 17 throw 3"), (81, "round 1 card 1"), (42, "draw 1"), (1000003, "æ")]
    return [
        {
            "seed": seed,
            "terms": to_data(terms),
            "commitment": commit(seed, terms),
            "secret_commitment": commit_secret(secret, terms),
            "secrets": secrets,
            "count": count,
            "label": label,
            "number": Seeded(seed, secrets).below(count, label),
        }
        for secrets in ([], ["", secret])
        for count, label in given
    ]


def files() -> dict[Path, str]:
    """All that this module writes."""
    luck = random.Random(1)
    vectors = {
        "explanations": explanations(luck),
        "tables": tables(luck),
        "turns": turns(luck),
        "chances": chances(),
        "groups": groups(luck),
        "card_game": card_game(),
        **{f"{name}_game": card_game(variant=name, rounds=1) for name in VARIANTS if name != "classic"},
        "cubed_game": cubed_game(),
        "scramble_games": scramble_games(),
        "away_games": away_games(),
        "puzzle_games": puzzle_games(),
    }
    return {
        EDITIONS: json.dumps(editions(), indent=1) + "\n",
        VECTORS: json.dumps(vectors, ensure_ascii=False, separators=(",", ":")) + "\n",
    }


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, "utf-8")
