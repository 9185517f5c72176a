/** Puzzles, as the site asks for them. */

import { speakOf } from '../../language.svelte'
import type { PuzzleEvent, PuzzleState } from '../../protocol'
import { asGame } from '../module'
import { keys } from './keys'
import { doneBy, evolve, isError, limitOf, start, wholeOf, withScores, type State } from './rules'
import { costOf } from './short'
import Table from './Table.svelte'
import { boardText, eventNews, eventWords } from './words'

export default asGame<State, PuzzleEvent>({
  start,
  evolve,
  // What is drawn is worked out from many chances of the server's; `tercet verify` draws them again.
  chances: () => [],
  read: (state) => withScores(state as unknown as PuzzleState),
  pace: {
    done: doneBy,
    whole: wholeOf,
    progress: boardText,
    until: ({ runners }, seat) => runners[seat]?.until ?? null,
    stoppedAt: ({ runners }, seat) => runners[seat]?.stopped_at ?? null,
    limit: limitOf,
    isError: (event, seat) => isError(event as PuzzleEvent, seat),
    costMs: (event, seat, state) => costOf(event as PuzzleEvent, seat, state),
    stop: { do: 'stop' },
  },
  seatMarks: ({ runners }, seat) => ({ score: runners[seat]?.score ?? 0, active: false }),
  waitsFor: () => [],
  awaited: () => [],
  eventWords,
  eventNews,
  keys,
  Table,
  // A turn that was laid is seen on the board, which speaks its own words.
  after: async () => (await Promise.all([import('./after'), speakOf('cubed')]))[0],
})
