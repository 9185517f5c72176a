/** The kinds of runs: how they are called, and how a result is written. */

import { m, messageNamed } from '../language.svelte'
import { numbersOf } from '../locale'
import { RUNS, type RunName, type RunReason } from '../protocol'

export const KINDS = Object.keys(RUNS) as RunName[]
export const isDaily = (kind: RunName): boolean => RUNS[kind].daily
/** More points are better; of all others less time. */
export const countsPoints = (kind: RunName): boolean => RUNS[kind].order === 'points'
/** Whoever stops here keeps the points. */
export const stopCounts = (kind: RunName): boolean => countsPoints(kind) && !isDaily(kind)

export const DAILIES = KINDS.filter(isDaily)

export const titleOfRun = (kind: RunName): string => messageNamed(`run_${kind}`)?.({}) ?? kind
export const aboutRun = (kind: RunName): string => messageNamed(`run_${kind}_about`)?.({}) ?? ''
export const reasonText = (reason: RunReason): string => messageNamed(`run_reason_${reason}`)?.({}) ?? reason

/** "0.4", or "0,4". */
const tenth = (seconds: number): string =>
  numbersOf({ minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false }).format(seconds)

/** "1:23.4", or "1:23,4": always with its tenth. */
export function exactTime(ms: number): string {
  const tenths = Math.floor(Math.max(0, ms) / 100)
  const [minutes, seconds] = [Math.floor(tenths / 600), Math.floor(tenths / 10) % 60]
  const hours = Math.floor(minutes / 60)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${hours ? `${hours}:${two(minutes % 60)}` : minutes}:${two(seconds)}${tenth((tenths % 10) / 10).slice(1)}`
}

/** "+1.2" and "−0.4", in seconds. */
export const difference = (ms: number): string => `${ms < 0 ? '−' : '+'}${tenth(Math.abs(ms) / 1000)}`

/** By how much one time is longer than another, as they are written: of what is cut off there nobody knows. */
export const shownDifference = (ms: number, other: number): number => 100 * (Math.floor(ms / 100) - Math.floor(other / 100))

/** "6.2%", or "6,2 %": always with its tenth. */
export const percentText = (part: number): string =>
  numbersOf({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(part)

/** The chance to win that counts in the dice of a day, as its value has it (`days.value_of`): in parts of a thousand, before the time. */
export const chanceOf = (value: number): number => Math.max(0, Math.ceil(-value / 1e9) / 1000)

interface Outcome {
  points: number
  time_ms: number
  value: number
  reason?: RunReason | null
}

/** How much there is to find, where a part of it says something. */
const WHOLE: Partial<Record<RunName, number>> = { daily_set: 6 }

/** What counts of a run: its time with what errors added, its points, or its chance; of one that was given up how far it came. */
export function outcomeText(kind: RunName, { points, value, reason }: Outcome): string {
  if (reason === 'not_finished') return WHOLE[kind] ? m.run_part({ count: points, whole: WHOLE[kind] }) : m.run_unfinished()
  if (kind === 'daily_cubed') return percentText(chanceOf(value))
  return countsPoints(kind) ? m.points({ count: points }) : exactTime(value)
}

/** How the time that counts came about, where errors or points that were missed added to it: "2:27.8 + 20 s for 2 errors". */
export function addedText(kind: RunName, { time_ms, value, errors }: Outcome & { errors: number }): string {
  const seconds = (value - time_ms) / 1000
  if (countsPoints(kind) || !seconds) return ''
  const words = { time: exactTime(time_ms), seconds }
  return kind === 'dice_sprint' ? m.run_time_and_points({ ...words, count: (value - time_ms) / POINT_MS }) : m.run_time_and_errors({ ...words, count: errors })
}
/** A point less than the best turn of a dice sprint adds so much. */
export const POINT_MS = 5000
