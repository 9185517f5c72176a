/** Puzzles when they are over. */

import { m } from '../../language.svelte'
import type { PuzzleEvent } from '../../protocol'
import { asAfter, type Story } from '../module'
import Replay from './Replay.svelte'
import Result from './Result.svelte'
import type { State } from './rules'
import Turns from './Turns.svelte'
import { turnText } from './turntext'

const last = ({ states }: Story<State, PuzzleEvent>): State => states.at(-1)!

export default asAfter<State, PuzzleEvent>({
  aloneTitle: (story) => (story.names.length === 1 ? m.points({ count: last(story).scores[0] ?? 0 }) : ''),
  summary: (story) => (story.names.length > 1 ? [] : [m.puzzle_errors({ count: last(story).runners[0]!.errors })]),
  figures: (story) => [{ title: m.puzzle_errors_word(), values: last(story).runners.map(({ errors }) => String(errors)) }],
  ending: (story) => (last(story).runners[story.seat ?? 0]?.why === 'time' ? m.puzzle_time_up() : ''),
  answers: ({ entries, seat }) => {
    const mine = entries.flatMap(({ event }) => (event.kind === 'answered' && event.seat === (seat ?? 0) ? [event] : []))
    const laid = mine.at(-1)?.placements
    return { marks: mine.map(({ right }) => right), turn: laid?.length ? turnText(laid) : null }
  },
  Turns,
  Result,
  hasBegun: ({ phase }) => phase !== 'start',
  quietWords: () => ({ text: '', signs: [] }),
  Replay,
})
