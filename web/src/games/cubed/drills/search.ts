/** The turns of a small position, all of them: what may be laid, and what scores most. Without wilds. */

import type { Edition } from '../../../editions/editions'
import { runsThrough, squareOf } from '../../../editions/squares'
import type { CubedPlacement as Placement } from '../../../protocol'
import { third } from '../../../sets'
import { judge, LAY_LIMIT, type Board } from '../turns'

export interface Laid extends Placement {
  /** Which die of the hand. */
  die: number
}
export interface Turn {
  laid: Laid[]
  points: number
}

/** A die, or two together, that finish a SET with what lies there: what every legal turn is made of. */
function steps({ layout }: Edition, board: Board, hand: readonly string[]): Laid[][] {
  const runs = new Set(board.flatMap((lying, cell) => (lying ? runsThrough(layout, cell) : [])))
  const found: Laid[][] = []
  const on = (cell: number, die: number): Laid => ({ square: squareOf(layout, cell), face: hand[die]!, wild: false, die })
  for (const run of runs) {
    const lying = run.flatMap((cell) => board[cell]?.face ?? [])
    const empty = run.filter((cell) => !board[cell])
    if (lying.length === 2) {
      const needed = third(lying[0]!, lying[1]!)
      hand.forEach((face, die) => face === needed && found.push([on(empty[0]!, die)]))
    } else if (lying.length === 1)
      hand.forEach((one, a) =>
        hand.forEach((other, b) => {
          if (a !== b && third(one, other) === lying[0]) found.push([on(empty[0]!, a), on(empty[1]!, b)])
        }),
      )
  }
  return found
}

/** Both at once; null if they want the same die or the same square for different things. */
function together(turn: readonly Laid[], step: readonly Laid[]): Laid[] | null {
  const joined = [...turn]
  for (const one of step) {
    const clash = joined.find(({ die, square }) => die === one.die || square === one.square)
    if (!clash) joined.push(one)
    else if (clash.die !== one.die || clash.square !== one.square) return null
  }
  return joined.length > LAY_LIMIT ? null : joined
}

const nameOf = (laid: readonly Laid[]): string =>
  laid
    .map(({ die, square }) => `${die}${square}`)
    .sort()
    .join()

/** Every legal turn with these faces in hand, with its points. */
export function legalTurns(edition: Edition, board: Board, hand: readonly string[]): Turn[] {
  const all = steps(edition, board, hand)
  const turns = new Map<string, Laid[]>()
  const grow = (turn: readonly Laid[], from: number): void => {
    for (let next = from; next < all.length; next++) {
      const joined = together(turn, all[next]!)
      if (!joined || joined.length === turn.length) continue
      turns.set(nameOf(joined), joined)
      if (joined.length < LAY_LIMIT) grow(joined, next + 1)
    }
  }
  grow([], 0)
  return [...turns.values()].map((laid) => {
    const { setPoints, bonus } = judge(edition, board, laid)
    return { laid, points: setPoints + bonus }
  })
}

/** The turn that scores most; null if nothing can be laid. */
export const bestTurn = (edition: Edition, board: Board, hand: readonly string[]): Turn | null =>
  legalTurns(edition, board, hand).reduce<Turn | null>((best, turn) => (best && best.points >= turn.points ? best : turn), null)
