/** What the turns of a dice sprint fall short of the best: where positions have no wild in sight, the browser can tell. */

import { editionOf } from '../../editions/editions'
import type { PuzzleEvent, PuzzleItem } from '../../protocol'
import { POINT_MS } from '../../runs/kinds'
import { bestTurn } from '../cubed/drills/search'
import { ERROR_MS, isError, type State } from './rules'

const known = new WeakMap<PuzzleItem, number>()

/** What the best turn of a board scores. */
export function bestPoints(item: PuzzleItem): number {
  const position = item.position!
  const hand = position.hands[position.turn ?? 0]!.map(({ face }) => face)
  const best = known.get(item) ?? bestTurn(editionOf(position.options.edition), position.board, hand)?.points ?? 0
  known.set(item, best)
  return best
}

/** How many points less than the best this answer of a dice sprint has; nothing in all else. */
export function shortBy({ options, items }: State, { number, points }: PuzzleEvent & { kind: 'answered' }): number {
  const item = items[number - 1]
  return options.kind === 'boards' && item ? bestPoints(item) - points : 0
}

/** What an answer of this seat costs, in ms. */
export function costOf(event: PuzzleEvent, seat: number, state: State): number {
  if (event.kind !== 'answered' || event.seat !== seat) return 0
  return isError(event, seat) ? ERROR_MS : POINT_MS * shortBy(state, event)
}
