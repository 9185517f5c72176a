"""A player at a table: knows what its page was told, and acts only through what is on the screen."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar

from playwright.sync_api import Page, WebSocket
from playwright.sync_api import TimeoutError as Late

from tercet import cards, codec, cubed, games, scramble
from tercet.sets import WILD, Card, find_sets
from tests.web import strategy

S = TypeVar("S", cards.State, cubed.State, scramble.State)
#: Clicks on several things at once, as a player with fast hands does.
CLICK = "places => places.forEach((place) => document.querySelector(place).click())"


class Player(Generic[S]):
    """One seat at one table, seen through one page. Made before the page opens the table."""

    rules: games.Rules[Any, S, Any, Any]
    #: What is done in a state by a seat, if anything.
    choose: Callable[[S, int], Any]

    def __init__(self, page: Page) -> None:
        self.page = page
        self.seat: int | None = None
        self.events: list[Any] = []
        self.game = ""
        self._state: S | None = None
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)

    def _hear(self, frame: bytes | str) -> None:
        message = json.loads(frame)
        match message["type"]:
            case "welcome" | "game_started" if message["game"] is not None:
                game = message["game"]
                if game["id"] != self.game:
                    self.events = []
                self.game, self.seat = game["id"], game["seat"]
                self._state = codec.from_data(game["state"], self.rules.state_type)
                self._remember(game["entries"])
            case "events":
                for entry in self._remember(message["entries"]):
                    event = codec.from_data(entry["event"], self.rules.events)
                    self._state = self.rules.evolve(self.state, event, entry["at"])

    def _remember(self, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        known = len(self.events)
        news = [entry for entry in entries if entry["seq"] > known]
        self.events += [entry["event"] for entry in news]
        return news

    @property
    def state(self) -> S:
        assert self._state is not None
        return self._state

    @property
    def is_playing(self) -> bool:
        return self._state is not None and self._state.phase != "over"

    def count(self, kind: str, **wanted: Any) -> int:
        """How often something has happened."""
        return sum(
            event["kind"] == kind and all(event.get(name) == value for name, value in wanted.items())
            for event in self.events
        )

    def until(self, holds: Callable[[], bool], seconds: float = 60) -> None:
        """Wait until it holds, while the page goes on."""
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, f"waited {seconds} s in vain"
            self.page.wait_for_timeout(15)

    def news(self, act: Callable[[], object], seconds: float = 60) -> None:
        """Do something, and wait until the table has heard of it, or of somebody's call."""
        known = len(self.events)
        act()
        self.until(lambda: any(map(self._is_heard, self.events[known:])), seconds)

    def _is_heard(self, event: dict[str, Any]) -> bool:
        return event["kind"] == "called" or event.get("seat") == self.seat

    def press(self, name: str | re.Pattern[str]) -> None:
        self.page.get_by_role("button", name=name, exact=isinstance(name, str)).click()

    def act(self) -> bool:
        """Do what there is to do; whether there was anything."""
        raise NotImplementedError

    def act_at_once(self) -> bool:
        """The same without hands: straight to the server, as a program would. The page sees it happen."""
        assert self.seat is not None
        command = self.choose(self.state, self.seat)
        if command is None:
            return False
        home, _, code = self.page.url.partition("/t/")
        said = {"type": "play", "id": f"at once {len(self.events)}", "command": codec.to_data(command)}
        known = len(self.events)
        answer = self.page.context.request.post(f"{home}/api/tables/{code[:6]}/commands", data=said)
        assert answer.ok, answer.text()
        self.until(lambda: len(self.events) > known)
        return True


def hurry(*players: Player[Any], stop: Callable[[], bool] = lambda: False) -> None:
    """Let them play to the end, or until it is time to stop, where it does not matter how they do it."""
    while players[0].is_playing and not stop():
        acted = False
        for player in players:
            acted |= player.act_at_once()
            catch_up(players)
        if not acted:
            players[0].page.wait_for_timeout(20)


def play_out(*players: Player[Any], seconds: float = 120, stop: Callable[[], bool] = lambda: False) -> None:
    """Let them play to the end of the game, or until it is time to stop."""
    end = time.monotonic() + seconds
    while players[0].is_playing and not stop():
        assert time.monotonic() < end, f"the game is not over after {seconds} s"
        acted = False
        for player in players:
            acted |= player.act()
            catch_up(players)
        if not acted:
            players[0].page.wait_for_timeout(20)


def catch_up(players: Sequence[Player[Any]]) -> None:
    """Wait until everyone has heard of everything."""
    last = max(len(player.events) for player in players)
    for player in players:
        player.until(lambda player=player: len(player.events) >= last)  # type: ignore[misc]


class CardPlayer(Player[cards.State]):
    rules = cards.rules
    choose = staticmethod(strategy.play_cards)

    def act(self) -> bool:
        """Do what there is to do; whether there was anything."""
        assert self.seat is not None
        match self.choose(self.state, self.seat):
            case cards.Deal():
                # The server deals in the end, if the dealer does not.
                with suppress(Late):
                    self.deal()
                self.until(lambda: self.state.phase != "deal")
            case cards.Call():
                self.news(self.call)
            case cards.Show(cards=shown):
                self.news(lambda: self.show(shown))
            case cards.SeeNone():
                self.news(self.see_none)
            case None:
                return False
        return True

    def deal(self) -> None:
        self.page.get_by_role("button", name="Deal").click(timeout=3000)

    def call(self) -> None:
        self.press("SET!")

    def see_none(self) -> None:
        self.press("I see none")

    def show(self, shown: tuple[Card, ...]) -> None:
        self.page.get_by_role("button", name="Show it").wait_for()
        self.page.evaluate(CLICK, [f'[data-card="{card}"]' for card in shown])


