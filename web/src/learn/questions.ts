/** What drills of several games ask. `luck` gives numbers from 0 to below 1. */

import { third, type Sign } from '../sets'

export type Luck = () => number

export function shuffled<T>(all: readonly T[], luck: Luck): T[] {
  const next = [...all]
  for (let last = next.length - 1; last > 0; last--) {
    const place = Math.floor(luck() * (last + 1))
    ;[next[last], next[place]] = [next[place]!, next[last]!]
  }
  return next
}

const different = (a: Sign, b: Sign): number => [...a].filter((letter, place) => letter !== b[place]).length

/** Six answers in some order: the right one, and others of these that are most like it. */
export function answersAround(right: Sign, all: readonly Sign[], luck: Luck): Sign[] {
  const near = shuffled(all, luck)
    .filter((sign) => sign !== right)
    .sort((one, other) => different(one, right) - different(other, right))
    .slice(0, 12)
  return shuffled([right, ...shuffled(near, luck).slice(0, 5)], luck)
}

export interface Pair {
  pair: [Sign, Sign]
  answers: Sign[]
  right: Sign
}

/** Two of these, and six answers of which one completes the SET and the others nearly do. */
export function dealThird(all: readonly Sign[], luck: Luck): Pair {
  const [a, b] = shuffled(all, luck) as [Sign, Sign]
  const right = third(a, b)
  return { pair: [a, b], right, answers: answersAround(right, all.filter((sign) => sign !== a && sign !== b), luck) }
}
