/** What is said where everybody looks for a SET at once: calls, and what became of them. */

import type { EventWords, Place } from '../games/module'
import type { RaceState } from '../games/race'
import { m } from '../language.svelte'
import type { CameBack, SteppedAway } from '../protocol'
import { isolated } from '../words'
import type { News } from './news'

type OfSeat = { seat: number }

export const nameIn = (names: readonly string[], seat: number): string => isolated(names[seat] ?? '')

/** `yours`: what the caller is asked to do. */
export const calledNews = ({ seat }: OfSeat, place: Place, yours: string): News => ({
  text: seat === place.seat ? yours : m.called({ name: nameIn(place.names, seat) }),
  seat,
  aside: seat !== place.seat,
})

/** `why`: what is wrong with what was shown; empty if nothing was. `locked`: the caller may not call again for now. */
export function missedNews({ seat }: OfSeat, place: Place, why: string, locked: boolean): News {
  const name = nameIn(place.names, seat)
  if (seat !== place.seat)
    return { text: why ? m.missed({ name, why }) : m.missed_in_time({ name }), sound: 'missed', seat, aside: true }
  const text = why ? m.not_a_set({ why }) : m.not_in_time()
  return { text: locked ? `${text} ${m.you_are_locked()}` : text, tone: 'bad', sound: 'missed' }
}

export const sawNoneNews = ({ seat }: OfSeat, place: Place): News => ({
  text: seat === place.seat ? '' : m.saw_none({ name: nameIn(place.names, seat) }),
  seat,
  aside: true,
})

export const missedWords = ({ seat }: OfSeat, names: readonly string[], signs: string[], why: string): EventWords => {
  const name = nameIn(names, seat)
  return { text: signs.length ? m.missed({ name, why }) : m.missed_in_time({ name }), signs }
}

/** Who is away, and who is back: told to the others. */
export function presenceNews({ kind, seat }: SteppedAway | CameBack, place: Place): News | null {
  if (seat === place.seat) return null
  const name = nameIn(place.names, seat)
  return { text: kind === 'came_back' ? m.is_back({ name }) : m.is_away({ name }) }
}

export function presenceWords({ kind, seat }: SteppedAway | CameBack, names: readonly string[]): EventWords {
  const name = nameIn(names, seat)
  return { text: kind === 'came_back' ? m.is_back({ name }) : m.is_away({ name }), signs: [] }
}

type Happening = OfSeat & {
  kind: 'called' | 'took' | 'missed' | 'saw_none' | 'took_back' | 'stepped_away' | 'came_back'
}

/** The log. `signs`: what was taken or shown. */
export function raceWords(event: Happening, names: readonly string[], signs: string[] = [], why = ''): EventWords {
  const name = nameIn(names, event.seat)
  switch (event.kind) {
    case 'called':
      return { text: m.called({ name }), signs, passing: true }
    case 'took':
      return { text: m.log_took({ name }), signs }
    case 'missed':
      return missedWords(event, names, signs, why)
    case 'saw_none':
      return { text: m.saw_none({ name }), signs }
    case 'took_back':
      return { text: '', signs }
    case 'stepped_away':
    case 'came_back':
      return presenceWords({ kind: event.kind, seat: event.seat }, names)
  }
}

/** `yours` and `why` as above; `details`: what was taken, and what came instead. */
export function raceNews(event: Happening, place: Place<RaceState>, yours: string, why: string, details = ''): News | null {
  const { seat } = event
  switch (event.kind) {
    case 'called':
      return calledNews(event, place, yours)
    case 'took':
      return {
        ...(seat === place.seat ? { text: m.you_took(), tone: 'good' } : { text: m.took({ name: nameIn(place.names, seat) }) }),
        sound: 'took',
        seat,
        spoken: m.now_points({ points: m.points({ count: place.state.scores[seat] ?? 0 }) }),
        details,
      }
    case 'missed':
      return missedNews(event, place, why, place.state.locked.includes(seat))
    case 'saw_none':
      return sawNoneNews(event, place)
    case 'took_back':
      return null
    case 'stepped_away':
    case 'came_back':
      return presenceNews({ kind: event.kind, seat: event.seat }, place)
  }
}
