import type { GameState } from '../games/module'
import type { Connection } from './connection.svelte'
import { personBefore } from './sitters'
import type { SeatView } from './Seats.svelte'

/** Who sits where, and how the game stands for them; `state` is how it is shown, if that is not how it is. */
export function seatsOf(connection: Connection, state?: GameState): SeatView[] {
  const { table, game, reactions, rules } = connection
  return connection.names.map((name, place) => {
    const seat = table?.seats[place]
    return {
      name,
      you: place === game?.seat,
      bot: Boolean(seat?.bot),
      playsFor: seat?.bot ? personBefore(connection.takenOver, place) : undefined,
      program: Boolean(seat?.program),
      away: connection.isAway(place),
      standIn: connection.standIn(place),
      score: 0,
      active: false,
      ...(game ? rules?.seatMarks(state ?? game.state, place) : {}),
      reaction: reactions.findLast(({ person }) => person === seat?.person)?.reaction,
    }
  })
}
