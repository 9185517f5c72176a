/** A table of Scramble for those who do not see it. */

import { m } from '../../language.svelte'
import type { Die, ScrambleState } from '../../protocol'
import { describe } from '../../words'

const lyingIn = ({ dice }: ScrambleState): Die[] => dice.filter((die) => die !== null)

/** The round, and how many dice lie there. */
export const stageText = (state: ScrambleState): string =>
  [
    `${m.round_of({ round: state.round, rounds: state.options.rounds })}.`,
    ...(state.phase === 'play' ? [`${m.dice_on_table({ count: lyingIn(state).length })}.`] : []),
  ].join(' ')

/** Every die, in the order in which they lie. */
export const lyingText = (state: ScrambleState): string =>
  `${m.dice_on_table({ count: lyingIn(state).length })}: ${lyingIn(state).map(({ face }) => describe(face)).join('; ')}.`
