/** The dice game in words: its log and its news. */

import { m } from '../../language.svelte'
import type { CubedEvent, CubedPlacement as Placement, CubedState } from '../../protocol'
import { isSet } from '../../sets'
import type { News } from '../../table/news'
import { calledNews, missedNews, missedWords, nameIn, presenceNews, presenceWords, sawNoneNews } from '../../table/racewords'
import { whyNotThree } from '../../words'
import type { EventWords, Place } from '../module'

const signsOf = (placements: readonly Placement[]): string[] =>
  placements.map(({ face, wild }) => (wild ? `*${face}` : face))

/** Why the dice that were shown are no SET; empty if none were, or if something else is wrong with them. */
function why(placements: readonly Placement[]): string {
  const [a, b, c] = placements.map(({ face }) => face)
  return a && b && c && !isSet(a, b, c) ? whyNotThree([a, b, c]) : ''
}

export function eventWords(event: CubedEvent, names: readonly string[]): EventWords {
  const name = 'seat' in event ? nameIn(names, event.seat) : ''
  const words = (text: string, signs: string[] = []): EventWords => ({ text, signs })
  switch (event.kind) {
    case 'called':
      return words(m.called({ name }))
    case 'missed':
      return missedWords(event, names, signsOf(event.placements), why(event.placements))
    case 'saw_none':
      return words(m.saw_none({ name }))
    case 'opened':
      return words(m.log_opened({ name, count: event.points }), signsOf(event.placements))
    case 'laid':
      return words(m.log_laid({ name, count: event.points }), signsOf(event.placements))
    case 'passed':
      return words(m.log_passed({ name }))
    case 'replaced':
      return words(m.log_replaced({ name }), [event.die.face, event.taken.face])
    case 'round_ended':
      return words(m.log_round_over({ round: event.round }))
    case 'chose':
      if (event.dice === null) return words(m.log_chosen({ name }))
      return words(event.dice.length ? m.log_throws_again({ name, count: event.dice.length }) : m.log_keeps({ name }))
    case 'threw':
      return words(m.log_threw({ name }), event.dice.map(({ face }) => face))
    case 'ended':
      return words(m.game_over())
    case 'stepped_away':
    case 'came_back':
      return presenceWords(event, names)
    case 'began':
    case 'drew':
      return words('')
  }
}

export function eventNews(event: CubedEvent, place: Place<CubedState>): News | null {
  const mine = 'seat' in event && event.seat === place.seat
  const name = 'seat' in event ? nameIn(place.names, event.seat) : ''
  switch (event.kind) {
    case 'called':
      return calledNews(event, place, m.you_called_dice())
    case 'missed':
      return missedNews(event, place, why(event.placements), false)
    case 'saw_none':
      return sawNoneNews(event, place)
    case 'opened':
    case 'laid':
      return mine
        ? { text: m.you_laid({ count: event.points }), tone: 'good', sound: 'took' }
        : { text: m.log_laid({ name, count: event.points }), sound: 'took' }
    case 'passed':
      return mine ? null : { text: m.log_passed({ name }) }
    case 'replaced':
      return { text: m.log_replaced({ name }) }
    case 'round_ended':
      if (event.then === 'rethrow') return { text: m.all_throw_again() }
      return event.then === 'end' ? null : { text: m.log_round_over({ round: event.round }) }
    case 'stepped_away':
    case 'came_back':
      return presenceNews(event, place)
    default:
      return null
  }
}
