"""Learning environments: PettingZoo (`tercet.rl.set_v0`, `tercet.rl.cubed_v0`), Gymnasium (``gymnasium.make("tercet/Set-v0")`` after
``import tercet.rl``; `tercet.rl.single`), OpenSpiel (`tercet.rl.spiel`) and many tables at once (`tercet.rl.batch`).

They need ``pip install 'tercet[rl]'``. docs/learning.md says what is seen, what can be done and what it is worth.
"""

from contextlib import suppress

from tercet.rl.table import Encoding, Table, encoding_of, learnable

__all__ = ["Encoding", "Table", "encoding_of", "learnable"]

with suppress(ImportError):  # OpenSpiel and the tables at once need no Gymnasium
    from gymnasium.envs.registration import register

    for _name in learnable():
        register(f"tercet/{_name.title()}-v0", "tercet.rl.single:SeatEnv", kwargs={"game": _name})
