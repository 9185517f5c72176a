/** What somebody solved in a run, item by item, with the time that each took. */

import type { PuzzleEvent, PuzzleItem } from '../../protocol'
import { keep, recall } from '../../settings.svelte'
import type { Entry } from '../module'
import type { State } from './rules'

export interface Solved {
  item: PuzzleItem
  seq: number
  right: boolean
  points: number
  picks: number[] | null
  ms: number
}

export function solvedBy(seat: number, entries: readonly Entry<PuzzleEvent>[], states: readonly State[]): Solved[] {
  let since = entries.find(({ event }) => event.kind === 'began')?.at ?? 0
  return entries.flatMap(({ seq, at, event }, place) => {
    if (event.kind !== 'answered' || event.seat !== seat) return []
    const item = states[place]!.items[event.number - 1]
    const ms = at - since
    since = at
    return item ? [{ item, seq, right: event.right, points: event.points, picks: event.picks, ms }] : []
  })
}

const SLOW = 'tercet.slow'
const MOST = 10

/** The wrong ones first, then the slowest, measured by how hard they are. */
export function slowOnes(solved: readonly Solved[]): PuzzleItem[] {
  const slowness = ({ right, ms, item }: Solved) => (right ? 0 : 1e6) + ms / (item.difficulty || 1000)
  return solved
    .filter(({ item }) => item.asked !== 'find_all' && item.asked !== 'best_turn')
    .toSorted((a, b) => slowness(b) - slowness(a))
    .slice(0, MOST)
    .map(({ item }) => item)
}

export const keepSlow = (items: readonly PuzzleItem[]): void => keep(SLOW, { items })
export const slowKept = (): PuzzleItem[] => recall<{ items: PuzzleItem[] }>(SLOW, { items: [] }).items
