/** How the drills go, kept in this browser. */

import { keep, recall } from './settings.svelte'

export interface Progress {
  asked: number
  right: number
  streak: number
  best: number
  /** Milliseconds that the last right answers took, the newest last. */
  times: number[]
  /** Milliseconds of the quickest right answer ever. */
  quickest: number | null
}

const TIMES_KEPT = 20
const place = (drill: string): string => `tercet.drill.${drill}`

export const progressOf = (drill: string): Progress =>
  recall(place(drill), { asked: 0, right: 0, streak: 0, best: 0, times: [], quickest: null })

/** The usual time for a right answer, in seconds; null before the first. A break in the middle of a question spoils no median. */
export function pace({ times }: Progress): number | null {
  const sorted = [...times].sort((a, b) => a - b)
  const middle = sorted[Math.floor((sorted.length - 1) / 2)]
  return middle === undefined ? null : middle / 1000
}

/** Somebody at a drill: what they were asked, what they knew, and how quickly. */
export class Practice {
  progress: Progress
  /** Seconds that the last answer took, if it was right. */
  took = $state<number | null>(null)
  #since = performance.now()

  constructor(readonly drill: string) {
    this.progress = $state.raw(progressOf(drill))
  }

  /** A question is put. */
  ask(): void {
    this.took = null
    this.#since = performance.now()
  }

  answer(right: boolean): void {
    const before = this.progress
    const ms = Math.round(performance.now() - this.#since)
    const streak = right ? before.streak + 1 : 0
    this.took = right ? ms / 1000 : null
    this.progress = {
      asked: before.asked + 1,
      right: before.right + (right ? 1 : 0),
      streak,
      best: Math.max(before.best, streak),
      times: right ? [...before.times, ms].slice(-TIMES_KEPT) : before.times,
      quickest: right ? Math.min(ms, before.quickest ?? ms) : before.quickest,
    }
    keep(place(this.drill), this.progress)
  }
}
