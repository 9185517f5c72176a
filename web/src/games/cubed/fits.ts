/** Where a die of the hand leads to a SET: by itself, or together with a second one. */

import type { Edition } from '../../editions/editions'
import { allRuns, squareOf, type Square } from '../../editions/squares'
import type { CubedPlacement as Placement, Die } from '../../protocol'
import { ALL_FACES, isSet, third, WILD } from '../../sets'
import { facesForWild, judge, LAY_LIMIT, type Board } from './turns'

/** Two free squares beside one lying die: room for a pair. */
interface Gap {
  lying: string
  free: [Square, Square]
}

function gaps(edition: Edition, board: Board, laid: readonly Placement[]): Gap[] {
  const { layout } = edition
  const taken = new Set(laid.map(({ square }) => square))
  return allRuns(layout).flatMap((run) => {
    const lying = run.flatMap((cell) => board[cell] ?? [])
    if (lying.length !== 1) return []
    const free = run.filter((cell) => !board[cell]).map((cell) => squareOf(layout, cell)) as [Square, Square]
    return free.some((square) => taken.has(square)) ? [] : [{ lying: lying[0]!.face, free }]
  })
}

/** The squares where this face makes a SET with a second die out of these, each with the squares for the second. */
export function pairSquares(
  edition: Edition,
  board: Board,
  laid: readonly Placement[],
  face: string,
  others: readonly string[],
): Map<Square, Set<Square>> {
  const pairs = new Map<Square, Set<Square>>()
  if (laid.length + 2 > LAY_LIMIT) return pairs
  for (const { lying, free } of gaps(edition, board, laid)) {
    if (!others.some((other) => isSet(lying, face, other))) continue
    free.forEach((square, place) => pairs.set(square, (pairs.get(square) ?? new Set()).add(free[1 - place]!)))
  }
  return pairs
}

/** What finishes a SET with a die that was laid first: which of these faces, and where. */
export function partners(
  edition: Edition,
  board: Board,
  laid: readonly Placement[],
  first: Placement,
  others: readonly string[],
): { face: string; square: Square }[] {
  if (laid.length + 1 > LAY_LIMIT) return []
  const rest = laid.filter((one) => one !== first)
  const found = gaps(edition, board, rest).flatMap(({ lying, free }) => {
    const place = free.indexOf(first.square)
    if (place < 0) return []
    const fitting = [...new Set(others)].filter((other) => isSet(lying, first.face, other))
    return fitting.map((face) => ({ face, square: free[1 - place]! }))
  })
  return found.filter(({ face, square }, place) => found.findIndex((one) => one.face === face && one.square === square) === place)
}

/** The faces with which a wild on this square can lead to a SET: at once, or with a second die out of these. */
export function wildFaces(
  edition: Edition,
  board: Board,
  laid: readonly Placement[],
  square: Square,
  others: readonly string[],
): { now: string[]; later: string[] } {
  const now = facesForWild(edition, board, laid, square)
  const room = laid.length + 2 <= LAY_LIMIT
  const beside = room ? gaps(edition, board, laid).filter(({ free }) => free.includes(square)) : []
  const leads = new Set(
    beside.flatMap(({ lying }) => others.flatMap((other) => (other === WILD ? ALL_FACES : third(lying, other)))),
  )
  return { now, later: ALL_FACES.filter((face) => leads.has(face) && !now.includes(face)) }
}

/** The part of what lies there that may be laid as it is, with the most points; nothing, if none of it may. */
export function legalPart<T extends Placement>(edition: Edition, board: Board, laid: readonly T[]): readonly T[] {
  let best: { part: readonly T[]; points: number } = { part: [], points: 0 }
  for (let chosen = 1; chosen < 1 << laid.length; chosen++) {
    const part = laid.filter((_, place) => chosen & (1 << place))
    const { problems, setPoints, bonus } = judge(edition, board, part)
    const more = setPoints + bonus > best.points || part.length > best.part.length
    if (!problems.length && setPoints + bonus >= best.points && more) best = { part, points: setPoints + bonus }
  }
  return best.part
}

/** Dice that may take the place of a wild on the board (C21). */
export const replacers = (board: Board, hand: readonly Die[]): Die[] =>
  hand.filter(({ face }) => board.some((lying) => lying?.wild && lying.face === face))
