"""The table server without limits on how much one client may do: python -m benchmarks.server.serve PORT FILE."""

from __future__ import annotations

import sys

from tercet.server.limits import Limits
from tercet.server.run import run
from tercet.server.settings import load

if __name__ == "__main__":
    limits = Limits(
        messages_per_second=1e9,
        message_burst=10**9,
        guests_per_minute=1e9,
        tables_per_person=10**6,
        sockets=10**6,
    )
    run(load(environment={}, port=int(sys.argv[1]), database=sys.argv[2], limits=limits))
