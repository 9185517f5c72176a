/** Variants of the card game, one small object each: the mirror of `tercet.cards.variants`. */

import type { Card, CardOptions } from '../../protocol'
import { ALL_CARDS, CARD_FEATURES, explain, findSets, isSet, third, valuesOf, type Explanation, type FeatureName } from '../../sets'

/** Two pairs that come nearest to having the same third card; `broken` are the features in which those differ. */
export interface PairsCheck {
  pairs: [Card[], Card[]]
  thirds: [Card, Card]
  broken: FeatureName[]
}

/** How often each value of a feature is among six cards. They come out even if all are alike modulo three. */
export interface CountsCheck {
  counts: { feature: FeatureName; counts: number[]; even: boolean }[]
}

export interface Variant {
  /** How many cards are a group. */
  readonly size: number
  /** The cards of a round. */
  readonly pack: readonly Card[]
  /** A group has one card of the one taken last. */
  readonly chained: boolean
  isGroup(cards: readonly Card[]): boolean
  /** Every group on the table, each once; `last` is the one taken last, where that matters. */
  groups(table: readonly Card[], last: readonly Card[]): Card[][]
}

const CLASSIC: Variant = {
  size: 3,
  pack: ALL_CARDS,
  chained: false,
  isGroup: ([a, b, c]) => isSet(a!, b!, c!),
  groups: (table) => findSets(table).map((places) => places.map((place) => table[place]!)),
}

const only = (value: string): Variant => ({
  ...CLASSIC,
  pack: ALL_CARDS.filter((card) => Object.values(valuesOf(card)).includes(value)),
})

const CHAIN: Variant = {
  ...CLASSIC,
  chained: true,
  groups: (table, last) =>
    last.length
      ? combinations(table, 2).flatMap(([a, b]) => last.filter((link) => isSet(link, a!, b!)).map((link) => [link, a!, b!]))
      : CLASSIC.groups(table, last),
}

const ULTRA: Variant = {
  ...CLASSIC,
  size: 4,
  isGroup: (cards) => checkPairs(cards).broken.length === 0,
  groups: (table) => combinations(table, 4).filter((four) => ULTRA.isGroup(four)),
}

const GHOST: Variant = {
  ...CLASSIC,
  size: 6,
  isGroup: ([a, b, c, d, e, f]) => third(third(a!, b!), third(c!, d!)) === third(e!, f!),
  groups: (table) => combinations(table, 6).filter((six) => GHOST.isGroup(six)),
}

const VARIANTS: Record<Required<CardOptions>['variant'], Variant> = {
  classic: CLASSIC,
  chain: CHAIN,
  ultra: ULTRA,
  ghost: GHOST,
  shuffle: CLASSIC,
  junior: only('full'),
}

/** The variant that a table plays. */
export const variantOf = (options: Required<CardOptions>): Variant =>
  options.only === null ? VARIANTS[options.variant] : only(options.only)

/** So many cards are usually left when no group is among them any more. */
const LEFT = 6

/** How many groups a pack usually gives. */
export const usualGroups = ({ pack, size, chained }: Variant): number => Math.round((pack.length - LEFT) / (chained ? size - 1 : size))

/** Why these cards are a group, or why not: how many they are says which kind of group was meant. */
export const checkOf = (cards: readonly Card[]): Explanation | PairsCheck | CountsCheck =>
  cards.length === ULTRA.size
    ? checkPairs(cards)
    : cards.length === GHOST.size
      ? checkCounts(cards)
      : explain(cards[0]!, cards[1]!, cards[2]!)

function checkPairs([a, b, c, d]: readonly Card[]): PairsCheck {
  const splits: [Card[], Card[]][] = [
    [[a!, b!], [c!, d!]],
    [[a!, c!], [b!, d!]],
    [[a!, d!], [b!, c!]],
  ]
  return splits
    .map((pairs): PairsCheck => {
      const thirds: [Card, Card] = [third(pairs[0][0]!, pairs[0][1]!), third(pairs[1][0]!, pairs[1][1]!)]
      const broken = CARD_FEATURES.filter((_, place) => thirds[0][place] !== thirds[1][place]).map(({ name }) => name)
      return { pairs, thirds, broken }
    })
    .reduce((best, next) => (next.broken.length < best.broken.length ? next : best))
}

const checkCounts = (cards: readonly Card[]): CountsCheck => ({
  counts: CARD_FEATURES.map(({ name, letters }, place) => {
    const counts = [...letters].map((letter) => cards.filter((card) => card[place] === letter).length)
    return { feature: name, counts, even: new Set(counts.map((count) => count % 3)).size === 1 }
  }),
})

function combinations<T>(all: readonly T[], size: number): T[][] {
  if (size === 0) return [[]]
  return all.flatMap((one, place) => combinations(all.slice(place + 1), size - 1).map((rest) => [one, ...rest]))
}
