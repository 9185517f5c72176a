/** What happened at a table while this browser was not there. */

import type { GameModule } from '../games/module'
import type { RunningGame } from '../protocol'
import { keep, recall } from '../settings.svelte'

/** Who was gone for less was hardly gone: a page that was loaded again, a tunnel. */
const GONE_MS = 10_000
const PLACE = 'tercet.left'

/** How a game stood when it was last seen; only the latest one is kept. */
interface Left {
  game: string
  seq: number
  scores: readonly number[]
  time: number
}

/** The points that each seat has won since. */
export type Meanwhile = readonly number[]

export const rememberLeaving = ({ id, seq, state }: RunningGame): void =>
  keep(PLACE, { game: id, seq, scores: state.scores, time: Date.now() } satisfies Left)

/** What somebody who plays should be told who comes back to a game; null if nothing happened, or they were hardly gone. */
export function meanwhile(game: RunningGame, rules: GameModule): Meanwhile | null {
  const { id, seq, state, seat, own_seat, names, entries } = game
  const left = recall<Left>(PLACE, { game: '', seq: 0, scores: [], time: Date.now() })
  if (left.game !== id || (seat ?? own_seat) === null || Date.now() - left.time < GONE_MS || seq === left.seq) return null
  const news = entries.filter((entry) => entry.seq > left.seq && rules.eventWords(entry.event, names).text)
  return news.length ? state.scores.map((score, place) => score - (left.scores[place] ?? 0)) : null
}
