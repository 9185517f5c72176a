/** Scramble, as the site asks for it. */

import type { ScrambleEvent, ScrambleState } from '../../protocol'
import { asGame } from '../module'
import { awaitedInRace, raceMarks } from '../race'
import { keys } from './keys'
import { chances, evolve, start } from './rules'
import Table from './Table.svelte'
import { eventNews, eventWords, optionValue } from './words'

export default asGame<ScrambleState, ScrambleEvent>({
  start,
  evolve,
  chances,
  seatMarks: raceMarks,
  waitsFor: () => [],
  awaited: (state) => (state.phase === 'deal' ? [state.thrower] : awaitedInRace(state)),
  rounds: ({ options }) => options.rounds,
  opening: (state, seat) => (state.phase === 'deal' && state.thrower === seat ? { do: 'throw' } : null),
  optionValue,
  eventWords,
  eventNews,
  keys,
  Table,
  after: () => import('./after'),
})
