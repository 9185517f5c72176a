/** Runs without a connection: kept in this browser, private, on no board. */

import type { RunName } from '../protocol'
import { keep, recall } from '../settings.svelte'
import { countsPoints } from './kinds'

export interface Private {
  points: number
  time_ms: number
  value: number
  /** Not kept by those who played before it was. */
  errors?: number
}

const place = (kind: RunName): string => `tercet.best.${kind}`

export const privateBest = (kind: RunName): Private | null => recall<{ best: Private | null }>(place(kind), { best: null }).best

/** Keeps it if it is better; whether it is. */
export function notePrivate(kind: RunName, run: Private): boolean {
  const best = privateBest(kind)
  const isBetter = best === null || (countsPoints(kind) ? run.points > best.points : run.value < best.value)
  if (isBetter) keep(place(kind), { best: run })
  return isBetter
}
