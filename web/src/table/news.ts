/** What a player is told at the moment it happens; the log says it more fully. */

import { roundsOf } from '../game/cards'
import { isSet } from '../game/sets'
import { m } from '../language.svelte'
import type { CardEvent, CardState, CubedEvent, RunningGame, Seat } from '../protocol'
import type { Sound } from '../sound'
import { isolated, seatName, whyNotThree } from '../words'

export type Tone = '' | 'good' | 'bad'

export interface News {
  /** Empty: what was said before is over. */
  text: string
  tone?: Tone
  sound?: Sound
}

/** An event of either game from where you sit; null for what goes without saying. */
export function eventNews(event: CardEvent | CubedEvent, game: RunningGame, names: readonly string[]): News | null {
  const mine = 'seat' in event && event.seat === game.seat
  const name = 'seat' in event ? isolated(names[event.seat] ?? '') : ''
  switch (event.kind) {
    case 'called':
      if (!mine) return { text: m.called({ name }) }
      return { text: game.game === 'set' ? m.you_called() : m.you_called_dice() }
    case 'took':
      return mine
        ? { text: m.you_took(), tone: 'good', sound: 'took' }
        : { text: m.took({ name }), sound: 'took' }
    case 'missed': {
      const signs = 'cards' in event ? event.cards : event.placements.map(({ face }) => face)
      const why = signs.length && !isSet(signs[0]!, signs[1]!, signs[2]!) ? whyNotThree(signs) : ''
      const sound = 'missed'
      if (!mine) return { text: why ? m.missed({ name, why }) : m.missed_in_time({ name }), sound }
      const text = why ? m.not_a_set({ why }) : m.not_in_time()
      const locked = 'locked' in game.state && game.state.locked.includes(event.seat)
      return { text: locked ? `${text} ${m.you_are_locked()}` : text, tone: 'bad', sound }
    }
    case 'saw_none':
      return { text: mine ? '' : m.saw_none({ name }) }
    case 'opened':
      return 'cards' in event ? { text: m.three_more() } : laidNews(event.points, name, mine)
    case 'laid':
      return laidNews(event.points, name, mine)
    case 'passed':
      return mine ? null : { text: m.log_passed({ name }) }
    case 'replaced':
      return { text: m.log_replaced({ name }) }
    case 'dealt':
      return {
        text: m.round_starts({ round: event.round, rounds: roundsOf(game.state as CardState) }),
        sound: 'dealt',
      }
    case 'round_ended':
      if ('left' in event) return { text: m.round_over({ count: event.left.length }) }
      if (event.then === 'rethrow') return { text: m.all_throw_again() }
      return event.then === 'end' ? null : { text: m.log_round_over({ round: event.round }) }
    default:
      return null
  }
}

const laidNews = (count: number, name: string, mine: boolean): News =>
  mine
    ? { text: m.you_laid({ count }), tone: 'good', sound: 'took' }
    : { text: m.log_laid({ name, count }), sound: 'took' }

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
