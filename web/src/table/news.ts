/** What a player is told at the moment it happens; the log says it more fully. */

import { m } from '../language.svelte'
import type { Seat } from '../protocol'
import type { Sound } from '../sound'
import { isolated, seatName } from '../words'

export type Tone = '' | 'good' | 'bad'

export interface News {
  /** Empty: what was said before is over. */
  text: string
  tone?: Tone
  sound?: Sound
  /** Whose doing it is: it is told in that player's colour. */
  seat?: number | null
}

/** Who plays on where somebody else sat before, told to the person `you`; nothing if all sit where they sat. */
export function seatNews(before: readonly Seat[], after: readonly Seat[], you: string | undefined): string {
  const changes = after.flatMap((seat, place) => {
    const left = before[place]
    return left && isSomebodyElse(left, seat) ? [changeText(left, seat, you)] : []
  })
  return changes.join(' ')
}

const isSomebodyElse = (left: Seat, seat: Seat): boolean => left.person !== seat.person || left.bot !== seat.bot

function changeText(left: Seat, seat: Seat, you: string | undefined): string {
  const name = isolated(seatName(seat.name, seat.bot))
  if (left.person && left.person === you) return m.plays_for_you({ name })
  if (left.bot && seat.person) return seat.person === you ? m.you_play_for_a_bot() : m.plays_for_a_bot({ name })
  return m.left_and_another_plays({ before: isolated(seatName(left.name, left.bot)), name })
}
