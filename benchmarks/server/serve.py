"""The table server without limits on how much one client may do.

python -m benchmarks.server.serve PORT FILE [SEED]   (SEED: the same luck in every game)
"""

from __future__ import annotations

import sys

from tercet.server import ids


def main(port: int, database: str, seed: str | None = None) -> None:
    if seed is not None:
        ids.new_seed = lambda: seed  # before anybody imports it
    from tercet.server.limits import Limits  # noqa: PLC0415
    from tercet.server.run import run  # noqa: PLC0415
    from tercet.server.settings import load  # noqa: PLC0415

    limits = Limits(
        messages_per_second=1e9,
        message_burst=10**9,
        frames_per_second=1e9,
        frame_burst=10**9,
        guests_per_minute=1e9,
        tables_per_person=10**6,
        runs_per_person=10**6,
        sockets=10**6,
        sockets_per_person=10**6,
        sockets_per_address=10**6,
        connections=10**6,
        connections_per_address=10**6,
        requests_per_second=1e9,
        request_burst=10**9,
        work_per_minute=1e9,
        joins_per_minute=1e9,
        tables_per_minute=1e9,
        reviews_at_once=4,
        review_load=0,
    )
    run(load(environment={}, port=port, database=database, limits=limits))


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
