/** The card game in words: its options, its log and its news. */

import { m } from '../../language.svelte'
import type { CardEvent, CardOptions, CardState } from '../../protocol'
import type { News } from '../../table/news'
import { calledNews, missedNews, missedWords, nameIn, sawNoneNews } from '../../table/racewords'
import { valueName, whyNotThree } from '../../words'
import type { EventWords, Place } from '../module'
import { roundsOf } from './rules'

export function optionWords(options: CardOptions): string[] {
  return [
    ...(options.rounds ? [m.option_rounds({ count: options.rounds })] : []),
    ...(options.show_seconds && options.show_seconds !== 5 ? [m.option_show_seconds({ count: options.show_seconds })] : []),
    ...(options.only ? [m.option_only({ value: valueName(options.only) })] : []),
    ...(options.table === 9 ? [m.option_table_9()] : []),
    ...(options.claim === 'instant' ? [m.option_instant()] : []),
    ...(options.honest_none ? [m.option_honest_none()] : []),
    ...(options.auto_deal ? [m.option_auto_deal()] : []),
    ...(options.penalty === 'point' ? [m.option_penalty_point()] : []),
  ]
}

const why = (cards: readonly string[]): string => (cards.length ? whyNotThree(cards) : '')

export function eventWords(event: CardEvent, names: readonly string[]): EventWords {
  const name = 'seat' in event ? nameIn(names, event.seat) : ''
  const words = (text: string, signs: string[] = []): EventWords => ({ text, signs })
  switch (event.kind) {
    case 'dealt':
      return words(m.log_dealt({ name: nameIn(names, event.dealer), round: event.round }))
    case 'called':
      return words(m.called({ name }))
    case 'took':
      return words(m.log_took({ name }), event.cards)
    case 'missed':
      return missedWords(event, names, event.cards, why(event.cards))
    case 'saw_none':
      return words(m.saw_none({ name }))
    case 'took_back':
      return words('')
    case 'opened':
      return words(m.three_more(), event.cards)
    case 'round_ended':
      return words(m.round_over({ count: event.left.length }))
    case 'ended':
      return words(m.game_over())
  }
}

export function eventNews(event: CardEvent, place: Place<CardState>): News | null {
  const mine = 'seat' in event && event.seat === place.seat
  switch (event.kind) {
    case 'called':
      return calledNews(event, place, m.you_called())
    case 'took':
      return mine
        ? { text: m.you_took(), tone: 'good', sound: 'took' }
        : { text: m.took({ name: nameIn(place.names, event.seat) }), sound: 'took' }
    case 'missed':
      return missedNews(event, place, why(event.cards), place.state.locked.includes(event.seat))
    case 'saw_none':
      return sawNoneNews(event, place)
    case 'opened':
      return { text: m.three_more() }
    case 'dealt':
      return { text: m.round_starts({ round: event.round, rounds: roundsOf(place.state) }), sound: 'dealt' }
    case 'round_ended':
      return { text: m.round_over({ count: event.left.length }) }
    default:
      return null
  }
}
