"""How smoothly things move on a slow device: ``python -m tests.web.frames``.

Chromium runs four times slower than it could; a SET is taken and flies to its owner while new cards are dealt, or a bot's turn
at the dice is shown and explained; and the tracing API tells how long the page kept each frame waiting.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tercet.sets import find_sets
from tests.web.browsing import PHONE, Visitor, launch, visiting
from tests.web.players import play_out
from tests.web.serving import serving
from tests.web.tables import begin, bot, card_table, dice_table, sign_in

SLOWER = 4
TIMES = 5
LIMIT_MS = 50
#: How long a SET is framed, flies, and others are dealt.
FLIGHT_MS = 1500
#: How long a turn with several SETs is outlined.
EXPLAINED_MS = 4000


def longest_task(trace: bytes) -> float:
    """The longest stretch of work of the page's main thread, in ms: no frame waits longer for the page.

    It is the thread's own time, so that other programs on the machine do not count; nor do questions of the one who drives
    the browser, as long as they made nothing happen on the page.
    """
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    on_main = [event for event in events if (event["pid"], event["tid"]) in main and "dur" in event]
    questions = [event for event in on_main if is_question(event)]
    happenings = [event for event in on_main if event["name"] == "EventDispatch"]
    tasks = [
        event.get("tdur", event["dur"]) / 1000
        for event in on_main
        if event["name"] in ("RunTask", "ThreadControllerImpl::RunTask")
        and (not any_within(questions, event) or any_within(happenings, event))
    ]
    return max(tasks, default=0.0)


def is_question(event: dict[str, Any]) -> bool:
    """Whether it is a message to the developer tools: Playwright looks for something on the page."""
    tag = event.get("args", {}).get("chrome_mojo_event_info", {}).get("mojo_interface_tag")
    return bool(tag == "blink.mojom.DevToolsSession")


def any_within(events: list[dict[str, Any]], task: dict[str, Any]) -> bool:
    return any(
        task["tid"] == event["tid"]
        and task["pid"] == event["pid"]
        and task["ts"] <= event["ts"] < task["ts"] + task["dur"]
        for event in events
    )


@contextmanager
def slow_visitor(browser: Browser, home: str) -> Iterator[tuple[Visitor, Callable[[Page], None]]]:
    """Ada with a phone, and what makes a page of hers slow."""
    with visiting(browser, home, viewport=PHONE, device_scale_factor=2) as visitor:
        visitor.settle(motion="full")
        sign_in(visitor, "Ada")

        def slow_down(page: Page) -> None:
            session = visitor.context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})

        yield visitor, slow_down


def traced(browser: Browser, page: Page, act: Callable[[], object], ms: int) -> float:
    """The longest frame while something is done, and so long after it."""
    browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
    act()
    page.wait_for_timeout(ms)
    return longest_task(browser.stop_tracing())


def sets_taken(browser: Browser, home: str) -> list[float]:
    """The longest frame of each of some SETs."""
    found: list[float] = []
    with slow_visitor(browser, home) as (visitor, slow_down):
        (player,) = card_table([visitor], bot("beginner"), rounds=1, auto_deal=True, show_seconds=30)
        begin(player)
        play_out(player, stop=lambda: player.state.phase == "play")
        slow_down(player.page)
        while len(found) < TIMES:
            taken = player.count("took", seat=player.seat)
            play_out(
                player, stop=lambda: player.state.call is not None and player.state.call.seat == player.seat
            )
            player.page.wait_for_timeout(FLIGHT_MS)

            def show() -> None:
                for card in find_sets(player.state.table)[0]:
                    player.page.locator(f'[data-card="{card}"]').click()

            longest = traced(browser, player.page, lambda: player.news(show), FLIGHT_MS)
            if player.count("took", seat=player.seat) > taken:
                found.append(longest)
    return found


def turns_explained(browser: Browser, home: str) -> list[float]:
    """The longest frame of each of some turns: one's own is laid, then the bot's is shown and explained."""
    found: list[float] = []
    with slow_visitor(browser, home) as (visitor, slow_down):
        (player,) = dice_table([visitor], bot("greedy"))
        begin(player)

        def on_turn() -> bool:
            return player.state.phase == "turn" and player.state.turn == player.seat

        play_out(player, stop=on_turn)
        slow_down(player.page)
        while len(found) < TIMES:
            play_out(player, stop=on_turn)
            player.page.wait_for_timeout(EXPLAINED_MS)
            laid = player.count("laid") - player.count("laid", seat=player.seat)

            def turn() -> None:
                player.act()
                player.until(lambda: not player.is_playing or player.state.turn != 1, 60)

            longest = traced(browser, player.page, turn, EXPLAINED_MS)
            if player.count("laid") - player.count("laid", seat=player.seat) > laid:
                found.append(longest)
    return found


def main() -> None:
    print(f"Longest frames in ms, CPU {SLOWER} times slower, {TIMES} times each; limit {LIMIT_MS} ms:")
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as home, sync_playwright() as playwright:
        browser = launch(playwright)
        for what, measure in (("a SET is taken", sets_taken), ("turns are explained", turns_explained)):
            found = measure(browser, home)
            print(f"  while {what}: {'  '.join(f'{ms:.0f}' for ms in found)}; worst {max(found):.0f}")
        browser.close()


if __name__ == "__main__":
    main()
