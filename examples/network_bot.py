"""A bot of your own that plays Set over the network.

python examples/network_bot.py http://localhost:8000 CODE      (CODE: of a table with an open seat)
"""

import asyncio
import sys

from tercet.cards import Call, SeeNone, Show
from tercet.client import Client, Refusal
from tercet.server.protocol import Ready, Sit
from tercet.sets import find_sets


async def main(url: str, code: str) -> None:
    client = Client(url)
    await client.sign_in("Robo")
    async with client.join(code) as table:
        await table.manage(Sit())
        await table.manage(Ready())
        while not table.is_over:
            await table.changed()
            state, seat = table.state, table.seat
            if state is None or seat is None or state.phase != "play" or state.call is not None:
                continue
            await asyncio.sleep(3)  # people want a chance, too
            try:
                if found := find_sets(state.table):
                    if state.options.claim == "call":
                        await table.play(Call(seat))
                    await table.play(Show(seat, found[0]))
                else:
                    await table.play(SeeNone(seat))
            except Refusal as refusal:
                print("refused:", refusal.data)  # somebody was faster
        print("final score:", dict(zip(table.names, table.state.scores, strict=True)))


asyncio.run(main(*sys.argv[1:])) if len(sys.argv) == 3 else sys.exit(__doc__)
