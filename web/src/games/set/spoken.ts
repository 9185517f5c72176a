/** The card table for those who do not see it. */

import { m } from '../../language.svelte'
import type { CardEvent, CardState } from '../../protocol'
import { describe } from '../../words'
import { roundsOf } from './rules'

const listed = (cards: readonly string[]): string => cards.map(describe).join('; ')

/** The round, and how many cards lie there. */
export const stageText = (state: CardState): string =>
  [
    `${m.round_of({ round: state.round, rounds: roundsOf(state) })}.`,
    ...(state.phase === 'play'
      ? [`${m.cards_on_table({ count: state.table.length })}, ${m.in_deck({ count: state.deck.length })}.`]
      : []),
  ].join(' ')

/** Every card, in the order in which they lie. */
export const lyingText = ({ table, last }: CardState): string =>
  [...(last.length ? [`${m.last_set()}: ${listed(last)}.`] : []), `${m.cards_on_table({ count: table.length })}: ${listed(table)}.`].join(' ')

export const takenText = ({ cards, dealt }: Extract<CardEvent, { kind: 'took' }>): string =>
  [m.taken_things({ things: listed(cards) }), ...(dealt.length ? [m.new_things({ things: listed(dealt) })] : [])].join(' ')
