/** What this browser was told before each game, and its own secret: kept, so that it can be compared afterwards. */

import type { Terms } from './fairness'

export interface Promised {
  terms: Terms
  /** Of the seed, and of the seats; empty for bots. */
  commitment: string
  commitments: string[]
  called_off: number
  seat: number | null
  secret: string
}

const PLACE = 'tercet-promises'
/** The oldest go first: some 40 kilobytes in all. */
const KEPT = 50

function all(): Promised[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]')
    return Array.isArray(kept) ? (kept as Promised[]) : []
  } catch {
    return []
  }
}

const isSame = (one: Terms, other: Pick<Terms, 'table' | 'number'>): boolean =>
  one.table === other.table && one.number === other.number

/** Without room, or where nothing may be kept, the game is played all the same: then nothing can be compared. */
export function keepPromise(promised: Promised): void {
  const others = all().filter(({ terms }) => !isSame(terms, promised.terms))
  try {
    localStorage.setItem(PLACE, JSON.stringify([...others, promised].slice(-KEPT)))
  } catch {
    return
  }
}

export const promiseOf = (terms: Pick<Terms, 'table' | 'number'>): Promised | undefined =>
  all().find((promised) => isSame(promised.terms, terms))
