"""The card game in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from tercet.cards.play import CardEvent, Deal, Dealt, Missed, Opened, RoundEnded, Show, Shuffled, State, Took
from tercet.cards.table import open_cards
from tercet.cards.variants import variant_of
from tercet.games.lines import join
from tercet.games.race import Called, Ended, SawNone, TookBack
from tercet.sets import Card
from tercet.terminal.desk import Say
from tercet.terminal.race import RaceDesk
from tercet.terminal.screen import Piece, strip
from tercet.terminal.words import end_words

NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
#: The places of the SET taken last.
LETTERS = "abc"


#: A sentence for each refusal that only this game gives.
REFUSALS = {
    "already_dealt": "The cards have been dealt already.",
    "always_a_set": "{cards} cards always hold a SET: look again.",
    "no_call_needed": "At this table nobody calls: just show your cards.",
    "not_dealt": "{dealer} has not dealt yet.",
    "not_on_table": "{card} is not on the table.",
    "not_the_dealer": "{dealer} deals.",
    "one_of_last": "Show one card of the SET taken last and two from the table.",
    "same_card_twice": "The same card twice: show different ones.",
    "there_is_a_set": "Look again: there is a SET.",
    "wrong_number": "Show {needed} cards, not {count}.",
}


class CardDesk(RaceDesk[State, Deal, Show, CardEvent]):
    manual = """\
  Enter        call "Set!"; then type your cards within the time
  1 5 9        the cards in these places, or their texts: 1RFD 2GHD 3PED;
               without calling first, this calls and shows at once
  none         you see no SET; when all say so, three more cards are opened
  back         let me look again: take back "none"
  table        draw the table again
  hint         show a SET (in practice)
  quit         leave; the record is kept
Several people at one keyboard begin with their number: "2" calls,
"2 none", "2 1 5 9".
Cards: number, colour (R G P), fill (F full, H hatched, E empty),
shape (D diamond, O oval, S squiggle).
Variants. Chain: one card of the SET taken last, which lies on a, b and c,
and two from the table, as in b 5 9. Ultra: four cards, two pairs that want
the same third card. Ghost: six cards, three pairs whose third cards are
a SET. Shuffle: after every SET the cards change places."""

    refusals = REFUSALS
    quiet = (Called, Missed, SawNone, TookBack)
    begins, things, show = "deal", "cards", Show

    def draw(self, state: State, news: Sequence[CardEvent] = ()) -> None:
        if state.phase == "play":
            self._draw_cards(state)
        self.draw_points(state.scores, f"{len(state.deck)} cards in the deck")

    def _draw_cards(self, state: State) -> None:
        """The open cards with their places, counted from 1, and the SET taken last, where it matters."""
        places = [(str(place), card) for place, card in enumerate(state.table, 1)]
        row_length = 3 if open_cards(state.options) == 9 else 4
        for start in range(0, len(places), row_length):
            self._draw_row(places[start : start + row_length])
        if state.last:
            self.screen.print("Taken last:")
            self._draw_row(list(zip(LETTERS, state.last, strict=True)))

    def _draw_row(self, cards: Sequence[tuple[str, Card]]) -> None:
        row: list[Piece] = []
        for place, card in cards:
            row += [f"{place:>4} ", *self.screen.symbol(card), "    "]
        self.screen.print(strip(row))

    def narrate(self, state: State, event: CardEvent) -> str:
        match event:
            case Dealt():
                return f"{self.names[event.dealer]} deals round {event.round}."
            case Took():
                return f"{self.names[event.seat]} takes {join(event.cards)}."
            case Missed(cards=()):
                return f"{self.names[event.seat]} shows nothing."
            case Missed():
                why = variant_of(state.options).explain(event.cards)
                return f"{self.names[event.seat]} shows {join(event.cards)}. {why}."
            case Opened():
                return f"Three more cards: {join(event.cards)}."
            case Shuffled():
                return "The cards change places."
            case RoundEnded():
                return f"The round is over. Left on the table: {join(event.left) or 'nothing'}."
            case Ended():
                return end_words(event.scores, self.names)
            case _:
                return self.tell(state, event)

    def begin(self, state: State) -> Deal:
        return Deal(state.dealer)

    def number(self, state: State) -> str:
        return NUMBERS[variant_of(state.options).size]

    def group(self, state: State) -> str:
        return variant_of(state.options).group

    def takes_back(self, state: State, word: str) -> bool:
        return word == "back" or (word == "b" and not state.last)

    def read_show(self, state: State, seat: int, words: Sequence[str]) -> Show:
        size = variant_of(state.options).size
        if len(words) != size:
            example = "b 5 9" if state.last else join([1, 5, 9, 10, 2, 8][:size])
            number = self.number(state).capitalize()
            raise Say(f"{number} cards, by their places as in {example}, or by their texts; ? for help.")
        return Show(seat, tuple(_read_card(state, word) for word in words))

    def hint(self, state: State) -> str:
        found = variant_of(state.options).groups(state.table, state.last)
        if not found:
            return f"There is no {self.group(state)}: say none."
        places = " ".join(_place(state, card) for card in found[0])
        return (
            f"One of {len(found)}: {places}."
            if len(found) > 1
            else f"The only {self.group(state)}: {places}."
        )


def _place(state: State, card: Card) -> str:
    if card in state.last:
        return LETTERS[state.last.index(card)]
    return str(state.table.index(card) + 1)


def _read_card(state: State, word: str) -> Card:
    if state.last and word.lower() in LETTERS:
        return state.last[LETTERS.index(word.lower())]
    if not (word.isascii() and word.isdecimal()):
        return Card(word)
    if not 1 <= int(word) <= len(state.table):
        raise Say(f"There is no place {word[:9]}: they are 1 to {len(state.table)}.")
    return state.table[int(word) - 1]


desk = CardDesk
