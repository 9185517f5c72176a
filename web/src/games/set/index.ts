/** The card game, as the site asks for it. */

import type { CardEvent, CardState } from '../../protocol'
import { asGame } from '../module'
import { awaitedInRace, raceMarks } from '../race'
import { keys } from './keys'
import { chances, ERROR_MS, evolve, isError, roundsOf, start } from './rules'
import Table from './Table.svelte'
import { usualGroups, variantOf } from './variants'
import { eventNews, eventWords, optionValue, variety } from './words'

export default asGame<CardState, CardEvent>({
  start,
  evolve,
  chances,
  seatMarks: (state, seat) => ({
    ...raceMarks(state, seat),
    dealer: state.phase === 'deal' && state.dealer === seat,
  }),
  waitsFor: () => [],
  awaited: (state) => (state.phase === 'deal' ? [state.dealer] : awaitedInRace(state)),
  rounds: roundsOf,
  opening: (state, seat) => (state.phase === 'deal' && state.dealer === seat ? { do: 'deal' } : null),
  pace: {
    done: ({ taken }, seat) => taken[seat] ?? 0,
    whole: ({ options }) => options.sets ?? null,
    usually: ({ options }) => usualGroups(variantOf(options)),
    isError,
    costMs: (event, seat) => (isError(event, seat) ? ERROR_MS : 0),
  },
  variety,
  optionValue,
  eventWords,
  eventNews,
  keys,
  Table,
  after: () => import('./after'),
  review: () => import('./review'),
})
