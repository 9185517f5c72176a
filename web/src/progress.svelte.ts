/** How the drills go, kept in this browser. */

import { keep, recall } from './settings.svelte'

export interface Progress {
  asked: number
  right: number
  streak: number
  best: number
  /** Milliseconds that the last right answers took, the newest last. */
  times: number[]
}

const TIMES_KEPT = 20
const place = (drill: string): string => `tercet.drill.${drill}`

export const progressOf = (drill: string): Progress =>
  recall(place(drill), { asked: 0, right: 0, streak: 0, best: 0, times: [] })

export function learned(drill: string, before: Progress, right: boolean, ms: number): Progress {
  const streak = right ? before.streak + 1 : 0
  const after = {
    asked: before.asked + 1,
    right: before.right + (right ? 1 : 0),
    streak,
    best: Math.max(before.best, streak),
    times: right ? [...before.times, Math.round(ms)].slice(-TIMES_KEPT) : before.times,
  }
  keep(place(drill), after)
  return after
}

/** The usual time for a right answer, in seconds; null before the first. */
export const pace = ({ times }: Progress): number | null =>
  times.length ? times.reduce((sum, ms) => sum + ms, 0) / times.length / 1000 : null
