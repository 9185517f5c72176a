"""Play over the network: a client for the table server.

`Client` and `RemoteTable` are for asyncio:

>>> import asyncio
>>> from random import Random
>>> from tercet import bots, games
>>> async def main():  # plays nothing, but shows how
...     async with Client("http://localhost:8000") as client:
...         await client.sign_in("Robo")
...         game = games.names()[0]
...         code = await client.create_table(game, bots=bots.names(game)[:1])
...         async with client.join(code) as table:
...             await table.manage(Ready())
...             await table.until(lambda: table.game is not None)
...             await table.play_as(bots.make(game, bots.names(game)[-1], table.seat, Random()))

`SyncClient` and `SyncTable` are the same without ``await``:

>>> def main():
...     with SyncClient("http://localhost:8000") as client:
...         client.sign_in("Robo")
...         game = games.names()[0]
...         with client.join(client.create_table(game, bots=bots.names(game)[:1])) as table:
...             table.manage(Ready())
...             table.until(lambda: table.game is not None)
...             table.play_as(bots.make(game, bots.names(game)[-1], table.seat, Random()))
"""

from tercet.client.errors import ClientError, Refusal
from tercet.client.http import Client, Kinds
from tercet.client.sync import SyncClient, SyncTable
from tercet.client.table import RemoteTable
from tercet.server.protocol import ChallengeNews, GameBegan, GameEnded, Hello, Leave, Ready, Sit

__all__ = [
    "ChallengeNews",
    "Client",
    "ClientError",
    "GameBegan",
    "GameEnded",
    "Hello",
    "Kinds",
    "Leave",
    "Ready",
    "Refusal",
    "RemoteTable",
    "Sit",
    "SyncClient",
    "SyncTable",
]
