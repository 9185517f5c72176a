/** The pictures of the daily puzzles. Before somebody has played they are not of today's, which would begin to solve it. */

import type { Daily, RunName } from '../protocol'

const EMBLEMS: Partial<Record<RunName, readonly string[]>> = {
  daily_set: ['1RFO', '2GHS', '3PED'],
  daily_cubed: ['2RO', '1GS', '3PD', '1RD', '2GO'],
}

/** A few cards or dice: of the puzzle, if it was played; else always the same ones. */
export function emblemOf(kind: RunName, daily?: Daily): readonly string[] {
  const position = daily?.puzzle?.position
  if (!daily?.yours || !daily.puzzle) return EMBLEMS[kind] ?? []
  return position ? position.hands[position.turn ?? 0]!.map(({ face }) => face) : daily.puzzle.shown.slice(0, 3)
}
