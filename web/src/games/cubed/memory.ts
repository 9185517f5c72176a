/** What this browser remembers of the dice games that go on: the draft of the turn, the dice chosen for the extra roll, and what was seen last. */

import { keep, recall } from '../../settings.svelte'
import type { Laid } from './turn.svelte'

interface Remembered {
  /** The round that it is for: there is one extra roll in each, and then one turn. */
  round?: number
  laid?: readonly Laid[]
  chosen?: readonly number[]
  /** The number of the last event that was seen, and when. */
  seen?: number
  time: number
}

const PLACE = 'tercet.dice'
const KEPT = 20

const all = (): Record<string, Remembered> => recall(PLACE, {})

function remember(game: string, what: Partial<Remembered>): void {
  const known = all()
  const games = Object.entries({ ...known, [game]: { ...known[game], ...what, time: Date.now() } })
  keep(PLACE, Object.fromEntries(games.sort(([, a], [, b]) => b.time - a.time).slice(0, KEPT)))
}

export const keepDraft = (game: string, round: number, laid: readonly Laid[]): void =>
  remember(game, { round, laid, chosen: [] })

export function draftOf(game: string, round: number): readonly Laid[] {
  const known = all()[game]
  return known?.round === round && Array.isArray(known.laid) ? known.laid : []
}

export const keepChoice = (game: string, round: number, chosen: readonly number[]): void =>
  remember(game, { round, laid: [], chosen })

export function choiceOf(game: string, round: number): readonly number[] {
  const known = all()[game]
  return known?.round === round && Array.isArray(known.chosen) ? known.chosen : []
}

export const keepSeen = (game: string, seen: number): void => remember(game, { seen })

/** Up to which event this browser has seen a game, if it was there just now; 0 for who comes back to it. */
export function seenOf(game: string, awayMs: number): number {
  const known = all()[game]
  return known && Date.now() - known.time < awayMs ? (known.seen ?? 0) : 0
}
