import type { Connection } from './connection.svelte'

/** Who sits where, as far as it has nothing to do with the game. */
export function seatsOf(connection: Connection) {
  const { table, game, present, reactions } = connection
  return connection.names.map((name, place) => {
    const seat = table?.seats[place]
    const here = present.find(({ person }) => person === seat?.person)
    return {
      name,
      you: place === game?.seat,
      bot: Boolean(seat?.bot),
      away: Boolean(seat?.person) && (!here || here.quality === 'offline'),
      reaction: reactions.findLast(({ person }) => person === seat?.person)?.reaction,
    }
  })
}
