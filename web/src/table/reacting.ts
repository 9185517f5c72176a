/** How whoever sits at a table reacts to what happens there; nobody does where there is none, as in a replay. */

import { getContext, setContext } from 'svelte'
import type { REACTIONS } from '../protocol'

export type Reaction = (typeof REACTIONS)[number]
/** To be asked when it is needed: null while one may not. */
type Reacting = () => ((reaction: Reaction) => void) | null

const PLACE = Symbol('reacting')

export const letReact = (reacting: Reacting): void => void setContext(PLACE, reacting)
export const reacting = (): Reacting => getContext<Reacting | undefined>(PLACE) ?? (() => null)
