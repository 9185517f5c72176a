import { RUNS } from '../protocol'
import type { Connection } from './connection.svelte'

/** The seats that somebody without one may take: open ones before a game; in a game those of bots, if that is allowed, but
 * whoever had one comes back to that one only. */
export function seatsToTake({ table, game }: Connection): number[] {
  if (!table || table.start || table.phase === 'closed') return []
  const places = table.seats.map((_, place) => place)
  if (table.phase === 'gathering') {
    const open = places.filter((place) => !table.seats[place]!.person && !table.seats[place]!.bot)
    // The open seats of a race go when it begins; for the next one there is room for as many again.
    return open.length || !table.run || places.length >= RUNS[table.run.kind].seats ? open : [places.length]
  }
  const bots = places.filter((place) => table.seats[place]!.bot)
  const own = game?.own_seat ?? null
  return own === null ? (table.late_join ? bots : []) : bots.filter((place) => place === own)
}
