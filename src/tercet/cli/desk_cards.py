"""The card game at the keyboard."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tercet import cards
from tercet.cli.board import draw_cards, draw_scores
from tercet.cli.session import Desk, Say
from tercet.games import Command, Entry
from tercet.sets import Card, find_sets


class CardsDesk(Desk):
    manual = """\
  Enter        call "Set!"; then type your three cards within the time
  1 5 9        the cards on these places, or their texts: 1RFD 2GHD 3PED;
               without a call before, this calls and shows at once
  none         you see no SET; when all say so, three more cards are opened
  back         let me look again: take back "none"
  table        draw the table again
  hint         show a SET (in practice)
  quit         leave; the record is kept
Several people at one keyboard begin with their number: "2" calls,
"2 none", "2 1 5 9".
Cards: number, colour (R G P), fill (F full, H hatched, E empty),
shape (D diamond, O oval, S squiggle)."""

    def start(self) -> Command:
        return cards.Deal(self.game.state.dealer)

    def draw(self, news: Sequence[Entry[Any]] = ()) -> None:
        if news and not any(isinstance(entry.event, _TABLE_EVENTS) for entry in news):
            return
        state: cards.State = self.game.state
        if state.phase == "play":
            draw_cards(self.screen, state)
        draw_scores(self.screen, state, self.game.seats)

    def prompt(self) -> str:
        state: cards.State = self.game.state
        if state.call is not None:
            caller = self.game.seats[state.call.seat]
            return f"{caller}, your three cards:" if state.call.seat in self.people else f"{caller} shows …"
        if state.phase == "deal":
            return (
                "Enter to deal:"
                if state.dealer in self.people
                else f"{self.game.seats[state.dealer]} deals …"
            )
        if state.options.claim == "instant":
            return "Three cards, or ? for help:"
        if len(self.people) > 1:
            return "Your number for Set!, or ? for help:"
        return "Enter for Set!, or ? for help:"

    def answer(self, line: str) -> list[Command]:
        state: cards.State = self.game.state
        if state.phase == "deal":
            return [cards.Deal(state.dealer)] if state.dealer in self.people else []
        if state.call is not None and state.call.seat in self.people:
            return [cards.Show(state.call.seat, self._read_cards(line))]
        seat, rest = self.speaker(line)
        match rest.lower():
            case "":
                return [cards.Call(seat)]
            case "n" | "none":
                return [cards.SeeNone(seat)]
            case "b" | "back":
                return [cards.TakeBack(seat)]
        shown = cards.Show(seat, self._read_cards(rest))
        return [shown] if state.options.claim == "instant" else [cards.Call(seat), shown]

    def _read_cards(self, text: str) -> tuple[Card, ...]:
        words = re.findall(r"[^\s,]+", text)
        if words in (["-"], ["nothing"]):
            return ()
        if len(words) != 3:
            raise Say("Three cards, by their places as in 1 5 9, or by their texts; ? for help.")
        return tuple(self._read_card(word) for word in words)

    def _read_card(self, word: str) -> Card:
        table = self.game.state.table
        if not (word.isascii() and word.isdecimal()):
            return Card(word)
        if not 1 <= int(word) <= len(table):
            raise Say(f"There is no place {word[:9]}: they are 1 to {len(table)}.")
        card: Card = table[int(word) - 1]
        return card

    def hint(self) -> str:
        table = self.game.state.table
        found = find_sets(table)
        if not found:
            return "There is no SET: say none."
        places = " ".join(str(table.index(card) + 1) for card in found[0])
        return f"One of {len(found)}: {places}." if len(found) > 1 else f"The only SET: {places}."


_TABLE_EVENTS = (cards.Dealt, cards.Took, cards.Opened, cards.Ended, cards.RoundEnded)
