"""Somebody who does not see the page: knows of it what its accessibility tree says, hears its live regions, and has keys.

Nothing here looks at the screen, at classes or at attributes, or listens to the socket.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from playwright.sync_api import Page

from tercet.cubed import Position
from tercet.sets import Card, Face, find_sets

#: How values are spoken, and their letters in the notation.
LETTERS = (
    {"red": "R", "green": "G", "purple": "P"}
    | {"full": "F", "hatched": "H", "empty": "E"}
    | {"diamond": "D", "oval": "O", "squiggle": "S"}
)
CARD = re.compile(
    r"(\d), (red|green|purple), (full|hatched|empty), (diamond|oval|squiggle) \(row (\d+), column (\d+)\)"
)
FACE = r"(?:(\d), (red|green|purple), (diamond|oval|squiggle))"
LYING = re.compile(rf"([a-z]+\d+), (wild as )?{FACE}")
SQUARE = re.compile(r"([a-z]+)(\d+), ")
HELD = re.compile(rf"Die (\d): (?:{FACE}|wild)")


class Node(NamedTuple):
    role: str
    name: str
    pressed: bool
    disabled: bool
    focused: bool
    #: The names of the groups around it, the innermost last.
    within: tuple[str, ...]


def _value(node: dict[str, Any], key: str) -> Any:
    return node.get(key, {}).get("value", "")


class Listener:
    def __init__(self, page: Page) -> None:
        self.page = page
        #: Every sentence, in the order in which it was spoken.
        self.heard: list[str] = []
        self._session = page.context.new_cdp_session(page)
        self._session.send("Accessibility.enable")

    def tree(self) -> list[Node]:
        """The page as a screen reader has it; what its live regions say is heard by the way."""
        nodes = self._session.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}
        found: list[Node] = []
        said: list[str] = []

        def walk(node: dict[str, Any], within: tuple[str, ...], live: bool) -> None:
            role, name = _value(node, "role"), str(_value(node, "name"))
            states = {state["name"]: state["value"].get("value") for state in node.get("properties", ())}
            live = live or role == "log"
            if not node.get("ignored"):
                found.append(
                    Node(
                        role,
                        name,
                        states.get("pressed") in (True, "true"),
                        bool(states.get("disabled")),
                        bool(states.get("focused")),
                        within,
                    )
                )
                if live and role == "StaticText":
                    said.append(name)
                if role in ("toolbar", "grid", "dialog", "group"):
                    within = (*within, name)
            for child in node.get("childIds", ()):
                if child in by_id:
                    walk(by_id[child], within, live)

        walk(nodes[0], (), False)
        self._hear(said)
        return found

    def _hear(self, said: list[str]) -> None:
        """A region keeps its last sentences: those that are new come after those that were there before."""
        known = next(
            (
                size
                for size in range(len(said), -1, -1)
                if self.heard[len(self.heard) - size :] == said[:size]
            ),
            0,
        )
        self.heard += said[known:]

    def until(self, holds: Callable[[list[Node]], bool], seconds: float = 60) -> list[Node]:
        end = time.monotonic() + seconds
        while not holds(tree := self.tree()):
            assert time.monotonic() < end, f"waited {seconds} s in vain; heard {self.heard[-5:]}"
            self.page.wait_for_timeout(60)
        return tree

    def hears(self, words: str, since: int = 0) -> bool:
        return any(words in sentence for sentence in self.heard[since:])

    def key(self, key: str) -> None:
        self.page.keyboard.press(key)

    def step(self, down: int, right: int) -> None:
        """One step by arrow keys towards what lies there from here, rows first."""
        self.key(
            ("ArrowDown" if down > 0 else "ArrowUp") if down else ("ArrowRight" if right > 0 else "ArrowLeft")
        )

    def focused(self) -> Node | None:
        return next(
            (node for node in reversed(self.tree()) if node.focused and node.role != "RootWebArea"), None
        )

    def tab_to(self, name: str, role: str = "button") -> None:
        for _ in range(60):
            at = self.focused()
            if at and at.role == role and re.match(name, at.name):
                return
            self.key("Tab")
        raise AssertionError(f"Tab leads to no {role} {name}")

    def press(self, name: str) -> None:
        self.tab_to(name)
        self.key("Enter")


def cards_in(tree: list[Node]) -> dict[Card, tuple[int, int]]:
    """The cards that are named, and where they lie."""
    found = {}
    for node in tree:
        if node.role == "button" and (match := CARD.fullmatch(node.name)):
            number, *values, row, column = match.groups()
            found[Card(number + "".join(LETTERS[value] for value in values))] = (int(row), int(column))
    return found


def _face(number: str, colour: str, shape: str) -> str:
    return number + LETTERS[colour] + LETTERS[shape]


def hand_in(tree: list[Node]) -> list[str]:
    """One's own dice, in the order of their keys."""
    held = [
        match
        for node in tree
        if node.role == "button" and node.within[-1:] == ("Your dice",) and (match := HELD.match(node.name))
    ]
    return [_face(*match.groups()[1:]) if match[2] else "W" for match in held]


