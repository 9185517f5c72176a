"""The frameworks' own suites pass, and the environments play by the rules."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tercet import cards, find_sets, is_set
from tercet.cards.learning import PLACES, THREES
from tercet.rl import Table, encoding_of, learnable
from tercet.rl.batch import NONE, CardTables, DiceTables
from tercet.rl.table import Luck
from tercet.sets import KindError, TercetError

# These bring warnings of their own, about what they themselves use, with them.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import gymnasium
    import pettingzoo.test as zoo
    import pyspiel
    from absl import flags
    from gymnasium.utils.env_checker import check_env
    from open_spiel.python.algorithms import generate_playthrough

    import tercet.rl.spiel  # noqa: F401
    from tercet.rl import cubed_v0, set_v0
    from tercet.rl.single import SeatEnv

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")

MODULES = {"set": set_v0, "cubed": cubed_v0}
on_games = pytest.mark.parametrize("game", learnable())
#: What no type checker would let through.
ODD: Any = "x"
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"


def together() -> Any:
    """An environment in which all act at once, begun."""
    env = set_v0.parallel_env()
    env.reset(seed=1)
    return env


@on_games
@pytest.mark.parametrize("seats", [2, 4])
def test_pettingzoo_aec(game: str, seats: int) -> None:
    zoo.api_test(MODULES[game].env(seats=seats), num_cycles=40)


@on_games
def test_pettingzoo_seeds(game: str) -> None:
    zoo.seed_test(MODULES[game].env, num_cycles=10)
    zoo.parallel_seed_test(MODULES[game].parallel_env, num_cycles=10)


@on_games
def test_pettingzoo_parallel(game: str) -> None:
    zoo.parallel_api_test(MODULES[game].parallel_env(seats=3), num_cycles=40)


def test_pettingzoo_max_cycles() -> None:
    """For the race, in which all act equally often; in the dice game whoever opened has one turn less."""
    zoo.max_cycles_test(set_v0)


@on_games
@pytest.mark.parametrize("opponents", [["random", "greedy"], ["beginner", "champion"]], ids=["dice", "cards"])
def test_gymnasium(game: str, opponents: list[str]) -> None:
    if (game == "cubed") != ("greedy" in opponents):
        pytest.skip("bots of the other game")
    for opponent in opponents:
        check_env(SeatEnv(game, [opponent], seat=1), skip_render_check=True)
    made = gymnasium.make(f"tercet/{game.title()}-v0", opponents=opponents)
    assert made.reset(seed=1)[0]["action_mask"][0] == 1


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: CardTables(0), "many tables of cards: 0 tables: at least one"),
        (lambda: CardTables("4"), "give a number of tables, not '4'"),  # type: ignore[arg-type]
        (lambda: CardTables(4, seed=-1), "a seed is a whole number from 0 on, not -1"),
        (lambda: DiceTables(4, seed=ODD), "a seed is a whole number from 0 on, not 'x'"),
        (lambda: CardTables(4).step(np.zeros(3, int)), "3 actions for 4 tables"),
        (
            lambda: DiceTables(4).step(np.zeros((4, 1), int)),
            "give the actions as an array of the shape (4,), not (4, 1)",
        ),
        (lambda: DiceTables(4).step(np.zeros(4)), "actions are whole numbers from 0 to 99"),
        (
            lambda: DiceTables(4).random(ODD),
            "give a source of luck, as in numpy.random.default_rng(1), not 'x'",
        ),
        (lambda: DiceTables(ODD), "give a number of tables, not 'x'"),
        (lambda: CardTables(4).step(np.full(4, 1331)), "actions are whole numbers from 0 to 1330"),
        (lambda: CardTables(4).step(np.full(4, -1)), "actions are whole numbers from 0 to 1330"),
        (lambda: CardTables(4).step(np.zeros(4)), "actions are whole numbers from 0 to 1330"),
    ],
)
def test_many_tables_say_what_is_wrong(wrong: Callable[[], object], told: str) -> None:
    with pytest.raises(TercetError) as raised:
        wrong()
    assert str(raised.value) == told


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (
            lambda: together().step({"player_9": 0}),
            "there is no agent 'player_9'; there are player_0, player_1",
        ),
        (lambda: together().step(ODD), "give the actions by agent, as in {'player_0': 0}, not 'x'"),
        (
            lambda: together().step({"player_0": ODD}),
            "an action is a whole number, as in the action_mask, not 'x'",
        ),
        (lambda: together().action_space("x"), "there is no agent 'x'; there are player_0, player_1"),
        (lambda: set_v0.env(max_cycles=0), "max_cycles is 0: at least one cycle"),
        (
            lambda: pyspiel.load_game("python_tercet_cubed(max_cycles=0)"),
            "max_cycles is 0: at least one cycle",
        ),
        (
            lambda: set_v0.env(render_mode="human"),
            "render_mode is 'ansi', which is text, or None, not 'human'",
        ),
        (
            lambda: SeatEnv("set", render_mode="rgb_array"),
            "render_mode is 'ansi', which is text, or None, not 'rgb_array'",
        ),
        (lambda: set_v0.env().reset(seed=-1), "a seed is a whole number from 0 on, not -1"),
        (lambda: set_v0.env().reset(seed=ODD), "a seed is a whole number from 0 on, not 'x'"),
        (lambda: SeatEnv("cubed").reset(seed=ODD), "a seed is a whole number from 0 on, not 'x'"),
        (lambda: SeatEnv("cubed", None), "give the opponents in a list, as in ['greedy'], not None"),  # type: ignore[arg-type]
        (lambda: SeatEnv("cubed", "greedy"), "give the opponents in a list, as in ['greedy'], not 'greedy'"),
        (lambda: SeatEnv("cubed", [5]), "give the name of a bot, such as 'greedy', not 5"),  # type: ignore[list-item]
        (lambda: set_v0.env(options=ODD), "give options in a dict, as in {'rounds': 1}, not 'x'"),
        (lambda: SeatEnv("cubed", ["greedy"]).step(0), "call reset first"),
        (lambda: SeatEnv("cubed", ["greedy"], seat=2), "give a seat from 0 to 1, not 2"),
        (lambda: SeatEnv("set", ["quick"], tick_ms=0), "tick_ms is 0: at least one millisecond"),
    ],
)
def test_environments_say_what_is_wrong(wrong: Callable[[], object], told: str) -> None:
    with pytest.raises(TercetError) as raised:
        wrong()
    assert str(raised.value) == told


def test_a_seed_may_be_a_number_of_numpy() -> None:
    env: Any = set_v0.env()
    env.reset(seed=np.int64(7))
    given = env.last()[0]["observation"]
    env.reset(seed=7)
    assert (given == env.last()[0]["observation"]).all()
    assert (CardTables(4, seed=np.int64(7)).tables == CardTables(4, seed=7).tables).all()  # type: ignore[arg-type]
    seen = SeatEnv("set").reset(seed=np.int64(7))[0]  # type: ignore[arg-type]
    assert (seen["observation"] == SeatEnv("set").reset(seed=7)[0]["observation"]).all()


def test_a_game_that_is_over_says_so() -> None:
    env = set_v0.env(max_cycles=1)
    env.reset(seed=1)
    for agent in env.agent_iter():
        env.step(None if env.terminations[agent] or env.truncations[agent] else 0)
    with pytest.raises(TercetError, match="the game is over: call reset before the next step"):
        env.step(None)


def test_gymnasium_knows_the_games_once_the_package_is_imported() -> None:
    program = "import gymnasium, tercet.rl; print(gymnasium.make('tercet/Cubed-v0').unwrapped)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "SeatEnv" in done.stdout, done.stderr
    with pytest.raises(KindError, match=r"give the opponents in a list, as in \['greedy'\]"):
        SeatEnv("cubed", "greedy")


@on_games
def test_actions_beyond_the_mask_wait_or_are_told(game: str) -> None:
    module = MODULES[game]
    lenient, strict = module.env(render_mode="ansi"), module.env(strict=True)
    with pytest.raises(TercetError, match="call reset before step"):
        lenient.step(0)
    with pytest.raises(TercetError, match="call reset before step"):
        module.parallel_env().step({})
    for action in (10**6, -1, None):
        lenient.reset(seed=1)
        lenient.step(action)
        strict.reset(seed=1)
        with pytest.raises(TercetError, match=f"action {action} is not allowed to player_"):
            strict.step(action)
    assert lenient.render_mode == "ansi"
    strict.reset(seed=1)
    strict.step(np.argmax(strict.last()[0]["action_mask"]))
    strict.reset(seed=1)
    strict.step(bool(strict.last()[0]["action_mask"][1]))  # a truth is 0 or 1, and no mask for the mask
    together = module.parallel_env(strict=True)
    together.reset(seed=1)
    with pytest.raises(TercetError, match="is not allowed to player_"):
        together.step(dict.fromkeys(together.agents, 10**6))


def test_points_without_end_stay_in_the_space() -> None:
    alone, against = set_v0.env(seats=1), SeatEnv("set", ["beginner"], tick_ms=1)
    alone.reset(seed=1)
    seen, _ = against.reset(seed=1)
    for _ in range(300):
        alone.step(1)
        seen, *_ = against.step(1)
    assert alone.table.state.scores[0] < -280
    assert against.game.scores[0] < -280
    assert alone.observation_space("player_0").contains(alone.observe("player_0"))
    assert against.observation_space.contains(seen)


@on_games
def test_openspiel_random_games(game: str) -> None:
    pyspiel.random_sim_test(
        pyspiel.load_game(f"python_tercet_{game}(max_cycles=12)"), num_sims=3, serialize=True, verbose=False
    )
    pyspiel.random_sim_test(
        pyspiel.load_game(f"python_tercet_{game}(players=3,max_cycles=6)"),
        num_sims=1,
        serialize=False,
        verbose=False,
    )


@on_games
def test_openspiel_games_can_be_pickled(game: str) -> None:
    given = pyspiel.load_game(f"python_tercet_{game}(players=3,max_cycles=6)")
    again = pickle.loads(pickle.dumps(given))
    assert str(again) == str(given)
    assert (again.num_players(), again.new_initial_state().is_chance_node()) == (3, True)


@on_games
def test_openspiel_playthrough(game: str) -> None:
    """The golden playthrough comes out the same; `python -m tests.rl.playthroughs` writes it again."""
    flags.FLAGS.mark_as_parsed()
    path = PLAYTHROUGHS / f"{game}.txt"
    expected, actual = generate_playthrough.replay(str(path))
    assert actual == expected


@on_games
def test_openspiel_chance_is_explicit(game: str) -> None:
    """Every card and die is a node, and the luck that it says is the luck that comes."""
    state = pyspiel.load_game(f"python_tercet_{game}").new_initial_state()
    nodes = 0
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert sum(probability for _, probability in outcomes) == pytest.approx(1)
        state.apply_action(outcomes[0][0])
        nodes += 1
    assert nodes >= 12
    if game == "set":
        assert list(state.table.state.table) == list(cards.VARIANTS["classic"].pack[:12]) or is_dealt_more(
            state
        )


def is_dealt_more(state: Any) -> bool:
    return len(state.table.state.table) > 12


@on_games
@pytest.mark.parametrize("seats", [2, 3])
def test_what_the_mask_allows_the_rules_allow(game: str, seats: int) -> None:
    random = Random(7)
    table = Table(game, seats)
    for number in range(2):
        table.reset(Luck(Random(number)))
        for _ in range(150):
            seat = table.acting
            if seat is None:
                break
            mask = table.mask(seat)
            assert mask[0] == 1
            assert table.observe(seat).shape == (table.encoding.size(seats),)
            allowed = [int(action) for action in np.flatnonzero(mask)]
            for action in random.sample(allowed, min(3, len(allowed))):
                command = table.encoding.command(table.state, seat, action)
                assert command is None or table.rules.allows(table.state, command, 0)
            worth = table.act(random.choice(allowed))
            assert sum(worth) == pytest.approx(0)


@on_games
def test_a_seed_is_a_game(game: str) -> None:
    def play() -> list[Any]:
        env = MODULES[game].env()
        env.reset(seed=11)
        told, random = [], Random(3)
        for _ in env.agent_iter(120):
            seen, reward, over, late, _ = env.last()
            allowed = np.flatnonzero(seen["action_mask"]).tolist()
            told.append((env.agent_selection, reward, seen["observation"].tobytes()))
            env.step(None if over or late else random.choice(allowed))
        return told

    assert play() == play()


def test_the_vector_shows_the_cards() -> None:
    game = cards.Game(["Ann", "Bo"], seed="0" * 64)
    game.do(cards.Deal(0))
    seen = encoding_of("set").observe(game.state, 0)
    for place, card in enumerate(game.state.table):
        values = seen[12 * place : 12 * place + 12].reshape(4, 3)
        assert tuple(values.argmax(axis=1)) == card.digits
        assert values.sum() == 4
    assert not seen[12 * 12 : 12 * PLACES].any()
    assert not encoding_of("set").observe(game.state, 0)[12 * PLACES + 1 :].any()


class _Deck:
    """Luck that turns the cards in this order."""

    def __init__(self, order: list[int]) -> None:
        self.order, self.left = order, sorted(order)

    def below(self, count: int, label: str) -> int:
        card = self.order.pop(0)
        place = self.left.index(card)
        self.left.pop(place)
        return place


def test_many_tables_play_by_the_rules() -> None:
    """The same deck at one of many tables and in the rules, action by action, to the end."""
    for seed in range(12):
        many = CardTables(1, seed=seed)
        table = Table("set", 2)
        table.reset(_Deck(many._decks[0].tolist()))
        random = Random(seed)
        over = False
        while not over:
            size = int(many.sizes[0])
            assert [card for card in many.tables[0].tolist() if card != NONE] == list(
                map(int, table.state.table)
            )
            action = int(many.find()[0]) if random.random() < 0.7 else random.randrange(1 + len(THREES))
            three = THREES[action - 1]
            right = action and three[2] < size and is_set(*(table.state.table[place] for place in three))
            worth = table.act_together({0: action})
            reward, ended = many.step(np.array([action]))
            assert worth[0] == reward[0] == (1 if right else -1 if action and three[2] < size else 0)
            over = bool(ended[0])
        assert table.is_over
        assert not find_sets(table.state.table)


def test_an_illegal_action_does_nothing() -> None:
    env = set_v0.parallel_env()
    env.reset(seed=1)
    before = env.table.state
    env.step({"player_0": len(THREES), "player_1": 0})
    assert env.table.state is before
