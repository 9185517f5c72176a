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

/** Every card, by the columns in which they lie, or by the rows. */
export function lyingText({ table, last }: CardState, columns: boolean): string {
  const groups = Array.from({ length: Math.ceil(table.length / 3) }, (_, group) => {
    const name = columns ? m.column_number({ column: group + 1 }) : m.row_number({ row: group + 1 })
    return `${name}: ${listed(table.slice(group * 3, group * 3 + 3))}.`
  })
  return [...(last.length ? [`${m.last_set()}: ${listed(last)}.`] : []), `${m.cards_on_table({ count: table.length })}.`, ...groups].join(' ')
}

export const takenText = ({ cards }: Extract<CardEvent, { kind: 'took' }>): string => m.taken_things({ things: listed(cards) })
