import type { Table } from '../protocol'

/** The seats that somebody without one may take: open ones before a game, and in a game those of bots, if that is allowed. */
export function seatsToTake({ phase, seats, late_join, start }: Table): number[] {
  const may = seats.map(({ person, bot }) => !person && (phase === 'playing' ? late_join && Boolean(bot) : !bot))
  return start || phase === 'closed' ? [] : may.flatMap((free, place) => (free ? [place] : []))
}