def board_in(tree: list[Node]) -> dict[str, str]:
    lying = [match for node in tree if node.role == "button" and (match := LYING.match(node.name))]
    return {match[1]: ("*" if match[2] else "") + _face(*match.groups()[2:]) for match in lying}


#: Of these, something is said after every call: taken, too late, or for nothing.
OUTCOMES = ("Yours!", "takes a SET", "earlier", "has called", "in time", "ocked out")


class CardListener(Listener):
    """Plays the card game."""

    def play(self, seconds: float = 240) -> None:
        end = time.monotonic() + seconds
        while not self.hears("The game is over."):
            assert time.monotonic() < end, self.heard[-5:]
            tree = self.tree()
            if any(node.role == "button" and node.name == "Deal" for node in tree):
                self.press("Deal")
            elif found := find_sets(cards_in(tree)):
                self.take(found[0])
            self.page.wait_for_timeout(40)

    def take(self, cards: tuple[Card, ...]) -> None:
        """Choose cards one by one, then call; when one of them is gone it was for nothing."""
        since = len(self.heard)
        for card in cards:
            if not self.go_to(card):
                self.key("Escape")
                return
            self.key("Space")
        self.key("KeyL")
        self.until(
            lambda _: any(self.hears(words, since) for words in OUTCOMES) or self.hears("game is over")
        )
        self.key("Escape")

    def go_to(self, card: Card) -> bool:
        """By arrow keys, from wherever the focus is in the grid."""
        for _ in range(30):
            lying = cards_in(self.tree())
            if card not in lying:
                return False
            at = self.focused()
            match = at and CARD.fullmatch(at.name)
            if not match:
                self.tab_to(CARD.pattern)
                continue
            down, right = lying[card][0] - int(match[5]), lying[card][1] - int(match[6])
            if (down, right) == (0, 0):
                return True
            self.step(down, right)
        raise AssertionError(f"the arrow keys do not lead to {card}")


class DiceListener(Listener):
    """Plays the dice game."""

    def play(self, seconds: float = 400) -> None:
        end, since = time.monotonic() + seconds, len(self.heard)
        while not self.hears("The game is over.", since):
            assert time.monotonic() < end, self.heard[-5:]
            tree = self.tree()
            buttons = {node.name for node in tree if node.role == "button" and not node.disabled}
            if "I see none" in buttons:
                self.open(hand_in(tree))
            elif "Keep all" in buttons:
                self.throw_wilds(hand_in(tree))
            elif "Pass" in buttons:
                self.turn(tree)
            self.page.wait_for_timeout(60)

    def do(self, act: Callable[[], None]) -> None:
        """Do something, and wait until something is said about it."""
        self.tree()
        since = len(self.heard)
        act()
        self.until(lambda _: len(self.heard) > since)

    def throw_wilds(self, hand: list[str]) -> None:
        """It lays no wilds, so it throws them again."""
        for place, face in enumerate(hand):
            if face == "W":
                self.key(f"Digit{place + 1}")
        self.do(lambda: self.key("KeyD"))

    def open(self, hand: list[str]) -> None:
        places = next(
            (places for places in _threes(len(hand)) if find_sets(Face(hand[place]) for place in places)),
            None,
        )
        if places is None:
            self.key("Digit0")
            return
        since = len(self.heard)
        self.key("KeyL")
        self.until(lambda _: self.hears("You called", since) or self.hears("calls SET", since))
        if self.hears("You called", since):
            for place in places:
                self.key(f"Digit{place + 1}")
            self.until(lambda _: len(self.heard) > since + 1)

    def turn(self, tree: list[Node]) -> None:
        hand = hand_in(tree)
        turns = [
            turn
            for turn in Position(board=board_in(tree), hand=hand).turns()
            if not any(placed.wild for placed in turn.placements)
        ]
        if not turns:
            self.do(lambda: self.press("Pass$"))
            return
        best = max(turns, key=lambda turn: (turn.score, -len(turn.placements)))
        for placed in best.placements:
            self.key(f"Digit{hand.index(str(placed.face)) + 1}")
            hand[hand.index(str(placed.face))] = "laid"
            self.go_to(str(placed.square))
            self.key("Enter")
        self.do(lambda: self.key("KeyD"))

    def go_to(self, square: str) -> None:
        """By the key that goes through the squares where the die fits; by arrow keys, where that does not lead."""
        first = ""
        for _ in range(30):
            self.key("KeyN")
            at = self._square()
            if at == square:
                return
            if at == first:
                break
            first = first or at
        for _ in range(40):
            at = self._square()
            if at == square:
                return
            (column, row), (to_column, to_row) = _place(at), _place(square)
            down, right = to_row - row, to_column - column
            self.step(down, right)
        raise AssertionError(f"the arrow keys do not lead to {square}")

    def _square(self) -> str:
        at = self.focused()
        match = at and SQUARE.match(at.name)
        assert match, f"the focus is not on the board but on {at}"
        return match[1] + match[2]


def _place(square: str) -> tuple[int, int]:
    return ord(square[0]), int(square[1:])


def _threes(count: int) -> list[tuple[int, int, int]]:
    return [(a, b, c) for a in range(count) for b in range(a + 1, count) for c in range(b + 1, count)]
