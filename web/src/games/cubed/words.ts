/** The dice game in words: its log, its news and its scenes. */

import { isRightToLeft, m } from '../../language.svelte'
import type { CubedEvent, CubedPlacement as Placement, CubedState } from '../../protocol'
import { isSet } from '../../sets'
import type { News } from '../../table/news'
import { calledNews, missedNews, missedWords, nameIn, presenceNews, presenceWords, sawNoneNews } from '../../table/racewords'
import { whyNotThree } from '../../words'
import type { EventWords, Place } from '../module'
import { turnOf, type Scene, type ThrowScene, type TurnScene } from './scenes'

const signsOf = (placements: readonly Placement[]): string[] =>
  placements.map(({ face, wild }) => (wild ? `*${face}` : face))

/** Why the dice that were shown are no SET; empty if none were, or if something else is wrong with them. */
function why(placements: readonly Placement[]): string {
  const [a, b, c] = placements.map(({ face }) => face)
  return a && b && c && !isSet(a, b, c) ? whyNotThree([a, b, c]) : ''
}

/** How the points of a turn are made up: "11 = 3 + 3 + 2, bonus 3"; nothing for a single SET, which needs no sum. */
export function sumOf({ marks, bonus, event }: TurnScene): string {
  if (marks.length + (bonus ? 1 : 0) < 2) return ''
  const equation = `${event.points} = ${marks.map(({ points }) => points).join(' + ')}`
  // It runs from left to right in every language.
  const sum = isRightToLeft() ? `\u2066${equation}\u2069` : equation
  return bonus ? `${sum}, ${m.bonus({ count: bonus })}` : sum
}

/** `after`: the state after the event, which tells how the points of a turn are made up. `late`: the time limit did it. */
export function eventWords(event: CubedEvent, names: readonly string[], after?: CubedState, late = false): EventWords {
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
    case 'laid': {
      const sum = after ? sumOf(turnOf(after, event)) : ''
      return words(sum ? `${name}: ${sum}` : m.log_laid({ name, count: event.points }), signsOf(event.placements))
    }
    case 'passed':
      return words(late ? m.log_time_passed({ name }) : passedWords(event, name))
    case 'replaced':
      return words(m.log_replaced({ name, square: event.square }), [event.die.face, event.taken.face])
    case 'round_ended':
      return words(m.log_round_over({ round: event.round }))
    case 'chose':
      if (event.dice?.length) return words(m.log_throws_again({ name, count: event.dice.length }))
      return { ...words(event.dice ? m.log_keeps({ name }) : m.log_chosen({ name })), passing: true }
    case 'threw':
      return words(m.log_threw({ name }), event.dice.map(({ face }) => face))
    case 'ended':
      return words(m.game_over())
    case 'stepped_away':
    case 'came_back':
      return presenceWords(event, names)
    case 'began':
    case 'drew':
    case 'drafted':
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
      return mine ? { text: '', said: m.you_see_none() } : sawNoneNews(event, place)
    case 'opened':
    case 'laid':
      return turnNews(turnOf(place.state, event), place)
    case 'passed':
      return { text: mine ? m.you_pass() : passedWords(event, name) }
    case 'replaced':
      return { text: mine ? m.you_replaced({ square: event.square }) : m.log_replaced({ name, square: event.square }) }
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

const passedWords = ({ could_lay }: { could_lay: boolean }, name: string): string =>
  could_lay ? m.log_passed({ name }) : m.log_passed_stuck({ name })

function turnNews(turn: TurnScene, { seat, names }: Place<CubedState>): News {
  const { event } = turn
  const sum = sumOf(turn)
  const count = event.points
  if (event.seat === seat) return { text: sum ? m.you_laid_sum({ sum }) : m.you_laid({ count }), tone: 'good', sound: 'took', seat }
  const name = nameIn(names, event.seat)
  const points = event.kind === 'opened' ? m.log_opened({ name, count }) : m.log_laid({ name, count })
  return { text: sum ? `${name}: ${sum}` : points, sound: 'took', seat: event.seat }
}

/** Who throws how many dice again, told to whoever sits on `own`. */
export function throwsAgain(thrown: ThrowScene['thrown'], names: readonly string[], own: number | null = null): string[] {
  const counts = new Map<number, number>()
  for (const { seat } of thrown) counts.set(seat, (counts.get(seat) ?? 0) + 1)
  return [...counts].map(([seat, count]) =>
    seat === own ? m.you_threw_dice({ count }) : m.log_throws_again({ name: nameIn(names, seat), count }),
  )
}

/** What is said while a scene is shown; null for what goes without saying, or leaves standing what was said before. */
export function sceneNews(scene: Scene, place: Place<CubedState>): News | null {
  const late = scene.timeUp && 'event' in scene && 'seat' in scene.event && scene.event.seat === place.seat
  switch (scene.kind) {
    case 'turn': {
      const news = turnNews(scene, place)
      return late ? { ...news, text: `${m.time_laid()} ${news.text}` } : news
    }
    case 'passed':
      if (late) return { text: m.time_passed(), tone: 'bad' }
      return scene.timeUp ? { text: m.log_time_passed({ name: nameIn(place.names, scene.event.seat) }) } : eventNews(scene.event, place)
    case 'throw': {
      if (scene.why === 'stuck') return { text: m.all_throw_again() }
      if (scene.why === 'none') return { text: m.none_throw_again() }
      if (scene.why !== 'extra') return null
      return { text: throwsAgain(scene.thrown, place.names, place.seat).join(' ') || m.all_keep() }
    }
    case 'over':
      return null
    default:
      return eventNews(scene.event, { ...place, state: scene.after })
  }
}
