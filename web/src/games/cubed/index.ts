/** The dice game, as the site asks for it. */

import type { CubedEvent, CubedState } from '../../protocol'
import { missing } from '../absence'
import { asGame } from '../module'
import Holding from './Holding.svelte'
import { keys } from './keys'
import { chances, evolve, start } from './rules'
import Table from './Table.svelte'
import { eventNews, eventWords } from './words'

function waitsFor(state: CubedState): number[] {
  if (state.phase === 'extra_roll') return missing(state, state.answered)
  return state.turn === null ? [] : [state.turn]
}

export default asGame<CubedState, CubedEvent>({
  start,
  evolve,
  chances,
  seatMarks: (state, seat) => ({
    score: state.scores[seat] ?? 0,
    active: state.turn === seat || state.call?.seat === seat,
    locked: state.barred.includes(seat),
    none: state.none.includes(seat),
  }),
  waitsFor,
  awaited: (state) => (state.phase === 'opening' ? missing(state, [...state.barred, ...state.none]) : waitsFor(state)),
  hasTurns: true,
  eventWords,
  eventNews,
  keys,
  isLate: ({ until }, { at, event }) => event.kind === 'passed' && at === until,
  showsAgain: ({ kind }) => kind === 'laid' || kind === 'opened',
  Table,
  after: () => import('./after'),
  review: () => import('./review'),
  Holding,
})
