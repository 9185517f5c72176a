/** What a player is told at the moment it happens; the log says it more fully. */

import type { Place } from '../games/module'
import { m } from '../language.svelte'
import type { Seat, TakenOver } from '../protocol'
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
  /** What is said to those who do not see the table: in place of the text, and after it; `besides` not to those who want to hear
   * little, `details` only to those who want to hear everything. */
  said?: string
  spoken?: string
  besides?: string
  details?: string
  /** Not for those who want to hear little. */
  aside?: boolean
}

/** "Ada, you: 5 points; Ben: 3 points." */
export const standingText = ({ state, seat, names }: Place): string =>
  `${names
    .map((name, place) => `${isolated(name)}${place === seat ? `, ${m.you()}` : ''}: ${m.points({ count: state.scores[place] ?? 0 })}`)
    .join('; ')}.`

/** The end of a game, and who has won it. */
export function endedNews(place: Place): News {
  const { state, seat, names } = place
  if (names.length === 1) return { text: m.game_over(), spoken: standingText(place) }
  const best = Math.max(...state.scores)
  const winners = names.flatMap((name, winner) => (state.scores[winner] === best ? [{ name: isolated(name), winner }] : []))
  const [first, second] = winners
  const won = second
    ? m.shared_win({ names: winners.map(({ name }) => name).join(', ') })
    : first?.winner === seat
      ? m.you_won()
      : m.won({ name: first?.name ?? '' })
  return { text: m.game_over(), spoken: `${won} ${standingText(place)}` }
}

/** Who plays on where somebody else sat before, told to the person `you`; nothing if all sit where they sat. */
export function seatNews(before: readonly Seat[], after: readonly Seat[], you: string | undefined, taken: readonly TakenOver[] = []): string {
  const changes = after.flatMap((seat, place) => {
    const left = before[place]
    const isBack = taken.some((one) => one.seat === place && one.before.includes(seat.name))
    return left && isSomebodyElse(left, seat) ? [changeText(left, seat, you, isBack)] : []
  })
  return changes.join(' ')
}

/** A bot that was gentle in a first game and is not any more is the same one: how it plays stands after its name. */
const botOf = ({ bot }: Seat): string | undefined => bot?.split(':')[0]
const isSomebodyElse = (left: Seat, seat: Seat): boolean => left.person !== seat.person || botOf(left) !== botOf(seat)

function changeText(left: Seat, seat: Seat, you: string | undefined, isBack: boolean): string {
  const name = isolated(seatName(seat.name, seat.bot))
  if (left.person && left.person === you) return m.plays_for_you({ name })
  if (left.bot && seat.person && isBack) return seat.person === you ? m.you_are_back() : m.is_back({ name })
  if (left.bot && seat.person) return seat.person === you ? m.you_play_for_a_bot() : m.plays_for_a_bot({ name })
  return m.plays_on_for({ name, before: isolated(seatName(left.name, left.bot)) })
}
