"""Where attacks happen: servers with people who play on beside the attacker, and the same people at a server of their own
that nobody attacks. The second tells what the machine can do at that moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.hostile.attack import ATTACKS
from tests.hostile.attacker import Attacker
from tests.hostile.victim import Times, Victim
from tests.server.processes import ServerProcess
from tests.server.serving import run

#: Shorter than a host would have them, so that nobody waits for them here.
LIMITS = {
    "request_seconds": 3,
    "message_seconds": 1.5,
    "response_seconds": 2,
    "idle_seconds": 3,
    "connections_per_address": 500,
    "requests_per_second": 5,
    "request_burst": 800,
    "guests_per_minute": 100,
}
#: What people may notice of an attack, in milliseconds; and the memory that it may cost, in bytes.
P99, WORST, MEMORY = 100, 1000, 64 << 20
#: A password takes 64 MB while it is looked at, and two are at a time: that is what makes it hard to guess.
MORE_MEMORY = {"passwords_at_once": 128 << 20, "accounts_at_once": 128 << 20}
#: On a busy machine: so many times what people notice where nobody attacks.
AS_BUSY = 3
#: The machine may have been busy for a moment. Whoever can be hurt, can be hurt again.
TRIES = 3
HEADING = (
    "| attack | median | p99 | worst (ms) | unattacked p99 / worst | memory (MB) | told |",
    "|---|---|---|---|---|---|---|",
)


class Scene:
    """Servers, with a victim at a table of theirs."""

    def __init__(self, name: str, folder: Path, *servers: ServerProcess) -> None:
        self.name = name
        self.servers = servers
        self._elsewhere = ServerProcess(folder / "elsewhere.db")
        self._victims: list[Victim] = []
        self.rows: list[str] = []
        try:
            everywhere = (*servers, self._elsewhere)
            with ThreadPoolExecutor() as pool:
                list(pool.map(lambda server: run(server.start(), seconds=150), everywhere))
            for group in (servers, (self._elsewhere,)):
                self._victims.append(Victim(*(server.url for server in group)))
        except BaseException:
            self.stop()
            raise

    def attack(self, name: str) -> None:
        """Attack, see that nobody was hurt, and that everything works afterwards."""
        for _ in range(TRIES):
            times, unattacked, row = self._attack(name)
            run(self._still_works())
            is_fine = times.p99 < max(P99, AS_BUSY * unattacked.p99)
            is_fine &= times.worst < max(WORST, AS_BUSY * unattacked.worst)
            if is_fine:
                return
        raise AssertionError(f"in each of {TRIES} tries, at last: {row}")

    def _attack(self, name: str) -> tuple[Times, Times, str]:
        ports = [server.port for server in self.servers]
        attacker = Attacker(*ports, database=self.servers[0].database)
        for victim in self._victims:
            victim.times()
        before = [server.begin_peak() for server in self.servers]
        told = run(_at_least(1.5, ATTACKS[name](attacker)))
        times, unattacked = [victim.times() for victim in self._victims]
        growth = max(server.peak() - was for server, was in zip(self.servers, before, strict=True))
        row = (
            f"| {name} | {times.median:.0f} | {times.p99:.0f} | {times.worst:.0f} |"
            f" {unattacked.p99:.0f} / {unattacked.worst:.0f} | {growth / (1 << 20):+.0f} | {told} |"
        )
        self.rows.append(row)
        assert times.claims, row
        assert growth < MEMORY + MORE_MEMORY.get(name, 0), row
        return times, unattacked, row

    async def _still_works(self) -> None:
        for server in self.servers:
            somebody = Attacker(server.port)
            cookie = await somebody.guest("After")
            line = await somebody.socket(await somebody.table(cookie), cookie)
            await line.message("welcome")
            line.close()

    def stop(self) -> None:
        for victim in self._victims:
            victim.stop()
        for server in (*self.servers, self._elsewhere):
            server.kill()
        print("", f"{self.name}: what people notice while somebody attacks", *HEADING, *self.rows, sep="\n")


async def _at_least(seconds: float, attack: Awaitable[str]) -> str:
    """Some attacks are over before the victim has made a claim."""
    told, _ = await asyncio.gather(attack, asyncio.sleep(seconds))
    return told
