/** The card game in words: its log, its news, and what is wrong with what was shown. */

import { m } from '../../language.svelte'
import type { Card, CardEvent, CardOptions, CardState } from '../../protocol'
import { CARD_FEATURES, type FeatureName } from '../../sets'
import { endedNews, type News } from '../../table/news'
import { nameIn, raceNews, raceWords } from '../../table/racewords'
import { featureName, valueName, whyNot } from '../../words'
import type { EventWords, Place } from '../module'
import { roundsOf } from './rules'
import { takenText } from './spoken'
import { checkOf, variantOf } from './variants'

/** The simplified game is named by the value that it keeps. */
export const optionValue = (name: string, value: unknown): string | undefined =>
  name === 'only' ? m.option_only_value({ value: valueName(String(value)) }) : undefined

/** The name of the variant, without what follows to explain it; none for the usual game. */
export const variety = ({ variant = 'classic' }: CardOptions): string =>
  variant === 'classic' ? '' : m[`option_variant_${variant}`]().split(':')[0]!

/** What keeps these cards from being a group; empty if nothing does. */
export function whyNoGroup(cards: readonly Card[]): string {
  if (!cards.length) return ''
  const check = checkOf(cards)
  if ('features' in check) return whyNot(check)
  if ('broken' in check) return check.broken.length ? m.why_pairs({ features: check.broken.map(featureName).join(', ') }) : ''
  return check.counts
    .filter(({ even }) => !even)
    .map(({ feature, counts }) => `${featureName(feature)}: ${countsText(feature, counts)}`)
    .join('; ')
}

/** "4 × red, 2 × green"; numbers are not to be taken for counts: "1, 2, 2, 3, 3, 3". */
function countsText(feature: FeatureName, counts: readonly number[]): string {
  const { values } = CARD_FEATURES.find(({ name }) => name === feature)!
  if (feature === 'number') return counts.flatMap((count, place) => Array<string>(count).fill(values[place]!)).join(', ')
  return counts.flatMap((count, place) => (count ? [`${count} × ${valueName(values[place]!)}`] : [])).join(', ')
}

const moreCards = (count: number): string => (count === 3 ? m.three_more() : m.more_cards({ count }))

const roundOver = (count: number): string => (count ? m.round_over({ count }) : m.round_over_clear())

export function eventWords(event: CardEvent, names: readonly string[]): EventWords {
  const words = (text: string, signs: string[] = []): EventWords => ({ text, signs })
  switch (event.kind) {
    case 'dealt':
      return words(m.log_dealt({ name: nameIn(names, event.dealer), round: event.round }))
    case 'opened':
      return words(moreCards(event.cards.length), event.cards)
    case 'shuffled':
      return words(m.cards_shuffled())
    case 'round_ended':
      return words(roundOver(event.left.length))
    case 'ended':
      return words(m.game_over())
    case 'took':
      return raceWords(event, names, event.cards)
    case 'missed':
      return raceWords(event, names, event.cards, whyNoGroup(event.cards))
    default:
      return raceWords(event, names)
  }
}

export function eventNews(event: CardEvent, place: Place<CardState>): News | null {
  switch (event.kind) {
    case 'opened':
      return { text: moreCards(event.cards.length) }
    case 'dealt':
      return { text: m.round_starts({ round: event.round, rounds: roundsOf(place.state) }), sound: 'dealt' }
    case 'round_ended':
      return { text: roundOver(event.left.length) }
    case 'shuffled':
      return null
    case 'ended':
      return endedNews(place)
    default: {
      const yours = variantOf(place.state.options).size === 3 ? m.you_called() : m.you_called_cards()
      const why = event.kind === 'missed' ? whyNoGroup(event.cards) : ''
      return raceNews(event, place, yours, why, event.kind === 'took' ? takenText(event) : '')
    }
  }
}
