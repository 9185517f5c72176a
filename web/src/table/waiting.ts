/** For whom everybody waits, in words. */

import { m } from '../language.svelte'
import { listOf } from '../locale'
import { isolated } from '../words'
import type { Connection } from './connection.svelte'

/** "Waiting for Ben and Cleo."; nothing if nobody is waited for but oneself. */
export function waitingText(connection: Connection): string {
  const { game, rules, names } = connection
  const awaited = game ? (rules?.awaited(game.state) ?? []).filter((seat) => seat !== game.seat) : []
  return awaited.length ? m.waiting_for({ names: listed(awaited.map((seat) => names[seat] ?? '')) }) : ''
}

/** Names as the language lists them. */
export const listed = (names: readonly string[]): string => listOf(names.map(isolated))
