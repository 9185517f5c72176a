/** What is said where everybody looks for a SET at once: calls, and what became of them. */

import type { EventWords, Place } from '../games/module'
import { m } from '../language.svelte'
import { isolated } from '../words'
import type { News } from './news'

type OfSeat = { seat: number }

export const nameIn = (names: readonly string[], seat: number): string => isolated(names[seat] ?? '')

/** `yours`: what the caller is asked to do. */
export const calledNews = ({ seat }: OfSeat, place: Place, yours: string): News => ({
  text: seat === place.seat ? yours : m.called({ name: nameIn(place.names, seat) }),
})

/** `why`: what is wrong with what was shown; empty if nothing was. `locked`: the caller may not call again for now. */
export function missedNews({ seat }: OfSeat, place: Place, why: string, locked: boolean): News {
  const name = nameIn(place.names, seat)
  if (seat !== place.seat) return { text: why ? m.missed({ name, why }) : m.missed_in_time({ name }), sound: 'missed' }
  const text = why ? m.not_a_set({ why }) : m.not_in_time()
  return { text: locked ? `${text} ${m.you_are_locked()}` : text, tone: 'bad', sound: 'missed' }
}

export const sawNoneNews = ({ seat }: OfSeat, place: Place): News => ({
  text: seat === place.seat ? '' : m.saw_none({ name: nameIn(place.names, seat) }),
})

export const missedWords = ({ seat }: OfSeat, names: readonly string[], signs: string[], why: string): EventWords => {
  const name = nameIn(names, seat)
  return { text: signs.length ? m.missed({ name, why }) : m.missed_in_time({ name }), signs }
}
