/** What happened at a table while this browser was not there. */

import type { Entry, GameModule } from '../games/module'
import { keep, recall } from '../settings.svelte'
import type { Running } from './connection.svelte'

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

/** The points that each seat has won since, and who played there; `forYou`: a bot, in one's own place. */
export type Meanwhile = readonly { name: string; points: number; forYou: boolean }[]

export const rememberLeaving = ({ id, seq, state }: Running): void =>
  keep(PLACE, { game: id, seq, scores: state.scores, time: Date.now() } satisfies Left)

/** As the log tells it, to who comes back by another browser: since the table noticed that they are away. */
function leftByLog({ id, state, seat, names, entries }: Running, rules: GameModule): Left | null {
  const log = entries as Entry[]
  const gone = log.findLast(({ event }) => event.kind === 'stepped_away' && event.seat === seat)
  const back = log.findLast(({ event }) => event.kind === 'came_back' && event.seat === seat)
  if (!gone || log[0]!.seq > 1 || (back && back.seq > gone.seq)) return null
  const before = log.slice(0, gone.seq)
  const { scores } = before.reduce((now, { event, at }) => rules.evolve(now, event, at), rules.start(state.options, names.length))
  return { game: id, seq: gone.seq, scores, time: 0 }
}

/** What somebody who plays should be told who comes back to a game; null if nothing happened, or they were hardly gone. */
export function meanwhile(game: Running, rules: GameModule, names: readonly string[] = game.names): Meanwhile | null {
  const { id, seq, state, seat, own_seat, entries } = game
  // Where nobody else plays, nothing happens without one.
  if (names.length < 2) return null
  const seen = recall<Left>(PLACE, { game: '', seq: 0, scores: [], time: 0 })
  const left = seen.game === id ? seen : leftByLog(game, rules)
  if (!left || (seat ?? own_seat) === null || Date.now() - left.time < GONE_MS || seq === left.seq) return null
  const news = entries.filter((entry) => entry.seq > left.seq && rules.eventWords(entry.event, names).text)
  if (!news.length) return null
  return state.scores.map((score, place) => ({ name: names[place] ?? '', points: score - (left.scores[place] ?? 0), forYou: place === own_seat }))
}
