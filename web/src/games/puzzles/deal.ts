/** Items of a storm without a connection: the mirror of `tercet.puzzles.items`, but with the browser's own luck. */

import { answersAround, shuffled, type Luck } from '../../learn/questions'
import type { PuzzleItem } from '../../protocol'
import { ALL_CARDS, ALL_FACES, explain, findSets, third } from '../../sets'

const ROUND = ['third', 'is_set', 'find'] as const
const FIND_AMONG = [6, 6, 9, 9, 12]
const MOST_DICE = 9
const DRAWN = 5

/** The item of this number: cards and dice in turn, harder each time around. */
export function dealItem(number: number, luck: Luck): PuzzleItem {
  const lap = Math.floor((number - 1) / (2 * ROUND.length))
  const place = (number - 1) % (2 * ROUND.length)
  const asked = ROUND[place % ROUND.length]!
  const of = place < ROUND.length ? 'cards' : 'dice'
  const among = FIND_AMONG[Math.min(lap, FIND_AMONG.length - 1)]!
  const drawn = Array.from({ length: DRAWN }, () => draw(asked, of, of === 'dice' ? Math.min(among, MOST_DICE) : among, luck))
  return drawn.sort((a, b) => a.difficulty - b.difficulty)[Math.min(lap, DRAWN - 1)]!
}

function draw(asked: (typeof ROUND)[number], of: 'cards' | 'dice', among: number, luck: Luck): PuzzleItem {
  const pack = of === 'cards' ? ALL_CARDS : ALL_FACES
  const [a, b] = shuffled(pack, luck) as [string, string]
  const c = third(a, b)
  const item = (shown: string[], three: readonly [string, string, string], choices: string[] = []): PuzzleItem => ({
    asked, of, shown, choices, position: null, difficulty: hardness(three),
  })
  if (asked === 'third') return item([a, b], [a, b, c], answersAround(c, pack.filter((sign) => sign !== a && sign !== b), luck))
  if (asked === 'is_set') {
    const near = pack.filter((sign) => sign !== a && sign !== b && [...sign].filter((letter, at) => letter !== c[at]).length === 1)
    const last = luck() < 0.5 ? c : shuffled(near, luck)[0]!
    return item([a, b, last], [a, b, last])
  }
  for (;;) {
    const shown = shuffled(pack, luck).slice(0, among)
    const found = findSets(shown)
    const three = (places: readonly number[]) => places.map((at) => shown[at]!) as [string, string, string]
    const easiest = found.map(three).sort((x, y) => hardness(x) - hardness(y))[0]
    if (easiest) return item(shown, easiest)
  }
}

/** Three that differ in more features are harder to see: 1.5 s for one feature, then a third more for each. */
const hardness = ([a, b, c]: readonly [string, string, string]): number =>
  Math.round(1500 * 1.35 ** (explain(a, b, c).features.filter(({ verdict }) => verdict !== 'same').length - 1))
