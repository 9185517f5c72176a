"""F1: an operator who sees everything on the server, and plays along, cannot choose the luck.

The operator here knows the seed, every commitment and every secret at the moment they reach the server, plays on seat 2, and
wants many SETs in the first deal. Ann's client is the real thing: `RemoteTable` does its part as it does on a socket, with
the server's other end in the operator's hands.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from tercet import bots, cards, record
from tercet.client import Client, RemoteTable
from tercet.fairness import Promise, Seeded, commit, commit_secret, seed_from
from tercet.record import Proof
from tercet.server import protocol, table
from tercet.server.protocol import Commit, Ready, Reveal, Sit, TableCommand
from tercet.server.table import Asking, State
from tercet.sets import Card, find_sets

ANN, OPERATOR = "ann", "operator"
STARTS = 2000
#: How many of its own parts the operator tries each time: were the choice free, it would shift the mean by more than one.
TRIES = 8


class Honest(RemoteTable):
    """Ann's client without a socket: what it would send is what it has `asked`."""

    def __init__(self) -> None:
        super().__init__(Client("http://localhost", promises=None), "K7QXRM")
        self.you = protocol.Me(ANN, "Ann", None)
        self.asked: list[TableCommand] = []

    def _answer(self, command: TableCommand) -> None:
        self.asked.append(command)

    def hear(self, state: State) -> TableCommand | None:
        """Hear how the table stands; what the client says to it by itself."""
        self.table = table.show(state, 1)
        self._take_part()
        return self.asked.pop(0) if self.asked else None


@dataclass
class Desk:
    """The server, in the hands of the operator: the seeds are its choice."""

    state: State
    count: int = 0

    @classmethod
    def open(cls, name: str) -> Desk:
        opened = table.Opened(
            code="K7QXRM",
            game="set",
            options={"rounds": 1},
            host=OPERATOR,
            public=False,
            late_join=False,
            practice=False,
            chat=False,
            seats=(None, None),
            seed=seed_from(f"first seed of {name}"),
            time=0,
        )
        desk = cls(table.begin(opened))
        desk.do(ANN, Sit())
        desk.do(OPERATOR, Sit())
        desk.ready()
        return desk

    def ready(self) -> None:
        for person in (ANN, OPERATOR):
            self.do(person, Ready())

    def asking(self, person: str = "", time: int = 1) -> Asking:
        self.count += 1
        return Asking(person, person, time, "game", seed_from(f"{self.state.seed} {self.count}"), ())

    def do(self, person: str, command: TableCommand) -> None:
        events = table.decide(self.state, command, self.asking(person))
        assert isinstance(events, list), events
        self.happen(events)

    def happen(self, events: list[table.AnyTableEvent]) -> None:
        for event in events:
            self.state = table.evolve(self.state, event)

    def call_off(self) -> None:
        self.happen(table.call_off(self.state, self.asking(time=99_000)))

    def commit(self, person: str, secret: str) -> Commit:
        return Commit(commit(self.state.seed, self.state.terms), commit_secret(secret, self.state.terms))


def sets_of(seed: str, secrets: tuple[str, str]) -> int:
    """How many SETs lie on the table after the first deal."""
    chance, deck = Seeded(seed, secrets), list(Card.all())
    return len(find_sets([deck.pop(chance.below(81 - n, f"round 1 card {n + 1}")) for n in range(12)]))


def fair_deals() -> Counter[int]:
    """What nobody chose."""
    return Counter(sets_of(seed_from(f"fair {n}"), (seed_from(f"a {n}"), "")) for n in range(STARTS))


@pytest.fixture(autouse=True)
def same_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann's secrets are random, but the same in every run."""
    luck = Random(5)
    monkeypatch.setattr("tercet.client.table.token_hex", lambda size: luck.randbytes(size).hex())


@pytest.fixture(scope="module")
def fair() -> Counter[int]:
    return fair_deals()


def chi_square(one: Counter[int], other: Counter[int]) -> float:
    """Two samples of the same size in five classes: 0 or 1 SETs, 2, 3, 4, and more. 4 degrees of freedom: one pair in
    10,000 from the same source goes beyond 23.5."""

    def classes(counts: Counter[int]) -> list[int]:
        merged = [0] * 5
        for number, count in counts.items():
            merged[min(max(number - 1, 0), 4)] += count
        return merged

    return sum((a - b) ** 2 / (a + b) for a, b in zip(classes(one), classes(other), strict=True))


def mean(counts: Counter[int]) -> float:
    return sum(number * count for number, count in counts.items()) / counts.total()


