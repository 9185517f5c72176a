/** What people send each other of a daily puzzle: how it went, without a word about what it was. */

import { to } from '../base'
import { isRightToLeft, m } from '../language.svelte'
import type { Daily, RunSummary } from '../protocol'
import { exactTime, titleOfRun } from './kinds'

/** Signs of our own, plain enough for every font: found, an error, and how good a turn was. */
const [FOUND, ERROR, GOOD, LESS] = ['▲', '○', '◆', '◇']

/** The signs of the day: in which order SETs and errors came; or in four parts how near the turn was to the best. */
export function signsOf(marks: readonly boolean[], turn: { chance: number; best: number } | null): string {
  if (!turn) return marks.map((right) => (right ? FOUND : ERROR)).join('')
  const parts = turn.best ? Math.max(0, Math.min(4, Math.round((4 * turn.chance) / turn.best))) : 0
  return GOOD.repeat(parts) + LESS.repeat(4 - parts)
}

export function shareText(daily: Pick<Daily, 'kind' | 'day' | 'level'>, run: RunSummary, signs: string, streak: number): string {
  const mark = isRightToLeft() ? '\u200f' : ''
  const time = daily.kind === 'daily_set' ? exactTime(run.value) : exactTime(run.time_ms)
  const lines = [
    `${mark}Tercet · ${titleOfRun(daily.kind)} · ${daily.day}`,
    `${signs}  ${time}`,
    ...(streak > 1 ? [`${mark}${m.run_streak({ count: streak })}`] : []),
    location.origin + to('/daily'),
  ]
  return lines.join('\n')
}
