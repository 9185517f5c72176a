"""Learning environments: PettingZoo (`tercet.rl.set_v0`, `tercet.rl.cubed_v0`), Gymnasium (`tercet.rl.single`), OpenSpiel
(`tercet.rl.spiel`) and many tables at once (`tercet.rl.batch`).

They need ``pip install 'tercet[rl]'``. docs/learning.md says what is seen, what can be done and what it is worth.
"""

from tercet.rl.table import Encoding, Table, encoding_of, learnable

__all__ = ["Encoding", "Table", "encoding_of", "learnable"]
