/** What people send each other of a daily puzzle: how it went, without a word about what it was. */

import { to } from '../base'
import { isRightToLeft, m } from '../language.svelte'
import { dateOf } from '../locale'
import type { Daily, RunSummary } from '../protocol'
import { exactTime, percentText, titleOfRun } from './kinds'

/** Signs that explain themselves: right, wrong, and in four parts how near a turn was to the best. */
const [FOUND, ERROR, GOOD, LESS] = ['✔', '✘', '◆', '◇']

/** How good a turn was, of 1. */
export const partOfBest = (turn: { chance: number; best: number }): number =>
  turn.best ? Math.max(0, Math.min(1, turn.chance / turn.best)) : 0

/** The signs of the day: in which order SETs and errors came; or how near the turn was to the best. */
export function signsOf(marks: readonly boolean[], part: number | null): string {
  if (part === null) return marks.map((right) => (right ? FOUND : ERROR)).join('')
  const parts = Math.round(4 * part)
  return GOOD.repeat(parts) + LESS.repeat(4 - parts)
}

interface Shared {
  daily: Pick<Daily, 'kind' | 'day'>
  run: RunSummary
  marks: readonly boolean[]
  /** How good the turn was, of 1; null for cards. */
  part: number | null
  streak: number
}

export function shareText({ daily, run, marks, part, streak }: Shared): string {
  // Without marks "Tercet · Set" would be one piece, read from the left, and its Set no longer beside its own next word.
  const mark = isRightToLeft() ? '\u200f' : ''
  const dot = ` ${mark}·${mark} `
  const counts = run.reason === null
  const [kind, day] = [daily.kind, dateOf(daily.day)]
  const heading = ['Tercet', titleOfRun(kind), day, ...(counts ? [] : [m.run_uncounted()])]
  const errors = part === null && run.errors ? [m.run_error_count({ count: run.errors })] : []
  const how = part === null ? [exactTime(run.value), ...errors] : [m.run_of_best({ part: percentText(part) })]
  const lines = [
    mark + heading.join(dot),
    mark + [signsOf(marks, part), ...how].join(dot),
    ...(counts && streak > 1 ? [mark + m.run_streak({ count: streak })] : []),
    `${location.origin}${to(`/daily?kind=${kind}`)}`,
  ]
  return lines.join('\n')
}
