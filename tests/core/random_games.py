"""Whole games by players who do what comes to their mind: mostly allowed, now and then not."""

from __future__ import annotations

import random
from itertools import combinations

from tercet import WILD, Card, Face, cards, cubed, is_set, puzzles, scramble, third
from tercet.cubed import Die, Edition, Placement, Position, Square
from tercet.fairness import seed_from
from tercet.games import ComeBack, Command, Refused, StepAway
from tercet.puzzles.items import solutions
from tests.core.scripted import NAMES

#: A board and dice of our own: higher than wide, logo down a column, many wilds, a bonus in every corner.
OWN = Edition.from_plain(
    {
        "name": "own",
        "wild": "later",
        "size": [10, 7],
        "logo": ["d4", "d5", "d6"],
        "bonus": {"a1": 1, "g1": 2, "a10": 3, "g10": 99, "d3": 4, "d7": 4},
        "dice": [
            "1RD 2RD 3RD 1RO 2RO W",
            *["1RD 1RO 1GD 1GO 2RD W"] * 20,
            *["3PS 2GO 1RD 1PS 2PD 3GO"] * 23,
        ],
    }
)
EDITIONS = (Edition.named("house"), Edition.named("dutch"), OWN)


def attempt(game: cards.Game | cubed.Game | scramble.Game | puzzles.Game, command: Command, at: int) -> bool:
    """Whether the command was allowed. If not, nothing has changed."""
    game.advance(at)
    before, lines = game.state, len(game.log)
    try:
        game.do(command, at)  # type: ignore[arg-type]
    except Refused:
        assert game.state is before
        assert len(game.log) == lines
        return False
    return True


def random_card_game(number: int) -> cards.Game:
    """The card game of this number: players, options and all."""
    r = random.Random(f"cards {number}")
    players = number % 8 + 1
    only = r.choice([*[None] * 12, *(value for feature in Card.features for value in feature.values)])
    variant = r.choice(list(cards.VARIANTS)) if only is None else "classic"
    options = cards.rules.read_options(
        {
            "rounds": r.choice([None, 1, 2] if only else [1, 1, 1, 2, None]),
            "show_seconds": r.randint(3, 30),
            "honest_none": r.random() < 0.3,
            "variant": variant,
            "only": only,
            "table": r.choice([9, 12]) if only or variant == "junior" else 12,
            "claim": r.choice(["call", "instant"]),
            "auto_deal": r.random() < 0.3,
            "penalty": r.choice(["lock", "point"]),
            "sets": r.choice([None, None, None, 3, 10]),
        }
    )
    secrets = [r.choice(["", seed_from("x"), seed_from("mötley")]) for _ in range(r.randint(0, players))]
    game = cards.Game(NAMES[:players], seed=seed_from(f"cards {number}"), options=options, secrets=secrets)
    at = 0
    while not game.is_over:
        at = max(game.clock, at + r.randint(0, 4000))
        game.advance(at)
        attempt(game, _card_command(game, r), at)
    return game


def _come_or_go(seat: int, r: random.Random) -> StepAway | ComeBack:
    """Most are here most of the time."""
    return StepAway(seat) if r.random() < 0.4 else ComeBack(seat)


def _card_command(game: cards.Game, r: random.Random) -> cards.CardCommand:
    state, seat = game.state, r.randrange(len(game.seats))
    if r.random() < 0.06:
        return _come_or_go(seat, r)
    if r.random() < 0.04:
        odd = (*r.sample(Card.all(), r.randint(0, 4)),)
        seat = r.randrange(-1, 10)
        commands: list[cards.CardCommand] = [
            cards.Deal(seat),
            cards.Call(seat),
            cards.SeeNone(seat),
            cards.TakeBack(seat),
            cards.Show(seat, odd),
        ]
        return r.choice(commands)
    if state.phase == "deal":
        return cards.Deal(state.dealer)
    variant = cards.variant_of(state.options)
    found = variant.groups(state.table, state.last)
    if state.call is not None or state.options.claim == "instant":
        seat = seat if state.call is None else state.call.seat
        if found and r.random() < 0.7:
            return cards.Show(seat, r.choice(found))
        if state.call is not None or r.random() < 0.1:
            return cards.Show(seat, _some_cards(state, variant.size, r) if r.random() < 0.5 else ())
    elif found and r.random() < 0.7:
        return cards.Call(seat)
    return cards.SeeNone(seat) if r.random() < 0.9 else cards.TakeBack(seat)


def _some_cards(state: cards.State, count: int, r: random.Random) -> tuple[Card, ...]:
    lying = [*state.table, *state.last]
    return tuple(r.sample(lying, min(count, len(lying))))


