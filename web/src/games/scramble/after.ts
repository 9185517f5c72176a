/** Scramble when it is over. */

import { RACE } from '../../after/race'
import type { ScrambleEvent, ScrambleState } from '../../protocol'
import { asAfter } from '../module'
import Replay from './Replay.svelte'

export default asAfter<ScrambleState, ScrambleEvent>({ ...RACE, hasBegun: ({ dice }) => dice.length > 0, Replay })
