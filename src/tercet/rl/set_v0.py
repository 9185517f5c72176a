"""The card game for PettingZoo: `env` and `raw_env` (one seat after the other), `parallel_env` (all at once)."""

from __future__ import annotations

from functools import partial

from tercet.rl.zoo import AEC, Together

env = raw_env = partial(AEC, "set")
parallel_env = partial(Together, "set")
