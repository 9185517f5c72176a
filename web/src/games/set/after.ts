/** The card game when it is over. */

import { RACE } from '../../after/race'
import type { CardEvent, CardState } from '../../protocol'
import { asAfter } from '../module'
import Replay from './Replay.svelte'

export default asAfter<CardState, CardEvent>({ ...RACE, hasBegun: ({ table }) => table.length > 0, Replay })