def start(number: int, *, guess: bool) -> tuple[Desk, Honest, str]:
    """A start as far as the operator lets it come by itself: all have committed, Ann has revealed.

    With ``guess`` the operator answers Ann's commitment with the best of many secrets, judged by what it knows then: the
    seed and the hash of Ann's secret. Otherwise it takes any.
    """
    desk, ann = Desk.open(f"start {number}"), Honest()
    said = ann.hear(desk.state)
    assert isinstance(said, Commit)
    desk.do(ANN, said)
    mine = [seed_from(f"operator {number} {n}") for n in range(TRIES if guess else 1)]
    best = max(mine, key=lambda secret: sets_of(desk.state.seed, (said.commitment, secret)))
    desk.do(OPERATOR, desk.commit(OPERATOR, best))
    shown = ann.hear(desk.state)
    assert isinstance(shown, Reveal)
    desk.do(ANN, shown)
    return desk, ann, best


def test_f1_whoever_chose_their_part_last_chose_the_deal(fair: Counter[int]) -> None:
    """The attack of before works where the last part is free: the test can see what it looks for."""
    chosen = Counter(
        max(sets_of(seed_from(f"{n}"), (seed_from(f"a {n}"), seed_from(f"{n} {k}"))) for k in range(TRIES))
        for n in range(300)
    )
    scaled = Counter({number: count * STARTS // 300 for number, count in chosen.items()})
    assert chi_square(fair, scaled) > 200
    assert mean(chosen) > mean(fair) + 1


def test_f1_choosing_the_last_part_is_refused(fair: Counter[int]) -> None:
    """The attack of before: with Ann's secret in hand, the operator looks for one of its own that deals more SETs. The
    table takes none but the one committed to; and a record with another one is told apart by Ann's promise."""
    deals: Counter[int] = Counter()
    for number in range(STARTS):
        desk, _, secret = start(number, guess=False)
        assert desk.state.start is not None
        anns = desk.state.start.secrets[0]
        if number < 50:
            others = (seed_from(f"late {number} {n}") for n in range(TRIES))
            better = max(others, key=lambda other: sets_of(desk.state.seed, (anns, other)))
            late = Reveal(commit(desk.state.seed, desk.state.terms), better)
            refusal = table.decide(desk.state, late, desk.asking(OPERATOR))
            assert getattr(refusal, "code", None) == "wrong_secret"
        desk.do(OPERATOR, Reveal(commit(desk.state.seed, desk.state.terms), secret))
        started = desk.state.started
        assert started is not None
        deals[sets_of(desk.state.seed, (started.secrets[0], started.secrets[1]))] += 1
    print(
        f"\nlast part: mean {mean(deals):.3f}, fair {mean(fair):.3f}, chi-square {chi_square(fair, deals):.1f}"
    )
    assert chi_square(fair, deals) < 23.5


def test_f1_the_best_strategy_shifts_nothing_but_the_count(fair: Counter[int]) -> None:
    """The best that is left: choose the seed and the own secret by all that is known, see Ann's secret, and call off what
    one dislikes. The deals that begin at the first try are as ever; each further try is counted for all to see."""
    first: Counter[int] = Counter()
    called_off: Counter[int] = Counter()
    kept: Counter[int] = Counter()
    for number in range(STARTS):
        desk, ann, secret = start(number, guess=True)
        assert desk.state.start is not None
        deal = sets_of(desk.state.seed, (desk.state.start.secrets[0], secret))
        first[deal] += 1
        tries = 0
        while deal < 3 and tries < 5 and number < 200:
            desk.call_off()
            tries += 1
            assert table.show(desk.state, 1).called_off == tries
            desk.ready()
            said = ann.hear(desk.state)
            assert isinstance(said, Commit), "a new start has a new secret"
            desk.do(ANN, said)
            desk.do(OPERATOR, desk.commit(OPERATOR, secret))
            shown = ann.hear(desk.state)
            assert isinstance(shown, Reveal)
            desk.do(ANN, shown)
            assert desk.state.start is not None
            deal = sets_of(desk.state.seed, (desk.state.start.secrets[0], secret))
        desk.do(OPERATOR, Reveal(commit(desk.state.seed, desk.state.terms), secret))
        assert desk.state.started is not None
        assert ann.promise is not None
        assert desk.state.started.called_off == ann.promise.called_off == tries
        if number < 200:
            called_off[tries] += 1
        if tries == 0:
            kept[deal] += 1
    print(f"\nbest: mean {mean(first):.3f}, fair {mean(fair):.3f}, chi-square {chi_square(fair, first):.1f}")
    print(
        f"starts called off by an operator who wants 3 SETs or more, in 200 games: {dict(sorted(called_off.items()))}"
    )
    assert chi_square(fair, first) < 23.5
    assert called_off.total() - called_off[0] > 50, "whoever chooses is seen choosing"


def test_f1_a_client_shows_nothing_for_another_seed_or_list() -> None:
    """What the operator could try with the list itself."""

    def committed() -> tuple[Desk, Honest]:
        desk, ann = Desk.open("list"), Honest()
        said = ann.hear(desk.state)
        assert isinstance(said, Commit)
        desk.do(ANN, said)
        desk.do(OPERATOR, desk.commit(OPERATOR, seed_from("mine")))
        return desk, ann

    desk, ann = committed()
    assert ann.hear(replace(desk.state, seed=seed_from("another"))) is None  # a seed that was never promised
    desk, ann = committed()
    assert desk.state.start is not None
    other = replace(desk.state.start, commitments=(seed_from("not Ann's"), desk.state.start.commitments[1]))
    assert ann.hear(replace(desk.state, start=other)) is None  # somebody else's commitment in Ann's place
    desk, ann = committed()
    assert ann.hear(replace(desk.state, number=7)) is None  # another game
    desk, ann = committed()
    assert ann.hear(replace(desk.state, options={"rounds": 2})) is None  # other options
    desk, ann = committed()
    shown = table.show(desk.state, 1)
    assert shown.start is not None
    shown.start = protocol.Starting(
        stage="revealing", commitments=(shown.start.commitments[0], ""), waits_for=(0,), until_time=1
    )
    ann.table = shown
    ann._take_part()
    assert ann.asked == []  # a list in which somebody is missing
    desk, ann = committed()
    assert isinstance(ann.hear(desk.state), Reveal)
    assert ann.hear(desk.state) is None  # and the right one once only


# --- forged records ---


@pytest.fixture(scope="module")
def game() -> tuple[record.Record, Promise]:
    """A finished game, and what Ann's client kept."""
    desk, ann, secret = start(1, guess=False)
    desk.do(OPERATOR, Reveal(commit(desk.state.seed, desk.state.terms), secret))
    started, promise = desk.state.started, ann.promise
    assert started is not None
    assert promise is not None
    return deal(desk.state.seed, started.secrets, number=1), promise


def deal(
    seed: str, secrets: tuple[str, ...], number: int = 1, table: str = "K7QXRM", rounds: int = 1
) -> record.Record:
    """The record of a whole game that follows from these."""
    played = cards.Game(
        ["Ann", "Operator"],
        seed=seed,
        secrets=secrets,
        options={"rounds": rounds},
        table=table,
        number=number,
    )
    bots.play(played, [bots.make("set", "champion", seat, Random(seat)) for seat in range(2)])
    return record.of(played)


def sealed(forged: record.Record, **change: Any) -> record.Record:
    forged = replace(forged, **change)
    return replace(forged, seal=record.seal(forged))


def verdicts(proof: Proof) -> tuple[str, ...]:
    return tuple(step.verdict for step in proof.steps)


def test_f4_the_real_record_is_proved_in_three_steps(game: tuple[record.Record, Promise]) -> None:
    assert verdicts(record.prove(*game)) == ("proved", "proved", "proved")
    assert verdicts(record.prove(game[0])) == ("proved", "open", "open")


KINDS = [
    "another seed",
    "another secret of the operator",
    "another secret of Ann",
    "another game of the table",
    "another table",
    "other options",
    "no start called off",
    "another move",
    "Ann's secret taken out",
]


@pytest.mark.parametrize("kind", KINDS)
def test_f4_a_forged_record_is_told_apart_by_whoever_was_there(
    kind: str, game: tuple[record.Record, Promise]
) -> None:
    """Each is made with all that a server has, is consistent and is sealed; Ann's promise tells."""
    real, promise = game
    assert real.seed is not None
    ann, operator = real.secrets
    other = seed_from("another")
    forged = real
    match kind:
        case "another seed":
            forged = deal(other, real.secrets)
        case "another secret of the operator":
            forged = deal(real.seed, (ann, other))
        case "another secret of Ann":
            forged = deal(real.seed, (other, operator))
        case "Ann's secret taken out":
            forged = deal(real.seed, ("", operator))
        case "another game of the table":
            forged = deal(real.seed, real.secrets, number=2)
        case "another table":
            forged = deal(real.seed, real.secrets, table="ZZZZZZ")
        case "other options":
            forged = deal(real.seed, real.secrets, rounds=2)
        case "no start called off":
            promise = replace(promise, called_off=2)
        case "another move":
            longer = replace(real.log[-1], at=real.log[-1].at + 1)
            forged = replace(real, log=(*real.log[:-1], longer))
    if kind != "another move":
        assert record.verify(forged) is None, "the forgery is consistent"
    proof = record.prove(forged, promise)
    assert proof.is_wrong, kind
    assert verdicts(record.prove(real, game[1])) == ("proved", "proved", "proved")
