/** Questions for the drills. `luck` gives numbers from 0 to below 1. */

import { ALL_CARDS, explain, findSets, third, type FeatureName } from '../../sets'

export type Luck = () => number

export function shuffled<T>(all: readonly T[], luck: Luck): T[] {
  const next = [...all]
  for (let last = next.length - 1; last > 0; last--) {
    const place = Math.floor(luck() * (last + 1))
    ;[next[last], next[place]] = [next[place]!, next[last]!]
  }
  return next
}

const different = (a: string, b: string): number => [...a].filter((letter, place) => letter !== b[place]).length

/** Two cards, and six answers of which one completes the SET and the others nearly do. */
export function dealThird(luck: Luck): { pair: [string, string]; answers: string[]; right: string } {
  const [a, b] = shuffled(ALL_CARDS, luck) as [string, string]
  const right = third(a, b)
  const near = shuffled(ALL_CARDS, luck)
    .filter((card) => card !== right && card !== a && card !== b)
    .sort((one, other) => different(one, right) - different(other, right))
    .slice(0, 12)
  return { pair: [a, b], right, answers: shuffled([right, ...shuffled(near, luck).slice(0, 5)], luck) }
}

/** Three cards that are a SET, or that one feature keeps from being one. */
export function dealJudge(luck: Luck): { cards: string[]; broken: FeatureName | null } {
  for (;;) {
    const [a, b, c] = shuffled(ALL_CARDS, luck) as [string, string, string]
    if (luck() < 0.4) return { cards: shuffled([a, b, third(a, b)], luck), broken: null }
    const broken = explain(a, b, c).features.filter(({ verdict }) => verdict === 'two_alike')
    if (broken.length === 1) return { cards: [a, b, c], broken: broken[0]!.feature }
  }
}

/** Twelve cards with two to five SETs. */
export function dealAll(luck: Luck): { cards: string[]; sets: [number, number, number][] } {
  for (;;) {
    const cards = shuffled(ALL_CARDS, luck).slice(0, 12)
    const sets = findSets(cards)
    if (sets.length >= 2 && sets.length <= 5) return { cards, sets }
  }
}
