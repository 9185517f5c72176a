/** The card game, as the site asks for it. */

import type { CardEvent, CardState } from '../../protocol'
import { asGame } from '../module'
import Options from './Options.svelte'
import Replay from './Replay.svelte'
import { chances, evolve, start, USUAL_OPTIONS } from './rules'
import Table from './Table.svelte'
import { eventNews, eventWords, optionWords } from './words'

export default asGame<CardState, CardEvent>({
  start,
  evolve,
  chances,
  seatMarks: (state, seat) => ({
    score: state.scores[seat] ?? 0,
    active: state.call?.seat === seat,
    dealer: state.phase === 'deal' && state.dealer === seat,
    locked: state.locked.includes(seat),
    none: state.none.includes(seat),
  }),
  waitsFor: () => [],
  opening: (state, seat) => (state.phase === 'deal' && state.dealer === seat ? { do: 'deal' } : null),
  usualOptions: USUAL_OPTIONS,
  optionWords,
  eventWords,
  eventNews,
  Table,
  Options,
  Replay,
})
