"""How smoothly a SET is taken on a slow device: ``python -m tests.web.frames``.

Chromium runs four times slower than it could, a SET is taken and flies to its owner while new cards are dealt,
and the tracing API tells how long the page kept each frame waiting.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tercet.sets import find_sets
from tests.web.browsing import PHONE, launch, visiting
from tests.web.players import play_out
from tests.web.serving import serving
from tests.web.tables import begin, bot, card_table, sign_in

SLOWER = 4
TIMES = 5
LIMIT_MS = 50
#: How long a SET is framed, flies, and others are dealt.
FLIGHT_MS = 1500


def longest_task(trace: bytes) -> float:
    """The longest stretch of work of the page's main thread, in ms: no frame waits longer for the page.

    It is the thread's own time, so that other programs on the machine do not count.
    """
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        event.get("tdur", event["dur"]) / 1000
        for event in events
        if event["name"] in ("RunTask", "ThreadControllerImpl::RunTask")
        and (event["pid"], event["tid"]) in main
        and "dur" in event
    ]
    return max(tasks, default=0.0)


def measure(browser: Browser, home: str) -> list[float]:
    """The longest frame of each of some SETs."""
    found: list[float] = []
    with visiting(browser, home, viewport=PHONE, device_scale_factor=2) as visitor:
        visitor.settle(motion="full")
        sign_in(visitor, "Ada")
        (player,) = card_table([visitor], bot("beginner"), rounds=1, auto_deal=True, show_seconds=30)
        begin(player)
        play_out(player, stop=lambda: player.state.phase == "play")
        page = player.page
        session = visitor.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        while len(found) < TIMES:
            taken = player.count("took", seat=player.seat)
            play_out(
                player, stop=lambda: player.state.call is not None and player.state.call.seat == player.seat
            )
            page.wait_for_timeout(FLIGHT_MS)
            browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
            player.news(lambda: player.show(find_sets(player.state.table)[0]))
            page.wait_for_timeout(FLIGHT_MS)
            trace = browser.stop_tracing()
            if player.count("took", seat=player.seat) > taken:
                found.append(longest_task(trace))
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as home, sync_playwright() as playwright:
        browser = launch(playwright)
        found = measure(browser, home)
        browser.close()
    print(f"Longest frame while a SET is taken, CPU {SLOWER} times slower, {TIMES} SETs, in ms:")
    print("  " + "  ".join(f"{ms:.0f}" for ms in found))
    print(f"  worst {max(found):.0f} ms, limit {LIMIT_MS} ms")


if __name__ == "__main__":
    main()
