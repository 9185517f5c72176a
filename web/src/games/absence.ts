/** Who is away, the same in every game that would wait for them: the mirror of `tercet.games.absence`. */

import type { CameBack, SteppedAway } from '../protocol'

export const awayAfter = (away: readonly number[], { kind, seat }: SteppedAway | CameBack): number[] =>
  kind === 'stepped_away' ? [...away, seat] : away.filter((one) => one !== seat)

/** The seats that are waited for: those that are not away, and if all are, everybody. */
export function counted({ seats, away }: { seats: number; away: readonly number[] }): number[] {
  const all = Array.from({ length: seats }, (_, seat) => seat)
  const here = all.filter((seat) => !away.includes(seat))
  return here.length ? here : all
}

/** Those who count and are not among these. */
export const missing = (state: { seats: number; away: readonly number[] }, done: readonly number[]): number[] =>
  counted(state).filter((seat) => !done.includes(seat))