def random_dice_game(number: int) -> cubed.Game:
    """The dice game of this number: players, edition, limits and all."""
    r = random.Random(f"dice {number}")
    options = cubed.Options(
        edition=EDITIONS[number % 3],
        show_seconds=r.randint(3, 30),
        extra_seconds=r.choice([None, 10, 30]),
        turn_seconds=r.choice([None, 15, 60]),
    )
    players = 2 + number // 3 % 3
    secrets = [r.choice(["", seed_from("x"), seed_from("mötley")]) for _ in range(r.randint(0, players))]
    game = cubed.Game(NAMES[:players], seed=seed_from(f"dice {number}"), options=options, secrets=secrets)
    at, eager = 0, r.choice([0.5, 0.9, 1.0])
    while not game.is_over:
        at = max(game.clock, at + r.randint(0, 9000))
        game.advance(at)
        attempt(game, _dice_command(game, r, eager), at)
    return game


def _dice_command(game: cubed.Game, r: random.Random, eager: float) -> cubed.CubedCommand:
    state, seat = game.state, r.randrange(len(game.seats))
    if r.random() < 0.06:
        return _come_or_go(seat, r)
    if r.random() < 0.05:
        return _odd_dice_command(game, r)
    match state.phase:
        case "opening":
            if state.call is not None:
                return cubed.Show(state.call.seat, _opening(game, state.call.seat, r))
            return cubed.Call(seat) if r.random() < 0.7 else cubed.SeeNone(seat)
        case "turn":
            assert state.turn is not None
            return _turn(game, state.turn, r, eager)
        case "extra_roll":
            return cubed.Choose(seat, tuple(die.number for die in state.hands[seat] if r.random() < 0.3))
        case _:
            return cubed.Begin(seat)


def _opening(game: cubed.Game, seat: int, r: random.Random) -> tuple[Placement, ...]:
    """Three dice of the hand on the logo: a SET if there is one and the player is in the mood."""
    hand = game.state.hands[seat]
    threes = [three for three in combinations(hand, 3) if is_set(*(die.face for die in three))]
    if r.random() < 0.1 or not threes:
        return _named(game, r.sample(hand, 3), r) if r.random() < 0.5 else ()
    return _named(game, r.choice(threes), r)


def _named(game: cubed.Game, three: tuple[Die, ...] | list[Die], r: random.Random) -> tuple[Placement, ...]:
    known = [die.face for die in three if die.face is not WILD]
    while len(known) < 3:
        known.append(third(*known) if len(known) == 2 else r.choice(Face.all()))
    shown = [known.pop(0) if die.face is not WILD else None for die in three]
    return tuple(
        Placement(square, known.pop(0) if face is None else face, face is None, die.number)
        for square, face, die in zip(game.options.edition.layout.logo, shown, three, strict=True)
    )


def _turn(game: cubed.Game, seat: int, r: random.Random, eager: float) -> cubed.CubedCommand:
    state = game.state
    wilds = [(cell, die) for cell, die in enumerate(state.board) if die is not None and die.wild]
    for cell, lying in wilds:
        for die in state.hands[seat]:
            if die.face is lying.face and r.random() < 0.7:
                return cubed.Replace(seat, die.number, game.options.edition.layout.square(cell))
    turn = some_turn(state.position(seat), r) if r.random() < eager else ()
    if state.until is not None and r.random() < 0.3:
        return cubed.Draft(seat, turn)
    return cubed.Lay(seat, turn) if turn else cubed.Pass(seat)


def some_turn(position: Position, r: random.Random) -> tuple[Placement, ...]:
    """A legal turn, drawn without listing them all: two and more wilds have very many."""
    wilds = position.hand.count(WILD)
    hand = [face for face in position.hand if face is not WILD]
    named = [face.to_plain() for face in r.sample(Face.all(), wilds)] if wilds > 1 else []
    held = [*hand, *map(Face, named)] if wilds > 1 else list(position.hand)
    few = Position(position.layout, position.board, r.sample(held, min(3, len(held))), position.wild)
    turns = few.turns()
    if not turns:
        return ()
    chosen = r.choice(turns).placements
    left, marked = list(hand), []
    for placement in chosen:
        own = placement.wild or placement.face not in left
        if not own:
            left.remove(placement.face)
        marked.append(Placement(placement.square, placement.face, own))
    return tuple(marked)


def _odd_dice_command(game: cubed.Game, r: random.Random) -> cubed.CubedCommand:
    seat = r.randrange(-1, 6)
    squares = [Square.at(r.randrange(12), r.randrange(12)) for _ in range(r.randint(0, 4))]
    placements = tuple(
        Placement(square, Face(r.randrange(28)), r.random() < 0.2, r.choice([None, r.randint(0, 45)]))
        for square in squares
    )
    commands: list[cubed.CubedCommand] = [
        cubed.Begin(seat),
        cubed.Call(seat),
        cubed.SeeNone(seat),
        cubed.Pass(seat),
        cubed.Show(seat, placements),
        cubed.Lay(seat, placements),
        cubed.Draft(seat, placements),
        cubed.Replace(seat, r.randint(0, 45), Square.at(r.randrange(12), r.randrange(12))),
        cubed.Choose(seat, tuple(r.randint(0, 45) for _ in range(r.randint(0, 4)))),
    ]
    return r.choice(commands)


