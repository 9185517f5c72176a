/** Editions of one's own, kept in this browser once they were found good. */

import type { Edition } from '../protocol'
import { keep, recall } from '../settings.svelte'

export type OwnEdition = Exclude<Edition, string>

const PLACE = 'tercet.editions'
const KEPT = 8

export const ownEditions = (): OwnEdition[] => recall<{ all: OwnEdition[] }>(PLACE, { all: [] }).all

/** The newest comes first; another one of the same name makes way. */
export function keepEdition(edition: OwnEdition): void {
  const others = ownEditions().filter(({ name }) => name !== edition['name'])
  keep(PLACE, { all: [edition, ...others].slice(0, KEPT) })
}
