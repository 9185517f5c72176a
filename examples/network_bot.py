"""A bot of your own for Set and Set Cubed: a guest at a table (URL CODE), or by challenges with the TERCET_TOKEN of a bot's account (URL)."""

import asyncio
import os
import sys
from random import Random

from tercet import bots, cards
from tercet.client import ChallengeNews, Client, Kinds
from tercet.sets import find_sets


class Finder(bots.Bot[cards.State, cards.CardCommand]):
    def delay(self, view: cards.State) -> int:
        return 500 if view.call else 3000  # people want a chance, too

    def choose(self, view: cards.State, time_limit: float = 2) -> cards.CardCommand | None:
        if view.phase != "play" or self.seat in view.none or (view.call and view.call.seat != self.seat):
            return None
        found = find_sets(view.table)
        if found and (view.call or view.options.claim == "instant"):
            return cards.Show(self.seat, found[0])
        return cards.Call(self.seat) if found else cards.SeeNone(self.seat)


async def main(url: str, code: str = "") -> None:
    kinds: Kinds = {"set": Finder, "cubed": bots.find("cubed", "greedy")}
    client = Client(url, token=None if code else os.environ.get("TERCET_TOKEN"))
    if code:
        await client.sign_in("Robo")
        print(await client.play_game(code, kinds, Random()))
        return
    games = set()
    async for news in client.events(list(kinds)):
        if isinstance(news, ChallengeNews) and news.challenge.status == "open":
            games.add(game := asyncio.create_task(client.play_challenge(news.challenge, kinds, Random())))
            game.add_done_callback(lambda over: print(over.exception() or over.result(), flush=True))


asyncio.run(main(*sys.argv[1:])) if len(sys.argv) in (2, 3) else print(__doc__)
