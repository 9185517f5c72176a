/** Who plays in this browser. */

import { sitDownAs, whoAmI } from './api'
import { m } from './language.svelte'
import type { Me } from './protocol'
import { keep, recall } from './settings.svelte'

const PLACE = 'tercet.person'

let me = $state.raw<Me | null>()

/** The person as far as this page knows; undefined before it has asked. */
export const person = (): Me | null | undefined => me

/** From now on this browser plays as this person, or as nobody yet. */
export function become(someone: Me | null): void {
  me = someone
  keep(PLACE, { known: someone !== null })
}

let asking: Promise<void> | null = null

/** The person, if one has sat down in this browser before. A browser that remembers nothing asks the server once: it may have forgotten, and still
 * be somebody's. */
export async function findPerson(): Promise<Me | null> {
  if (me === undefined) {
    asking ??= look().finally(() => (asking = null))
    await asking
  }
  return me ?? null
}

async function look(): Promise<void> {
  const { known } = recall<{ known: boolean | null }>(PLACE, { known: null })
  const found = known === false ? null : await whoAmI()
  if (me === undefined) become(found) // unless somebody sat down meanwhile
}

/** The person; a guest under this name, if nobody has sat down in this browser yet. */
export async function someone(name = ''): Promise<Me> {
  const known = await findPerson()
  if (known && (!name || known.name === name)) return known
  const sitting = await sitDownAs(name || m.guest_name({ number: 100 + Math.floor(Math.random() * 900) }))
  become(sitting)
  return sitting
}