class CardTypist(CardPlayer):
    """Plays by the keyboard alone."""

    #: The keys of the cards, in the order in which cards are dealt.
    KEYS = "QAZWSXEDCRFVTGBYHNUJM"

    def press(self, name: str | re.Pattern[str]) -> None:
        button = self.page.get_by_role("button", name=name, exact=isinstance(name, str))
        button.focus(timeout=3000)
        self.page.keyboard.press("Enter")

    def deal(self) -> None:
        self.press("Deal")

    def call(self) -> None:
        self.page.wait_for_timeout(200)  # the page shows what was heard some frames later
        self.page.keyboard.press("KeyL")  # Space chooses a card that has the focus

    def see_none(self) -> None:
        self.page.keyboard.press("Digit0")

    def show(self, shown: tuple[Card, ...]) -> None:
        self.page.get_by_role("button", name="Show it").wait_for()
        for card in shown:
            self.page.keyboard.press(self._key(card))

    def _key(self, card: Card) -> str:
        if card in self.state.table:
            return f"Key{self.KEYS[self.state.table.index(card)]}"
        return f"Digit{self.state.last.index(card) + 1}"


class DicePlayer(Player[cubed.State]):
    rules = cubed.rules
    choose = staticmethod(strategy.play_dice)

    def act(self) -> bool:
        """Do what there is to do; whether there was anything."""
        assert self.seat is not None
        match self.choose(self.state, self.seat):
            case cubed.Call():
                self.news(lambda: self.press("SET!"))
            case cubed.Show(placements=placements):
                dice = [f'[data-die="{placement.die}"]' for placement in placements]
                self.news(lambda: self.page.evaluate(CLICK, dice))
            case cubed.SeeNone():
                self.news(lambda: self.press("I see none"))
            case cubed.Replace(die=die, square=square):
                self.take(die)
                self.put(str(square))
                self.news(lambda: self.press("Replace the wild"))
            case cubed.Lay(placements=placements):
                self.lay(placements)
                self.news(lambda: self.press(re.compile("^Lay for")))
            case cubed.Pass():
                self.news(lambda: self.press("Pass"))
            case cubed.Choose(dice=dice):
                for die in dice:
                    self.take(die)
                self.news(lambda: self.press(re.compile("^Throw|^Keep")))
            case None:
                return False
        return True

    def take(self, die: int) -> None:
        self.page.locator(f'[data-die="{die}"]').click()

    def put(self, square: str) -> None:
        self.page.locator(f'[data-square="{square}"]').click()

    def lay(self, placements: tuple[cubed.Placement, ...]) -> None:
        """Put dice on squares. Faces of wilds are named only once the others lie and tell which make a SET."""
        hand = {die.number: die.face for die in self.state.hands[self.seat or 0]}
        for placement in sorted(placements, key=lambda placement: placement.wild):
            self.take(placement.die or 0)
            self.put(str(placement.square))
            if hand[placement.die or 0] == WILD:
                self.name_wild(str(placement.face))

    def name_wild(self, face: str) -> None:
        dialog = self.page.get_by_role("dialog")
        if dialog.count() == 0:
            return
        dialog.locator(f'[data-face="{face}"]').click()


class ScramblePlayer(Player[scramble.State]):
    """Plays by touch: its page must have a touch screen."""

    rules = scramble.rules
    choose = staticmethod(strategy.play_scramble)

    def act(self) -> bool:
        """Do what there is to do; whether there was anything."""
        assert self.seat is not None
        match self.choose(self.state, self.seat):
            case scramble.Throw():
                # The server throws in the end, if the thrower does not.
                with suppress(Late):
                    self.page.get_by_role("button", name="Throw").tap(timeout=3000)
                self.until(lambda: self.state.phase != "deal")
            case scramble.Call():
                self.news(lambda: self.tap("SET!"))
            case scramble.Show(dice=dice):
                self.news(lambda: self.show(dice))
            case scramble.SeeNone():
                self.news(lambda: self.tap("I see none"))
            case _:
                return False
        return True

    def tap(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).tap()

    def show(self, dice: Sequence[int]) -> None:
        if self.state.call is not None:
            self.page.get_by_role("button", name="Show it").wait_for()
        for die in dice:
            self.page.locator(f'[data-die="{die}"]').tap()


def no_set(player: CardPlayer) -> list[str]:
    """Three cards of the table that differ from a SET."""
    table = player.state.table
    sets = {frozenset(found) for found in find_sets(table)}
    last = next(card for card in table[2:] if frozenset((table[0], table[1], card)) not in sets)
    return [str(table[0]), str(table[1]), str(last)]


def called_first(player: CardPlayer) -> None:
    """Call until the table hears this player and no other."""

    def mine() -> bool:
        if player.state.call is None:  # once: a second press may choose a card already
            player.page.keyboard.press("Space")
            with suppress(AssertionError):
                player.until(lambda: player.state.call is not None, seconds=5)
        return player.state.call is not None and player.state.call.seat == player.seat

    player.until(mine, seconds=60)
