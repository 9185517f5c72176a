/** Scramble in words: its options, its log and its news. */

import { m } from '../../language.svelte'
import type { Die, ScrambleEvent, ScrambleState } from '../../protocol'
import { endedNews, type News } from '../../table/news'
import { nameIn, raceNews, raceWords } from '../../table/racewords'
import { describe, whyNotThree } from '../../words'
import type { EventWords, Place } from '../module'

/** Here the editions differ only in their dice. */
export const optionValue = (name: string, value: unknown): string | undefined =>
  name === 'edition' && value === 'dutch' ? m.edition_dutch_dice() : undefined

const facesOf = (dice: readonly Die[]): string[] => dice.map(({ face }) => face)

const why = (dice: readonly Die[]): string => (dice.length ? whyNotThree(facesOf(dice)) : '')

const roundOver = (count: number): string => (count ? m.round_over_dice({ count }) : m.round_over_clear())

export function eventWords(event: ScrambleEvent, names: readonly string[]): EventWords {
  switch (event.kind) {
    case 'thrown':
      return { text: m.log_thrown({ name: nameIn(names, event.thrower), round: event.round }), signs: [] }
    case 'round_ended':
      return { text: roundOver(event.left.length), signs: [] }
    case 'ended':
      return { text: m.game_over(), signs: [] }
    case 'took':
      return raceWords(event, names, facesOf(event.dice))
    case 'missed':
      return raceWords(event, names, facesOf(event.dice), why(event.dice))
    default:
      return raceWords(event, names)
  }
}

export function eventNews(event: ScrambleEvent, place: Place<ScrambleState>): News | null {
  switch (event.kind) {
    case 'thrown':
      return { text: m.round_starts({ round: event.round, rounds: place.state.options.rounds }), sound: 'dealt' }
    case 'round_ended':
      return { text: roundOver(event.left.length) }
    case 'ended':
      return endedNews(place)
    default: {
      const taken = event.kind === 'took' ? m.taken_things({ things: facesOf(event.dice).map(describe).join('; ') }) : ''
      return raceNews(event, place, m.you_called_three_dice(), event.kind === 'missed' ? why(event.dice) : '', taken)
    }
  }
}