def random_scramble_game(number: int) -> scramble.Game:
    """The game of Scramble of this number: players, edition, options and all."""
    r = random.Random(f"scramble {number}")
    players = number % 8 + 1
    options = scramble.Options(
        edition=EDITIONS[number // 8 % 3],
        rounds=r.choice([1, 1, 1, 2, 3]),
        claim=r.choice(["call", "instant"]),
        auto_end=r.random() < 0.5,
        show_seconds=r.randint(3, 30),
    )
    secrets = [r.choice(["", seed_from("x"), seed_from("mötley")]) for _ in range(r.randint(0, players))]
    seed = seed_from(f"scramble {number}")
    game = scramble.Game(NAMES[:players], seed=seed, options=options, secrets=secrets)
    at = 0
    while not game.is_over:
        at = max(game.clock, at + r.randint(0, 4000))
        game.advance(at)
        attempt(game, _scramble_command(game, r), at)
    return game


def _scramble_command(game: scramble.Game, r: random.Random) -> scramble.ScrambleCommand:
    state, seat = game.state, r.randrange(len(game.seats))
    if r.random() < 0.06:
        return _come_or_go(seat, r)
    if r.random() < 0.04:
        seat = r.randrange(-1, 10)
        commands: list[scramble.ScrambleCommand] = [
            scramble.Throw(seat),
            scramble.Call(seat),
            scramble.SeeNone(seat),
            scramble.TakeBack(seat),
            scramble.Show(seat, tuple(r.randint(0, 45) for _ in range(r.randint(0, 4)))),
        ]
        return r.choice(commands)
    if state.phase == "deal":
        return scramble.Throw(state.thrower)
    mixed = r.sample(state.lying, len(state.lying))
    found = next((three for three in combinations(mixed, 3) if is_set(*(die.face for die in three))), None)
    if state.call is not None or state.options.claim == "instant":
        seat = seat if state.call is None else state.call.seat
        if found and r.random() < 0.8:
            return scramble.Show(seat, tuple(die.number for die in found))
        if state.call is not None or r.random() < 0.1:
            numbers = [die.number for die in state.lying]
            return scramble.Show(seat, tuple(r.sample(numbers, min(3, len(numbers)))))
    elif found and r.random() < 0.8:
        return scramble.Call(seat)
    return scramble.SeeNone(seat) if r.random() < 0.7 else scramble.TakeBack(seat)


def random_puzzle_game(number: int) -> puzzles.Game:
    """The puzzles of this number: what is played, by how many, and how well."""
    r = random.Random(f"puzzles {number}")
    kind = ("storm", "race", "race", "daily_set", "boards", "daily_cubed")[number % 6]
    day = f"2026-11-{r.randint(1, 30):02}" if kind.startswith("daily") else None
    players = r.randint(1, 10) if kind == "race" else r.choice([1, 1, 2])
    names = [*NAMES, "Ida", "Jon"][:players]
    secrets = [r.choice(["", seed_from("x")]) for _ in range(r.randint(0, players))]
    options = puzzles.rules.read_options({"kind": kind, "day": day})
    game = puzzles.Game(names, seed=seed_from(f"puzzles {number}"), options=options, secrets=secrets)
    game.do(puzzles.Begin(0))
    at, skill = 0, r.choice([0.5, 0.8, 0.98])
    while not game.is_over:
        at = max(game.clock, at + r.randint(0, 1500))
        game.advance(at)
        if not game.is_over:
            attempt(game, _puzzle_command(game, r, skill), at)
    return game


def _puzzle_command(game: puzzles.Game, r: random.Random, skill: float) -> puzzles.PuzzleCommand:
    state = game.state
    seat = r.choice([seat for seat, runner in enumerate(state.runners) if runner.stopped_at is None])
    runner = state.runners[seat]
    if state.phase == "line":
        return puzzles.Begin(seat) if r.random() < 0.5 else puzzles.Answer(seat, 1, (0,))
    if r.random() < 0.06:
        seat, number = r.randrange(-1, 12), runner.number + r.randint(-1, 1)
        odd = tuple(r.randint(-1, 13) for _ in range(r.randint(0, 4)))
        placements = (Placement(Square("a1"), Face("1RO")),) if r.random() < 0.2 else ()
        commands: list[puzzles.PuzzleCommand] = [
            puzzles.Begin(seat),
            puzzles.Answer(seat, number, odd, placements),
        ]
        return r.choice(commands)
    if r.random() < 0.005:
        return puzzles.Stop(seat)
    if runner.stopped_at is not None:
        return puzzles.Answer(seat, runner.number, (0,))
    item = state.items[runner.number - 1]
    if item.position is not None:
        turns = item.position.position(item.position.turn or 0).turns()
        return puzzles.Answer(seat, runner.number, placements=r.choice(turns[:5]).placements)
    if r.random() < skill:
        return puzzles.Answer(seat, runner.number, r.choice(solutions(item)))
    among = 2 if item.asked == "is_set" else len(item.choices or item.shown)
    count = 1 if item.asked in ("third", "is_set") else 3
    return puzzles.Answer(seat, runner.number, tuple(r.sample(range(among), count)))
