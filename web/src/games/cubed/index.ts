/** The dice game, as the site asks for it. */

import type { CubedEvent, CubedState } from '../../protocol'
import { asGame } from '../module'
import Holding from './Holding.svelte'
import { keys } from './keys'
import { chances, evolve, start } from './rules'
import Table from './Table.svelte'
import { eventNews, eventWords } from './words'

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
  waitsFor({ phase, turn, seats, answered }) {
    if (phase === 'extra_roll') return Array.from({ length: seats }, (_, seat) => seat).filter((seat) => !answered.includes(seat))
    return turn === null ? [] : [turn]
  },
  eventWords,
  eventNews,
  keys,
  showsAgain: ({ kind }) => kind === 'laid' || kind === 'opened',
  Table,
  after: () => import('./after'),
  Holding,
})
