/** Questions for the drills of the card game. */

import { shuffled, type Luck } from '../../../learn/questions'
import { ALL_CARDS, explain, findSets, third, type FeatureName } from '../../../sets'

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
