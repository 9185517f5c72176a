/** How a race went: who found which SET when, how long it was looked for, and what was called in vain. */

import type { Entry } from './module'

/** What was called in vain, after so many milliseconds of play. */
export interface Miss {
  seq: number
  seat: number
  at: number
}

/** A SET that somebody took; for so many milliseconds it was looked for. */
export interface Find extends Miss {
  searched: number
}

export interface RaceStory {
  /** Milliseconds of play: waiting for the next round does not count. */
  time: number
  finds: Find[]
  misses: Miss[]
}

/** Kinds of events with which looking begins anew, with which a round begins, and with which it ends. */
const NEW_TO_SEE = ['dealt', 'thrown', 'opened', 'took']
const BEGINS = ['dealt', 'thrown']
const ENDS = ['round_ended', 'ended']

export function raceStory(entries: readonly Entry[]): RaceStory {
  const story: RaceStory = { time: 0, finds: [], misses: [] }
  let [began, played, isOn] = [0, 0, false]
  let [since, calledAt]: [number, number | null] = [0, null]
  for (const { seq, at, event } of entries) {
    const { kind, seat = 0 } = event
    if (BEGINS.includes(kind)) [began, isOn] = [at, true]
    const now = isOn ? played + at - began : played
    if (kind === 'called') calledAt = now
    if (kind === 'took') story.finds.push({ seq, seat, at: now, searched: (calledAt ?? now) - since })
    if (kind === 'missed') story.misses.push({ seq, seat, at: now })
    if (kind === 'took' || kind === 'missed') calledAt = null
    if (NEW_TO_SEE.includes(kind)) since = now
    if (ENDS.includes(kind) && isOn) [played, isOn] = [now, false]
    story.time = now
  }
  return story
}

/** The one with the shortest search; of these the first. */
export const quickest = (finds: readonly Find[]): Find | undefined =>
  finds.reduce<Find | undefined>((best, find) => (best && best.searched <= find.searched ? best : find), undefined)

export const longest = (finds: readonly Find[]): Find | undefined =>
  finds.reduce<Find | undefined>((best, find) => (best && best.searched >= find.searched ? best : find), undefined)

/** SETs a minute. */
export const paceOf = ({ finds, time }: RaceStory, seat: number): number =>
  time > 0 ? (finds.filter((find) => find.seat === seat).length * 60_000) / time : 0
