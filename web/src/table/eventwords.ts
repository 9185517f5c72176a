import { m } from '../language.svelte'
import type { CardEvent, CubedEvent, Placement } from '../protocol'
import { isolated, whyNotThree } from '../words'

export interface EventWords {
  text: string
  /** The cards or dice it is about. */
  signs: string[]
}

const signsOf = (placements: readonly Placement[]): string[] =>
  placements.map(({ face, wild }) => (wild ? `*${face}` : face))

/** An event of either game as a line of the log; no text for what needs none. */
export function eventWords(event: CardEvent | CubedEvent, names: readonly string[]): EventWords {
  const nameOf = (seat: number) => isolated(names[seat] ?? '')
  const name = 'seat' in event ? nameOf(event.seat) : ''
  const words = (text: string, signs: string[] = []): EventWords => ({ text, signs })
  switch (event.kind) {
    case 'dealt':
      return words(m.log_dealt({ name: nameOf(event.dealer), round: event.round }))
    case 'took':
      return words(m.log_took({ name }), event.cards)
    case 'missed': {
      const signs = 'cards' in event ? event.cards : signsOf(event.placements)
      if (!signs.length) return words(m.missed_in_time({ name }))
      return words(m.missed({ name, why: whyNotThree(signs.map((sign) => sign.replace('*', ''))) }), signs)
    }
    case 'saw_none':
      return words(m.saw_none({ name }))
    case 'opened':
      return 'cards' in event
        ? words(m.three_more(), event.cards)
        : words(m.log_opened({ name, count: event.points }), signsOf(event.placements))
    case 'laid':
      return words(m.log_laid({ name, count: event.points }), signsOf(event.placements))
    case 'passed':
      return words(m.log_passed({ name }))
    case 'replaced':
      return words(m.log_replaced({ name }), [event.die.face, event.taken.face])
    case 'round_ended':
      return 'left' in event
        ? words(m.round_over({ count: event.left.length }))
        : words(m.log_round_over({ round: event.round }))
    case 'chose':
      if (event.dice === null) return words(m.log_chosen({ name }))
      return words(event.dice.length ? m.log_throws_again({ name, count: event.dice.length }) : m.log_keeps({ name }))
    case 'ended':
      return words(m.game_over())
    case 'called':
      return words(m.called({ name }))
    case 'threw':
      return words(m.log_threw({ name }), event.dice.map(({ face }) => face))
    case 'began':
    case 'drew':
    case 'took_back':
      return words('')
  }
}
