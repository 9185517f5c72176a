"""How smoothly things move on a slow device: ``python -m tests.web.frames``; ``--help`` says how to compare with another build.

Chromium runs four times slower than it could; a SET is taken and flies to its owner while new cards are dealt, or a bot's turn
at the dice is shown and explained; and the tracing API tells how long the page kept each frame waiting.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tercet import cubed
from tercet.server.web import site
from tercet.sets import find_sets
from tests.web.browsing import PHONE, Visitor, launch, visiting
from tests.web.players import DicePlayer, play_out
from tests.web.serving import serving
from tests.web.tables import begin, bot, card_table, sign_in, table_of

SLOWER = 4
#: So many at a time from each build, in alternation.
TIMES = 5
LIMIT_MS = 50
#: How long a finger stays down: a press and its release are in different frames.
FINGER_MS = 60
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


def touch(*things: Locator) -> None:
    """Press where they are. A click by Playwright's own hand would listen to every event on the page, and take longer than the page."""
    for thing in things:
        thing.wait_for()
    boxes = [thing.bounding_box() for thing in things]
    for box in boxes:
        assert box is not None
        things[0].page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, delay=FINGER_MS)


class TouchingPlayer(DicePlayer):
    #: Called when all dice of a turn lie and it is about to be confirmed.
    about_to_confirm: Callable[[], None] = staticmethod(lambda: None)

    def lay(self, placements: tuple[cubed.Placement, ...]) -> None:
        super().lay(placements)
        self.page.wait_for_timeout(FLIGHT_MS)
        self.about_to_confirm()

    def press(self, name: str | re.Pattern[str]) -> None:
        touch(self.page.get_by_role("button", name=name, exact=isinstance(name, str)))

    def take(self, die: int) -> None:
        touch(self.page.locator(f'[data-die="{die}"]'))

    def put(self, square: str) -> None:
        touch(self.page.locator(f'[data-square="{square}"]'))


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


def begin_tracing(browser: Browser, page: Page) -> None:
    browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])


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
                cards = find_sets(player.state.table)[0]
                touch(*(player.page.locator(f'[data-card="{card}"]') for card in cards))

            begin_tracing(browser, player.page)
            player.news(show)
            player.page.wait_for_timeout(FLIGHT_MS)
            longest = longest_task(browser.stop_tracing())
            if player.count("took", seat=player.seat) > taken:
                found.append(longest)
    return found


def turns_explained(browser: Browser, home: str) -> list[float]:
    """The longest frame of each of some turns: one's own is laid, then the bot's is shown and explained."""
    found: list[float] = []
    with slow_visitor(browser, home) as (visitor, slow_down):
        (player,) = table_of(TouchingPlayer, "cubed", [visitor], (bot("greedy"),), options={})
        begin(player)

        def on_turn() -> bool:
            return player.state.phase == "turn" and player.state.turn == player.seat

        play_out(player, stop=on_turn)
        slow_down(player.page)
        begun: list[bool] = []

        def about_to_confirm() -> None:
            begin_tracing(browser, player.page)
            begun.append(True)

        player.about_to_confirm = about_to_confirm
        while len(found) < TIMES:
            play_out(player, stop=on_turn)
            player.page.wait_for_timeout(EXPLAINED_MS)
            begun.clear()
            laid = player.count("laid")
            player.act()
            player.until(lambda: not player.is_playing or player.state.turn != 1, 60)
            player.page.wait_for_timeout(EXPLAINED_MS)
            if begun:
                longest = longest_task(browser.stop_tracing())
                if player.count("laid") > laid + 1:
                    found.append(longest)
            if not player.is_playing:
                break
    return found


MEASURES = {"a SET is taken": sets_taken, "turns are explained": turns_explained}


def summary(found: list[float]) -> str:
    over = sum(ms > LIMIT_MS for ms in found)
    each = " ".join(f"{ms:.0f}" for ms in found)
    return f"median {statistics.median(found):.0f}, worst {max(found):.0f}, {over} of {len(found)} over {LIMIT_MS} ms: {each}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=2, help=f"how often {TIMES} of each are measured")
    parser.add_argument(
        "--against",
        type=Path,
        metavar="SITE",
        help="a folder with another build of the site, measured in alternation",
    )
    asked = parser.parse_args()
    builds = {"this build": site.FOLDER} | ({str(asked.against): asked.against} if asked.against else {})
    print(f"Longest task of the page in ms, CPU {SLOWER} times slower:")
    with ExitStack() as stack:
        browser = launch(stack.enter_context(sync_playwright()))
        stack.callback(browser.close)
        homes = {
            name: stack.enter_context(
                serving(Path(stack.enter_context(tempfile.TemporaryDirectory())), built=built)
            )
            for name, built in builds.items()
        }
        for what, measure in MEASURES.items():
            found: dict[str, list[float]] = {name: [] for name in homes}
            for _ in range(asked.rounds):
                for name, home in homes.items():
                    found[name] += measure(browser, home)
            for name, times in found.items():
                print(f"  while {what}, {name}: {summary(times)}", flush=True)


if __name__ == "__main__":
    main()
