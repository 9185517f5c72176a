/** The keys of a table of Scramble. */

import { m } from '../../language.svelte'
import { CALL, COMMON, SEE_NONE, type KeyGuide } from '../../table/keys'

export const keys: KeyGuide = {
  shortcuts: [CALL, SEE_NONE, ...COMMON],
  fixed: [
    { keys: () => m.key_space(), says: () => m.key_space_says() },
    { keys: () => '← ↑ → ↓, Enter', says: () => m.key_arrows_dice() },
    { keys: () => 'Esc', says: () => m.key_escape() },
  ],
}
